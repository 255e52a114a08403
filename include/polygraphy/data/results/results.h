// Results of running models, as saved by --save-outputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array_map.h"

namespace polygraphy {

struct IterationResult {
  ArrayMap outputs;
  std::optional<double> runtime;  // seconds
  std::string runner_name = "custom_runner";
  // Runner::precision(): the format that the runner computed in, "bfloat16". Empty: not known, as
  // of results from files.
  std::string precision = {};
  // The runner has failed, in this iteration or before: there are no outputs, and nothing to save.
  bool failed = false;
  bool saved = false;     // it comes from a file
  std::string file = {};  // that one; empty: not known
  // Arrays of another program's file.
  bool made_elsewhere = false;
  // Set for results with arrays that are read on demand (OutputReader::next_deferred): reads the
  // array at an index of `outputs`, which has the names and empty arrays. Throws Error.
  std::function<Array(size_t)> read = {};

  // The array at an index of `outputs`, read on demand.
  Array output(size_t place) const { return read ? read(place) : outputs.at_index(place).second; }
};

// A list, so that duplicate runner names are legal.
struct RunResults {
  std::vector<std::pair<std::string, std::vector<IterationResult>>> runners;

  // The iterations of the first runner of this name. Throws Error if no runner has it.
  const std::vector<IterationResult>& at(std::string_view runner) const;
  std::vector<IterationResult>& at(std::string_view runner);
  // Outputs that did not come from a runner, one set per iteration.
  void add(std::vector<ArrayMap> outputs, const std::string& runner = "custom_runner");

  // As --save-outputs and --load-outputs, without messages. Throw Error.
  void save(const std::string& path) const;
  static RunResults load(const std::string& path);
};

}  // namespace polygraphy
