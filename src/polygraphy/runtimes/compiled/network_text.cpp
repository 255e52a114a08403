#include "polygraphy/runtimes/compiled/network_text.h"

#include <algorithm>
#include <variant>

#include "polygraphy/runtimes/compiled/layer_attribute_text.h"
#include "polygraphy/runtimes/compiled/layer_text.h"

namespace polygraphy {
namespace {

void put_attributes(IndentedText& out, const NetworkLayer& layer, bool weights) {
  if (layer.attributes.empty()) return;
  out.line("---- Attributes ----", kTextTab);
  const std::string prefix = layer.name.empty() ? "" : layer.name + ".";
  for (const LayerAttribute& attribute : layer.attributes) {
    const bool is_weights = std::holds_alternative<LayerAttribute::Weights>(attribute.value);
    if (is_weights && !weights) continue;
    out.line(prefix + attribute.name + " = " + attribute_text(attribute), kTextTab);
  }
}

void put_layers(IndentedText& out, const NetworkDescription& network,
                const NetworkTextOptions& options, std::string_view what) {
  for (size_t i = 0; options.layers && i < network.layers.size(); ++i) {
    const NetworkLayer& layer = network.layers[i];
    put_layer(out, i, layer.name, layer.op, layer.inputs, layer.outputs, what);
    if (options.attrs) put_attributes(out, layer, options.weights);
    out.blank_line();
  }
}

}  // namespace

std::string network_text(const NetworkDescription& network, const NetworkTextOptions& options) {
  IndentedText out("==== TensorRT Network ====\n");
  const bool typed = std::find(network.flags.begin(), network.flags.end(), "STRONGLY_TYPED") !=
                     network.flags.end();
  out.line("Name: " + network.name + " | Explicit Batch " + (typed ? "Strongly Typed " : "") +
           "Network");
  out.blank_line();
  put_ports(out, "Network Input(s)", network.inputs);
  put_ports(out, "Network Output(s)", network.outputs);
  out.line("---- " + std::to_string(network.layers.size()) + " Layer(s) ----");
  put_layers(out, network, options, "Layer");
  return out.take();
}

std::string tensorflow_text(const NetworkDescription& graph, const NetworkTextOptions& options) {
  IndentedText out("==== TensorFlow Graph ====\n");
  put_ports(out, "Graph Inputs", graph.inputs);
  put_ports(out, "Graph Outputs", graph.outputs);
  out.line("---- " + std::to_string(graph.layers.size()) + " Nodes ----");
  put_layers(out, graph, options, "Node");
  return out.take();
}

}  // namespace polygraphy
