// Input: a file of labels as text. Labels that are read have numbers, or none.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "polygraphy/comparison/task_metrics/label_numbers.h"
#include "polygraphy/comparison/task_metrics/labels.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polygraphy;
  try {
    const Labels labels =
        parse_labels({reinterpret_cast<const char*>(data), size}, "input").rows(0);
    for (const Label& label : labels.all) static_cast<void>(whole_numbers(label, labels));
  } catch (const Error&) {
  }
  return 0;
}
