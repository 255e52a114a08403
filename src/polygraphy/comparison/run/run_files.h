// The files of a run: inputs, raw inputs and outputs, as RunOptions name them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/log.h"
#include "polygraphy/comparison/run/run_options.h"
#include "polygraphy/data/results/input_blobs.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/results/saved_outputs.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// Whether runners have computed anything, and whether any has failed.
struct Outcomes {
  bool computed = false, failed = false;

  void add(const IterationResult& result) { (result.failed ? failed : computed) = true; }
  bool nothing_but_failures() const { return failed && !computed; }
};

// Files that are written while the run goes on, one iteration at a time.
class RunFiles {
 public:
  // Throws Error for targets that are unsuitable.
  RunFiles(const RunOptions& options, const Runners& runners, Logger& log);
  void add_inputs(const ArrayMap& feed);
  void add_outputs(const std::vector<IterationResult>& one_per_runner);
  // Files have their final names from here on. Outputs are saved even if inputs cannot be; but
  // where runners have failed (`failed`: the whole run has) before any output, a file that is there
  // stays as it is.
  void finish(bool failed = false);

 private:
  Logger& log_;
  std::string outputs_path_;
  Outcomes outcomes_;
  bool has_inputs_ = false;
  std::unique_ptr<InputWriter> inputs_;  // null: not saved, as for the others
  std::unique_ptr<OutputWriter> outputs_;
  std::unique_ptr<InputBlobWriter> blobs_;
};

// The same files, of a run that is over.
void save_run(const RunOptions& options, const std::vector<ArrayMap>& feeds,
              const RunResults& results, Logger& log);

}  // namespace polygraphy
