#include "polygraphy/comparison/compare/scripts/script_functions.h"

#include "polygraphy/comparison/compare/accuracy/accuracy_json.h"
#include "polygraphy/comparison/compare/scripts/script_options.h"

namespace polygraphy {
namespace {

// Adds a result to a request: its arrays under separate keys, because both results have the same
// names.
JsonValue add_result(PythonMessage& request, const IterationResult& result,
                     const std::string& prefix) {
  JsonValue::List outputs;
  for (const auto& [name, array] : result.outputs) {
    const std::string key = prefix + name;
    request.arrays.set(key, array);
    outputs.push_back(JsonValue::List{name, key});
  }
  JsonValue entry;
  entry.set("runner", result.runner_name);
  entry.set("runtime", result.runtime ? JsonValue(*result.runtime) : JsonValue());
  entry.set("outputs", std::move(outputs));
  return entry;
}

// The depth of the log when results are compared, also for messages of the installed polygraphy's
// functions.
constexpr int kBelowIteration = 1;

class ScriptComparison : public ResultComparison {
 public:
  ScriptComparison(std::shared_ptr<UserPython> python, ScriptSymbol symbol)
      : function_(std::move(python), std::move(symbol)) {
    const PythonMessage instance = function_.call("instance", {});
    averages_ = instance.header["averages"].boolean();
    metric_ = metric_of_class(instance.header["kind"].text());
  }

  OutputResults compare(const IterationResult& result0, const IterationResult& result1) override {
    PythonMessage request;
    JsonValue::List results;
    results.push_back(add_result(request, result0, "0:"));
    results.push_back(add_result(request, result1, "1:"));
    request.header.set("results", std::move(results));
    request.header.set("indentation", kBelowIteration);
    const PythonMessage reply = function_.call("compare", std::move(request));
    OutputResults outputs;
    for (const JsonValue& verdict : reply.header["verdicts"].list()) {
      outputs.emplace_back(verdict["name"].text(), judged_from(verdict));
    }
    return outputs;
  }

  bool averages() const override { return averages_; }
  const Metric* metric() const override { return metric_; }

  Threshold threshold(const std::string& output) override {
    PythonMessage request;
    request.header.set("name", output);
    const PythonMessage reply = function_.call("threshold", std::move(request));
    return judged_from(reply.header["verdicts"][size_t{0}]).threshold;
  }

 private:
  ScriptFunction function_;
  bool averages_ = false;
  const Metric* metric_ = nullptr;
};

class ScriptPostprocess : public ResultEdit {
 public:
  ScriptPostprocess(std::shared_ptr<UserPython> python, ScriptSymbol symbol)
      : function_(std::move(python), std::move(symbol)) {
    function_.call("instance", {});
  }

  std::string name() const override { return function_.symbol().name; }

  void apply(IterationResult& result) override {
    PythonMessage request;
    JsonValue::List results;
    results.push_back(add_result(request, result, ""));
    request.header.set("results", std::move(results));
    result.outputs = function_.call("postprocess", std::move(request)).arrays;
  }

 private:
  ScriptFunction function_;
};

}  // namespace

std::shared_ptr<ResultComparison> script_comparison(std::shared_ptr<UserPython> python,
                                                    ScriptSymbol symbol) {
  return std::make_shared<ScriptComparison>(std::move(python), std::move(symbol));
}

std::shared_ptr<ResultEdit> script_postprocess(std::shared_ptr<UserPython> python,
                                               ScriptSymbol symbol) {
  return std::make_shared<ScriptPostprocess>(std::move(python), std::move(symbol));
}

}  // namespace polygraphy
