// The changes between two models, for programs (docs/diff.md).
#pragma once

#include <string>

#include "base/record.h"
#include "formats/json_writer.h"
#include "graphsurgeon/diff/diff.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace graphsurgeon {

constexpr std::string_view name_of(DiffState state) {
  constexpr std::string_view kNames[] = {"added", "removed", "changed"};
  return kNames[static_cast<size_t>(state)];
}

}  // namespace graphsurgeon

namespace polygraphy {

constexpr auto record_of(RecordOf<graphsurgeon::Change>) {
  using Of = graphsurgeon::Change;
  return record<Of>(
      "Change", "A property with a value in one model or in both.",
      member("what", &Of::what,
             "\"op\", \"attribute 'axis'\", \"input 1\", \"opset import 'ai.onnx.ml'\"."),
      member("before", &Of::before, "Its value as a text; null: absent."),
      member("after", &Of::after, "Likewise, in the second model."));
}

constexpr auto record_of(RecordOf<graphsurgeon::WeightDiff>) {
  using Of = graphsurgeon::WeightDiff;
  return record<Of>(
      "WeightDiff", "Differences between the values of two constants.",
      count("size", &Of::size, "How many elements there are."),
      count("different", &Of::different,
            "How many differ; 0: they were not counted (not read, or too large)."),
      member("max_abs", &Of::max_abs,
             "The largest difference; NaN if only one of two elements is NaN; null: texts."),
      member("max_ulp", &Of::max_ulp,
             "The same in steps between neighbouring numbers of the type; null: not known."),
      member("first", &Of::first, "The index of the first differing element."),
      member("first_before", &Of::before, "Its value."),
      member("first_after", &Of::after, "Its value in the second model."));
}

constexpr auto all_of(RecordOf<graphsurgeon::DiffState>) {
  return values_up_to<graphsurgeon::DiffState::kChanged>();
}

constexpr auto record_of(RecordOf<graphsurgeon::DiffItem>) {
  using Of = graphsurgeon::DiffItem;
  return record<Of>(
      "DiffItem", "A node, an input or output of a graph, an initializer, a function.",
      member("state", &Of::state, "Whether one model lacks it."),
      member("name", &Of::name, "In the second model, or in the first where the second has none."),
      member("op", &Of::op, "Of a node.").if_set(),
      member("details", &Of::details,
             "Of an added or removed item: the type of a value, inputs and outputs of a node."),
      member("before", &Of::before, "Its place in the list of the first model; null: it lacks it."),
      member("after", &Of::after, "Likewise, in the second model."),
      member("changes", &Of::changes, "Its properties that differ."),
      member("values", &Of::values, "Of an initializer with different values.").if_set());
}

constexpr auto record_of(RecordOf<graphsurgeon::GraphDiff>) {
  using Of = graphsurgeon::GraphDiff;
  return record<Of>("GraphDiff",
                    "A graph that differs. Lists are in the order of the second model; items that "
                    "it lacks come last.",
                    member("path", &Of::path,
                           "\"\" for the main graph, \"if0.then_branch\", \"function 'local.f'\"."),
                    member("changes", &Of::changes, "Of the graph itself."),
                    member("inputs", &Of::inputs, "Those that differ."),
                    member("outputs", &Of::outputs, "Likewise."),
                    member("nodes", &Of::nodes, "Likewise."),
                    member("initializers", &Of::initializers, "Likewise."));
}

// The document of `surgeon diff -o`. The report outlives it.
struct DiffDocument {
  std::string before, after;  // paths of the models
  const graphsurgeon::DiffReport* report = nullptr;

  Verdict answer() const;
};

constexpr auto record_of(RecordOf<DiffDocument>) {
  using Of = DiffDocument;
  return record<Of>(
      "DiffDocument", "The changes between two models.", form("version", 1),
      derived("answer", &Of::answer, "Whether the models are equal."),
      member("before", &Of::before, "The path of the first model."),
      member("after", &Of::after, "The path of the second model."),
      derived(
          "equal", [](const Of& of) { return of.report->equal(); }, "Whether nothing differs."),
      derived(
          "model", [](const Of& of) -> auto& { return of.report->model; },
          "Changes of the header."),
      derived(
          "functions", [](const Of& of) -> auto& { return of.report->functions; },
          "Those that were added or removed."),
      derived(
          "graphs", [](const Of& of) -> auto& { return of.report->graphs; },
          "Those that differ; outer ones before inner ones."));
}

// Everything in the report, and a line break. `before` and `after`: the models' paths.
void write_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                     const std::string& after, TextSink& sink);

// The same into a file, which is replaced at once when it is complete. Throws IoError.
void save_diff_json(const graphsurgeon::DiffReport& report, const std::string& before,
                    const std::string& after, const std::string& path);

}  // namespace polygraphy
