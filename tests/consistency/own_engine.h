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

bool has(const std::vector<std::string>& names, const std::string& name);

// y of a row of x, and of all of x.
using ComputeRow =
    std::function<float(float x, const std::vector<float>& all, const Circumstances&)>;

// Makes engines of tests instead of back ends, by the names of their specs.
class OwnEngines : public RunnerFactory {
 public:
  using Make = std::function<std::shared_ptr<Runner>(const RunnerSpec&, const ModelSource&)>;
  struct Engine {
    Make make;
    EngineSwitches switches = {};
  };

  OwnEngines() : RunnerFactory({}, silent_) {}
  std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource& model, Logger&) override {
    if (!engines.contains(spec.name)) throw Error("There is no engine '" + spec.name + "'");
    return engines[spec.name].make(spec, model);
  }
  EngineSwitches switches(const RunnerSpec& spec) override { return engines[spec.name].switches; }

  OrderedMap<Engine> engines;

 private:
  Logger silent_;
};

struct OwnJob : ConsistencyJob {
  std::shared_ptr<OwnEngines> factory = std::make_shared<OwnEngines>();
};

// Options "threads", "level" (off, basic, all), "without" (optimizers Fuse1 to Fuse9), "save".
EngineSwitches all_switches();

// Checks y = f(x) with x and y of shape (rows, 1), where `rows` is 0 for any number. The feeds are
// x = 1, 2, 3 ...; of a fixed number of rows, that many at once.
OwnJob own_job(ComputeRow compute, EngineSwitches switches = {}, int64_t rows = 0);
// One more engine of the job.
void add_engine(OwnJob& job, const std::string& name, ComputeRow compute);

// One that takes x and w.
std::shared_ptr<Runner> engine_of_two_inputs();

// "repeat: identical", for each row.
std::vector<std::string> verdicts(const ConsistencyResult& result);
// The checks of the rows that differ or fail, one after the other.
std::vector<std::string> found_by(const ConsistencyResult& result);
// The first row of the check. Throws Error where it has none.
const ConsistencyRow& row_of(const ConsistencyResult& result, const std::string& check);

}  // namespace polygraphy
