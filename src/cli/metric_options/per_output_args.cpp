#include "cli/metric_options/per_output_args.h"

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/py_numbers.h"
#include "cli/syntax/value_parsing.h"

namespace polygraphy::cli {
namespace {

[[noreturn]] void refuse(const ParsedArgs& args, std::string_view key, const std::string& output,
                         const std::string& text, const std::string& what,
                         const std::string& example) {
  throw Error(args.display(key) + ": " + py_str_repr(text) + " is not a " + what +
                  (output.empty() ? "" : " (output " + py_str_repr(output) + ")"),
              "Give a number for all outputs, such as " + example +
                  ", or one per output: NAME:" + example + ".");
}

}  // namespace

PerOutput<GivenNumber> numbers_per_output(const ParsedArgs& args, std::string_view key) {
  PerOutput<GivenNumber> result;
  for (const auto& [output, text] : parse_key_values(args.list(key))) {
    const auto number = parse_float(text);
    if (!number) refuse(args, key, output, text, "number", "1e-3");
    bool too_big = false;
    const auto whole = parse_int(text, &too_big);
    result.set(output, {*number, whole && !too_big ? std::to_string(*whole) : std::string()});
  }
  return result;
}

PerOutput<int64_t> integers_per_output(const ParsedArgs& args, std::string_view key) {
  PerOutput<int64_t> result;
  for (const auto& [output, text] : parse_key_values(args.list(key))) {
    bool too_big = false;
    const auto number = parse_int(text, &too_big);
    if (!number || too_big) refuse(args, key, output, text, "whole number", "2");
    result.set(output, *number);
  }
  return result;
}

}  // namespace polygraphy::cli
