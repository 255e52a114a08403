#include "polygraphy/runtimes/compiled/combine_tensor_info.h"

#include <fmt/format.h>

#include <optional>

#include "base/log_modules.h"
#include "numerics/statistics.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy {
namespace {

// Of the first runner that has one.
std::optional<IterationResult> first_iteration(OutputReader& reader, Logger& log) {
  auto results = reader.next();
  if (!results) return std::nullopt;
  for (size_t i = 0; i < results->size(); ++i) {
    if ((*results)[i]) return std::move((*results)[i]);
    log.warning(log_modules::kInspectEngine, "No iterations of runner " + reader.runner_names()[i]);
  }
  return std::nullopt;
}

// ", min=0.00, max=1.00, avg=0.50"; empty: it has no values that are numbers.
std::string statistics_text(const Array& values) {
  const Statistics statistics = compute_statistics(values);
  if (!statistics.computed || statistics.size == 0) return {};
  return fmt::format(", min={:.2f}, max={:.2f}, avg={:.2f}", statistics.min, statistics.max,
                     statistics.mean);
}

}  // namespace

void combine_tensor_info(EngineDescription& engine, const std::string& path, Logger& log) {
  OutputReader reader(path, log);
  const auto saved = first_iteration(reader, log);
  if (!saved) {
    log.warning(log_modules::kInspectEngine, "No outputs in " + path);
    return;
  }
  if (reader.next_deferred()) {
    log.warning(log_modules::kInspectEngine, path + " has several iterations: showing the first");
  }
  OrderedMap<std::string> texts;
  const auto describe = [&](NamedTensors& tensors) {
    for (auto& [name, info] : tensors) {
      const Array* values = saved->outputs.find(name);
      if (!values) continue;
      if (!texts.contains(name)) texts.set(name, statistics_text(*values));
      const std::string& text = *texts.find(name);
      info.docstring += info.docstring.empty() && !text.empty() ? text.substr(2) : text;
    }
  };
  for (auto& layers : engine.layers) {
    for (EngineLayer& layer : layers) {
      describe(layer.inputs);
      describe(layer.outputs);
    }
  }
}

}  // namespace polygraphy
