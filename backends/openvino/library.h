// One loaded libopenvino_c: its functions, and how it numbers element types.
#pragma once

#include <openvino/c/openvino.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/vendor_library.h"

namespace openvino {

// The functions of the C API that are used here, looked up at run time.
struct Api : pgb::Functions {
  using Functions::Functions;
  decltype(&::ov_get_openvino_version) get_version = find("ov_get_openvino_version");
  decltype(&::ov_version_free) version_free = find("ov_version_free");
  decltype(&::ov_get_error_info) get_error_info = find("ov_get_error_info");
  decltype(&::ov_get_last_err_msg) get_last_err_msg = find("ov_get_last_err_msg");
  decltype(&::ov_free) free = find("ov_free");
  decltype(&::ov_core_create) core_create = find("ov_core_create");
  decltype(&::ov_core_free) core_free = find("ov_core_free");
  decltype(&::ov_core_get_available_devices) core_get_available_devices =
      find("ov_core_get_available_devices");
  decltype(&::ov_available_devices_free) available_devices_free = find("ov_available_devices_free");
  decltype(&::ov_core_read_model) core_read_model = find("ov_core_read_model");
  decltype(&::ov_core_read_model_from_memory_buffer) core_read_model_from_memory_buffer =
      find("ov_core_read_model_from_memory_buffer");
  decltype(&::ov_core_compile_model) core_compile_model = find("ov_core_compile_model");
  decltype(&::ov_model_free) model_free = find("ov_model_free");
  decltype(&::ov_compiled_model_free) compiled_model_free = find("ov_compiled_model_free");
  decltype(&::ov_compiled_model_get_property) compiled_model_get_property =
      find("ov_compiled_model_get_property");
  decltype(&::ov_compiled_model_inputs_size) compiled_model_inputs_size =
      find("ov_compiled_model_inputs_size");
  decltype(&::ov_compiled_model_outputs_size) compiled_model_outputs_size =
      find("ov_compiled_model_outputs_size");
  decltype(&::ov_compiled_model_input_by_index) compiled_model_input_by_index =
      find("ov_compiled_model_input_by_index");
  decltype(&::ov_compiled_model_output_by_index) compiled_model_output_by_index =
      find("ov_compiled_model_output_by_index");
  decltype(&::ov_compiled_model_create_infer_request) compiled_model_create_infer_request =
      find("ov_compiled_model_create_infer_request");
  decltype(&::ov_port_get_any_name) port_get_any_name = find("ov_port_get_any_name");
  decltype(&::ov_port_get_element_type) port_get_element_type = find("ov_port_get_element_type");
  decltype(&::ov_port_get_partial_shape) port_get_partial_shape = find("ov_port_get_partial_shape");
  decltype(&::ov_partial_shape_free) partial_shape_free = find("ov_partial_shape_free");
  decltype(&::ov_output_const_port_free) output_const_port_free = find("ov_output_const_port_free");
  decltype(&::ov_infer_request_free) infer_request_free = find("ov_infer_request_free");
  decltype(&::ov_infer_request_set_input_tensor_by_index) infer_request_set_input_tensor_by_index =
      find("ov_infer_request_set_input_tensor_by_index");
  decltype(&::ov_infer_request_set_output_tensor_by_index)
      infer_request_set_output_tensor_by_index =
          find("ov_infer_request_set_output_tensor_by_index");
  decltype(&::ov_infer_request_get_output_tensor_by_index)
      infer_request_get_output_tensor_by_index =
          find("ov_infer_request_get_output_tensor_by_index");
  decltype(&::ov_infer_request_infer) infer_request_infer = find("ov_infer_request_infer");
  decltype(&::ov_infer_request_cancel) infer_request_cancel = find("ov_infer_request_cancel");
  decltype(&::ov_infer_request_get_profiling_info) infer_request_get_profiling_info =
      find("ov_infer_request_get_profiling_info");
  decltype(&::ov_profiling_info_list_free) profiling_info_list_free =
      find("ov_profiling_info_list_free");
  decltype(&::ov_tensor_create) tensor_create = find("ov_tensor_create");
  decltype(&::ov_tensor_create_from_host_ptr) tensor_create_from_host_ptr =
      find("ov_tensor_create_from_host_ptr");
  decltype(&::ov_tensor_create_from_string_array) tensor_create_from_string_array =
      find_optional("ov_tensor_create_from_string_array");  // may be null
  decltype(&::ov_tensor_get_shape) tensor_get_shape = find("ov_tensor_get_shape");
  decltype(&::ov_tensor_get_element_type) tensor_get_element_type =
      find("ov_tensor_get_element_type");
  decltype(&::ov_tensor_get_byte_size) tensor_get_byte_size = find("ov_tensor_get_byte_size");
  decltype(&::ov_tensor_data) tensor_data = find("ov_tensor_data");
  decltype(&::ov_tensor_free) tensor_free = find("ov_tensor_free");
  decltype(&::ov_shape_free) shape_free = find("ov_shape_free");
};

// Lives for the rest of the process, once per real path; two versions live side by side.
class Library {
 public:
  // Throws Failure(PGB_UNAVAILABLE) with the reason.
  static Library& open(const char* library, const char* const* search, size_t search_count);

  const Api& api() const { return api_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }

  // ONNX' number of an element type; 0 when ONNX has no such type.
  int32_t onnx_type(ov_element_type_e type) const;
  // Throws Failure(PGB_UNSUPPORTED) when OpenVINO has no such type.
  ov_element_type_e element_type(int32_t onnx_type) const;

  // Throws Failure with a readable message unless `status` is OK.
  void check(ov_status_e status, std::string_view what = {}) const;

 private:
  Library(void* handle, std::string path);

  std::string path_, version_;
  Api api_;
  // Up to 2024 releases the element types are numbered one higher, with UNDEFINED in front.
  int first_type_ = 0;
};

// The useful lines of a message: without places in the library's source, and without lines that
// only report a failure.
std::string readable(std::string_view message);

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

}  // namespace openvino
