// Results of comparisons in JSON.
#pragma once

#include <string_view>

#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"

namespace polygraphy {

// The name of such a file in messages.
inline constexpr std::string_view kAccuracyResults = "accuracy results";

// The metric whose results have this class; null: unknown class.
const Metric* metric_of_class(std::string_view result_class);

// An object, or a bool where there are no figures.
void write_judged_output(JsonWriter& json, const OutputResult& result);
// Reads that. Throws FormatError; Error for a class that no metric has.
OutputResult read_judged_output(JsonReader& json);
// An iteration: (name, OutputResult) of each output that was judged.
template <typename Outputs>
void write_judged_iteration(JsonWriter& json, const Outputs& outputs) {
  json.begin_object();
  for (const auto& [name, result] : outputs) {
    if (result.left) continue;
    json.key(name);
    write_judged_output(json, result);
  }
  json.end_object();
}
// A reader at the list of comparisons (SavedDocument::accuracy()). Throws FormatError.
AccuracyResults read_accuracy_results(JsonReader json);

// Of all results, and in it of one function.
void begin_accuracy_list(JsonWriter& json);
void begin_judged_pair(JsonWriter& json, std::string_view runner0, std::string_view runner1);
// Iterations follow here, at this depth.
constexpr int kJudgedIterationDepth = 6;
void end_judged_pair(JsonWriter& json);
void end_accuracy_result(JsonWriter& json, bool average);
void end_accuracy_results(JsonWriter& json);

}  // namespace polygraphy
