// A runner as a value: everything that decides how a model runs, except the model of the job.
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
  std::string library = {};  // the vendor's; empty: the first one found
  // Only the library from set-up, not one of the user's environment, so that a model gives the same
  // values everywhere.
  bool bundled = false;
  SessionOptions session = {};
  // Its own model: the same network in another file, in a format that name or contents show. Empty:
  // the model of the job.
  std::string model = {};
  bool isolated = false;  // in a separate process
  // The limit for loading and for one inference, in seconds. Implies isolated, except for a
  // program.
  std::optional<double> timeout = {};
  // Empty: a new one, "<prefix>-N<count>-<date>-<time>".
  std::string name = {};

  // The back end, or the file of the program without its folder.
  std::string label() const;
  // The spec in words of a shell: the back end, or the path of the program; options as KEY,
  // KEY=VALUE and, for further values of one option, KEY+=VALUE; then --library=FILE, --bundled,
  // --isolated, --model=FILE, --timeout=SECONDS, --profile, --single-run, --verbatim,
  // --input=NAME:[SHAPE]:TYPE and --name=NAME. SessionOptions::calibration has no text.
  std::string text() const;
  // The digest of everything except the name.
  Fingerprint digest() const;
};

// Includes the name; of `session.calibration`, only its presence.
bool operator==(const RunnerSpec& a, const RunnerSpec& b);

// Parses RunnerSpec::text(). Options are checked when a runner is made. Throws Error
// (kBadRunnerSpec).
RunnerSpec parse_runner_spec(std::string_view text);

// The ONNX Runtime from set-up, on the CPU, without optimizations: it computes the operators of the
// model.
RunnerSpec bundled_runner_spec();

}  // namespace polygraphy
