#include "polygraphy/comparison/compare/postprocess.h"

#include <vector>

#include "base/arrays/py_repr.h"
#include "base/error.h"

namespace polygraphy {

std::shared_ptr<const OutputFunction> parse_postprocess(std::string_view text) {
  std::vector<std::string> forms;
  for (const Postprocess* kind : postprocesses()) {
    if (auto function = kind->parse(text)) return function;
    forms.emplace_back(kind->form);
  }
  throw Error("Invalid post-processing function: " + std::string(text) +
              ". Note: Valid choices are: " + py_list_repr(std::span<const std::string>(forms)) +
              ".");
}

}  // namespace polygraphy
