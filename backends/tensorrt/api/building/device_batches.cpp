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
               " is calibrated with float32: calibrators do not support " +
               std::string(name_of(type, data_types())));
  return nv::DataType::kFLOAT;
}

int64_t element(const pgb_value& value, size_t i) {
  return value.dtype == onnx_type(nv::DataType::kINT64)
             ? static_cast<const int64_t*>(value.data)[i]
             : static_cast<const int32_t*>(value.data)[i];
}

}  // namespace

bool has_batches(const pgb_session_options& session) {
  constexpr size_t kEnd = offsetof(pgb_session_options, batches) + sizeof(session.batches);
  return session.struct_size >= kEnd && session.next_batch;
}

DeviceBatches::DeviceBatches(const nv::INetworkDefinition& network, const Profile& profile,
                             const pgb::Host& host, const pgb::Options& options)
    : session_(options.session()),
      host_(host),
      driver_library_(options.value("trt_driver").value_or("")) {
  for (int32_t i = 0; i < network.getNbInputs(); ++i) {
    const nv::ITensor& tensor = *network.getInput(i);
    const auto [entry, is_new] = inputs_.try_emplace(tensor.getName());
    Input& input = entry->second;
    // Of a tensor of shapes, the profile has the values.
    input.shape = tensor.isShapeTensor() ? to_vector(tensor.getDimensions()) : profile[i].second[1];
    const nv::DataType type = taken(tensor, host);
    const bool is_whole = type == nv::DataType::kINT32 || type == nv::DataType::kINT64;
    if (tensor.isShapeTensor() && is_whole) input.values = profile[i].second;
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
  if (!has_batches(session_)) throw pgb::Failure("--int8: no calibration data");
  const pgb_named_value* batch = nullptr;
  size_t value_count = 0;
  const int there = session_.next_batch(session_.batches, count_ == 0, infos_.data(), infos_.size(),
                                        &batch, &value_count);
  if (there < 0) throw pgb::Failure("could not read the calibration data");
  if (there == 0) {
    if (count_ > 0) return false;
    throw pgb::Failure("--int8: no calibration data");
  }
  if (!driver_) driver_ = Driver::open(driver_library_);
  ++count_;
  for (size_t i = 0; i < value_count; ++i) load(batch[i].name, *batch[i].value);
  for (int32_t i = 0; i < count; ++i) {
    const auto buffer = buffers_.find(names[i]);
    if (buffer == buffers_.end()) {
      throw pgb::Failure("the calibration data has no input " + std::string(names[i]),
                         "Give each input of the model by name.");
    }
    bindings[i] = buffer->second.memory();
  }
  // The host may reuse its memory for the next one.
  driver_->synchronize();
  return true;
}

// The host reports errors in terms of its data; this check keeps the library from reading too far.
void DeviceBatches::load(const std::string& name, const pgb_value& value) {
  const auto found = inputs_.find(name);
  if (found == inputs_.end()) return;
  Input& input = found->second;
  if (value.dtype != input.info.dtype || value.bytes != input.bytes) {
    throw pgb::Failure("input " + name +
                       " of the calibration data does not have the type and shape " +
                       shape_text(input.shape) + " of the network");
  }
  if (input.values) check_values(name, input, value);
  DeviceBuffer& buffer = buffers_.try_emplace(name, *driver_).first->second;
  driver_->copy_to_device(buffer.reserve(value.bytes), value.data, value.bytes);
}

void DeviceBatches::check_values(const std::string& name, Input& input, const pgb_value& value) {
  const auto& [least, usual, greatest] = *input.values;
  std::vector<int64_t> values;
  bool allowed = true;
  for (size_t i = 0; i < usual.size(); ++i) {
    values.push_back(element(value, i));
    allowed &= least[i] <= values[i] && values[i] <= greatest[i];
  }
  if (allowed) return;
  host_.log(pgb::kWarning, kCalibratorModule,
            "Calibration sample " + std::to_string(count_) + ": input " + name +
                " has the values " + shape_text(values) + ", but the profile is for " +
                shape_text(least) + " to " + shape_text(greatest));
  input.values.reset();
}

}  // namespace tensorrt::TENSORRT_FAMILY
