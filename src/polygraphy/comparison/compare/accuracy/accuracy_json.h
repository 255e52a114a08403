// Results of comparisons in JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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
// Outputs of a pair of runners without an element in any iteration: their figures look like those
// of equal numbers.
class EmptyOutputs {
 public:
  // Of one more iteration.
  template <typename Outputs>
  void add(const Outputs& outputs) {
    for (const auto& [name, result] : outputs) {
      if (result.left) continue;
      const bool* known = empty_.find(name);
      empty_.set(name, result.empty && (!known || *known));
    }
  }
  std::vector<std::string> names() const;

 private:
  OrderedMap<bool> empty_;
};
// `empty`: by pair. The file has a member that the original ignores, if there are any.
void end_accuracy_result(JsonWriter& json, bool average, const std::vector<EmptyOutputs>& empty);
void end_accuracy_results(JsonWriter& json);

}  // namespace polygraphy
