#include "polygraphy/diagnosis/reduce/intermediates/samples.h"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/os/files/open_file.h"
#include "base/os/memory/memory_map.h"
#include "base/os/memory/pages.h"
#include "base/os/scratch_folder.h"
#include "base/os/system_error.h"
#include "polygraphy/data/inputs/adapt_feed.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostInMemory = int64_t{64} << 20;

[[noreturn]] void fail(const char* what, int error) {
  throw IoError(std::string("cannot keep the samples of input data in a temporary file: ") + what +
                    ": " + system_reason(error),
                open_hint(error));
}

}  // namespace

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
  if (!file_) file_ = open_unnamed(temporary_folder());
  if (!file_) fail("open", errno);
  const Array whole = value.contiguous_aligned(1);
  const auto size = static_cast<size_t>(whole.nbytes());
  if (const int error = write_all_at(file_.get(), written_, {whole.data(), size}))
    fail("write", error);
  const auto map =
      std::make_shared<MemoryMap>(file_.get(), written_, size, MemoryMap::Writes::kNone);
  if (!*map) fail("mmap", errno);
  written_ += (size + page_size() - 1) / page_size() * page_size();
  return Array::view(whole.dtype(), whole.shape(), map->data(), map);
}

}  // namespace polygraphy
