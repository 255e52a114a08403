// An engine whose rows are computed by a function of the test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "polygraphy/diagnosis/consistency/consistency.h"

namespace polygraphy {

// How and where a row is computed.
struct Circumstances {
  int session = 0, run = 0;  // counted from 0; runs within the session
  int64_t row = 0, rows = 0;
  bool own_process = false, reloaded = false;
  BackendOptions options = {};

  // Of an option of the session; empty: it was not given.
  std::vector<std::string> values(const std::string& key) const;
  std::string value(const std::string& key) const;
};

// y of a row of x, and of all of x.
using ComputeRow =
    std::function<float(float x, const std::vector<float>& all, const Circumstances&)>;

// Options "threads", "level" (off, basic, all), "without" (optimizers Fuse1 to Fuse9), "save".
EngineSwitches all_switches();

// Checks y = f(x) with x and y of shape (rows, 1), where `rows` is 0 for any number. The feeds are
// x = 1, 2, 3 ...; of a fixed number of rows, that many at once.
ConsistencyJob own_job(ComputeRow compute, EngineSwitches switches = {}, int64_t rows = 0);

// One that takes x and w.
std::shared_ptr<Runner> engine_of_two_inputs();

// "repeat: identical", for each row.
std::vector<std::string> verdicts(const ConsistencyResult& result);
// The first row of the check. Throws Error where it has none.
const ConsistencyRow& row_of(const ConsistencyResult& result, const std::string& check);

}  // namespace polygraphy
