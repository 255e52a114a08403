#include "polygraphy/diagnosis/reduce/intermediates/samples.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/os/scratch_folder.h"
#include "base/os/system_error.h"
#include "polygraphy/data/inputs/adapt_feed.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostInMemory = int64_t{64} << 20;

[[noreturn]] void fail(const char* what) {
  throw IoError(std::string("cannot keep the samples of input data in a temporary file: ") + what +
                    ": " + system_reason(errno),
                open_hint(errno));
}

int file_without_name() {
  const std::string folder = temporary_folder();
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string path = folder + "/.polygraphy-samples-XXXXXX";
  const int made = ::mkostemp(path.data(), O_CLOEXEC);
  if (made < 0) fail("open");
  ::unlink(path.c_str());
  return made;
}

}  // namespace

Samples::~Samples() {
  if (file_ >= 0) ::close(file_);
}

const ValueMap* Samples::at(int64_t index, const Metadata& inputs, Logger& log) {
  while (std::ssize(samples_) <= index && !ended_) {
    std::optional<ValueMap> feed = feeds_.next(inputs);
    if (!feed) {
      ended_ = true;
    } else {
      keep(adapt_feed(*feed, inputs, log));
    }
  }
  return index < std::ssize(samples_) ? &samples_[static_cast<size_t>(index)] : nullptr;
}

void Samples::keep(ValueMap sample) {
  int64_t bytes = 0;
  for (const auto& [name, value] : sample) {
    value.for_each_array([&](const Array& array) { bytes += array.nbytes(); });
  }
  if (in_memory_ + bytes > kMostInMemory && !samples_.empty()) {
    for (auto& [name, value] : sample) {
      value.for_each_array([&](Array& array) { array = in_file(array); });
    }
  } else {
    in_memory_ += bytes;
  }
  samples_.push_back(std::move(sample));
}

// The same values at the end of the file.
Array Samples::in_file(const Array& value) {
  if (value.dtype() == DataType::kString || value.nbytes() == 0) return value;
  if (file_ < 0) file_ = file_without_name();
  const Array whole = value.contiguous_aligned(1);
  const auto size = static_cast<size_t>(whole.nbytes());
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::pwrite(file_, whole.data() + done, size - done,
                                   static_cast<off_t>(written_) + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("write");
    done += static_cast<size_t>(count);
  }
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_, static_cast<off_t>(written_));
  if (map == MAP_FAILED) fail("mmap");
  const std::shared_ptr<const void> owner(
      map, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  written_ += (whole.nbytes() + page - 1) / page * page;
  return Array::view(whole.dtype(), whole.shape(), static_cast<const std::byte*>(map), owner);
}

}  // namespace polygraphy
