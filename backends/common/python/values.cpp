#include "common/python/values.h"

#include <algorithm>
#include <cstring>

namespace pgb::python {
namespace {

constexpr size_t kAlignment = 64;
constexpr int kDeepest = 16;  // sequences of sequences: none that ONNX has

size_t aligned(size_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

size_t offset_bytes(const pgb_value& strings) {
  return (element_count(strings) + 1) * sizeof(uint64_t);
}

}  // namespace

void FeedWriter::measure(const pgb_value& value) {
  if (value.kind == PGB_TENSOR) {
    size_ = aligned(size_) + value.bytes;
  } else if (value.kind == PGB_STRINGS) {
    size_ = aligned(aligned(size_) + offset_bytes(value)) + value.bytes;
  } else {
    for (size_t i = 0; i < value.item_count; ++i) measure(value.items[i]);
  }
}

size_t FeedWriter::place(size_t bytes) {
  const size_t at = aligned(at_);
  at_ = at + bytes;
  return at;
}

void FeedWriter::write(const pgb_value& value, char* memory, MessageWriter& message) {
  message.number(value.kind);
  const auto put = [&](const void* bytes, size_t count) {
    const size_t at = place(count);
    if (count > 0) std::memcpy(memory + at, bytes, count);
    message.number(static_cast<int64_t>(at));
  };
  const auto rank = static_cast<size_t>(value.rank);
  if (value.kind == PGB_TENSOR) {
    message.number(value.dtype);
    message.numbers(value.shape, rank);
    put(value.data, value.bytes);
    message.number(static_cast<int64_t>(value.bytes));
  } else if (value.kind == PGB_STRINGS) {
    message.numbers(value.shape, rank);
    put(value.offsets, offset_bytes(value));
    message.number(static_cast<int64_t>(element_count(value)));
    put(value.data, value.bytes);
  } else {
    message.number(static_cast<int64_t>(value.item_count));
    for (size_t i = 0; i < value.item_count; ++i) write(value.items[i], memory, message);
  }
}

const char* OutputReader::within(int64_t at, int64_t bytes) const {
  const auto size = static_cast<int64_t>(memory_.size());
  if (at < 0 || bytes < 0 || at > size || bytes > size - at) MessageReader::damaged();
  return memory_.data() + at;
}

void OutputReader::set_shape(pgb_value& value, MessageReader& message) {
  const auto& shape = shapes_.emplace_back(message.numbers());
  if (std::any_of(shape.begin(), shape.end(), [](int64_t dim) { return dim < 0; }))
    MessageReader::damaged();
  value.rank = static_cast<int32_t>(shape.size());
  value.shape = shape.data();
}

pgb_value OutputReader::read(MessageReader& message, int depth) {
  if (depth > kDeepest) MessageReader::damaged();
  const int64_t kind = message.number();
  if (kind < PGB_TENSOR || kind > PGB_OPTIONAL) MessageReader::damaged();
  pgb_value value = empty_value(static_cast<pgb_value_kind>(kind));
  if (kind == PGB_TENSOR) {
    value.dtype = static_cast<int32_t>(message.number());
    set_shape(value, message);
    const int64_t at = message.number(), bytes = message.number();
    value.data = within(at, bytes);
    value.bytes = static_cast<size_t>(bytes);
    value.owner = &memory_;
    value.retain = OutputMemory::retain;
    value.release = OutputMemory::release;
  } else if (kind == PGB_STRINGS) {
    value.dtype = kOnnxString;
    set_shape(value, message);
    const int64_t offsets_at = message.number(), count = message.number();
    const int64_t at = message.number(), bytes = message.number();
    constexpr int64_t kMost = int64_t{1} << 40;
    if (count < 0 || count > kMost || static_cast<size_t>(count) != element_count(value))
      MessageReader::damaged();
    value.offsets = reinterpret_cast<const uint64_t*>(within(offsets_at, (count + 1) * 8));
    value.data = within(at, bytes);
    value.bytes = static_cast<size_t>(bytes);
    if (offsets_at % 8 != 0 || !std::is_sorted(value.offsets, value.offsets + count + 1) ||
        value.offsets[count] > value.bytes) {
      MessageReader::damaged();
    }
  } else {
    auto& items = items_.emplace_back(message.count());
    for (pgb_value& item : items) item = read(message, depth + 1);
    value.items = items.data();
    value.item_count = items.size();
  }
  return value;
}

std::deque<Port> read_ports(MessageReader& message) {
  std::deque<Port> ports(message.count());
  for (Port& port : ports) {
    port.name = message.text();
    port.info.kind = static_cast<int32_t>(message.number());
    port.info.dtype = static_cast<int32_t>(message.number());
    const int64_t rank = message.number();
    constexpr int64_t kMostDims = 1 << 16;
    if (rank < -1 || rank > kMostDims) MessageReader::damaged();
    port.info.rank = static_cast<int32_t>(rank);
    for (int64_t i = 0; i < rank; ++i) {
      port.dims.push_back(message.number());
      port.dim_names.push_back(message.text());
    }
    port.finish();
  }
  return ports;
}

}  // namespace pgb::python
