// The report of a run for programs: report.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ordered_map.h"
#include "base/record.h"
#include "numerics/worst_elements.h"
#include "polygraphy/comparison/compare/function_result.h"
#include "polygraphy/comparison/compare/report/comparison_report.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

std::vector<int64_t> sizes_of(const TensorInfo& array);

constexpr auto record_of(RecordOf<TensorInfo>) {
  return record<TensorInfo>(
      "TensorForm", "The type and the shape of an output.",
      derived(
          "dtype", [](const TensorInfo& of) { return name_of(of.dtype); }, "\"float32\"."),
      derived("shape", sizes_of, "Its dimensions."));
}

constexpr auto record_of(RecordOf<ElementDifference>) {
  return record<ElementDifference>(
      "ElementDifference", "An element that differs.",
      member("index", &ElementDifference::index, "Its place, a number for each dimension."),
      member("value0", &ElementDifference::first,
             "With the digits that identify it (\"nan\", \"inf\")."),
      member("value1", &ElementDifference::second, "The other runner's, likewise."),
      member("difference", &ElementDifference::difference,
             "Absolute; NaN where it has no number; of texts 1."));
}

struct ComparedTensor {
  std::string name, name1;
  std::optional<Layer> layer;
  bool passed = false;
  int64_t iterations = 0, failed = 0, worst = 0;
  TensorInfo info0, info1;
  std::vector<OutputResult> functions;
  std::vector<ElementDifference> elements;
};

constexpr auto record_of(RecordOf<ComparedTensor>) {
  return record<ComparedTensor>(
      "ComparedTensor", "An output of two runners.",
      member("name", &ComparedTensor::name, "Its name."),
      member("name1", &ComparedTensor::name1, "Its partner's."),
      member("layer", &ComparedTensor::layer, "The node that makes it; null: not known."),
      member("passed", &ComparedTensor::passed, "Whether it passed in all iterations."),
      count("iterations", &ComparedTensor::iterations, "In which it was compared."),
      count("failed_iterations", &ComparedTensor::failed, "How many of them it failed in."),
      count("worst_iteration", &ComparedTensor::worst,
            "The worst one, of which the members below are."),
      member("output0", &ComparedTensor::info0, "Of the first runner."),
      member("output1", &ComparedTensor::info1, "Of the second runner."),
      member("functions", &ComparedTensor::functions, "Of each comparison function."),
      member("worst_elements", &ComparedTensor::elements, "Those that differ most, at most ten."));
}

struct ReportedPair {
  std::string runner0, runner1, first_bad;
  std::vector<ComparedTensor> tensors;
};

constexpr auto record_of(RecordOf<ReportedPair>) {
  return record<ReportedPair>(
      "ReportedPair", "Two runners and their outputs.",
      member("runner0", &ReportedPair::runner0, "The name of a runner."),
      member("runner1", &ReportedPair::runner1, "The name of the other one."),
      member("first_bad_tensor", &ReportedPair::first_bad,
             "The first failing one in the order of the graph, or null.")
          .or_null(),
      member("tensors", &ReportedPair::tensors, "In the order of the graph."));
}

struct ValidatedTensor {
  std::string runner, tensor;
  int64_t iterations = 0, invalid = 0;
};

constexpr auto record_of(RecordOf<ValidatedTensor>) {
  return record<ValidatedTensor>(
      "ValidatedTensor", "An output that was searched for NaNs and infinities.",
      member("runner", &ValidatedTensor::runner, "Its runner."),
      member("tensor", &ValidatedTensor::tensor, "Its name."),
      count("iterations", &ValidatedTensor::iterations, "In which it was searched."),
      count("invalid_iterations", &ValidatedTensor::invalid, "In which some were found."));
}

struct RunDocument {
  std::string command, model, status;
  std::optional<Verdict> verdict;
  OrderedMap<std::string> files;
  std::vector<ValidatedTensor> validations;
  std::vector<ReportedPair> comparisons;
};

constexpr auto record_of(RecordOf<RunDocument>) {
  return record<RunDocument>(
      "RunReport", "The results of a run.",
      member("command", &RunDocument::command, "The command line."),
      member("model", &RunDocument::model, "The path of the model; may be empty."),
      member("verdict", &RunDocument::status,
             "\"PASSED\", \"FAILED\", \"NOT COMPARED\", or why the run ended early."),
      member("answer", &RunDocument::verdict, "Missing if the run ended early.").if_set(),
      member("files", &RunDocument::files, "Paths by kind: \"log\", \"inputs\", \"outputs\"."),
      member("validations", &RunDocument::validations,
             "Of outputs that were searched for NaNs and infinities."),
      member("comparisons", &RunDocument::comparisons, "Of each pair of runners."));
}

// Pretty-printed, numbers as numbers.
std::string comparison_json(const ComparisonReport& report, const ReportFacts& facts);

}  // namespace polygraphy
