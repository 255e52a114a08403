#include "polygraphy/comparison/compare/report/comparison_json.h"

#include <algorithm>

#include "base/text.h"
#include "formats/json_fields.h"
#include "formats/record_json.h"

namespace polygraphy {
namespace {

void write_indices(JsonWriter& json, const Shape& values) {
  json.begin_array();
  for (const int64_t value : values) json.integer(value);
  json.end_array();
}

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

class Writer : JsonFields {
 public:
  Writer(const ComparisonReport& report, TextSink& sink) : JsonFields(sink), report_(report) {}

  void write(const ReportFacts& facts) {
    json_.begin_object();
    text("command", facts.command);
    text("model", facts.model);
    text("verdict", facts.status);
    if (facts.verdict) {
      json_.key("answer");
      write_value(json_, *facts.verdict);
    }
    json_.key("files");
    json_.begin_object();
    for (const auto& [what, path] : facts.files) text(to_lower(what), path);
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
        text("runner", runner);
        text("tensor", name);
        integer("iterations", found.iterations);
        integer("invalid_iterations", found.invalid);
        json_.end_object();
      }
    }
  }

  void comparison(const ComparisonReport::Pair& pair) {
    json_.begin_object();
    text("runner0", pair.runner0);
    text("runner1", pair.runner1);
    const auto tensors = report_.in_order(pair.tensors);
    const auto first = std::find_if(tensors.begin(), tensors.end(),
                                    [](const auto* entry) { return entry->second.failed > 0; });
    json_.key("first_bad_tensor");
    if (first == tensors.end()) {
      json_.null();
    } else {
      json_.string((*first)->first);
    }
    objects("tensors", [&] {
      for (const auto* entry : tensors) tensor(entry->first, entry->second);
    });
    json_.end_object();
  }

  void tensor(const std::string& name, const ComparisonReport::Tensor& tensor) {
    json_.begin_object();
    text("name", name);
    text("name1", tensor.name1);
    layer(name);
    boolean("passed", tensor.failed == 0);
    integer("iterations", tensor.iterations);
    integer("failed_iterations", tensor.failed);
    integer("worst_iteration", tensor.iteration);
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
    text("name", made_by->name);
    text("op", made_by->op);
    integer("index", made_by->order);
    json_.end_object();
  }

  void function(const ComparisonReport::Figure& figure) {
    json_.begin_object();
    text("name", figure.function);
    boolean("passed", figure.passed);
    for (const auto& [key, value] : figure.values) number(key, value);
    json_.end_object();
  }

  void element(const ElementDifference& one) {
    json_.begin_object();
    json_.key("index");
    write_indices(json_, one.index);
    text("value0", one.first);
    text("value1", one.second);
    number("difference", one.difference);
    json_.end_object();
  }

  const ComparisonReport& report_;
};

}  // namespace

std::string comparison_json(const ComparisonReport& report, const ReportFacts& facts) {
  StringSink sink;
  Writer(report, sink).write(facts);
  return sink.text() + "\n";
}

}  // namespace polygraphy
