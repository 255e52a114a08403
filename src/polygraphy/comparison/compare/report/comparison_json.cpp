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
    write_member(json_, "command", facts.command);
    write_member(json_, "model", facts.model);
    write_member(json_, "verdict", facts.status);
    if (facts.verdict) write_member(json_, "answer", *facts.verdict);
    json_.key("files");
    json_.begin_object();
    for (const auto& [what, path] : facts.files) write_member(json_, to_lower(what), path);
    json_.end_object();
    objects("validations", [this] { validations(); });
    objects("comparisons", [this] {
      for (const ComparisonReport::Pair& pair : report_.pairs()) comparison(pair);
    });
    json_.end_object();
  }

 private:
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
        write_member(json_, "runner", runner);
        write_member(json_, "tensor", name);
        write_member(json_, "iterations", found.iterations);
        write_member(json_, "invalid_iterations", found.invalid);
        json_.end_object();
      }
    }
  }

  void comparison(const ComparisonReport::Pair& pair) {
    json_.begin_object();
    write_member(json_, "runner0", pair.runner0);
    write_member(json_, "runner1", pair.runner1);
    const auto tensors = report_.in_order(pair.tensors);
    const auto first = std::find_if(tensors.begin(), tensors.end(),
                                    [](const auto* entry) { return entry->second.failed > 0; });
    write_member(json_, "first_bad_tensor",
                 first == tensors.end() ? std::nullopt : std::optional((*first)->first));
    objects("tensors", [&] {
      for (const auto* entry : tensors) tensor(entry->first, entry->second);
    });
    json_.end_object();
  }

  void tensor(const std::string& name, const ComparisonReport::Tensor& tensor) {
    json_.begin_object();
    write_member(json_, "name", name);
    write_member(json_, "name1", tensor.name1);
    layer(name);
    write_member(json_, "passed", tensor.failed == 0);
    write_member(json_, "iterations", tensor.iterations);
    write_member(json_, "failed_iterations", tensor.failed);
    write_member(json_, "worst_iteration", tensor.iteration);
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
    write_member(json_, "name", made_by->name);
    write_member(json_, "op", made_by->op);
    write_member(json_, "index", made_by->order);
    json_.end_object();
  }

  void function(const ComparisonReport::Figure& figure) {
    json_.begin_object();
    write_member(json_, "name", figure.function);
    write_member(json_, "passed", figure.passed);
    for (const auto& [key, value] : figure.values) write_member(json_, key, value);
    json_.end_object();
  }

  void element(const ElementDifference& one) {
    json_.begin_object();
    write_member(json_, "index", one.index);
    write_member(json_, "value0", one.first);
    write_member(json_, "value1", one.second);
    write_member(json_, "difference", one.difference);
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
