// Results are files: compared, judged and looked at without running anything again.
#include <cstdio>

#include "polygraphy/polygraphy.h"

namespace pg = polygraphy;

int main() {
  // A reference that did not come from a runtime.
  pg::RunResults golden;
  golden.add({{{"y", pg::Array::of<float>({3}, {0.1F, 0.7F, 0.2F})}}}, "golden");
  golden.save("golden.json");

  pg::RunResults results = pg::RunResults::load("golden.json");
  results.add({{{"y", pg::Array::of<float>({3}, {0.2F, 0.6F, 0.1F})}}}, "candidate");

  // By value they differ; by the place of the greatest element they do not.
  const auto by_value = pg::Comparator::compare_accuracy(results);
  pg::Comparator::postprocess(results, pg::PostprocessFunc::top_k(1));
  const auto by_place =
      pg::Comparator::compare_accuracy(results, {.compare_func = pg::CompareFunc::indices()});
  std::printf("by value: %g%%, by place: %g%%\n", 100 * by_value.percentage(),
              100 * by_place.percentage());

  // A custom verdict per output.
  const auto same_sign = pg::CompareFunc::custom("same sign", [](const pg::IterationResult& a,
                                                                 const pg::IterationResult& b) {
    pg::OrderedMap<bool> verdicts;
    for (const auto& [name, values] : a.outputs) {
      verdicts.set(name, (values.get_double(0) < 0) == (pg::at(b.outputs, name).get_double(0) < 0));
    }
    return verdicts;
  });
  std::printf(
      "same sign: %s\n",
      pg::Comparator::compare_accuracy(results, {.compare_func = same_sign}) ? "yes" : "no");
  std::printf("valid: %s\n", pg::Comparator::validate(results) ? "yes" : "no");
}
