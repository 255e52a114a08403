#include "polygraphy/comparison/compare/named_outputs.h"

#include <algorithm>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/models/loaders/load_onnx.h"

namespace polygraphy {
namespace {

template <typename T>
void add_names(const std::string& option, const PerOutput<T>& values, NamedOutputs& named) {
  for (const auto& [name, value] : values) {
    if (!name.empty()) named[option].push_back(name);
  }
}

// Empty if it cannot be loaded.
std::vector<std::string> outputs_of(const ModelSource& source) {
  Logger quiet;
  try {
    return graphsurgeon::tensor_names(load_onnx(source, quiet)->graph->outputs());
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

NamedOutputs named_outputs(const CompareOptions& options) {
  NamedOutputs named;
  add_names("postprocess", options.postprocess, named);
  for (const auto& [option, values] : options.metric_options.numbers)
    add_names(option, values, named);
  for (const auto& [option, values] : options.metric_options.texts)
    add_names(option, values, named);
  return named;
}

void warn_of_unknown_outputs(const NamedOutputs& named, const ModelSource& model, Logger& log) {
  if (named.empty()) return;
  const std::vector<std::string> outputs = outputs_of(model);
  const auto known = [&](const std::string& name) {
    return std::find(outputs.begin(), outputs.end(), name) != outputs.end();
  };
  for (const auto& [option, names] : named) {
    for (const std::string& name : names) {
      const auto item = item_of_array(name);
      if (outputs.empty() || known(name) || (item && known(std::string(item->sequence)))) continue;
      log.warning(log_modules::kComparator, "No output has the name " + py_str_repr(name) +
                                                ", for which " + option + " is given.\n" +
                                                unknown_name_hint(name, outputs, "Outputs"));
    }
  }
}

}  // namespace polygraphy
