// Description of an engine that a library compiled.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/runtimes/compiled/engine_job.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

struct EngineTensor {
  std::string name;
  TensorInfo info;
  bool is_input = false;
};

// The range of shapes of an input in a profile.
struct EngineRange {
  std::string tensor;
  std::vector<int64_t> least, usual, greatest;
  // For a shape input: the values for each of these; empty for other inputs.
  std::vector<std::vector<int64_t>> values;
};

// A layer of the engine, after the library merged layers of the network.
struct EngineLayer {
  std::string name, type, origin, tactic;  // "Unknown" if the engine does not record it
  NamedTensors inputs = {}, outputs = {};  // their `docstring` is the memory format
};

struct EngineDescription {
  std::string name;
  bool refittable = false;
  int64_t device_memory = 0;  // bytes
  std::string verbosity;      // "DETAILED": the engine records all information of layers
  std::vector<EngineTensor> tensors;
  std::vector<std::vector<EngineRange>> profiles;
  std::vector<std::vector<EngineLayer>> layers;  // per profile; a single list if all are equal
};

// `job.model` is the engine, `job.model.format` "engine". Throws Error for the options;
// RunnerFailure for the library, its driver or the engine; FormatError for a malformed description
// from the library.
EngineDescription describe_engine(const EngineJob& job, Logger& log);

}  // namespace polygraphy
