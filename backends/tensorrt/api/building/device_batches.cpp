#include "tensorrt/api/building/device_batches.h"

#include <cstddef>

#include "tensorrt/api/logger.h"
#include "tensorrt/api/names.h"
#include "tensorrt/api/option_text.h"
#include "tensorrt/api/tensor_layout.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

nv::DataType taken(const nv::ITensor& input, const pgb::Host& host) {
  const nv::DataType type = input.getType();
  if (type == nv::DataType::kFLOAT || type == nv::DataType::kINT32 ||
      type == nv::DataType::kINT64 || type == nv::DataType::kBOOL)
    return type;
  host.log(pgb::kWarning, kCalibratorModule,
           "Input " + std::string(input.getName()) +
               " is calibrated with float32: calibrators "
               "take no " +
               std::string(name_of(data_types(), type)));
  return nv::DataType::kFLOAT;
}

std::string type_name(int32_t onnx) {
  for (const auto& each : data_types()) {
    if (onnx_type(each.value) == onnx) return std::string(each.name);
  }
  return "type " + std::to_string(onnx) + " of ONNX";
}

}  // namespace

bool has_batches(const pgb_session_options& session) {
  constexpr size_t kEnd = offsetof(pgb_session_options, batches) + sizeof(session.batches);
  return session.struct_size >= kEnd && session.next_batch;
}

DeviceBatches::DeviceBatches(const nv::INetworkDefinition& network, const Profile& profile,
                             const pgb::Host& host, const pgb::Options& options)
    : session_(options.session()), driver_library_(options.value("trt_driver").value_or("")) {
  for (int32_t i = 0; i < network.getNbInputs(); ++i) {
    const nv::ITensor& tensor = *network.getInput(i);
    const auto [entry, is_new] = inputs_.try_emplace(tensor.getName());
    Input& input = entry->second;
    // Of one whose values are shapes, the profile has those values.
    input.shape = tensor.isShapeTensor() ? to_vector(tensor.getDimensions()) : profile[i].second[1];
    const nv::DataType type = taken(tensor, host);
    input.bytes = bytes_of(type, volume(to_dims(input.shape)));
    input.info.struct_size = sizeof(input.info);
    input.info.name = entry->first.c_str();
    input.info.kind = PGB_TENSOR;
    input.info.dtype = onnx_type(type);
    input.info.rank = static_cast<int32_t>(input.shape.size());
    input.info.dims = input.shape.data();
    infos_.push_back(input.info);
  }
}

bool DeviceBatches::next(void* bindings[], char const* names[], int32_t count) {
  const pgb_named_value* batch = nullptr;
  size_t value_count = 0;
  const int there = session_.next_batch(session_.batches, first_, infos_.data(), infos_.size(),
                                        &batch, &value_count);
  if (there < 0) throw pgb::Failure("the data to calibrate with could not be had");
  if (there == 0) {
    if (!first_) return false;
    throw pgb::Failure(
        "--int8: there is no data to calibrate with",
        "The data loader gives none. A script must begin anew each time that its function is "
        "called.");
  }
  if (!driver_) driver_ = Driver::open(driver_library_);
  first_ = false;
  for (size_t i = 0; i < value_count; ++i) load(batch[i].name, *batch[i].value);
  for (int32_t i = 0; i < count; ++i) {
    const auto buffer = buffers_.find(names[i]);
    if (buffer == buffers_.end()) {
      throw pgb::Failure("the data to calibrate with has no input " + std::string(names[i]),
                         "Give each of the model's inputs, by name.");
    }
    bindings[i] = buffer->second.memory();
  }
  // The host may reuse its memory for the next one.
  driver_->synchronize();
  return true;
}

void DeviceBatches::load(const std::string& name, const pgb_value& value) {
  const auto found = inputs_.find(name);
  if (found == inputs_.end()) return;
  const Input& input = found->second;
  const std::vector<int64_t> shape(value.shape, value.shape + value.rank);
  if (value.dtype != input.info.dtype) {
    throw pgb::Failure("input " + name + " of the data to calibrate with is of " +
                       type_name(value.dtype) + ", but the network takes " +
                       type_name(input.info.dtype));
  }
  if (value.bytes != input.bytes) {
    throw pgb::Failure("input " + name + " of the data to calibrate with has shape " +
                           shape_text(shape) + ", but the network is calibrated with " +
                           shape_text(input.shape),
                       "The optimum shapes of the last profile count (--trt-opt-shapes, "
                       "--input-shapes).");
  }
  DeviceBuffer& buffer = buffers_.try_emplace(name, *driver_).first->second;
  driver_->copy_to_device(buffer.reserve(value.bytes), value.data, value.bytes);
}

}  // namespace tensorrt::TENSORRT_FAMILY
