/* Only in executables under ASan, whose runtime ends the process when a library is opened with
 * RTLD_DEEPBIND. Engines do that (oneTBB with its binding to hwloc), and it does not matter to what
 * is tested here: the flag is left out. */
#define _GNU_SOURCE
#include <dlfcn.h>

__attribute__((visibility("default"))) void* dlopen(const char* file, int mode) {
  void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  return next(file, mode & ~RTLD_DEEPBIND);
}
