// Package perfetto writes the events of a run as a Chrome trace-event file, which
// ui.perfetto.dev and chrome://tracing open. Times are microseconds of simulated
// time. The file is written in pieces during the run and is bounded in size. The end of
// the file says how much was left out.
//
// Processes are the parts of the machine: the GPU (launches with their figures, bandwidth), each SM
// (its CTAs, its warps with their barriers and memory instructions, its requests
// in flight), L2 (a thread for each slice), each controller (queue lengths,
// metadata lookups, the codec), each DRAM channel (its data bus and its banks) and the
// link to a slower memory (its channels, and how many entries need it).
package perfetto
