#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/api_functions.h"
#include "api/given_arguments.h"
#include "api/job.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "base/os/scratch_folder.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/diagnosis/debug_loop/command_check.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"

namespace native {
namespace {

using polygraphy::Check;
using polygraphy::Logger;
using polygraphy::MakeCheck;
using polygraphy::ReduceJob;
using polygraphy::Verdict;

// Asks a function of Python, which gets the candidate as a Model.
class CallableCheck : public Check {
 public:
  CallableCheck(Job& job, PyObject* function) : job_(job), function_(function) {}

  Verdict run(const std::string& artifact) override {
    Verdict verdict;
    graphsurgeon::Model candidate = graphsurgeon::load_model(artifact);
    job_.call([&] {
      const PyRef model = model_object(std::move(candidate));
      const PyRef answer =
          PyRef::take(PyObject_CallFunctionObjArgs(function_, model.get(), nullptr));
      const int passed = PyObject_IsTrue(answer.get());
      check(passed);
      verdict.passed = passed == 1;
    });
    return verdict;
  }

 private:
  Job& job_;
  PyObject* function_;
};

polygraphy::ReduceMode mode_named(const std::string& name) {
  if (name == "auto") return polygraphy::ReduceMode::kAuto;
  return name == "linear" ? polygraphy::ReduceMode::kLinear : polygraphy::ReduceMode::kBisect;
}

}  // namespace

PyObject* reduce_model(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenArguments given(args);
    const Keywords& keywords = given.keywords;
    PyObject* const checking = given.subject;
    const bool by_command = PyList_Check(checking) != 0;
    std::vector<std::string> command;
    if (by_command) command = strings_of(checking);
    const auto timeout = keywords.optional_number("timeout");
    const std::vector<std::string> patterns = keywords.texts("fail_regex");

    ReduceJob reduction;
    reduction.model = given.source();
    reduction.shapes = metadata_of_dict(keywords.get("input_shapes"));
    reduction.observe_shapes = keywords.flag("force_fallback_shape_inference");
    reduction.weightless_candidates = !by_command;
    auto& reducing = reduction.options;
    reducing.mode = mode_named(keywords.text("mode"));
    reducing.outputs = keywords.flag("reduce_outputs");
    reducing.inputs = keywords.flag("reduce_inputs");
    reducing.same_failure = keywords.flag("same_failure");
    reducing.generated = given.inputs.generated(given.source());
    reducing.generated.announce_shapes = false;
    reducing.tools.program = keywords.text("program");
    reducing.tools.paths = plugin_paths(given.places);
    std::unique_ptr<graphsurgeon::Model> smallest = in_job([&](Job& job) {
      const polygraphy::ScratchFolder folder(polygraphy::temporary_folder() +
                                             "/.polygraphy-reduce-");
      reduction.work_dir = folder.path();
      reducing.feeds = [&](Logger&) { return given.feeds(job); };
      reducing.tools.cancel = job.cancel();
      reducing.check = [&](const polygraphy::CandidateInputs&) -> MakeCheck {
        return [&](Logger& log, polygraphy::CancelToken cancel) -> std::unique_ptr<Check> {
          if (!by_command) return std::make_unique<CallableCheck>(job, checking);
          polygraphy::CommandCheckOptions check{.command = command, .timeout = timeout};
          for (const std::string& pattern : patterns) check.rules.patterns.emplace_back(pattern);
          return polygraphy::command_check(std::move(check), log, cancel);
        };
      };
      return std::move(polygraphy::reduce(reduction, job.log()).bad);
    });
    if (!smallest) {
      throw polygraphy::Error("The check passes on the model itself: there is nothing to reduce.");
    }
    return model_object(std::move(*smallest));
  });
}

}  // namespace native
