#include "polygraphy/diagnosis/sensitivity/models/mixed_quantization.h"

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/arrays/convert.h"
#include "base/arrays/packing.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/onnx/version_converter.h"
#include "graphsurgeon/passes/constant_nodes.h"
#include "graphsurgeon/passes/toposort.h"
#include "polygraphy/diagnosis/sensitivity/models/site_weight.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::TensorRef;

constexpr std::string_view kMicrosoft = "com.microsoft";

int64_t opset_for(const WeightFormat& format) {
  if (format.block > 0) return format.type == DataType::kFloat4E2M1 ? 23 : 21;
  switch (format.type) {
    case DataType::kFloat4E2M1:
      return 23;
    case DataType::kInt4:
    case DataType::kUint4:
      return 21;
    case DataType::kFloat8E4M3FN:
      return 19;
    default:
      return 13;
  }
}

// One row of bytes for each column of the weight: its blocks, the last one filled up, the lower
// four bits first.
Array nbits_values(const QuantizedWeight& weight) {
  const Array codes = unpack(weight.values);
  const int64_t rows = codes.shape()[0], columns = codes.shape()[1];
  const int64_t blocks = weight.scales.shape()[0], length = blocks * weight.block;
  const int lift = weight.values.dtype() == DataType::kInt4 ? 8 : 0;
  Array result = Array::zeros(DataType::kUint8, {columns, blocks, weight.block / 2});
  auto* out = reinterpret_cast<uint8_t*>(result.mutable_data());
  const std::span<const uint8_t> code = codes.as<uint8_t>();
  for (int64_t k = 0; k < rows; ++k) {
    for (int64_t n = 0; n < columns; ++n) {
      const int value = static_cast<int8_t>(code[static_cast<size_t>(k * columns + n)]) + lift;
      out[(n * length + k) / 2] |= static_cast<uint8_t>((value & 15) << (k % 2 == 0 ? 0 : 4));
    }
  }
  return result;
}

Array nbits_zeros(const QuantizedWeight& weight) {
  const Array codes = unpack(weight.zero_points);
  const int64_t blocks = codes.shape()[0], columns = codes.shape()[1], bytes = (blocks + 1) / 2;
  Array result = Array::zeros(DataType::kUint8, {columns * bytes});
  auto* out = reinterpret_cast<uint8_t*>(result.mutable_data());
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t n = 0; n < columns; ++n) {
      const uint8_t value = codes.as<uint8_t>()[static_cast<size_t>(b * columns + n)] & 15;
      out[n * bytes + b / 2] |= static_cast<uint8_t>(value << (b % 2 == 0 ? 0 : 4));
    }
  }
  return result;
}

class Mixing {
 public:
  Mixing(Model model, const WeightFormat& format,
         const std::map<std::string, ActivationRange>& ranges)
      : model_(std::move(model)), format_(format), ranges_(ranges) {
    for (const NodeRef& node : graph().nodes()) nodes_.emplace(node->name(), node.get());
    for (const auto& [name, tensor] : graph().tensor_map()) names_.emplace(name);
  }

  void quantize_site(const Site& site) {
    const Node& first = *nodes_.at(site.nodes.front().name);
    const QuantizedWeight weight =
        quantized_site(site, first.inputs()[site.nodes.front().weight_slot]->values(), format_);
    if (becomes_nbits(site, format_)) {
      to_nbits(site, weight);
      return;
    }
    const TensorRef dequantized = dequantize(site, weight);
    for (const SiteNode& at : site.nodes) {
      Node& node = *nodes_.at(at.name);
      node.inputs().set(at.weight_slot, dequantized);
      const auto range = at.activation.empty() ? ranges_.end() : ranges_.find(at.activation);
      if (range != ranges_.end())
        node.inputs().set(at.activation_slot,
                          rounded(TensorRef(node.inputs()[at.activation_slot]), range->second));
    }
  }

  Model finish() {
    std::unordered_set<const graphsurgeon::Tensor*> outputs;
    for (const TensorRef& output : graph().outputs()) outputs.insert(output.get());
    std::erase_if(graph().mutable_initializers(), [&](const TensorRef& weight) {
      return weight->consumers().empty() && !outputs.contains(weight.get());
    });
    graphsurgeon::toposort(model_);
    const int64_t needed = format_.type == DataType::kFloat4E2M1     ? 11
                           : is_packed(format_.type)                 ? 10
                           : format_.type == DataType::kFloat8E4M3FN ? 9
                                                                     : 4;
    model_.ir_version = std::max(model_.ir_version, needed);
    return std::move(model_);
  }

 private:
  Graph& graph() { return *model_.graph; }

  TensorRef constant(std::string name, Array values) {
    while (!names_.insert(name).second) name += "'";
    TensorRef made = graph().constant(name, std::move(values));
    graph().mutable_initializers().push_back(made);
    return made;
  }
  TensorRef variable(std::string name, DataType type) {
    while (!names_.insert(name).second) name += "'";
    return graph().variable(name, type);
  }

  TensorRef dequantize(const Site& site, const QuantizedWeight& weight) {
    const TensorRef values = constant(site.weight + "_quantized", weight.values);
    const auto to = static_cast<int64_t>(site.dtype);
    if (weight.scales.empty()) return cast(values, site, to);
    graphsurgeon::Layer layer{.op = "DequantizeLinear"};
    layer.inputs = {values, constant(site.weight + "_scale", weight.scales)};
    if (!weight.zero_points.empty())
      layer.inputs.emplace_back(constant(site.weight + "_zero_point", weight.zero_points));
    const TensorRef made = variable(site.weight + "_dequantized", DataType::kFloat32);
    layer.outputs = {made};
    if (weight.scales.rank() > 0) layer.attrs.push_back({"axis", weight.axis});
    if (weight.block > 0) layer.attrs.push_back({"block_size", weight.block});
    const std::string name = site.weight + "_DequantizeLinear";
    layer.name = name;
    graph().layer(layer);
    return site.dtype == DataType::kFloat32 ? made : cast(made, site, to);
  }

  TensorRef cast(const TensorRef& from, const Site& site, int64_t to) {
    const TensorRef made = variable(site.weight + "_cast", site.dtype);
    const std::string name = site.weight + "_Cast";
    graph().layer(
        {.op = "Cast", .inputs = {from}, .outputs = {made}, .attrs = {{"to", to}}, .name = name});
    return made;
  }

  TensorRef rounded(const TensorRef& tensor, const ActivationRange& range) {
    TensorRef& made = rounded_[std::string(tensor->name())];
    if (made) return made;
    const std::string name(tensor->name());
    const float scale_value = range.scale;
    const int8_t zero_value = range.zero_point;
    const TensorRef scale = constant(name + "_scale", Array::of<float>({}, {scale_value}));
    const TensorRef zero = constant(name + "_zero_point", Array::of<int8_t>({}, {zero_value}));
    const TensorRef codes = variable(name + "_quantized", DataType::kInt8);
    made = variable(name + "_dequantized", DataType::kFloat32);
    const std::string first = name + "_QuantizeLinear", second = name + "_DequantizeLinear";
    graph().layer({.op = "QuantizeLinear",
                   .inputs = {tensor, scale, zero},
                   .outputs = {codes},
                   .name = first});
    graph().layer({.op = "DequantizeLinear",
                   .inputs = {codes, scale, zero},
                   .outputs = {made},
                   .name = second});
    return made;
  }

  void to_nbits(const Site& site, const QuantizedWeight& weight) {
    const int64_t rows = site.shape[0], columns = site.shape[1];
    const TensorRef values = constant(site.weight + "_Q4", nbits_values(weight));
    const std::vector<int64_t> turned = {1, 0};
    const Array scales = convert(weight.scales.transposed(turned).contiguous_aligned(), site.dtype);
    const TensorRef scale =
        constant(site.weight + "_scales", scales.reshaped({weight.scales.size()}));
    TensorRef zeros;
    if (!weight.zero_points.empty())
      zeros = constant(site.weight + "_zero_points", nbits_zeros(weight));
    for (const SiteNode& at : site.nodes) {
      Node& node = *nodes_.at(at.name);
      const TensorRef activation(node.inputs()[at.activation_slot]);
      node.set_op("MatMulNBits");
      node.set_domain(kMicrosoft);
      node.inputs().set(0, activation);
      node.inputs().set(1, values);
      node.inputs().append(scale);
      if (zeros) node.inputs().append(zeros);
      node.set_attribute("K", rows);
      node.set_attribute("N", columns);
      node.set_attribute("bits", int64_t{4});
      node.set_attribute("block_size", weight.block);
    }
    model_.set_opset(1, kMicrosoft);
  }

  Model model_;
  const WeightFormat& format_;
  const std::map<std::string, ActivationRange>& ranges_;
  std::unordered_map<std::string_view, Node*> nodes_;
  std::unordered_set<std::string> names_;
  std::map<std::string, TensorRef> rounded_;
};

}  // namespace

bool becomes_nbits(const Site& site, const WeightFormat& format) {
  return (format.type == DataType::kInt4 || format.type == DataType::kUint4) &&
         site.op == "MatMul" && site.shape.size() == 2 && site.reduced_axis == 0 &&
         site.dtype != DataType::kBfloat16 && format.block >= 16 && format.block <= 256 &&
         std::has_single_bit(static_cast<uint64_t>(format.block)) &&
         site.nodes.front().weight_slot == 1;
}

Model mixed_quantization(const Model& model, const std::vector<Site>& sites,
                         const std::vector<bool>& kept, const WeightFormat& format,
                         const std::map<std::string, ActivationRange>& ranges) {
  int64_t needed = 1;
  for (size_t i = 0; i < sites.size(); ++i) {
    if (!kept[i] && !becomes_nbits(sites[i], format))
      needed = std::max(needed, opset_for(site_format(sites[i], format)));
  }
  const bool converts = model.opset().value_or(1) < needed;
  Model base = converts ? graphsurgeon::convert_version(model, needed) : graphsurgeon::copy(model);
  if (converts) graphsurgeon::constant_nodes_to_initializers(base);
  Mixing mixing(std::move(base), format, ranges);
  for (size_t i = 0; i < sites.size(); ++i) {
    if (!kept[i]) mixing.quantize_site(sites[i]);
  }
  return mixing.finish();
}

}  // namespace polygraphy
