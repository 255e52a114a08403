#include "openvino/session.h"

#include <string_view>

#include "openvino/values.h"

namespace openvino {
namespace {

constexpr const char* kModule = "backend/openvino/loader.py";
constexpr const char* kPrecision = "INFERENCE_PRECISION_HINT";

// ONNX's uint4, int4, float4e2m1, uint2, int2.
bool is_packed(int32_t dtype) {
  return (dtype >= 21 && dtype <= 23) || dtype == 25 || dtype == 26;
}

// KEY=VALUE as typed; KEY alone is refused.
std::pair<std::string, std::string> property(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw pgb::bad_option("--openvino-properties takes KEY=VALUE, but received: " + text);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string known_devices(const Library& library, const ov_core_t* core) {
  ov_available_devices_t devices{};
  if (library.api().core_get_available_devices(core, &devices) != OK) return {};
  std::string names;
  for (size_t i = 0; i < devices.size; ++i)
    names += (i ? ", " : "") + std::string(devices.devices[i]);
  library.api().available_devices_free(&devices);
  return names;
}

// Of a type of OpenVINO; empty: another one.
std::string onnx_name(const std::string& type) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"f32", "float32"}, {"f16", "float16"}, {"bf16", "bfloat16"}};
  for (const auto& [openvino, onnx] : kNames) {
    if (type == openvino) return std::string(onnx);
  }
  return {};
}

}  // namespace

Session::Session(const Library& library, ov_core_t* core, const pgb::Host& host,
                 const pgb_model& model, const pgb::Options& options)
    : library_(library),
      host_(host),
      compiled_(nullptr, library.api().compiled_model_free),
      request_(nullptr, library.api().infer_request_free),
      watch_(host) {
  compile(core, model, options);
  ov_infer_request_t* request = nullptr;
  library.check(library.api().compiled_model_create_infer_request(compiled_.get(), &request));
  request_.reset(request);
  describe(inputs_, true, model.input_names, model.input_count);
  describe(outputs_, false, model.output_names, model.output_count);
  provide_packed_outputs();
}

// OpenVINO (2026.4) allocates outputs of types smaller than a byte as packed, but writes a byte per
// element to them, beyond their end. So they get memory that is large enough for that.
void Session::provide_packed_outputs() {
  const Api& api = library_.api();
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const pgb::Port& output = outputs_[i];
    if (!is_packed(output.info.dtype)) continue;
    size_t count = 1;
    bool is_static = output.info.rank >= 0;
    for (const int64_t dim : output.dims) {
      is_static &= dim >= 0;
      count *= static_cast<size_t>(dim);
    }
    if (!is_static) {
      throw pgb::Failure("output '" + output.name +
                             "' has elements smaller than a byte and a dynamic shape: OpenVINO "
                             "would write beyond its end",
                         "Make the shape static, or cast the output to a type of whole bytes.",
                         PGB_UNSUPPORTED);
    }
    const ov_shape_t shape{output.info.rank, const_cast<int64_t*>(output.dims.data())};
    ov_tensor_t* tensor = nullptr;
    library_.check(api.tensor_create_from_host_ptr(library_.element_type(output.info.dtype), shape,
                                                   packed_outputs_.emplace_back(count + 64).data(),
                                                   &tensor));
    const OwnedTensor owned(tensor, api.tensor_free);
    library_.check(api.infer_request_set_output_tensor_by_index(request_.get(), i, tensor));
  }
}

void Session::compile(ov_core_t* core, const pgb_model& model, const pgb::Options& options) {
  const Api& api = library_.api();
  const std::string device = options.value("device").value_or("CPU");
  const std::string precision = options.value("precision").value_or("f32");

  std::vector<std::pair<std::string, std::string>> properties;
  for (const std::string& text : options.values("properties")) properties.push_back(property(text));
  bool chosen_by_property = false;
  for (const auto& [key, value] : properties) chosen_by_property |= key == kPrecision;
  if (precision != "native" && !chosen_by_property) properties.emplace_back(kPrecision, precision);
  if (const auto threads = options.integer("threads", "--openvino-threads", 1)) {
    properties.emplace_back("INFERENCE_NUM_THREADS", std::to_string(*threads));
  }
  if (const auto folder = options.value("cache")) properties.emplace_back("CACHE_DIR", *folder);
  profiling_ = options.session().profile != 0;
  if (profiling_) properties.emplace_back("PERF_COUNT", "YES");

  host_.log(pgb::kStart, kModule, "Compiling OpenVINO model for device: " + device);
  ov_model_t* raw = nullptr;
  library_.check(model.bytes ? api.core_read_model_from_memory_buffer(
                                   core, static_cast<const char*>(model.bytes), model.byte_count,
                                   nullptr, &raw)
                             : api.core_read_model(core, model.path, nullptr, &raw));
  const Owned<ov_model_t> read(raw, api.model_free);
  host_.throw_if_cancelled();

  // The C API takes the properties as variable arguments; set on a core they would stay for later
  // models.
  const auto key = [&](size_t i) {
    return i < properties.size() ? properties[i].first.c_str() : nullptr;
  };
  const auto value = [&](size_t i) {
    return i < properties.size() ? properties[i].second.c_str() : nullptr;
  };
  constexpr size_t kMost = 16;
  if (properties.size() > kMost) {
    throw pgb::bad_option("--openvino-properties: more than " + std::to_string(kMost) +
                          " properties in total");
  }
  ov_compiled_model_t* compiled = nullptr;
  const ov_status_e status = api.core_compile_model(
      core, raw, device.c_str(), 2 * properties.size(), &compiled, key(0), value(0), key(1),
      value(1), key(2), value(2), key(3), value(3), key(4), value(4), key(5), value(5), key(6),
      value(6), key(7), value(7), key(8), value(8), key(9), value(9), key(10), value(10), key(11),
      value(11), key(12), value(12), key(13), value(13), key(14), value(14), key(15), value(15));
  compiled_.reset(compiled);
  try {
    library_.check(status);
  } catch (const pgb::Failure& failure) {
    const std::string devices = known_devices(library_, core);
    throw pgb::Failure(
        failure.what(),
        device == "CPU" ? std::string() : "Devices found by OpenVINO on this machine: " + devices,
        failure.status());
  }
  report_precision(chosen_by_property ? std::string() : precision);
}

void Session::report_precision(const std::string& requested) {
  char* text = nullptr;
  // Some devices (AUTO, plugins of others) have no such property.
  if (library_.api().compiled_model_get_property(compiled_.get(), kPrecision, &text) != OK || !text)
    return;
  const std::string effective = text;
  library_.api().free(text);
  precision_ = onnx_name(effective);
  if (!requested.empty() && requested != "native" && effective != requested) {
    host_.log(pgb::kWarning, kModule,
              "OpenVINO inference precision: " + effective + "; " + requested +
                  " was requested, but the device does not support it");
  } else {
    host_.log(pgb::kInfo, kModule, "OpenVINO inference precision: " + effective);
  }
}

void Session::describe(std::deque<pgb::Port>& ports, bool are_inputs, const char* const* names,
                       size_t name_count) {
  const Api& api = library_.api();
  const ov_compiled_model_t* model = compiled_.get();
  size_t count = 0;
  library_.check(are_inputs ? api.compiled_model_inputs_size(model, &count)
                            : api.compiled_model_outputs_size(model, &count));
  for (size_t i = 0; i < count; ++i) {
    ov_output_const_port_t* raw = nullptr;
    library_.check(are_inputs ? api.compiled_model_input_by_index(model, i, &raw)
                              : api.compiled_model_output_by_index(model, i, &raw));
    const Owned<ov_output_const_port_t> port(raw, api.output_const_port_free);
    pgb::Port& entry = ports.emplace_back();
    // Where a node was optimized away its output has the names of its input as well: "any name" may
    // be either.
    if (names && name_count == count) {
      entry.name = names[i];
    } else {
      char* name = nullptr;
      library_.check(api.port_get_any_name(raw, &name));
      entry.name = name;
      api.free(name);
    }
    ov_element_type_e type{};
    library_.check(api.port_get_element_type(raw, &type));
    ov_partial_shape_t shape{};
    library_.check(api.port_get_partial_shape(raw, &shape));

    pgb_tensor_info& info = entry.info;
    info.dtype = library_.onnx_type(type);
    info.kind = info.dtype == pgb::kOnnxString ? PGB_STRINGS : PGB_TENSOR;
    info.rank = -1;
    // Its C API has no way to their texts, and running these models corrupts memory (2026.4).
    if (!are_inputs && info.kind == PGB_STRINGS) {
      api.partial_shape_free(&shape);
      throw pgb::Failure(
          "output '" + entry.name + "' is a string tensor, which OpenVINO's C API cannot read", {},
          PGB_UNSUPPORTED);
    }
    if (shape.rank.min == shape.rank.max && shape.rank.min >= 0) {
      info.rank = static_cast<int32_t>(shape.rank.min);
      for (int32_t d = 0; d < info.rank; ++d) {
        const ov_dimension_t& dim = shape.dims[d];
        entry.dims.push_back(dim.min == dim.max ? dim.min : -1);
      }
    }
    api.partial_shape_free(&shape);
    entry.finish();
  }
}

void Session::infer(const pgb_named_value* feeds, size_t count, pgb_output_fn deliver,
                    void* context) {
  const Api& api = library_.api();
  ov_infer_request_t* request = request_.get();
  std::vector<OwnedTensor> fed;
  // For an input without a value, OpenVINO would run on whatever its own buffer holds.
  const std::vector<const pgb_value*> values = pgb::fed_values(inputs_, feeds, count);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    try {
      fed.push_back(to_openvino(library_, *values[i]));
      library_.check(api.infer_request_set_input_tensor_by_index(request, i, fed.back().get()));
    } catch (const pgb::Failure& failure) {
      throw pgb::Failure("input '" + inputs_[i].name + "': " + failure.what(), {},
                         failure.status());
    }
  }
  ov_status_e status = OK;
  watch_.during([&] { api.infer_request_cancel(request); },
                [&] { status = api.infer_request_infer(request); });
  if (status != OK && host_.is_cancelled()) throw pgb::cancelled();
  library_.check(status);

  std::vector<int64_t> shape;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    ov_tensor_t* raw = nullptr;
    library_.check(api.infer_request_get_output_tensor_by_index(request, i, &raw));
    const OwnedTensor tensor(raw, api.tensor_free);
    const pgb_value value = [&] {
      try {
        return view(library_, raw, shape);
      } catch (const pgb::Failure& failure) {
        throw pgb::Failure("output '" + outputs_[i].name + "': " + failure.what(), {},
                           failure.status());
      }
    }();
    if (deliver(context, outputs_[i].name.c_str(), &value) != 0) return;
  }
}

void Session::profile(pgb_node_time_fn row, void* context) {
  if (!profiling_) throw pgb::Failure("the session was loaded without the option 'profile'");
  ov_profiling_info_list_t list{};
  library_.check(library_.api().infer_request_get_profiling_info(request_.get(), &list));
  for (size_t i = 0; i < list.size; ++i) {
    const ov_profiling_info_t& info = list.profiling_infos[i];
    if (info.status != ov_profiling_info_t::EXECUTED) continue;
    pgb::deliver_time(row, context, info.node_name, info.node_type, info.exec_type,
                      static_cast<double>(info.real_time));
  }
  library_.api().profiling_info_list_free(&list);
}

}  // namespace openvino
