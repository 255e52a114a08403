#include "onnxrt/values.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>

#include "common/ports.h"

namespace onnxrt {
namespace {

// ONNX' numbers of the types that ONNX Runtime got in another order.
constexpr int32_t kOnnxFloat8E8M0 = 24, kOnnxUint2 = 25, kOnnxInt2 = 26;
constexpr int32_t kOrtUint2 = 24, kOrtInt2 = 25, kOrtFloat8E8M0 = 26;

OwnedValue owned(const Library& library, OrtValue* value) {
  return OwnedValue(value, library.api().ReleaseValue);
}

OwnedValue tensor_to_ort(const Library& library, const pgb_value& value) {
  const OrtApi& api = library.api();
  OrtMemoryInfo* memory = nullptr;
  library.check(api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory));
  const Owned<OrtMemoryInfo> memory_owned(memory, api.ReleaseMemoryInfo);
  OrtValue* result = nullptr;
  // An empty tensor may come without an address; the library insists on one.
  static char nothing;
  void* data = value.data ? const_cast<void*>(value.data) : &nothing;
  library.check(api.CreateTensorWithDataAsOrtValue(memory, data, value.bytes, value.shape,
                                                   static_cast<size_t>(value.rank),
                                                   ort_type(value.dtype), &result));
  return owned(library, result);
}

OwnedValue strings_to_ort(const Library& library, const pgb_value& value) {
  const OrtApi& api = library.api();
  OrtAllocator* allocator = nullptr;
  library.check(api.GetAllocatorWithDefaultOptions(&allocator));
  OrtValue* result = nullptr;
  library.check(api.CreateTensorAsOrtValue(allocator, value.shape, static_cast<size_t>(value.rank),
                                           ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &result));
  OwnedValue strings = owned(library, result);
  const size_t count = pgb::element_count(value);
  for (size_t i = 0; i < count; ++i) {
    const size_t begin = value.offsets[i];
    const size_t length = value.offsets[i + 1] - begin;
    char* buffer = nullptr;
    library.check(api.GetResizedStringTensorElementBuffer(result, i, length, &buffer));
    if (length) std::memcpy(buffer, static_cast<const char*>(value.data) + begin, length);
  }
  return strings;
}

}  // namespace

int32_t onnx_type(ONNXTensorElementDataType type) {
  switch (static_cast<int32_t>(type)) {
    case kOrtUint2:
      return kOnnxUint2;
    case kOrtInt2:
      return kOnnxInt2;
    case kOrtFloat8E8M0:
      return kOnnxFloat8E8M0;
    default:
      return static_cast<int32_t>(type);
  }
}

ONNXTensorElementDataType ort_type(int32_t type) {
  switch (type) {
    case kOnnxUint2:
      return static_cast<ONNXTensorElementDataType>(kOrtUint2);
    case kOnnxInt2:
      return static_cast<ONNXTensorElementDataType>(kOrtInt2);
    case kOnnxFloat8E8M0:
      return static_cast<ONNXTensorElementDataType>(kOrtFloat8E8M0);
    default:
      return static_cast<ONNXTensorElementDataType>(type);
  }
}

OwnedValue to_ort(const Library& library, const pgb_value& value) {
  const OrtApi& api = library.api();
  switch (value.kind) {
    case PGB_TENSOR:
      return tensor_to_ort(library, value);
    case PGB_STRINGS:
      return strings_to_ort(library, value);
    case PGB_OPTIONAL:
      if (value.item_count == 1) return to_ort(library, value.items[0]);
      throw pgb::Failure("ONNX Runtime's C API cannot create an empty optional", {},
                         PGB_UNSUPPORTED);
    default:
      break;
  }
  if (value.item_count == 0) {
    throw pgb::Failure("ONNX Runtime's C API cannot create an empty sequence", {}, PGB_UNSUPPORTED);
  }
  std::vector<OwnedValue> items;
  std::vector<const OrtValue*> pointers;
  for (size_t i = 0; i < value.item_count; ++i) {
    items.push_back(to_ort(library, value.items[i]));
    pointers.push_back(items.back().get());
  }
  OrtValue* result = nullptr;
  library.check(api.CreateValue(pointers.data(), pointers.size(),
                                value.kind == PGB_MAP ? ONNX_TYPE_MAP : ONNX_TYPE_SEQUENCE,
                                &result));
  return owned(library, result);
}

struct ValueView::TensorOwner {
  explicit TensorOwner(OwnedValue v) : value(std::move(v)) {}
  OwnedValue value;
  std::atomic<int> holders{1};

  static void retain(void* self) { ++static_cast<TensorOwner*>(self)->holders; }
  static void release(void* self) {
    auto* owner = static_cast<TensorOwner*>(self);
    if (--owner->holders == 0) delete owner;
  }
};

FedBytes::FedBytes(std::span<const pgb_named_value> feeds) {
  ranges_.reserve(feeds.size());
  for (const pgb_named_value& feed : feeds) {
    const auto* begin = static_cast<const char*>(feed.value->data);
    if (feed.value->bytes > 0) ranges_.emplace_back(begin, begin + feed.value->bytes);
  }
  std::sort(ranges_.begin(), ranges_.end());
  // Feeds may be views of one array: each end is the end of all ranges so far.
  for (size_t i = 1; i < ranges_.size(); ++i)
    ranges_[i].second = std::max(ranges_[i].second, ranges_[i - 1].second);
}

bool FedBytes::contain(const void* data) const {
  const auto* at = static_cast<const char*>(data);
  const auto behind = std::upper_bound(
      ranges_.begin(), ranges_.end(), at,
      [](const char* address, const auto& range) { return address < range.first; });
  return behind != ranges_.begin() && at < std::prev(behind)->second;
}

ValueView::ValueView(const Library& library, OwnedValue value, const FedBytes& fed)
    : library_(library), fed_(fed) {
  value_ = view(std::move(value));
}

ValueView::~ValueView() {
  for (TensorOwner* owner : owners_) TensorOwner::release(owner);
}

pgb_value ValueView::view(OwnedValue value) {
  const OrtApi& api = library_.api();
  int present = 0;
  if (value) library_.check(api.HasValue(value.get(), &present));
  if (!present) return pgb::empty_value(PGB_OPTIONAL);
  ONNXType type = ONNX_TYPE_UNKNOWN;
  library_.check(api.GetValueType(value.get(), &type));
  switch (type) {
    case ONNX_TYPE_TENSOR:
      return view_tensor(std::move(value));
    case ONNX_TYPE_SEQUENCE:
    case ONNX_TYPE_MAP: {
      pgb_value result = pgb::empty_value(type == ONNX_TYPE_SEQUENCE ? PGB_SEQUENCE : PGB_MAP);
      std::vector<pgb_value>& items = view_items(value.get());
      result.items = items.data();
      result.item_count = items.size();
      return result;
    }
    default:
      throw pgb::Failure("an output is not a tensor, sequence, map or optional (ONNXType " +
                             std::to_string(type) + ")",
                         {}, PGB_UNSUPPORTED);
  }
}

std::vector<pgb_value>& ValueView::view_items(const OrtValue* value) {
  const OrtApi& api = library_.api();
  OrtAllocator* allocator = nullptr;
  library_.check(api.GetAllocatorWithDefaultOptions(&allocator));
  size_t count = 0;
  library_.check(api.GetValueCount(value, &count));
  std::vector<pgb_value> items;
  for (size_t i = 0; i < count; ++i) {
    OrtValue* item = nullptr;
    library_.check(api.GetValue(value, static_cast<int>(i), allocator, &item));
    items.push_back(view(owned(library_, item)));
  }
  return items_.emplace_back(std::move(items));
}

pgb_value ValueView::view_tensor(OwnedValue value) {
  const OrtApi& api = library_.api();
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  library_.check(api.GetTensorTypeAndShape(value.get(), &raw));
  const Owned<OrtTensorTypeAndShapeInfo> info(raw, api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0, count = 0;
  library_.check(api.GetTensorElementType(raw, &type));
  library_.check(api.GetDimensionsCount(raw, &rank));
  std::vector<int64_t>& shape = shapes_.emplace_back(rank);
  library_.check(api.GetDimensions(raw, shape.data(), rank));
  library_.check(api.GetTensorShapeElementCount(raw, &count));

  pgb_value result = pgb::empty_value(PGB_TENSOR);
  result.dtype = onnx_type(type);
  result.rank = static_cast<int32_t>(rank);
  result.shape = shape.data();
  if (type == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) return view_strings(value.get(), result, count);

  void* data = nullptr;
  library_.check(api.GetTensorMutableData(value.get(), &data));
  result.data = data;
#if ORT_API_VERSION >= 23
  if (library_.api_version() >= 23)
    library_.check(api.GetTensorSizeInBytes(value.get(), &result.bytes));
#endif
  // 0 bytes for a tensor that has elements: the host takes the size from type and shape.
  owners_.push_back(new TensorOwner(std::move(value)));
  if (fed_.contain(data)) return result;
  result.owner = owners_.back();
  result.retain = &TensorOwner::retain;
  result.release = &TensorOwner::release;
  return result;
}

pgb_value ValueView::view_strings(const OrtValue* value, pgb_value result, size_t count) {
  const OrtApi& api = library_.api();
  size_t bytes = 0;
  library_.check(api.GetStringTensorDataLength(value, &bytes));
  std::vector<char>& text = texts_.emplace_back(bytes);
  std::vector<size_t> begins(count);
  library_.check(api.GetStringTensorContent(value, text.data(), bytes, begins.data(), count));
  std::vector<uint64_t>& offsets = offsets_.emplace_back(begins.begin(), begins.end());
  offsets.push_back(bytes);
  result.kind = PGB_STRINGS;
  result.data = text.data();
  result.bytes = bytes;
  result.offsets = offsets.data();
  return result;
}

}  // namespace onnxrt
