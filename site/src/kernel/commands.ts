// The way to PTX from CUDA and Triton: kernels to start from, and the commands that make PTX of them.

import { copyButton, h } from "../lib/dom";

const COMMANDS: readonly [string, string][] = [
  ["clang", "clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudalib -O2 -S kernel.cu -o kernel.ptx"],
  ["nvcc", "nvcc -ptx -arch=compute_70 -lineinfo kernel.cu -o kernel.ptx"],
  ["Triton", "python3 kernel.py"],
];

// SNIPPETS are small kernels in both languages. The script of Triton compiles its kernel, writes the PTX and runs
// nothing. Triton compiles for the GPU that it finds, so it needs one.
const SNIPPETS: readonly { name: string; cuda: string; triton: string }[] = [
  {
    name: "saxpy",
    cuda: `extern "C" __global__ void saxpy(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
`,
    triton: `@triton.jit
def saxpy(x, y, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(y + i, a * tl.load(x + i, inside) + tl.load(y + i, inside), inside)

compiled = saxpy.warmup(torch.float32, torch.float32, 2.0, 4096, BLOCK=256, grid=(16,))
`,
  },
  {
    name: "stencil",
    cuda: `extern "C" __global__ void stencil(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int i = y * width + x;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
`,
    triton: `@triton.jit
def stencil(x, out, width, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = (i >= width) & (i < n - width)
    row = tl.load(x + i - 1, inside) + tl.load(x + i + 1, inside)
    column = tl.load(x + i - width, inside) + tl.load(x + i + width, inside)
    tl.store(out + i, 0.25 * (row + column), inside)

compiled = stencil.warmup(torch.float32, torch.float32, 64, 4096, BLOCK=256, grid=(16,))
`,
  },
  {
    name: "sums of rows",
    cuda: `extern "C" __global__ void rows(const float *in, float *out, int columns) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += in[blockIdx.x * columns + i];
  part[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
`,
    triton: `@triton.jit
def rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(out + row, tl.sum(tl.load(x + row * columns + i, i < columns, 0.0)))

compiled = rows.warmup(torch.float32, torch.float32, 1000, BLOCK=1024, grid=(64,))
`,
  },
];

const TRITON_HEAD = "import torch, triton\nimport triton.language as tl\n\n";
const TRITON_FOOT = 'open("kernel.ptx", "w").write(compiled.asm["ptx"])\n';

export function commands(): HTMLElement {
  const form = h("select", { id: "snippet-form", "aria-label": "Language of the kernel to start from" },
    h("option", {}, "CUDA"), h("option", {}, "Triton"));
  const pick = h("select", { id: "snippet", "aria-label": "Kernel to start from" },
    ...SNIPPETS.map((s) => h("option", {}, s.name)));
  const shown = h("pre", { tabindex: 0, id: "snippet-text", "aria-label": "Kernel to start from" });
  const copy = copyButton(shown);
  const made = h("p", { class: "note" });
  const draw = (): void => {
    const s = SNIPPETS[pick.selectedIndex]!;
    const cuda = form.value === "CUDA";
    shown.textContent = cuda ? s.cuda : TRITON_HEAD + s.triton + TRITON_FOOT;
    const file = `kernel.${cuda ? "cu" : "py"}`;
    made.textContent = `Save it as ${file}, make kernel.ptx by a command below, and drop that file here.`;
    copy.textContent = "Copy";
  };
  for (const select of [form, pick]) select.addEventListener("change", draw);
  draw();
  return h("div", { class: "kcommands" },
    h("h2", {}, "From CUDA or Triton"),
    h("div", { class: "tools" }, h("label", {}, "start from ", pick), h("label", {}, "in ", form), copy),
    shown, made,
    ...COMMANDS.flatMap(([name, command]) =>
      [h("h3", {}, name), h("pre", { tabindex: 0, "aria-label": `Command of ${name}` }, command)]));
}
