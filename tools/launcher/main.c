// The command of the wheel. The code is the Python extension's, which so is in the wheel once: this
// opens the extension of the environment that it lies in, and hands the command line on.
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// From the folder above this one's: packages of an environment (Debian's for root), of `pip install
// --target`, of a build. In a sandbox no more than lib/ is listed.
static const char* const kPlaces[] = {"lib/python3*/site-packages", "lib/python3*/dist-packages",
                                      ".", "python"};

typedef int Program(int argc, char** argv, char** variables);

static int fail(const char* what, const char* why) {
  fprintf(stderr, "[!] %s: %s\n    Install polygraphy-native again.\n", what, why);
  return 3;
}

int main(int argc, char** argv, char** variables) {
  char prefix[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", prefix, sizeof(prefix) - 1);
  if (size < 0) return fail("/proc/self/exe", "cannot be read");
  prefix[size] = '\0';
  for (int i = 0; i < 2; ++i) *strrchr(prefix, '/') = '\0';
  char literal[2 * PATH_MAX];  // for glob()
  char* end = literal;
  for (const char* c = prefix; *c != '\0'; ++c) {
    *end++ = '\\';
    *end++ = *c;
  }
  *end = '\0';

  glob_t found = {0};
  for (size_t i = 0; i < sizeof(kPlaces) / sizeof(kPlaces[0]) && found.gl_pathc == 0; ++i) {
    char pattern[sizeof(literal) + 80];
    snprintf(pattern, sizeof(pattern), "%s/%s/polygraphy_native/_native.abi3.so", literal,
             kPlaces[i]);
    glob(pattern, GLOB_NOSORT, NULL, &found);
  }
  if (found.gl_pathc == 0) return fail(prefix, "the package polygraphy_native is not there");
  void* code = dlopen(found.gl_pathv[0], RTLD_LAZY);
  if (!code) return fail("The Python extension cannot be opened", dlerror());
  Program* program = (Program*)dlsym(code, "polygraphy_program");
  return program ? program(argc, argv, variables)
                 : fail(found.gl_pathv[0], "is of another version");
}
