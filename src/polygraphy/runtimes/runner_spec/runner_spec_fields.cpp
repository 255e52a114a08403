#include "polygraphy/runtimes/runner_spec/runner_spec_fields.h"

#include <fmt/format.h>

#include "base/arrays/dtype.h"

namespace polygraphy {
namespace {

std::string dims_text(const DimList& shape) {
  std::string text;
  for (const Dim& dim : shape) {
    text += text.empty() ? "" : ",";
    text += dim.is_static()       ? std::to_string(dim.value())
            : dim.param().empty() ? "-1"
                                  : dim.param();
  }
  return "[" + text + "]";
}

}  // namespace

void add_input(std::string_view text, Metadata& inputs) {
  for (auto& [name, info] : parse_metadata({std::string(text)}, {.shape = true, .dtype = true}))
    inputs.set(name, info);
}

std::vector<std::string> input_texts(const Metadata& inputs) {
  std::vector<std::string> texts;
  for (const auto& [name, info] : inputs) {
    std::string text = name + ":" + (info.shape ? dims_text(*info.shape) : "auto") + ":";
    text += info.dtype == DataType::kUndefined ? "auto" : name_of(info.dtype);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string shortest_number(double value) {
  return fmt::format("{}", value);
}

}  // namespace polygraphy
