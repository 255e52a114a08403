#include "tensorflow/values.h"

#include <atomic>

#include "common/ports.h"

namespace tensorflow {
namespace {

void leave(void*, size_t, void*) {}  // the host owns it

// Memory of no bytes still needs a place.
std::max_align_t nothing;

}  // namespace

FedTensor to_tensorflow(const Library& library, const pgb_value& value) {
  const Api& api = library.api();
  const auto make = [&](int type, const void* data, size_t bytes) {
    void* place = bytes == 0 || !data ? static_cast<void*>(&nothing) : const_cast<void*>(data);
    return OwnedTensor(api.NewTensor(type, value.shape, value.rank, place, bytes, leave, nullptr),
                       api.DeleteTensor);
  };
  FedTensor fed{{nullptr, api.DeleteTensor}, {}};
  if (value.kind == PGB_STRINGS) {
    const size_t count = pgb::element_count(value);
    fed.strings.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      fed.strings.push_back(
          TString::view_of(static_cast<const char*>(value.data) + value.offsets[i],
                           value.offsets[i + 1] - value.offsets[i]));
    }
    fed.tensor = make(kString, fed.strings.data(), count * sizeof(TString));
  } else if (value.kind == PGB_TENSOR) {
    fed.tensor = make(tensorflow_type(value.dtype), value.data, value.bytes);
  } else {
    throw pgb::Failure("TensorFlow supports tensors only, not sequences, maps or optionals", {},
                       PGB_UNSUPPORTED);
  }
  if (!fed.tensor) throw pgb::Failure("TensorFlow cannot create its tensor: out of memory");
  return fed;
}

// Counted: the host may keep the numbers.
struct DeliveredTensor::Owner {
  const Api& api;
  TF_Tensor* tensor;
  std::atomic<int> users{1};

  static void retain(void* self) { ++static_cast<Owner*>(self)->users; }
  static void release(void* self) {
    auto* owner = static_cast<Owner*>(self);
    if (--owner->users != 0) return;
    owner->api.DeleteTensor(owner->tensor);
    delete owner;
  }
};

DeliveredTensor::DeliveredTensor(const Library& library, TF_Tensor* tensor)
    : owner_(new Owner{library.api(), tensor}) {
  const Api& api = library.api();
  for (int i = 0; i < api.NumDims(tensor); ++i) shape_.push_back(api.Dim(tensor, i));
  const int32_t dtype = onnx_type(api.TensorType(tensor));
  value_ = pgb::empty_value(dtype == pgb::kOnnxString ? PGB_STRINGS : PGB_TENSOR);
  value_.dtype = dtype;
  value_.rank = static_cast<int32_t>(shape_.size());
  value_.shape = shape_.data();
  if (dtype == 0) {
    const std::string type = std::to_string(api.TensorType(tensor));
    Owner::release(owner_);
    throw pgb::Failure("ONNX has no type for TensorFlow's element type " + type, {},
                       PGB_UNSUPPORTED);
  }
  const void* data = api.TensorData(tensor);
  if (dtype != pgb::kOnnxString) {
    value_.data = data;
    value_.bytes = api.TensorByteSize(tensor);
    value_.owner = owner_;
    value_.retain = Owner::retain;
    value_.release = Owner::release;
    return;
  }
  const auto* strings = static_cast<const TString*>(data);
  const size_t count = pgb::element_count(value_);
  offsets_.push_back(0);
  for (size_t i = 0; i < count; ++i) {
    text_.append(strings[i].data(), strings[i].size());
    offsets_.push_back(text_.size());
  }
  value_.data = text_.data();
  value_.bytes = text_.size();
  value_.offsets = offsets_.data();
}

DeliveredTensor::~DeliveredTensor() {
  Owner::release(owner_);
}

}  // namespace tensorflow
