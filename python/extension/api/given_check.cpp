#include "api/given_check.h"

#include <memory>
#include <utility>

#include "polygraphy/diagnosis/debug_loop/command_check.h"

namespace native {
namespace {

using polygraphy::Check;
using polygraphy::CheckResult;

class CallableCheck : public Check {
 public:
  CallableCheck(Job& job, PyObject* function, GivenCheck::Candidate candidate)
      : job_(job), function_(function), candidate_(std::move(candidate)) {}

  CheckResult run(const std::string& artifact) override {
    CheckResult verdict;
    const std::function<PyRef()> candidate = candidate_(artifact);
    job_.call([&] { verdict.passed = is_true(call(function_, candidate()).get()); });
    return verdict;
  }

 private:
  Job& job_;
  PyObject* function_;
  const GivenCheck::Candidate candidate_;
};

}  // namespace

GivenCheck::GivenCheck(PyObject* check, const Keywords& keywords)
    : check_(check),
      timeout_(keywords.optional_seconds("check_timeout")),
      patterns_(keywords.texts("fail_regex")) {
  if (PyList_Check(check)) command_ = strings_of(check);
}

polygraphy::MakeCheck GivenCheck::maker(Job& job, Candidate candidate) const {
  return [this, &job, candidate = std::move(candidate)](
             polygraphy::Logger& log, polygraphy::CancelToken cancel) -> std::unique_ptr<Check> {
    if (!is_command()) return std::make_unique<CallableCheck>(job, check_, candidate);
    polygraphy::CommandCheckOptions options{.command = *command_, .timeout = timeout_};
    for (const std::string& pattern : patterns_) options.rules.patterns.emplace_back(pattern);
    return polygraphy::command_check(std::move(options), log, cancel);
  };
}

}  // namespace native
