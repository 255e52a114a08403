// Common part of the tests of this folder: jobs on small networks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "faulty_engine.h"
#include "polygraphy/diagnosis/locate/locate.h"
#include "small_networks.h"

namespace polygraphy {

// Makes exact ONNX Runtimes, and for the spec named "target" a faulty one that computes in a
// reduced format. A back end of another name is made unchanged.
class FaultyEngines : public RunnerFactory {
 public:
  FaultyEngines(std::vector<Fault> faults, std::optional<NumberFormat> format);
  std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource& model,
                               Logger& log) override;

  std::vector<Fault> faults_of_reference;
  size_t most_outputs = SIZE_MAX;  // of a model in the target
  int wrong_every = 0;             // every n-th run of the target is wrong; 0: none is
  int wrong_session = -1;          // this session of the target is wrong, from 0 on; -1: none is
  int made = 0;                    // runners
  int runs = 0;                    // of the target

 private:
  Logger silent_;
  std::vector<Fault> faults_;
  std::optional<NumberFormat> format_;
  int sessions_ = 0;  // of the target
};

// Exact ONNX Runtime against one that has these faults and computes in `format`.
struct FaultyJob : LocateJob {
  std::shared_ptr<FaultyEngines> factory;
};
FaultyJob faulty_job(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples,
                     std::vector<Fault> faults, std::optional<NumberFormat> format);
LocateResult locate(const FaultyJob& job, Logger& log);
// The results of a side's runner for a sample.
ArrayMap run_side(const FaultyJob& job, const LocateSide& side, const ArrayMap& sample);
// Saved results in the place of the side's runner.
SavedSide saved_side(const std::string& name, std::vector<ArrayMap> samples);

// Saved results of an exact engine with all tensors as outputs.
SavedSide golden_side(const graphsurgeon::Model& model, const std::vector<ArrayMap>& samples);

// The finding on a node that the result has.
const NodeFinding& node_named(const LocateResult& result, const std::string& name);

// "guilty: MatMul_3", for each of the first nodes.
std::vector<std::string> first_verdicts(const LocateResult& result, size_t count);

}  // namespace polygraphy
