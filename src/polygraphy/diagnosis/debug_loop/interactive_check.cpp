#include "polygraphy/diagnosis/debug_loop/interactive_check.h"

#include "base/arrays/py_repr.h"
#include "base/text.h"

namespace polygraphy {
namespace {

class InteractiveCheck : public Check {
 public:
  explicit InteractiveCheck(Ask ask) : ask_(std::move(ask)) {}

  CheckResult run(const std::string& artifact) override {
    std::string question =
        ">>> Did " + py_str_repr(artifact.empty() ? "this iteration" : std::string_view(artifact)) +
        " [p]ass or [f]ail? ";
    while (true) {
      const std::optional<std::string> answer = ask_(question);
      if (!answer) {
        throw Error(kNoAnswer, "Cannot read the verdict of the iteration: end of input");
      }
      const std::string word = to_lower(strip(*answer));
      if (word.starts_with('p')) return {.passed = true};
      if (word.starts_with('f')) return {.passed = false};
      question = ">>> Please choose either: 'p' or 'f': ";
    }
  }

 private:
  Ask ask_;
};

}  // namespace

std::unique_ptr<Check> interactive_check(Ask ask) {
  return std::make_unique<InteractiveCheck>(std::move(ask));
}

}  // namespace polygraphy
