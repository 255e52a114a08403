#include "polygraphy/diagnosis/zoo/zoo_junit.h"

#include <fmt/format.h>

#include "base/text.h"

namespace polygraphy {
namespace {

// XML takes no other control characters, not even escaped ones.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += byte < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

struct Suite {
  std::string cases;
  int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
};

// Numbers that differ are failures; whatever keeps them from being compared is an error.
void add_case(const std::string& model, const ZooEngineResult& result, Suite& suite) {
  std::string text = result.reason;
  if (!result.guilty.empty()) text += "\nGuilty: " + join(result.guilty, ", ");
  ++suite.tests;
  suite.cases += fmt::format("    <testcase name=\"{}\"", escaped(model));
  const ZooCost& cost = result.cost;
  if (cost.load_seconds) {
    suite.cases +=
        fmt::format(" time=\"{:.6f}\"", *cost.load_seconds + cost.run_seconds.value_or(0));
  }
  const ZooOutcome outcome = result.outcome;
  if (outcome == ZooOutcome::kPassed) {
    suite.cases += "/>\n";
    return;
  }
  std::string_view tag = "error";
  if (outcome == ZooOutcome::kNotCompared) {
    tag = "skipped";
    ++suite.skipped;
  } else if (outcome >= ZooOutcome::kOtherShape && outcome <= ZooOutcome::kNotFinite) {
    tag = "failure";
    ++suite.failures;
  } else {
    ++suite.errors;
  }
  const std::string type =
      tag == "skipped" ? "" : fmt::format(" type=\"{}\"", name_of(result.stage));
  suite.cases += fmt::format(">\n      <{}{} message=\"{}\">{}</{}>\n    </testcase>\n", tag, type,
                             name_of(outcome), escaped(text), tag);
}

}  // namespace

std::string to_junit(const ZooResult& result) {
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const std::string& engine : result.engines) {
    Suite suite;
    for (const ZooModelResult& model : result.models) {
      if (!model.problem.empty()) add_case(model.model, not_set_up(model), suite);
      for (const ZooEngineResult& one : model.engines) {
        if (one.engine == engine) add_case(model.model, one, suite);
      }
    }
    xml += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escaped(engine), suite.tests, suite.failures, suite.errors, suite.skipped, suite.cases);
  }
  return xml + "</testsuites>\n";
}

}  // namespace polygraphy
