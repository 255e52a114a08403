// A runner as a value: everything that decides how a model is run, but the model.
//
//   RunnerSpec spec = parse_runner_spec("onnxrt graph_optimization_level=ORT_DISABLE_ALL");
//   spec.isolated = true;
//   spec.text();    // "onnxrt graph_optimization_level=ORT_DISABLE_ALL --isolated"
//   spec.digest();  // the same for equal specs, on every machine
//
// A RunnerFactory makes runners of specs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/fingerprint.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// A text or a JSON document does not describe a runner.
inline constexpr ErrorCode kBadRunnerSpec{"bad-runner-spec"};

struct RunnerSpec {
  std::string backend = {};  // "onnxrt"; empty: `program` runs the model
  std::string program = {};  // a file, started for each inference (docs/model-runner.md)
  std::string library = {};  // the vendor's; empty: the first that is found
  // The library that set-up brought, and none of the user's environment, so that the same model
  // gives the same values everywhere.
  bool bundled = false;
  SessionOptions session = {};
  bool isolated = false;  // in a process of its own
  // Seconds that loading, or one inference, may take. Implies isolated, but for a program.
  std::optional<double> timeout = {};
  // Empty: a new one, "<prefix>-N<count>-<date>-<time>".
  std::string name = {};

  // The back end, or the file of the program without its folder.
  std::string label() const;
  // The spec in words of a shell: the back end, or the path of the program; options as KEY,
  // KEY=VALUE and, for further values of one option, KEY+=VALUE; then --library=FILE, --bundled,
  // --isolated, --timeout=SECONDS, --profile, --single-run, --verbatim, --input=NAME:[SHAPE]:TYPE
  // and --name=NAME. SessionOptions::calibration has no text.
  std::string text() const;
  // Of all but the name.
  Fingerprint digest() const;
};

// The name counts; of `session.calibration`, whether there is one.
bool operator==(const RunnerSpec& a, const RunnerSpec& b);

// RunnerSpec::text(). Options are looked at when a runner is made. Throws Error (kBadRunnerSpec).
RunnerSpec parse_runner_spec(std::string_view text);

// The ONNX Runtime that set-up brought, on the CPU, without optimizations: operators are computed
// as they stand.
RunnerSpec bundled_runner_spec();

}  // namespace polygraphy
