#include "polygraphy/comparison/compare/scripts/script_answers.h"

#include "base/error.h"
#include "base/near_names.h"
#include "polygraphy/comparison/compare/comparison_function.h"
#include "polygraphy/comparison/compare/scripts/script_options.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/user_python/metadata_json.h"

namespace polygraphy {
namespace {

const Metric& metric_named(const JsonValue& name) {
  const Metric* metric = find_metric(name.text());
  if (metric == nullptr) {
    throw Error("unknown comparison function '" + name.text() + "'.",
                unknown_name_hint(name.text(), metric_choices(), "Functions"));
  }
  return *metric;
}

IterationResult result_of(const JsonValue& entry, const PythonMessage& question) {
  IterationResult result;
  result.runner_name = entry["runner"].text();
  for (const JsonValue& output : entry["outputs"].list()) {
    const Array* array = question.arrays.find(output[1].text());
    if (array == nullptr) throw FormatError("Python sent a result without its arrays.");
    result.outputs.set(output[size_t{0}].text(), *array);
  }
  return result;
}

PythonMessage compare(const PythonMessage& question, Logger& log) {
  const Metric& metric = metric_named(question.header["function"]);
  CompareOptions options;
  options.metrics = {&metric};
  options.metric_options = metric_options_from(question.header, metric);
  options.fail_fast = options.metric_options.fail_fast;
  const JsonValue& results = question.header["results"];
  const auto function = std::move(comparison_functions(options, log).front());
  std::vector<ComparedPair> pairs;
  JsonValue::List verdicts;
  for (const auto& [name, result] : function->compare(result_of(results[size_t{0}], question),
                                                      result_of(results[1], question), pairs))
    verdicts.push_back(to_json(name, result));
  PythonMessage answer;
  answer.header.set("verdicts", std::move(verdicts));
  return answer;
}

PythonMessage threshold(const PythonMessage& question) {
  const Metric& metric = metric_named(question.header["function"]);
  const auto function = make_function(metric, metric_options_from(question.header, metric));
  PythonMessage answer;
  set_threshold(answer.header, function->threshold(question.header["name"].text()));
  return answer;
}

PythonMessage generate(const PythonMessage& question, Logger& log) {
  const JsonValue& asked = question.header;
  if (asked["torch"].boolean()) {
    throw Error(
        "a DataLoader with torch's random numbers needs the Python package polygraphy. Without it, "
        "only the tool's own inputs can use them.");
  }
  DataLoaderOptions options;
  options.seed = static_cast<uint64_t>(asked["seed"].integer());
  options.shapes = metadata_from(asked["shapes"]);
  options.announce_shapes = false;
  for (const JsonValue& range : asked["ranges"].list()) {
    options.val_range.set(range[size_t{0}].text(), {range[1].number(), range[2].number()});
  }
  PythonMessage answer;
  answer.arrays = flatten(DataLoader(std::move(options), log)
                              .generate(asked["index"].integer(), metadata_from(asked["inputs"])));
  return answer;
}

}  // namespace

void answer_scripts(UserPython& python) {
  Logger& log = python.log();
  python.set_result_classes(result_classes);
  python.answer("compare",
                [&log](const PythonMessage& question) { return compare(question, log); });
  python.answer("threshold", [](const PythonMessage& question) { return threshold(question); });
  python.answer("generate",
                [&log](const PythonMessage& question) { return generate(question, log); });
}

}  // namespace polygraphy
