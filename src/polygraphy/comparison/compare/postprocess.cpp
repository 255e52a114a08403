#include "polygraphy/comparison/compare/postprocess.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "base/arrays/py_repr.h"

namespace polygraphy {

namespace {

// Of "top5", "top_5" and "top:5": 'top-5'. Empty: of other texts.
std::string meant_by(std::string_view text) {
  const size_t digits = text.find_last_not_of("0123456789") + 1;
  std::string_view name = text.substr(0, digits);
  if (!name.empty() && !std::isalpha(static_cast<unsigned char>(name.back())))
    name.remove_suffix(1);
  const std::string form = fmt::format("{}-{}", name, text.substr(digits));
  for (const Postprocess* kind : postprocesses()) {
    if (digits < text.size() && kind->parse(form)) return "Did you mean '" + form + "'?";
  }
  return {};
}

}  // namespace

std::shared_ptr<const OutputFunction> parse_postprocess(std::string_view text) {
  std::vector<std::string> forms;
  for (const Postprocess* kind : postprocesses()) {
    if (auto function = kind->parse(text)) return function;
    forms.emplace_back(kind->form);
  }
  throw Error("Invalid post-processing function: " + std::string(text) +
                  ". Note: Valid choices are: " + py_list_repr(forms) + ".",
              meant_by(text));
}

}  // namespace polygraphy
