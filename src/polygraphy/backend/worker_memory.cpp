#include "polygraphy/backend/worker_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/system_error.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kWorthThreads = size_t{4} << 20;  // bytes

[[noreturn]] void fail(const char* what) {
  throw Error(std::string("cannot share tensors with a runner's process: ") + what + ": " +
              system_reason(errno));
}

// Texts lie there as the ends of each, then all bytes.
size_t bytes_of(const Array& array) {
  const auto bytes = static_cast<size_t>(array.nbytes());
  if (array.dtype() != DataType::kString) return bytes;
  return bytes + static_cast<size_t>(array.size()) * sizeof(uint64_t);
}

// Pages that are about to be written, at once instead of by a fault for each. Of one tensor after
// the other, so that what has been copied can make room. Systems before Linux 5.14 do not know it,
// and need not.
void bring_in([[maybe_unused]] std::byte* begin, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const size_t before = reinterpret_cast<uintptr_t>(begin) % page;
  ::madvise(begin - before, bytes + before, MADV_POPULATE_WRITE);
#endif
}

void copy(const Array& array, std::byte* to) {
  if (array.dtype() != DataType::kString) {
    const Array whole = array.contiguous_aligned(1);
    if (whole.nbytes() > 0) std::memcpy(to, whole.data(), static_cast<size_t>(whole.nbytes()));
    return;
  }
  uint64_t end = 0;
  std::byte* text = to + array.strings().size() * sizeof(uint64_t);
  for (const std::string& value : array.strings()) {
    std::memcpy(text + end, value.data(), value.size());
    end += value.size();
    std::memcpy(to, &end, sizeof end);
    to += sizeof end;
  }
}

Array strings_at(Shape shape, const std::byte* from, size_t bytes) {
  const auto count = static_cast<size_t>(element_count(shape));
  if (count > bytes / sizeof(uint64_t)) throw Error("a runner's process sent damaged texts");
  std::vector<std::string> values(count);
  const size_t texts = count * sizeof(uint64_t);
  uint64_t begin = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t end = 0;
    std::memcpy(&end, from + i * sizeof end, sizeof end);
    if (end < begin || texts + end > bytes) throw Error("a runner's process sent damaged texts");
    values[i].assign(reinterpret_cast<const char*>(from) + texts + begin, end - begin);
    begin = end;
  }
  return Array::from_strings(std::move(shape), std::move(values));
}

}  // namespace

struct SharedMemory::Map {
  std::byte* data = nullptr;
  size_t size = 0;
  Map() = default;
  Map(const Map&) = delete;
  Map& operator=(const Map&) = delete;
  ~Map() {
    if (data) ::munmap(data, size);
  }
};

SharedMemory::~SharedMemory() {
  if (fd_ >= 0) ::close(fd_);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), map_(std::move(other.map_)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(map_, other.map_);
  return *this;
}

SharedMemory SharedMemory::create() {
  const int fd = ::memfd_create("polygraphy-tensors", MFD_CLOEXEC);
  if (fd < 0) fail("memfd_create");
  return SharedMemory(fd);
}

void SharedMemory::map(size_t size) {
  if (map_ && map_->size >= size) return;
  auto map = std::make_shared<Map>();
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (data == MAP_FAILED) fail("mmap");
  map->data = static_cast<std::byte*>(data);
  map->size = size;
  map_ = std::move(map);
}

void SharedMemory::write(TensorMap tensors, FieldWriter& fields) {
  size_t size = 0;
  std::vector<size_t> offsets;
  for (const auto& [name, array] : tensors) {
    offsets.push_back(size);
    size += (bytes_of(array) + kAlignment - 1) / kAlignment * kAlignment;
  }
  if (size > 0 && (!map_ || map_->size < size)) {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) fail("ftruncate");
    map(size);
  }
  fields.put(static_cast<uint64_t>(map_ ? map_->size : 0));
  fields.put(static_cast<uint64_t>(tensors.size()));
  std::vector<Array*> arrays;
  for (auto& [name, array] : tensors) {
    fields.put(name);
    fields.put(array.dtype());
    fields.put(array.shape());
    fields.put(static_cast<uint64_t>(offsets[arrays.size()]));
    fields.put(static_cast<uint64_t>(bytes_of(array)));
    arrays.push_back(&array);
  }
  // Fresh memory is slower to get than to write.
  const auto count = static_cast<int64_t>(arrays.size());
  const int64_t grain = size < kWorthThreads ? std::max<int64_t>(count, 1) : 1;
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      if (const size_t bytes = bytes_of(*arrays[i])) {
        bring_in(map_->data + offsets[i], bytes);
        copy(*arrays[i], map_->data + offsets[i]);
      }
      *arrays[i] = {};
    }
  });
}

TensorMap SharedMemory::read(FieldReader& fields) {
  const auto size = fields.get<uint64_t>();
  if (size > 0) map(size);
  TensorMap tensors;
  for (auto count = fields.get<uint64_t>(); count > 0; --count) {
    const auto name = fields.get<std::string>();
    const auto type = fields.get<DataType>();
    auto shape = fields.get<Shape>();
    const auto offset = fields.get<uint64_t>(), bytes = fields.get<uint64_t>();
    if (offset > size || bytes > size - offset)
      throw Error("a runner's process sent a tensor that lies outside of the shared memory");
    const std::byte* data = map_ ? map_->data + offset : nullptr;
    if (type == DataType::kString) {
      tensors.set(name, strings_at(std::move(shape), data, bytes));
    } else if (bytes == 0) {
      tensors.set(name, Array::zeros(type, std::move(shape)));
    } else {
      tensors.set(name, Array::view(type, std::move(shape), data, map_));
    }
  }
  return tensors;
}

}  // namespace polygraphy
