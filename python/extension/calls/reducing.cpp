#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "api/given_arguments.h"
#include "api/given_check.h"
#include "api/job.h"
#include "api/model_object.h"
#include "api/reporting.h"
#include "base/os/scratch_folder.h"
#include "calls/api_functions.h"
#include "graphsurgeon/io/load.h"
#include "polygraphy/diagnosis/reduce/reduce_job.h"

namespace native {
namespace {

using polygraphy::Logger;
using polygraphy::ReduceJob;

// For a check: the candidate as a Model.
std::function<PyRef()> candidate_of(const std::string& file) {
  const auto model = std::make_shared<graphsurgeon::Model>(graphsurgeon::load_model(file));
  return [model] { return model_object(std::move(*model)); };
}

polygraphy::ReduceMode mode_named(const std::string& name) {
  if (name == "auto") return polygraphy::ReduceMode::kAuto;
  return name == "linear" ? polygraphy::ReduceMode::kLinear : polygraphy::ReduceMode::kBisect;
}

}  // namespace

PyObject* reduce_model(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenArguments given(args);
    given.inputs.check_names(given.source());
    const Keywords& keywords = given.keywords;
    const GivenCheck check(given.subject, keywords);

    ReduceJob reduction;
    reduction.model = given.source();
    reduction.shapes = metadata_of_dict(keywords.get("input_shapes"));
    reduction.observe_shapes = keywords.flag("force_fallback_shape_inference");
    reduction.weightless_candidates = !check.is_command();
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
      reducing.check = [&](const polygraphy::CandidateInputs&) {
        return check.maker(job, candidate_of);
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
