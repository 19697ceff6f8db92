// The part of the page with the reader's own kernel: whether it is open, and its state as tests
// read it.

export interface KernelSettings {
  open: boolean;
  from?: string; // the shipped source that a link forks, until the editor has taken it
  absent?: boolean; // the link names a program that it could not hold
}

export const FIRST_KERNEL: KernelSettings = { open: false };

export interface KernelTest {
  open: boolean;
  ready: boolean; // the text on show was checked
  kernels: string[]; // of the text
  marks: { line: number; column: number }[]; // faults on show
}
