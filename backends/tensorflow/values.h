// pgb_value <-> TF_Tensor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensorflow/library.h"

namespace tensorflow {

using OwnedTensor = Owned<TF_Tensor>;

// A tensor that is fed: its strings lie in `strings`.
struct FedTensor {
  OwnedTensor tensor;
  std::vector<TString> strings;
};

// Host memory is not copied: `value` must outlive the result. Throws Failure(PGB_UNSUPPORTED) for
// values other than tensors, and for types that TensorFlow lacks.
FedTensor to_tensorflow(const Library& library, const pgb_value& value);

// A delivered tensor as a value: its numbers live as long as a retained owner.
class DeliveredTensor {
 public:
  // Takes the tensor. Throws Failure for a type that ONNX does not have.
  DeliveredTensor(const Library& library, TF_Tensor* tensor);
  ~DeliveredTensor();
  DeliveredTensor(const DeliveredTensor&) = delete;
  DeliveredTensor& operator=(const DeliveredTensor&) = delete;

  const pgb_value& value() const { return value_; }

 private:
  struct Owner;
  Owner* owner_;
  pgb_value value_{};
  std::vector<int64_t> shape_;
  std::string text_;  // of strings: all of them, one after another
  std::vector<uint64_t> offsets_;
};

}  // namespace tensorflow
