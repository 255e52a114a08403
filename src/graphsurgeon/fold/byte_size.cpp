#include "graphsurgeon/fold/byte_size.h"

#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {

int64_t tensor_bytes(const Tensor& tensor) {
  if (tensor.is_constant()) return tensor.payload()->nbytes();
  const int bits = polygraphy::bit_width(tensor.dtype());
  const DimList* shape = tensor.declared_shape();
  if (bits == 0 || shape == nullptr) return -1;
  int64_t count = 1;
  for (const Dim& dim : *shape) {
    if (!dim.is_static() || __builtin_mul_overflow(count, dim.value(), &count)) return -1;
  }
  int64_t total = 0;
  if (__builtin_mul_overflow(count, bits, &total)) return -1;
  return total / 8 + (total % 8 != 0 ? 1 : 0);
}

int64_t result_bytes(const Node& node) {
  int64_t sum = 0;
  for (const Tensor* output : node.outputs()) {
    if (output->is_empty()) continue;
    const int64_t bytes = tensor_bytes(*output);
    if (bytes < 0) return -1;
    if (__builtin_add_overflow(sum, bytes, &sum)) return -1;
  }
  return sum;
}

}  // namespace graphsurgeon
