#include "polygraphy/engines/network_text.h"

#include <algorithm>

#include "polygraphy/inspect/indented_text.h"

namespace polygraphy {
namespace {

constexpr size_t kTab = 4;
constexpr size_t kIndexWidth = 4;

void put_count(IndentedText& out, size_t count, std::string_view of) {
  out.line("---- " + std::to_string(count) + " Network " + std::string(of) + " ----");
}

void put_ports(IndentedText& out, const Metadata& ports, std::string_view kind) {
  put_count(out, ports.size(), kind);
  out.line(to_text(ports));
  out.blank_line();
}

}  // namespace

std::string network_text(const NetworkDescription& network, bool layers) {
  IndentedText out("==== TensorRT Network ====\n");
  const bool typed = std::find(network.flags.begin(), network.flags.end(), "STRONGLY_TYPED") !=
                     network.flags.end();
  out.line("Name: " + network.name + " | Explicit Batch " + (typed ? "Strongly Typed " : "") +
           "Network");
  out.blank_line();
  put_ports(out, network.inputs, "Input(s)");
  put_ports(out, network.outputs, "Output(s)");
  out.line("---- " + std::to_string(network.layers.size()) + " Layer(s) ----");
  for (size_t i = 0; layers && i < network.layers.size(); ++i) {
    const NetworkLayer& layer = network.layers[i];
    std::string index = std::to_string(i);
    index.resize(std::max(index.size(), kIndexWidth), ' ');
    out.line("Layer " + index + " | " + layer.name + " [Op: LayerType." + layer.type + "]");
    if (!layer.inputs.empty()) out.line(to_text(layer.inputs), kTab);
    out.begin_line(kTab);
    out.put(" -> ");
    out.set_indent(2 * kTab);
    out.put(to_text(layer.outputs));
    out.end_line();
  }
  return out.take();
}

}  // namespace polygraphy
