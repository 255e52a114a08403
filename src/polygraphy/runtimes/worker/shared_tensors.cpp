#include "polygraphy/runtimes/worker/shared_tensors.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/os/system_error.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

constexpr size_t kWorthThreads = size_t{4} << 20;  // bytes
constexpr int kDeepest = 64;                       // sequences in sequences

// One exported tensor.
struct Entry {
  DataType type = DataType::kUndefined;
  Shape shape;
  size_t offset = 0, bytes = 0;
  std::shared_ptr<const void> keeper;  // null: nothing to be kept
};

// Texts lie there as the ends of each, then all bytes.
size_t bytes_of(const Array& array) {
  const auto bytes = static_cast<size_t>(array.nbytes());
  if (array.dtype() != DataType::kString) return bytes;
  return bytes + static_cast<size_t>(array.size()) * sizeof(uint64_t);
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

// Where its bytes lie in the heap as they are sent.
std::optional<size_t> offset_in(const SharedHeap& heap, const Array& array) {
  if (array.dtype() == DataType::kString || !array.contiguous()) return std::nullopt;
  return heap.offset_of(array.data());
}

void put_entry(const Entry& entry, FieldWriter& fields) {
  fields.put(entry.type);
  fields.put(entry.shape);
  fields.put(static_cast<uint64_t>(entry.offset));
  fields.put(static_cast<uint64_t>(entry.bytes));
}

// `next`: the entry of the value's first tensor; moved behind its last.
void put_value(const Value& value, std::vector<Entry>::const_iterator& next, FieldWriter& fields) {
  fields.put(value.kind());
  if (const Value::Sequence* items = value.as_sequence()) {
    fields.put(static_cast<uint64_t>(items->size()));
    for (const Value& item : *items) put_value(item, next, fields);
  } else {
    value.for_each_array([&](const Array&) { put_entry(*next++, fields); });
  }
}

}  // namespace

void SharedTensorExporter::put(ValueMap values, FieldWriter& fields) {
  std::vector<Entry> entries;
  std::vector<Array*> arrays;
  size_t elsewhere = 0;
  const auto add = [&](Array& array) {
    Entry& entry =
        entries.emplace_back(Entry{array.dtype(), array.shape(), 0, bytes_of(array), nullptr});
    arrays.push_back(&array);
    if (const std::optional<size_t> offset = offset_in(heap_, array)) {
      entry.offset = *offset;
      entry.keeper = std::make_shared<Array>(std::move(array));
    } else {
      elsewhere += entry.bytes;
    }
  };
  for (auto& [name, value] : values) value.for_each_array(add);
  // Fresh memory is slower to get than to write.
  const auto count = static_cast<int64_t>(entries.size());
  const int64_t grain = elsewhere < kWorthThreads ? std::max<int64_t>(count, 1) : 1;
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      Entry& entry = entries[i];
      if (entry.keeper || entry.bytes == 0) continue;
      std::byte* block = heap_.allocate(entry.bytes);
      entry.keeper = {block, [this](const std::byte* unused) { heap_.free(unused); }};
      entry.offset = *heap_.offset_of(block);
      copy(*arrays[i], block);
      *arrays[i] = {};
    }
  });

  std::vector<std::shared_ptr<const void>>& batch = batches_[next_];
  fields.put(static_cast<uint64_t>(heap_.size()));
  fields.put(next_++);
  fields.put(static_cast<uint64_t>(values.size()));
  auto next = entries.cbegin();
  for (const auto& [name, value] : values) {
    fields.put(name);
    put_value(value, next, fields);
  }
  for (Entry& entry : entries) {
    if (entry.keeper) batch.push_back(std::move(entry.keeper));
  }
}

void SharedTensorExporter::release(const std::vector<uint64_t>& batches) {
  for (const uint64_t batch : batches) batches_.erase(batch);
}

// Where the tensors of a batch lie.
struct SharedTensorImporter::Batch {
  FieldReader& fields;
  const std::byte* data;
  uint64_t size;
  std::shared_ptr<const void> owner;

  Array array() {
    const auto type = fields.get<DataType>();
    auto shape = fields.get<Shape>();
    const auto offset = fields.get<uint64_t>(), bytes = fields.get<uint64_t>();
    if (offset > size || bytes > size - offset)
      throw Error("a runner's process sent a tensor outside the shared memory");
    if (type == DataType::kString) return strings_at(std::move(shape), data + offset, bytes);
    if (bytes == 0) return Array::zeros(type, std::move(shape));
    return Array::view(type, std::move(shape), data + offset, owner);
  }

  Value value(int depth = 0) {
    if (depth > kDeepest) throw Error("a runner's process sent too deeply nested sequences");
    switch (fields.get<Value::Kind>()) {
      case Value::Kind::kTensor:
        return array();
      case Value::Kind::kMap: {
        Array keys = array();
        return Value::Map{std::move(keys), array()};
      }
      case Value::Kind::kSequence: {
        Value::Sequence items;
        for (auto count = fields.get<uint64_t>(); count > 0; --count)
          items.push_back(value(depth + 1));
        return items;
      }
      case Value::Kind::kAbsent:
        return {};
    }
    throw Error("a runner's process sent a value of unknown kind");
  }
};

ValueMap SharedTensorImporter::get(FieldReader& fields) {
  const auto size = fields.get<uint64_t>();
  if (size > 0 && (!map_ || map_->size() < size)) {
    auto map = std::make_shared<MemoryMap>(file_.get(), 0, size, MemoryMap::Writes::kNone);
    if (!*map)
      throw IoError("cannot view the tensors of a runner's process: mmap: " + system_reason(errno));
    map_ = std::move(map);
  }
  // The views keep it, and it keeps the map.
  const auto owner = std::make_shared<std::shared_ptr<const MemoryMap>>(map_);
  batches_.emplace_back(fields.get<uint64_t>(), owner);
  Batch batch{fields, map_ ? map_->data() : nullptr, size, owner};
  ValueMap values;
  for (auto count = fields.get<uint64_t>(); count > 0; --count) {
    const auto name = fields.get<std::string>();
    values.set(name, batch.value());
  }
  return values;
}

std::vector<uint64_t> SharedTensorImporter::released() {
  std::vector<uint64_t> over;
  std::erase_if(batches_, [&](const auto& batch) {
    const bool expired = batch.second.expired();
    if (expired) over.push_back(batch.first);
    return expired;
  });
  return over;
}

}  // namespace polygraphy
