// Package forms lists the forms of PTX instructions that a GPU of compute capability 9.0
// and the simulator both have. It writes kernels that apply each form to a table of
// operands and runs them in the simulator. The same kernels run on a GPU, and the answers
// of one are recorded in core/machine/testdata/silicon; the tests compare the simulator
// with the recording.
package forms
