// Checks of candidates, as Python gives them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/job.h"
#include "api/keywords.h"
#include "polygraphy/diagnosis/debug_loop/check.h"

namespace native {

// A function of a candidate, or the words of a command.
class GivenCheck {
 public:
  // Makes the argument of the function, of a file. Called without the interpreter's lock, its
  // result with it.
  using Candidate = std::function<std::function<PyRef()>(const std::string& file)>;

  // `check`: borrowed, as long as this lives. `keywords` has `check_timeout` and `fail_regex`, of
  // a command. Throws PythonError.
  GivenCheck(PyObject* check, const Keywords& keywords);

  bool is_command() const { return command_.has_value(); }
  // Checks of a job. Throws Error for a pattern.
  polygraphy::MakeCheck maker(Job& job, Candidate candidate) const;

 private:
  PyObject* check_;
  std::optional<std::vector<std::string>> command_;  // nullopt: a function
  std::optional<double> timeout_;
  std::vector<std::string> patterns_;
};

}  // namespace native
