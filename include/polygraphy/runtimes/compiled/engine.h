// What an engine of a library that compiles models is.
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

// The shapes of an input that a profile is for.
struct EngineRange {
  std::string tensor;
  std::vector<int64_t> least, usual, greatest;
  // Of an input whose values are shapes: the values for each of these; empty: it is none.
  std::vector<std::vector<int64_t>> values;
};

// A layer as the library runs it, after layers of the network have been merged.
struct EngineLayer {
  std::string name, type, origin, tactic;  // "Unknown" where it does not tell
  NamedTensors inputs = {}, outputs = {};  // their `docstring` is the memory format
};

struct EngineDescription {
  std::string name;
  bool refittable = false;
  int64_t device_memory = 0;  // bytes
  std::string verbosity;      // "DETAILED": all is known of layers
  std::vector<EngineTensor> tensors;
  std::vector<std::vector<EngineRange>> profiles;
  std::vector<std::vector<EngineLayer>> layers;  // per profile; one list where they are the same
};

// `job.model` is the engine, `job.model.format` "engine". Throws Error: the options; RunnerFailure:
// the library, its driver or the engine; FormatError: what the library tells.
EngineDescription describe_engine(const EngineJob& job, Logger& log);

}  // namespace polygraphy
