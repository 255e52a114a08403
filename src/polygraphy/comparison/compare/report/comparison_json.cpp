#include "polygraphy/comparison/compare/report/comparison_json.h"

#include <algorithm>

#include "base/text.h"
#include "formats/record_json.h"

namespace polygraphy {
namespace {

void write_info(JsonWriter& json, const TensorInfo& info) {
  json.begin_object();
  json.key("dtype");
  json.string(name_of(info.dtype));
  json.key("shape");
  json.begin_array();
  for (const Dim& dim : *info.shape) json.integer(dim.value());
  json.end_array();
  json.end_object();
}

class Writer {
 public:
  Writer(const ComparisonReport& report, TextSink& sink) : report_(report), json_(sink) {}

  void write(const ReportFacts& facts) {
    json_.begin_object();
    put("command", facts.command);
    put("model", facts.model);
    put("verdict", facts.status);
    if (facts.verdict) put("answer", *facts.verdict);
    json_.key("files");
    json_.begin_object();
    for (const auto& [what, path] : facts.files) put(to_lower(what), path);
    json_.end_object();
    objects("validations", [this] { validations(); });
    objects("comparisons", [this] {
      for (const ComparisonReport::Pair& pair : report_.pairs()) comparison(pair);
    });
    json_.end_object();
  }

 private:
  template <typename Value>
  void put(std::string_view key, const Value& value) {
    json_.key(key);
    write_value(json_, value);
  }

  template <typename Items>
  void objects(std::string_view key, Items items) {
    json_.key(key);
    json_.begin_array();
    items();
    json_.end_array();
  }

  void validations() {
    for (const auto& [runner, outputs] : report_.validated_outputs()) {
      for (const auto* entry : report_.in_order(outputs)) {
        const auto& [name, found] = *entry;
        json_.begin_object();
        put("runner", runner);
        put("tensor", name);
        put("iterations", found.iterations);
        put("invalid_iterations", found.invalid);
        json_.end_object();
      }
    }
  }

  void comparison(const ComparisonReport::Pair& pair) {
    json_.begin_object();
    put("runner0", pair.runner0);
    put("runner1", pair.runner1);
    const auto tensors = report_.in_order(pair.tensors);
    const auto first = std::find_if(tensors.begin(), tensors.end(),
                                    [](const auto* entry) { return entry->second.failed > 0; });
    put("first_bad_tensor", first == tensors.end() ? std::nullopt : std::optional((*first)->first));
    objects("tensors", [&] {
      for (const auto* entry : tensors) tensor(entry->first, entry->second);
    });
    json_.end_object();
  }

  void tensor(const std::string& name, const ComparisonReport::Tensor& tensor) {
    json_.begin_object();
    put("name", name);
    put("name1", tensor.name1);
    layer(name);
    put("passed", tensor.failed == 0);
    put("iterations", tensor.iterations);
    put("failed_iterations", tensor.failed);
    put("worst_iteration", tensor.iteration);
    json_.key("output0");
    write_info(json_, tensor.info0);
    json_.key("output1");
    write_info(json_, tensor.info1);
    objects("functions", [&] {
      for (const ComparisonReport::Figure& figure : tensor.figures) function(figure);
    });
    objects("worst_elements", [&] {
      for (const ElementDifference& one : tensor.worst) element(one);
    });
    json_.end_object();
  }

  // The one that makes the tensor, or null.
  void layer(const std::string& tensor) {
    json_.key("layer");
    const auto* made_by = report_.layer(tensor);
    if (!made_by) return json_.null();
    json_.begin_object();
    put("name", made_by->name);
    put("op", made_by->op);
    put("index", made_by->order);
    json_.end_object();
  }

  void function(const ComparisonReport::Figure& figure) {
    json_.begin_object();
    put("name", figure.function);
    put("passed", figure.passed);
    for (const auto& [key, value] : figure.values) put(key, value);
    json_.end_object();
  }

  void element(const ElementDifference& one) {
    json_.begin_object();
    put("index", one.index);
    put("value0", one.first);
    put("value1", one.second);
    put("difference", one.difference);
    json_.end_object();
  }

  const ComparisonReport& report_;
  JsonWriter json_;
};

}  // namespace

std::string comparison_json(const ComparisonReport& report, const ReportFacts& facts) {
  StringSink sink;
  Writer(report, sink).write(facts);
  return sink.text() + "\n";
}

}  // namespace polygraphy
