// A double of the CUDA runtime (libcudart.so) over host memory: what `polygraphy.cuda` calls.
//
// Build: cc -shared -fPIC -o libcudart.so cudart.c
//
// Records every call with its status, and numbers allocations and streams in order. Refuses to free
// memory twice or memory that was never allocated, as the real library does.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kInvalidResourceHandle = 400 };
enum { kMost = 4096 };

static struct {
  char* address;
  size_t size;
  int live;
} g_blocks[kMost];
static int g_num_blocks, g_num_streams, g_stream_live[kMost];
static int g_fail_status;
static char g_log[1 << 16];
static size_t g_logged;

static int note(int status, const char* format, ...) {
  va_list args;
  va_start(args, format);
  if (g_logged + 256 < sizeof g_log) {
    g_logged += vsnprintf(g_log + g_logged, 200, format, args);
    g_logged += snprintf(g_log + g_logged, 40, " = %d\n", status);
  }
  va_end(args);
  return status;
}

// The status of the next call; once.
void double_fail_next(int status) {
  g_fail_status = status;
}

static int take_failure(void) {
  int status = g_fail_status;
  g_fail_status = 0;
  return status;
}

// The calls since the last call of this function.
const char* double_calls(void) {
  g_log[g_logged] = 0;
  g_logged = 0;
  return g_log;
}

// Allocations and streams that were not freed.
int double_live_blocks(void) {
  int live = 0;
  for (int i = 0; i < g_num_blocks; ++i) live += g_blocks[i].live;
  return live;
}

int double_live_streams(void) {
  int live = 0;
  for (int i = 0; i < g_num_streams; ++i) live += g_stream_live[i];
  return live;
}

// The live block that has room for `size` bytes at an address, else -1.
static int block_of(const char* address, size_t size) {
  for (int i = g_num_blocks - 1; i >= 0; --i) {
    if (g_blocks[i].live && address >= g_blocks[i].address &&
        address + size <= g_blocks[i].address + g_blocks[i].size) {
      return i;
    }
  }
  return -1;
}

// Streams are small numbers: the first is 1, since 0 is the default stream.
static int stream_is_live(uintptr_t stream) {
  return stream == 0 || (stream <= (uintptr_t)g_num_streams && g_stream_live[stream - 1]);
}

int cudaMalloc(void** address, size_t size) {
  int status = take_failure();
  if (!status && g_num_blocks == kMost) status = kOutOfMemory;
  *address = NULL;
  if (!status && size) {
    // calloc: 3 GiB of untouched memory cost nothing.
    *address = calloc(1, size);
    if (!*address) return note(kOutOfMemory, "cudaMalloc(%zu)", size);
    g_blocks[g_num_blocks].address = *address;
    g_blocks[g_num_blocks].size = size;
    g_blocks[g_num_blocks++].live = 1;
    return note(status, "cudaMalloc(%zu) -> #%d", size, g_num_blocks - 1);
  }
  return note(status, "cudaMalloc(%zu)", size);
}

int cudaFree(void* address) {
  int status = take_failure();
  int block = address ? block_of(address, 0) : -1;
  if (status || !address) return note(status, "cudaFree(%s)", address ? "?" : "NULL");
  if (block < 0 || g_blocks[block].address != address) return note(kInvalidValue, "cudaFree(?)");
  g_blocks[block].live = 0;
  free(address);
  return note(kSuccess, "cudaFree(#%d)", block);
}

static int copy(const char* name, char* to, const char* from, size_t size, int kind) {
  static const char* kKinds[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice",
                                 "Default"};
  int status = take_failure();
  int to_block = block_of(to, size), from_block = block_of(from, size);
  if (kind < 0 || kind > 4) status = kInvalidValue;
  if (!status && size) {
    if ((kind == 1 || kind == 3) && to_block < 0) status = kInvalidValue;
    if ((kind == 2 || kind == 3) && from_block < 0) status = kInvalidValue;
  }
  if (!status) memmove(to, from, size);
  return note(status, "%s(#%d, #%d, %zu, %s)", name, to_block, from_block, size,
              kind < 0 || kind > 4 ? "?" : kKinds[kind]);
}

int cudaMemcpy(void* to, const void* from, size_t size, int kind) {
  return copy("cudaMemcpy", to, from, size, kind);
}

int cudaMemcpyAsync(void* to, const void* from, size_t size, int kind, void* stream) {
  if (!stream_is_live((uintptr_t)stream)) {
    return note(kInvalidResourceHandle, "cudaMemcpyAsync(stream %zu)", (size_t)stream);
  }
  return copy("cudaMemcpyAsync", to, from, size, kind);
}

int cudaStreamCreate(void** stream) {
  int status = take_failure();
  if (!status && g_num_streams == kMost) status = kOutOfMemory;
  if (status) return note(status, "cudaStreamCreate()");
  g_stream_live[g_num_streams++] = 1;
  *stream = (void*)(uintptr_t)g_num_streams;
  return note(kSuccess, "cudaStreamCreate() -> %d", g_num_streams);
}

int cudaStreamSynchronize(void* stream) {
  int status = take_failure();
  if (!status && !stream_is_live((uintptr_t)stream)) status = kInvalidResourceHandle;
  return note(status, "cudaStreamSynchronize(%zu)", (size_t)stream);
}

int cudaStreamDestroy(void* stream) {
  int status = take_failure();
  if (!status && (!stream || !stream_is_live((uintptr_t)stream))) status = kInvalidResourceHandle;
  if (!status) g_stream_live[(uintptr_t)stream - 1] = 0;
  return note(status, "cudaStreamDestroy(%zu)", (size_t)stream);
}
