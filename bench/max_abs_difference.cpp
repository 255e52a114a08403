// The floor for comparing: the largest absolute difference between the float32 values at the end of
// two files, in one plain pass. Usage: max_abs_difference A B BYTES
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static const float* last_bytes(const char* path, size_t bytes) {
  const int fd = open(path, O_RDONLY);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0 || static_cast<size_t>(info.st_size) < bytes) exit(2);
  const auto size = static_cast<size_t>(info.st_size);
  void* map = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (map == MAP_FAILED) exit(2);
  return reinterpret_cast<const float*>(static_cast<const char*>(map) + size - bytes);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const size_t bytes = strtoull(argv[3], nullptr, 10);
  const float *a = last_bytes(argv[1], bytes), *b = last_bytes(argv[2], bytes);
  float largest[16] = {};
  for (size_t i = 0; i + 16 <= bytes / 4; i += 16) {
    for (size_t lane = 0; lane < 16; ++lane)
      largest[lane] = std::max(largest[lane], std::fabs(a[i + lane] - b[i + lane]));
  }
  std::printf("%g\n", *std::max_element(largest, largest + 16));
}
