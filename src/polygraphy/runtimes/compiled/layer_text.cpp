#include "polygraphy/runtimes/compiled/layer_text.h"

#include <algorithm>
#include <string>

namespace polygraphy {
namespace {

constexpr size_t kIndexWidth = 4;

void put_tensors(IndentedText& out, const NamedTensors& tensors) {
  out.put('{');
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (i > 0) {
      out.put(',');
      out.continue_line(1);
    }
    out.put(to_text(tensors[i].first, tensors[i].second));
  }
  out.put('}');
}

}  // namespace

void put_layer(IndentedText& out, size_t index, std::string_view name, std::string_view op,
               const NamedTensors& inputs, const NamedTensors& outputs, std::string_view what) {
  std::string number = std::to_string(index);
  number.resize(std::max(number.size(), kIndexWidth), ' ');
  out.begin_line();
  out.put(std::string(what) + " " + number + " | ");
  out.put(name);
  out.put(" [Op: ");
  out.put(op);
  out.put(']');
  out.end_line();
  out.begin_line(kTextTab);
  put_tensors(out, inputs);
  const bool two_lines = !inputs.empty() && !outputs.empty();
  if (two_lines) {
    out.end_line();
    out.begin_line(kTextTab);
  }
  out.put(" -> ");
  out.set_indent(two_lines ? 2 * kTextTab : 0);
  put_tensors(out, outputs);
  out.end_line();
}

void put_ports(IndentedText& out, std::string_view what, const Metadata& ports) {
  out.line("---- " + std::to_string(ports.size()) + " " + std::string(what) + " ----");
  out.line(to_text(ports));
  out.blank_line();
}

}  // namespace polygraphy
