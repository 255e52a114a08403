#include "polygraphy/model_tools/surgeon/upper_bounds.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "graphsurgeon/passes/size_upper_bounds.h"
#include "graphsurgeon/passes/tensor_lookup.h"
#include "graphsurgeon/passes/unbounded_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::Tensor;
using graphsurgeon::TensorLookup;
using graphsurgeon::TensorRef;

// As Python prints a dictionary.
std::string bounds_text(const std::vector<std::pair<TensorRef, int64_t>>& bounds) {
  std::string text = "{";
  for (const auto& [tensor, bound] : bounds) {
    if (text.size() > 1) text += ", ";
    text += py_str_repr(tensor->name()) + ": " + std::to_string(bound);
  }
  return text + "}";
}

}  // namespace

void set_upper_bounds(Model& model, const OrderedMap<int64_t>& wanted, Logger& log) {
  if (wanted.empty()) return;
  const TensorLookup tensors(*model.graph);
  const std::vector<const Tensor*> unbounded = graphsurgeon::unbounded_tensors(*model.graph);
  std::vector<std::pair<TensorRef, int64_t>> bounds;
  std::vector<std::string> bounded;
  for (const auto& [name, bound] : wanted) {
    if (name.empty()) continue;
    Tensor& tensor = tensors.get(name);
    if (std::find(unbounded.begin(), unbounded.end(), &tensor) == unbounded.end()) {
      bounded.push_back(name);
    }
    bounds.emplace_back(&tensor, bound);
  }
  if (const int64_t* bound = wanted.find("")) {
    for (const Tensor* tensor : unbounded) {
      if (!wanted.find(tensor->name())) bounds.emplace_back(&tensors.get(tensor->name()), *bound);
    }
  }
  if (!bounded.empty()) {
    log.warning(log_modules::kSurgeonSanitize,
                "These tensors set no unbounded sizes: " + py_list_repr(bounded) +
                    ". Setting their bounds nevertheless.");
  }
  graphsurgeon::set_size_upper_bounds(*model.graph, bounds);
  log.info(log_modules::kSurgeonSanitize, "Set tensor upper bounds: " + bounds_text(bounds));
}

}  // namespace polygraphy
