// A stand-in for the CUDA driver's library: it has the functions that package gpu calls, checks
// how they are called, and runs the few kernels that the tests use on the host. Time is made
// up. BEHAVIOUR names what goes wrong; LOG is a file that receives a line for each call.
//
// Numbers of errors and attributes are those of cuda.h.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int status;
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, STUB = 34, NO_DEVICE = 100, INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201, NO_BINARY = 209, INVALID_PTX = 218, NO_COMPILER = 221, UNSUPPORTED_PTX = 222, NOT_FOUND = 500,
  NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_RESOURCES = 701, MISMATCH = 803 };

static int behaves(const char *name) { return !strcmp(BEHAVIOUR, name); }

static void note(const char *format, ...) {
  FILE *f = fopen(LOG, "a");
  va_list args;
  if (!f) abort();
  va_start(args, format);
  vfprintf(f, format, args);
  va_end(args);
  fputc('\n', f);
  fclose(f);
}

// --- state of the only device ------------------------------------------------

static int initialized;
static uintptr_t contexts;                // made so far
static uintptr_t alive;                   // the context, 0 without one
static _Thread_local uintptr_t current;   // of this thread
static status failed;                     // the fault of a kernel; every later call returns it
static int busy;                          // a kernel that never ends
static double now;                        // made-up nanoseconds
static int launches;                      // of the program's kernels

// ready is the check of every call that needs a context.
static status ready(const char *call) {
  if (!initialized) {
    note("fault: %s before cuInit", call);
    return NOT_INITIALIZED;
  }
  if (!alive || current != alive) {
    note("fault: %s without a context on this thread", call);
    return INVALID_CONTEXT;
  }
  return failed;
}
#define READY(call) do { status s = ready(call); if (s != OK) return s; } while (0)

status cuInit(unsigned flags) {
  note("cuInit %u", flags);
  if (behaves("no device")) return NO_DEVICE;
  if (behaves("stub")) return STUB;
  if (behaves("mismatch")) return MISMATCH;
  if (behaves("broken")) return 999;
  initialized = 1;
  return OK;
}

status cuDriverGetVersion(int *version) {
  *version = behaves("old PTX") ? 10000 : 12080;
  return OK;
}

static const struct { status code; const char *name, *text; } texts[] = {
  {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
  {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
  {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
  {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
  {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
  {LAUNCH_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
};

status cuGetErrorName(status code, const char **text) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].code == code) return *text = texts[i].name, OK;
  return INVALID_VALUE;
}

status cuGetErrorString(status code, const char **text) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].code == code) return *text = texts[i].text, OK;
  return INVALID_VALUE;
}

status cuDeviceGetCount(int *count) { return *count = behaves("none") ? 0 : 2, OK; }
status cuDeviceGet(int *device, int ordinal) {
  note("cuDeviceGet %d", ordinal);
  return *device = ordinal, OK;
}
status cuDeviceGetName(char *name, int length, int device) { return snprintf(name, length, "Stand-in %d", device), OK; }
status cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1 << 30, OK; }

status cuDeviceGetAttribute(int *value, int attribute, int device) {
  static const int values[][2] = {{13, 1600000}, {16, 4}, {36, 3000000}, {37, 512}, {38, 1 << 20}, {39, 2048}, {75, 9}, {76, 0}, {81, 233472}, {82, 65536}, {97, 232448}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i][0] == attribute) return *value = values[i][1], OK;
  return INVALID_VALUE;
}

// --- memory ------------------------------------------------------------------

#define GUARD 64 // bytes behind an allocation that nobody may write
static struct memory { char *data, *raw; size_t bytes; } memories[1024];
static size_t allocated;

static struct memory *holder(uint64_t address, size_t bytes) {
  for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
    struct memory *m = &memories[i];
    if (m->data && address >= (uintptr_t)m->data && address + bytes <= (uintptr_t)m->data + m->bytes) return m;
  }
  note("fault: no allocation holds %zu bytes at the address", bytes);
  return NULL;
}

status cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  READY("cuMemAlloc");
  if (allocated + bytes > (behaves("small memory") ? (size_t)64 << 10 : (size_t)1 << 30)) return OUT_OF_MEMORY;
  for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
    struct memory *m = &memories[i];
    if (m->data) continue;
    m->raw = malloc(bytes + 256 + GUARD);
    m->data = (char *)(((uintptr_t)m->raw + 255) & ~(uintptr_t)255); // aligned as the driver's
    m->bytes = bytes;
    memset(m->data, 0xa5, bytes + GUARD); // fresh memory holds anything
    allocated += bytes;
    *address = (uintptr_t)m->data;
    note("cuMemAlloc %zu", bytes);
    return OK;
  }
  return OUT_OF_MEMORY;
}

static void release(struct memory *m) {
  for (size_t i = 0; i < GUARD; i++)
    if (m->data[m->bytes + i] != (char)0xa5) note("fault: a write behind an allocation of %zu bytes", m->bytes);
  allocated -= m->bytes;
  free(m->raw);
  memset(m, 0, sizeof *m);
}

status cuMemFree_v2(uint64_t address) {
  READY("cuMemFree");
  struct memory *m = holder(address, 1);
  if (!m || (uintptr_t)m->data != address) return INVALID_VALUE;
  note("cuMemFree %zu", m->bytes);
  release(m);
  return OK;
}

status cuMemsetD8_v2(uint64_t address, unsigned char value, size_t bytes) {
  READY("cuMemsetD8");
  if (!holder(address, bytes)) return INVALID_VALUE;
  note("cuMemsetD8 %d %zu", value, bytes);
  memset((void *)(uintptr_t)address, value, bytes);
  return OK;
}

status cuMemcpyHtoD_v2(uint64_t address, const void *source, size_t bytes) {
  READY("cuMemcpyHtoD");
  if (!holder(address, bytes)) return INVALID_VALUE;
  note("cuMemcpyHtoD %zu", bytes);
  memcpy((void *)(uintptr_t)address, source, bytes);
  return OK;
}

status cuMemcpyDtoH_v2(void *destination, uint64_t address, size_t bytes) {
  READY("cuMemcpyDtoH");
  if (busy) note("fault: cuMemcpyDtoH would wait for a kernel that never ends");
  if (!holder(address, bytes)) return INVALID_VALUE;
  note("cuMemcpyDtoH %zu", bytes);
  memcpy(destination, (void *)(uintptr_t)address, bytes);
  return OK;
}

status cuMemGetInfo_v2(size_t *free, size_t *total) {
  READY("cuMemGetInfo");
  *total = behaves("small memory") ? (size_t)64 << 10 : (size_t)1 << 30;
  *free = *total - allocated;
  return OK;
}

// --- modules and kernels -----------------------------------------------------

#define MAX_PARAMS 16
struct kernel { char name[64]; int params; size_t bytes[MAX_PARAMS]; int dynamic; struct module *module; };
struct module { int kernels; struct kernel kernel[8]; uint32_t counter; };
static int modules;

// refuse fills the log of cuModuleLoadDataEx.
static status refuse(status code, int n, const int *options, void **values, const char *log) {
  char *buffer = NULL;
  size_t bytes = 0;
  for (int i = 0; i < n; i++) {
    if (options[i] == 5) buffer = values[i];
    if (options[i] == 6) bytes = (size_t)values[i];
  }
  if (buffer) snprintf(buffer, bytes, "%s", log);
  return code;
}

status cuModuleLoadDataEx(struct module **module, const char *ptx, unsigned n, const int *options, void **values) {
  READY("cuModuleLoadDataEx");
  int tools = strstr(ptx, ".entry spin(") != NULL; // the kernels of package gpu
  double version = atof(strstr(ptx, ".version") + strlen(".version"));
  if (behaves("old PTX") && version > 6.3) return refuse(UNSUPPORTED_PTX, n, options, values, "");
  if (behaves("older PTX") && version > 6.3)
    return refuse(INVALID_PTX, n, options, values, "ptxas application ptx input, line 1; fatal   : Unsupported .version 6.4; current version is '6.3'\n");
  if (behaves("refuses") && !tools)
    return refuse(INVALID_PTX, n, options, values, "\nptxas application ptx input, line 8; error   : Unknown symbol '%x'\nline 9; error : second\nthird\nfourth\n");
  if (behaves("no target") && !tools)
    return refuse(INVALID_PTX, n, options, values, "ptxas fatal   : SM version specified by .target is higher than default SM version assumed\n");
  if (behaves("no binary") && !tools) return refuse(NO_BINARY, n, options, values, "");
  if (behaves("no compiler")) return refuse(NO_COMPILER, n, options, values, "");
  struct module *m = calloc(1, sizeof *m);
  for (const char *at = ptx; (at = strstr(at, ".entry ")) && m->kernels < 8;) {
    struct kernel *k = &m->kernel[m->kernels++];
    at += strlen(".entry ");
    size_t length = strcspn(at, "( \n");
    snprintf(k->name, sizeof k->name, "%.*s", (int)length, at);
    k->module = m;
    const char *end = strchr(at, '{'), *param = at;
    while ((param = strstr(param, ".param .")) && param < end && k->params < MAX_PARAMS) {
      param += strlen(".param .");
      k->bytes[k->params++] = atoi(param + 1) / 8;
    }
  }
  modules++;
  note("cuModuleLoadDataEx %s", m->kernels ? m->kernel[0].name : "");
  *module = m;
  return OK;
}

status cuModuleUnload(struct module *m) {
  READY("cuModuleUnload");
  note("cuModuleUnload %s", m->kernel[0].name);
  free(m);
  modules--;
  return OK;
}

status cuModuleGetFunction(struct kernel **kernel, struct module *m, const char *name) {
  READY("cuModuleGetFunction");
  for (int i = 0; i < m->kernels; i++)
    if (!strcmp(m->kernel[i].name, name)) return *kernel = &m->kernel[i], OK;
  return NOT_FOUND;
}

status cuFuncGetAttribute(int *value, int attribute, struct kernel *k) {
  READY("cuFuncGetAttribute");
  static const int values[] = {1024, 16, 0, 8, 20};
  if (attribute < 0 || attribute > 4) return INVALID_VALUE;
  return *value = values[attribute], OK;
}

#ifndef WITHOUT_SET_ATTRIBUTE
status cuFuncSetAttribute(struct kernel *k, int attribute, int value) {
  READY("cuFuncSetAttribute");
  note("cuFuncSetAttribute %s %d %d", k->name, attribute, value);
  if (attribute != 8 || value > 232448) return INVALID_VALUE;
  k->dynamic = value;
  return OK;
}
#endif

#ifndef WITHOUT_PARAM_INFO
status cuFuncGetParamInfo(struct kernel *k, size_t index, size_t *offset, size_t *bytes) {
  READY("cuFuncGetParamInfo");
  if (index >= (size_t)k->params) return INVALID_VALUE;
  return *offset = 8 * index, *bytes = k->bytes[index], OK;
}
#endif

// --- running -----------------------------------------------------------------

// compute runs a kernel. args are the parameters, widened to 64 bits.
static status compute(struct kernel *k, uint64_t threads, const uint64_t *args) {
  if (!strcmp(k->name, "spin")) {
    if (!holder(args[0], 16)) return ILLEGAL_ADDRESS;
    uint64_t *out = (uint64_t *)(uintptr_t)args[0];
    out[0] = args[1];
    out[1] = args[1] * 3 / 2; // 1500 MHz
    now += args[1];
    return OK;
  }
  if (!strcmp(k->name, "sweep")) return holder(args[0], args[1]) ? OK : ILLEGAL_ADDRESS;
  launches++;
  now += 1000 + 100 * launches;
  if (behaves("forever")) busy = 1;
  if (behaves("illegal") || (behaves("fails later") && launches == 5)) return ILLEGAL_ADDRESS;
  if (!strcmp(k->name, "vecadd")) {
    for (int i = 0; i < 3; i++)
      if (!holder(args[i], 4 * args[3])) return ILLEGAL_ADDRESS;
    float *a = (float *)(uintptr_t)args[0], *b = (float *)(uintptr_t)args[1], *sum = (float *)(uintptr_t)args[2];
    for (uint64_t i = 0; i < args[3]; i++) sum[i] = a[i] + b[i];
    if (behaves("wrong")) sum[17] += 0.5f, sum[40] -= 2.0f, memset(&sum[41], 0xff, 4);
    if (behaves("random")) sum[3] = launches;
    return OK;
  }
  if (!strcmp(k->name, "increment")) {
    if (!holder(args[0], 4 * threads)) return ILLEGAL_ADDRESS;
    for (uint64_t i = 0; i < threads; i++) ((uint32_t *)(uintptr_t)args[0])[i] += (uint32_t)args[1];
    return OK;
  }
  if (!strcmp(k->name, "count")) { // one more for each launch since the module was loaded
    if (!holder(args[0], 4)) return ILLEGAL_ADDRESS;
    *(uint32_t *)(uintptr_t)args[0] = ++k->module->counter;
    return OK;
  }
  if (!strcmp(k->name, "sizes")) { // stores its parameters of 1, 2, 4 and 8 bytes
    if (!holder(args[4], 32)) return ILLEGAL_ADDRESS;
    memcpy((void *)(uintptr_t)args[4], args, 32);
    return OK;
  }
  return OK;
}

status cuLaunchKernel(struct kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
  READY("cuLaunchKernel");
  if (stream || extra) note("fault: a stream or extra options");
  if ((uint64_t)bx * by * bz > 1024 || shared > (k->dynamic ? (unsigned)k->dynamic : 49152)) return INVALID_VALUE;
  uint64_t args[MAX_PARAMS] = {0};
  char text[256] = "";
  for (int i = 0; i < k->params; i++) {
    memcpy(&args[i], params[i], k->bytes[i]);
    snprintf(text + strlen(text), sizeof text - strlen(text), " %zu", k->bytes[i]);
  }
  if (behaves("resources") && strcmp(k->name, "spin") && strcmp(k->name, "sweep")) return LAUNCH_RESOURCES;
  note("cuLaunchKernel %s grid %u %u %u block %u %u %u shared %u params%s", k->name, gx, gy, gz, bx, by, bz, shared, text);
  status s = compute(k, (uint64_t)gx * gy * gz * bx * by * bz, args);
  if (s != OK) failed = s;
  return OK; // a launch does not wait, so a kernel's fault shows later
}

static int asked;

status cuStreamQuery(void *stream) {
  READY("cuStreamQuery");
  if (busy || asked++ % 3 < 2) return NOT_READY; // the third question finds the work done
  note("cuStreamQuery");
  return OK;
}

static int events;

status cuEventCreate(double **event, unsigned flags) {
  READY("cuEventCreate");
  *event = calloc(1, sizeof **event);
  events++;
  return OK;
}

status cuEventDestroy_v2(double *event) {
  READY("cuEventDestroy");
  free(event);
  events--;
  return OK;
}

status cuEventRecord(double *event, void *stream) {
  READY("cuEventRecord");
  note("cuEventRecord");
  *event = now;
  return OK;
}

status cuEventElapsedTime(float *milliseconds, double *start, double *stop) {
  READY("cuEventElapsedTime");
  note("cuEventElapsedTime");
  *milliseconds = (float)((*stop - *start) / 1e6);
  return OK;
}

// --- contexts ----------------------------------------------------------------

status cuCtxCreate_v2(uintptr_t *context, unsigned flags, int device) {
  if (!initialized) return NOT_INITIALIZED;
  if (behaves("held")) return 46;
  if (failed) return failed;
  note("cuCtxCreate %d", device);
  *context = alive = current = ++contexts;
  return OK;
}

status cuCtxSetCurrent(uintptr_t context) {
  if (context != alive) return INVALID_CONTEXT;
  current = context;
  return OK;
}

status cuCtxDestroy_v2(uintptr_t context) {
  if (context != alive) return INVALID_CONTEXT;
  int left = 0;
  for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
    if (memories[i].data) left++, release(&memories[i]);
  note("cuCtxDestroy with %d allocations, %d modules, %d events", left, modules, events);
  alive = current = 0;
  return failed;
}
