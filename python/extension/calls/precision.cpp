#include "polygraphy/diagnosis/precision/find_precision.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/given_check.h"
#include "api/given_engine.h"
#include "api/reporting.h"
#include "api/tensor_values.h"
#include "base/log_modules.h"
#include "base/os/scratch_folder.h"
#include "calls/api_functions.h"

namespace native {
namespace {

using polygraphy::PreciseNode;
using polygraphy::PrecisionJob;
using polygraphy::PrecisionMode;
using polygraphy::PrecisionResult;

constexpr const char* kModes[] = {"bisect", "linear", "auto"};  // as PrecisionMode

std::optional<PrecisionMode> mode_named(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  if (*name == "auto") return PrecisionMode::kAuto;
  return *name == "linear" ? PrecisionMode::kLinear : PrecisionMode::kBisect;
}

// Without an engine, its file and a check.
PrecisionJob precision_job(const Keywords& keywords) {
  PrecisionJob job{.mode = mode_named(keywords.optional_text("mode")),
                   .reverse = keywords.flag("reverse")};
  if (keywords.text("precision") == "float16") job.precision = polygraphy::DataType::kFloat16;
  job.output.path = keywords.text("output");
  job.loop.load_replay = keywords.text("load_replay");
  job.loop.save_replay = keywords.text("save_replay");
  return job;
}

// For a check: the path of the engine.
std::function<PyRef()> path_of(const std::string& file) {
  return [file] { return text(file); };
}

PyRef node_fields(const PreciseNode& node) {
  return fields({{"name", text(node.name)}, {"op_type", text(node.op)}});
}

PyRef as_python(const PrecisionResult& result, const std::string& messages) {
  return fields(
      {{"mode", text(kModes[static_cast<int>(result.mode)])},
       {"text", text(messages)},
       {"layers", result.layers ? number(*result.layers) : none()},
       {"nodes", list_of(result.nodes, node_fields)},
       {"share", result.share ? PyRef::take(PyFloat_FromDouble(*result.share)) : none()}});
}

}  // namespace

PyObject* find_precision(PyObject*, PyObject* args) {
  return reported([&] {
    const GivenRun given(args, GivenRun::RunnersInOptions());
    const GivenCheck check(given.subject, given.keywords);
    if (given.source().format == "engine") {
      throw polygraphy::Error(
          "Layers of an engine cannot be changed, and neither can their precisions: " +
              given.source().path,
          "Give the ONNX model of the engine.");
    }
    PrecisionJob search = precision_job(given.keywords);
    std::string messages;
    const PrecisionResult found = in_job([&](Job& job) {
      JobRunnerFactory factory(given.runners.tools, job);
      job.keep_text(polygraphy::log_modules::kDebugPrecision);
      const polygraphy::ScratchFolder folder(polygraphy::temporary_folder() +
                                             "/.polygraphy-precision-");
      search.engine = engine_job(given, factory, job);
      search.loop.artifact = folder / "polygraphy_debug.engine";
      search.check = check.maker(job, path_of);
      const PrecisionResult result = polygraphy::find_precision(search, job.log());
      messages = job.take_text();
      return result;
    });
    return as_python(found, messages);
  });
}

}  // namespace native
