#include "api/given_names.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/glob.h"
#include "base/near_names.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace native {

using polygraphy::Error;
using polygraphy::ModelSource;

namespace {

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether the name is one of these, or of an item of a sequence or of a part of a map of theirs.
bool names_one(const std::vector<std::string>& names, std::string_view name) {
  if (has(names, name)) return true;
  const auto item = polygraphy::item_of_array(name);
  if (item && has(names, item->sequence)) return true;
  return std::ranges::any_of(names, [&](const std::string& each) {
    const auto given = polygraphy::item_of_array(each);
    return given && given->sequence == name;
  });
}

[[noreturn]] void refuse(std::string_view whose, std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known, std::string_view list) {
  throw Error(std::string(whose) + " no " + std::string(kind) + " '" + std::string(name) + "'.",
              polygraphy::unknown_name_hint(name, known, list));
}

std::vector<std::string> inputs_of(const polygraphy::Metadata& metadata) {
  std::vector<std::string> names;
  for (const auto& [name, info] : metadata) names.push_back(name);
  return names;
}

}  // namespace

std::optional<ModelNames> ModelNames::of(const ModelSource& source) {
  if (source.format != polygraphy::kOnnxFormat) return std::nullopt;
  std::optional<graphsurgeon::Model> read;
  if (source.model == nullptr) {
    try {
      read = graphsurgeon::load_model(source.path);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  const graphsurgeon::Graph& graph = *(read ? *read : *source.model).graph;
  ModelNames names;
  for (const auto& input : graph.inputs()) {
    (input->is_constant() ? names.constants_ : names.inputs_).emplace_back(input->name());
  }
  for (const auto& output : graph.outputs()) names.outputs_.emplace_back(output->name());
  for (const auto& tensor : graph.initializers()) names.constants_.emplace_back(tensor->name());
  return names;
}

void ModelNames::check_input(std::string_view name) const {
  if (has(inputs_, name)) return;
  if (has(constants_, name)) {
    throw Error("'" + std::string(name) + "' is a constant of the model, no input.",
                "To change its values: Model.set_array().");
  }
  refuse("The model has", "input", name, inputs_, "Its inputs");
}

void ModelNames::check_inputs_named_by(std::string_view name) const {
  if (names_one(inputs_, name)) return;
  const polygraphy::Glob pattern(name);
  const auto matches = [&](const std::string& input) { return pattern.matches(input); };
  if (std::ranges::none_of(inputs_, matches)) check_input(name);
}

void ModelNames::check_output(std::string_view name) const {
  if (!names_one(outputs_, name)) refuse("The model has", "output", name, outputs_, "Its outputs");
}

polygraphy::NumberFormat number_format_named(std::string_view name) {
  const auto format = polygraphy::parse_number_format(name);
  if (format) return *format;
  std::vector<std::string> names;
  for (const polygraphy::NumberFormat each : polygraphy::all_number_formats())
    names.emplace_back(polygraphy::name_of(each));
  throw polygraphy::Error("Unknown number format '" + std::string(name) + "'.",
                          polygraphy::unknown_name_hint(name, names, "Choices"));
}

void check_feed_names(const polygraphy::ValueMap& feed, const polygraphy::Metadata& inputs,
                      const ModelSource& source) {
  std::optional<ModelNames> names;
  for (const auto& [name, value] : feed) {
    if (inputs.contains(name)) continue;
    if (!names) names = ModelNames::of(source);
    if (!names) refuse("The model has", "input", name, inputs_of(inputs), "Its inputs");
    names->check_input(name);
  }
}

void check_output_names(const polygraphy::CompareOptions& options,
                        const std::vector<polygraphy::IterationResult>& results) {
  std::vector<std::string> known;
  for (const auto& result : results) {
    for (const auto& [name, output] : result.outputs) {
      if (!has(known, name)) known.push_back(name);
    }
  }
  const auto check = [&](const auto& per_output) {
    for (const auto& [name, value] : per_output) {
      if (!name.empty() && !names_one(known, name))
        refuse("The results have", "output", name, known, "Outputs");
    }
  };
  for (const auto& [option, numbers] : options.metric_options.numbers) check(numbers);
  for (const auto& [option, texts] : options.metric_options.texts) check(texts);
  check(options.postprocess);
}

}  // namespace native
