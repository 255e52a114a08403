#include "openvino/values.h"

#include <string>

#include "common/ports.h"

namespace openvino {
namespace {

OwnedTensor strings_to_openvino(const Library& library, const pgb_value& value, ov_shape_t shape) {
  if (!library.api().tensor_create_from_string_array) {
    throw pgb::Failure(
        "OpenVINO " + library.version() + " cannot create string tensors through its C API", {},
        PGB_UNSUPPORTED);
  }
  const size_t count = pgb::element_count(value);
  if (count == 0) {
    ov_tensor_t* empty = nullptr;
    library.check(
        library.api().tensor_create(library.element_type(pgb::kOnnxString), shape, &empty));
    return {empty, library.api().tensor_free};
  }
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
  texts.reserve(count);
  pointers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    texts.emplace_back(static_cast<const char*>(value.data) + value.offsets[i],
                       value.offsets[i + 1] - value.offsets[i]);
  }
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  ov_tensor_t* tensor = nullptr;
  library.check(
      library.api().tensor_create_from_string_array(pointers.data(), count, shape, &tensor));
  return {tensor, library.api().tensor_free};
}

}  // namespace

OwnedTensor to_openvino(const Library& library, const pgb_value& value) {
  const ov_shape_t shape{value.rank, const_cast<int64_t*>(value.shape)};
  if (value.kind == PGB_STRINGS) return strings_to_openvino(library, value, shape);
  if (value.kind != PGB_TENSOR) {
    throw pgb::Failure("OpenVINO supports tensors only, not sequences, maps or optionals", {},
                       PGB_UNSUPPORTED);
  }
  const ov_element_type_e type = library.element_type(value.dtype);
  ov_tensor_t* tensor = nullptr;
  if (value.bytes == 0 || !value.data) {
    library.check(library.api().tensor_create(type, shape, &tensor));
  } else {
    library.check(library.api().tensor_create_from_host_ptr(
        type, shape, const_cast<void*>(value.data), &tensor));
  }
  return {tensor, library.api().tensor_free};
}

pgb_value view(const Library& library, const ov_tensor_t* tensor, std::vector<int64_t>& shape) {
  const Api& api = library.api();
  ov_shape_t dims{};
  const ov_status_e status = api.tensor_get_shape(tensor, &dims);
  if (status == INVALID_C_PARAM) {
    // The C API has no shape of rank 0: a shape that it refuses to describe is a scalar's.
    shape.clear();
  } else {
    library.check(status);
    shape.assign(dims.dims, dims.dims + dims.rank);
    api.shape_free(&dims);
  }
  ov_element_type_e type{};
  library.check(api.tensor_get_element_type(tensor, &type));

  pgb_value result = pgb::empty_value(PGB_TENSOR);
  result.dtype = library.onnx_type(type);
  if (result.dtype == pgb::kOnnxString) {
    throw pgb::Failure("OpenVINO's C API cannot read string tensors", {}, PGB_UNSUPPORTED);
  }
  if (result.dtype == 0) {
    throw pgb::Failure("ONNX has no type for OpenVINO's element type " + std::to_string(type), {},
                       PGB_UNSUPPORTED);
  }
  result.rank = static_cast<int32_t>(shape.size());
  result.shape = shape.data();
  library.check(api.tensor_get_byte_size(tensor, &result.bytes));
  void* data = nullptr;
  if (result.bytes != 0) library.check(api.tensor_data(tensor, &data));
  result.data = data;
  return result;
}

}  // namespace openvino
