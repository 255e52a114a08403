#include "running/plan.h"

#include <algorithm>
#include <cstdlib>

#include "log.h"
#include "running/bytes.h"

namespace tensorrt_double {
namespace {

constexpr std::string_view kMagic = "PGTRTPLN";

// FNV-1a.
int64_t checksum(std::string_view bytes) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return static_cast<int64_t>(hash);
}

void write(ByteWriter& to, const nvinfer1::Dims& dims) {
  to.number(dims.nbDims);
  for (int i = 0; i < dims.nbDims; ++i) to.number(dims.d[i]);
}
nvinfer1::Dims read_dims(ByteReader& from) {
  nvinfer1::Dims dims{};
  dims.nbDims = static_cast<int32_t>(from.number());
  if (dims.nbDims > nvinfer1::Dims::MAX_DIMS) throw std::runtime_error("too many dimensions");
  for (int i = 0; i < dims.nbDims; ++i) dims.d[i] = from.number();
  return dims;
}
void write(ByteWriter& to, const std::vector<std::string>& texts) {
  to.list(texts, [&](const std::string& text) { to.text(text); });
}
std::vector<std::string> read_texts(ByteReader& from) {
  std::vector<std::string> texts;
  from.list([&] { texts.push_back(from.text()); });
  return texts;
}

void write(ByteWriter& to, const ProfileRange& range) {
  for (const auto& dims : range.dims) {
    to.number(dims.has_value());
    if (dims) write(to, *dims);
  }
  for (const auto& values : range.values) {
    to.list(values, [&](int64_t value) { to.number(value); });
  }
}
ProfileRange read_range(ByteReader& from) {
  ProfileRange range;
  for (auto& dims : range.dims) {
    if (from.number()) dims = read_dims(from);
  }
  for (auto& values : range.values) {
    from.list([&] { values.push_back(from.number()); });
  }
  return range;
}

void write(ByteWriter& to, const PlanTensor& tensor) {
  to.text(tensor.name);
  to.number(tensor.type);
  to.number(tensor.model_type);
  write(to, tensor.dims);
  to.number(tensor.is_input);
  to.number(tensor.is_output);
  to.number(tensor.is_shape);
  to.number(tensor.formats);
}
PlanTensor read_tensor(ByteReader& from) {
  PlanTensor tensor;
  tensor.name = from.text();
  tensor.type = static_cast<int32_t>(from.number());
  tensor.model_type = static_cast<int32_t>(from.number());
  tensor.dims = read_dims(from);
  tensor.is_input = from.number() != 0;
  tensor.is_output = from.number() != 0;
  tensor.is_shape = from.number() != 0;
  tensor.formats = static_cast<uint32_t>(from.number());
  return tensor;
}

void write(ByteWriter& to, const PlanLayer& layer) {
  to.text(layer.name);
  to.text(layer.type);
  to.text(layer.metadata);
  to.text(layer.precision);
  write(to, layer.inputs);
  write(to, layer.outputs);
}
PlanLayer read_layer(ByteReader& from) {
  PlanLayer layer;
  layer.name = from.text();
  layer.type = from.text();
  layer.metadata = from.text();
  layer.precision = from.text();
  layer.inputs = read_texts(from);
  layer.outputs = read_texts(from);
  return layer;
}

// The numbers of a plan, in the order of the file.
template <class AnyPlan, class Each>
void for_each_number(AnyPlan& plan, Each&& each) {
  each(plan.is_refittable);
  each(plan.is_stripped);
  each(plan.streams_weights);
  each(plan.has_nan);
  each(plan.has_host_code);
  each(plan.capability);
  each(plan.verbosity);
  each(plan.hardware);
  each(plan.aux_streams);
  each(plan.runtime_platform);
  each(plan.tactic_sources);
  each(plan.weight_bytes);
}

std::string body_of(const Plan& plan) {
  ByteWriter to;
  to.text(plan.name);
  for_each_number(plan, [&](const auto& number) { to.number(static_cast<int64_t>(number)); });
  to.list(plan.tensors, [&](const PlanTensor& tensor) { write(to, tensor); });
  write(to, plan.debug_tensors);
  write(to, plan.unfused_tensors);
  to.list(plan.profiles, [&](const auto& profile) {
    to.list(profile, [&](const auto& entry) {
      to.text(entry.first);
      write(to, entry.second);
    });
  });
  to.list(plan.layers, [&](const PlanLayer& layer) { write(to, layer); });
  write(to, plan.refittable_weights);
  to.text(plan.onnx);
  return to.take();
}

Plan read_body(std::string_view body) {
  ByteReader from(body);
  Plan plan;
  plan.name = from.text();
  for_each_number(plan, [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(from.number());
  });
  from.list([&] { plan.tensors.push_back(read_tensor(from)); });
  plan.debug_tensors = read_texts(from);
  plan.unfused_tensors = read_texts(from);
  from.list([&] {
    auto& profile = plan.profiles.emplace_back();
    from.list([&] {
      const std::string input = from.text();
      profile[input] = read_range(from);
    });
  });
  from.list([&] { plan.layers.push_back(read_layer(from)); });
  plan.refittable_weights = read_texts(from);
  plan.onnx = from.text();
  return plan;
}

Refusal serialization(const std::string& text) {
  return {1, "Serialization", "Serialization assertion " + text};
}
Refusal incompatible(const std::string& text) {
  return {6, "API Usage Error", text};
}

}  // namespace

std::string library_version() {
  return fmt::format("{}.{}.{}.{}", NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR, NV_TENSORRT_PATCH,
                     NV_TENSORRT_BUILD);
}

std::string compute_capability() {
  const char* variable = std::getenv("PG_TENSORRT_DOUBLE_COMPUTE");
  return variable && *variable ? variable : "8.6";
}

const PlanTensor* Plan::find(std::string_view tensor) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const PlanTensor& one) { return one.name == tensor; });
  return found == tensors.end() ? nullptr : &*found;
}

bool Plan::is_debug_tensor(std::string_view tensor) const {
  return std::find(debug_tensors.begin(), debug_tensors.end(), tensor) != debug_tensors.end();
}

std::string Plan::encode() const {
  const std::string body = body_of(*this);
  ByteWriter to;
  to.raw(kMagic);
  to.text(library_version());
  to.text(compute_capability());
  to.number(hardware);
  to.number(static_cast<int64_t>(body.size()));
  to.number(checksum(body));
  to.raw(body);
  return to.take();
}

Plan Plan::decode(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) {
    throw serialization("magicTagRead == kMAGIC_TAG failed.Magic tag does not match");
  }
  try {
    ByteReader from(bytes.substr(kMagic.size()));
    const std::string version = from.text();
    if (version != library_version()) {
      throw incompatible(
          fmt::format("The engine plan file is not compatible with this version of "
                      "TensorRT, expecting library version {} got {}, please "
                      "rebuild.",
                      library_version(), version));
    }
    const std::string compute = from.text();
    const bool for_others = from.number() != 0;
    if (compute != compute_capability() && !for_others) {
      throw incompatible(
          fmt::format("The engine plan file is generated on an incompatible device, "
                      "expecting compute {} got compute {}, please rebuild.",
                      compute_capability(), compute));
    }
    const auto size = static_cast<size_t>(from.number());
    const int64_t sum = from.number();
    const std::string_view body = from.raw(size);
    if (!from.at_end() || checksum(body) != sum) throw std::runtime_error("damaged");
    Plan plan = read_body(body);
    if (plan.runtime_platform != 0) {
      throw incompatible("The engine plan file is generated for another platform, please rebuild.");
    }
    return plan;
  } catch (const Refusal&) {
    throw;
  } catch (const std::exception&) {
    throw serialization(
        "sizeRead == static_cast<uint64_t>(mEnd - mCurrent) failed.Size specified in header does "
        "not match archive size");
  }
}

}  // namespace tensorrt_double
