// With a model of the back end's authors: the requirements on sessions as in the cases of ONNX
// models, for any type of model.
#include <fmt/format.h>

#include <set>

#include "base/os/processes/standard_streams.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/workbench.h"

namespace polygraphy::contract {
namespace {

// Zeros; open dimensions are 1.
Value zeros_of(const TensorInfo& info) {
  if (info.kind == ValueKind::kSequence) return Value::Sequence{};
  Shape shape;
  if (info.shape) {
    for (const Dim& dim : *info.shape) shape.push_back(dim.is_static() ? dim.value() : 1);
  }
  if (info.dtype == DataType::kString) {
    size_t count = 1;
    for (const int64_t dim : shape) count *= static_cast<size_t>(dim);
    return Array::from_strings(shape, std::vector<std::string>(count, "text"));
  }
  return Array::zeros(info.dtype == DataType::kUndefined ? DataType::kFloat32 : info.dtype, shape);
}

ValueMap zeros_for(const BackendSession& session) {
  ValueMap feeds;
  for (const ValueInfo& input : session.inputs()) feeds[input.name] = zeros_of(input.info);
  return feeds;
}

void same_outputs(Workbench& bench, const std::string& when, const ValueMap& seen,
                  const ValueMap& expected) {
  if (!bench.count_is("the number of outputs " + when, seen.size(), expected.size())) return;
  for (const auto& [name, before] : expected)
    bench.same_values(fmt::format("output {} {}", name, when), value(seen, name), before);
}

void inputs_and_outputs(Workbench& bench) {
  const auto session = bench.session_of_model();
  bench.holds("the model has outputs", !session->outputs().empty());
  for (const auto* list : {&session->inputs(), &session->outputs()}) {
    std::set<std::string> names;
    for (const ValueInfo& each : *list) {
      bench.holds("inputs and outputs have names", !each.name.empty());
      bench.holds(fmt::format("name {} is listed once", each.name), names.insert(each.name).second);
    }
  }
}

void delivers_what_it_lists(Workbench& bench) {
  const auto session = bench.session_of_model();
  const ValueMap outputs = session->infer(zeros_for(*session)).outputs;
  bench.count_is("the number of outputs", outputs.size(), session->outputs().size());
  for (const ValueInfo& each : session->outputs()) {
    const Array* seen = value(outputs, each.name).as_tensor();
    if (!seen || each.info.kind != ValueKind::kTensor) continue;
    if (each.info.dtype != DataType::kUndefined)
      bench.type_is("the type of " + each.name, seen->dtype(), each.info.dtype);
    if (each.info.shape)
      bench.count_is("the rank of " + each.name, seen->shape().size(), each.info.shape->size());
  }
}

void same_feeds_same_bits(Workbench& bench) {
  const auto session = bench.session_of_model();
  const ValueMap feeds = zeros_for(*session);
  const ValueMap first = session->infer(feeds).outputs;
  same_outputs(bench, "of the second run", session->infer(feeds).outputs, first);
  const auto again = bench.session_of_model();
  same_outputs(bench, "of another session", again->infer(feeds).outputs, first);
  same_outputs(bench, "of the first session after that", session->infer(feeds).outputs, first);
}

void feeds_stay_as_they_are(Workbench& bench) {
  const auto session = bench.session_of_model();
  const ValueMap feeds = zeros_for(*session);
  session->infer(feeds);
  for (const auto& [name, after] : feeds) {
    for (const ValueInfo& input : session->inputs()) {
      if (input.name == name) bench.same_values("feed " + name, after, zeros_of(input.info));
    }
  }
}

void outputs_outlive_the_session(Workbench& bench) {
  auto session = bench.session_of_model();
  const ValueMap feeds = zeros_for(*session);
  const ValueMap kept = session->infer(feeds).outputs;
  session.reset();
  const auto again = bench.session_of_model();
  same_outputs(bench, "after the session's end", kept, again->infer(feeds).outputs);
}

void wrong_feeds(Workbench& bench) {
  const auto session = bench.session_of_model();
  const ValueMap feeds = zeros_for(*session);
  const ValueMap first = session->infer(feeds).outputs;
  if (!feeds.empty()) bench.fails("infer() without feeds", error_of([&] { session->infer({}); }));
  same_outputs(bench, "after a failed run", session->infer(feeds).outputs, first);
}

// A load may be done before it looks.
void usable_after_cancellation(Workbench& bench) {
  bench.stop = true;
  error_of([&] { bench.session_of_model(); });
  bench.stop = false;
  bench.text_is("load() afterwards", error_of([&] { bench.session_of_model(); }), "no error");
}

void nothing_on_stdout_and_stderr(Workbench& bench) {
  StandardStreams streams(bench.folder() / "printed");
  {
    const auto session = bench.session_of_model();
    session->infer(zeros_for(*session));
  }
  bench.text_is("standard output and standard error", streams.take(), "");
}

std::vector<Case> case_list() {
  std::vector<Case> made;
  const auto add = [&](const char* name, void (*run)(Workbench&)) {
    made.push_back({std::string("model/") + name, run, takes_anything, /*needs_model=*/true});
  };
  add("inputs_and_outputs", inputs_and_outputs);
  add("delivers_what_it_lists", delivers_what_it_lists);
  add("same_feeds_same_bits", same_feeds_same_bits);
  add("feeds_stay_as_they_are", feeds_stay_as_they_are);
  add("outputs_outlive_the_session", outputs_outlive_the_session);
  add("wrong_feeds", wrong_feeds);
  add("usable_after_cancellation", usable_after_cancellation);
  add("nothing_on_stdout_and_stderr", nothing_on_stdout_and_stderr);
  return made;
}

}  // namespace

extern constinit const CaseGroup case_group_model = {.cases = case_list};

}  // namespace polygraphy::contract
