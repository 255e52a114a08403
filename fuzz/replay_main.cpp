// Runs a fuzz target over saved inputs without libFuzzer, so that every corpus is part of the
// ordinary tests: each file as it is, and each proper prefix of the small ones (a cut-off file is
// the most common damage, and prefixes find most reads past the end).
//
// Usage: <target> [file or folder]...
// Exit 0 when every input was survived; the process dies on the first one that was not, or for
// which it takes more than kMostMemory.

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

constexpr std::size_t kEveryPrefixUpTo = 4096;
constexpr rlim_t kMostMemory = rlim_t{512} << 20;

// Sanitizers reserve more than any limit allows; `make fuzz` has libFuzzer's own limits.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{.rlim_cur = kMostMemory, .rlim_max = kMostMemory};
  if (::setrlimit(RLIMIT_DATA, &limit) != 0) std::perror("setrlimit");
#endif
}

// A buffer of exactly `size` bytes, so that a sanitizer sees a read one past the end.
void run_one(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> exact(data, data + size);
  exact.shrink_to_fit();
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::size_t replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad() || !in.is_open()) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(1);
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  run_one(bytes, text.size());
  if (text.size() > kEveryPrefixUpTo) return 1;
  for (std::size_t cut = 0; cut < text.size(); ++cut) run_one(bytes, cut);
  return text.size() + 1;
}

}  // namespace

int main(int argc, char** argv) {
  limit_memory();
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::filesystem::path path = argv[i];
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  run_one(nullptr, 0);
  std::size_t runs = 1;
  for (const auto& file : files) {
    // Named before it is run: the last name on the screen is the one that crashed.
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    runs += replay(file);
  }
  std::printf("%zu inputs from %zu files\n", runs, files.size());
  return 0;
}
