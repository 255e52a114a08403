#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/given_arguments.h"
#include "api/given_output_check.h"
#include "api/given_prompts.h"
#include "api/job.h"
#include "api/reporting.h"
#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "calls/api_functions.h"
#include "polygraphy/diagnosis/sensitivity/exclusion_lists.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_json.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity_text.h"

namespace native {
namespace {

using polygraphy::Error;
using polygraphy::ErrorLimit;
using polygraphy::SensitivityJob;
using polygraphy::SensitivityResult;

struct Found {
  bool passed = false;
  std::string text, json, exclusions;
};

PyRef tuple_of(const Found& found) {
  const auto text = [](std::string_view each) { return to_python(each).release(); };
  return PyRef::take(Py_BuildValue("(ONNN)", found.passed ? Py_True : Py_False, text(found.text),
                                   text(found.json), text(found.exclusions)));
}

ErrorLimit error_limit(const Keywords& keywords) {
  const ErrorLimit limit{keywords.optional_number("limit").value_or(ErrorLimit().limit)};
  if (!(limit.limit >= 0) || !std::isfinite(limit.limit)) {
    throw Error("limit must be a number of at least 0, but was: " +
                polygraphy::py_float_repr(limit.limit));
  }
  return limit;
}

// Without models, feeds, and a check of outputs.
SensitivityJob sensitivity_job(const GivenRun& given) {
  const Keywords& keywords = given.keywords;
  SensitivityJob job{.format = polygraphy::parse_weight_format(keywords.text("format"))};
  job.check = error_limit(keywords);
  job.most_sets = keywords.optional_integer("most_sets");
  if (job.most_sets && *job.most_sets < 1)
    throw Error("most_sets must be at least 1, but was: " + std::to_string(*job.most_sets));
  job.embeddings = keywords.flag("embeddings");
  job.output.path = keywords.text("output");
  job.memory_limit = static_cast<uint64_t>(keywords.count("mem_limit"));
  return job;
}

std::string text_of_result(const SensitivityResult& result) {
  return polygraphy::sensitivity_table(result) + "\n" + polygraphy::sensitivity_summary(result);
}

}  // namespace

PyObject* find_sensitivity(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args);
    const auto float_model = given.further_model("float_model");
    const GivenOutputCheck check(given);
    const GivenPrompts prompts(given.keywords);
    const std::string exclusions_file = given.keywords.text("save_exclusions");
    const SensitivityJob options = sensitivity_job(given);
    const Found found = in_job([&](Job& job) {
      polygraphy::Logger quiet;  // of the many runs
      polygraphy::show_as_verbose(quiet, job.log(), polygraphy::log_modules::kSensitivity);
      JobRunnerFactory factory(given.runners.tools, job, quiet);
      const auto& python = factory.tools().python;
      SensitivityJob search = options;
      search.model = factory.onnx(given.source());
      if (float_model)
        search.quantized = std::exchange(search.model, factory.onnx(float_model->source()));
      search.engine = factory.complete(given.runners.specs).front();
      search.make_feeds = [&] { return given.feeds(job); };
      if (prompts.given()) {
        const auto decoding =
            polygraphy::decoding_of(factory.onnx(given.source()), prompts.steps(0), quiet);
        const auto open = prompts.opened(given, *decoding, job, *python);
        search.make_feeds = [=] { return polygraphy::prefill_feeds(decoding, open()); };
      }
      if (check.given()) search.check = check.make(job, python);
      search.cancel = job.cancel();
      const SensitivityResult result = polygraphy::find_sensitivity(search, factory, quiet);
      Found made{.passed = result.verdict().passed(),
                 .text = text_of_result(result),
                 .json = polygraphy::sensitivity_json(result),
                 .exclusions = polygraphy::exclusion_lists(result)};
      if (!exclusions_file.empty()) polygraphy::write_file(exclusions_file, made.exclusions);
      return made;
    });
    return tuple_of(found);
  });
}

}  // namespace native
