#include "polygraphy/runtimes/compiled/engine_text.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "polygraphy/runtimes/compiled/layer_text.h"

namespace polygraphy {
namespace {

void put_ports(IndentedText& out, const EngineDescription& engine, bool inputs) {
  Metadata ports;
  for (const EngineTensor& tensor : engine.tensors) {
    if (tensor.is_input == inputs) ports.set(tensor.name, tensor.info);
  }
  put_ports(out, inputs ? "Engine Input(s)" : "Engine Output(s)", ports);
}

const EngineRange* range_of(const std::vector<EngineRange>& profile, const std::string& tensor) {
  const auto found = std::find_if(profile.begin(), profile.end(),
                                  [&](const EngineRange& each) { return each.tensor == tensor; });
  return found == profile.end() ? nullptr : &*found;
}

void put_profile(IndentedText& out, const EngineDescription& engine,
                 const std::vector<EngineRange>& profile) {
  constexpr size_t kRoom = 8;
  size_t width = 0;
  for (const EngineTensor& tensor : engine.tensors) width = std::max(width, tensor.name.size());
  for (size_t i = 0; i < engine.tensors.size(); ++i) {
    const EngineTensor& tensor = engine.tensors[i];
    std::string name = tensor.name;
    name.resize(width + kRoom, ' ');
    std::string line = "Tensor: " + name + (tensor.is_input ? "  (Input)" : " (Output)") +
                       ", Index: " + std::to_string(i) + " | ";
    if (const EngineRange* range = range_of(profile, tensor.name)) {
      line += "Shapes: min=" + py_tuple_repr(range->least) +
              ", opt=" + py_tuple_repr(range->usual) + ", max=" + py_tuple_repr(range->greatest);
    } else {
      line += "Shape: " + shape_text(tensor.info.shape.value_or(DimList()));
    }
    out.line(line, kTextTab);
  }
  out.blank_line();
}

void put_profiles(IndentedText& out, const EngineDescription& engine) {
  out.line("---- " + std::to_string(engine.profiles.size()) + " Profile(s) (" +
           std::to_string(engine.tensors.size()) + " Tensor(s) Each) ----");
  for (size_t i = 0; i < engine.profiles.size(); ++i) {
    out.line("- Profile: " + std::to_string(i));
    put_profile(out, engine, engine.profiles[i]);
  }
}

void put_layers(IndentedText& out, const EngineDescription& engine,
                const EngineTextOptions& options) {
  const bool per_profile = engine.layers.size() > 1;
  const size_t count = engine.layers.empty() ? 0 : engine.layers.front().size();
  out.line("---- " + std::to_string(count) + " Layer(s)" + (per_profile ? " Per Profile" : "") +
           " ----");
  if (!options.layers) return;
  for (size_t profile = 0; profile < engine.layers.size(); ++profile) {
    out.set_margin(0);
    if (per_profile) {
      out.line("- Profile: " + std::to_string(profile));
      out.set_margin(kTextTab);
    }
    for (size_t i = 0; i < engine.layers[profile].size(); ++i) {
      const EngineLayer& layer = engine.layers[profile][i];
      put_layer(out, i, layer.name, layer.type, layer.inputs, layer.outputs);
      if (options.attrs) {
        out.line("---- Attributes ----", kTextTab);
        out.line("Origin = " + layer.origin, kTextTab);
        out.line("Tactic = " + layer.tactic, kTextTab);
      }
      out.blank_line();
    }
  }
}

}  // namespace

std::string engine_text(const EngineDescription& engine, const EngineTextOptions& options) {
  IndentedText out("==== TensorRT Engine ====\n");
  out.line("Name: " + engine.name + " | " + (engine.refittable ? "Refittable " : "") +
           "Explicit Batch Engine");
  out.blank_line();
  put_ports(out, engine, true);
  put_ports(out, engine, false);
  out.line("---- Memory ----");
  out.line("Device Memory: " + std::to_string(engine.device_memory) + " bytes");
  out.blank_line();
  put_profiles(out, engine);
  put_layers(out, engine, options);
  return out.take();
}

}  // namespace polygraphy
