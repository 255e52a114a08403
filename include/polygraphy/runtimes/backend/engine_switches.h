// Options that change how an engine computes, but not its results.
#pragma once

#include <string>
#include <vector>

namespace polygraphy {

// Keys of BackendOptions; empty if the engine lacks the switch. See pgb_switches.
struct EngineSwitches {
  std::string threads = {};                  // number of threads of an inference
  std::string level = {};                    // level of optimisation
  std::vector<std::string> levels = {};      // its values, from least to most
  std::string disable = {};                  // optimizers to disable
  std::vector<std::string> optimizers = {};  // the names of optimizers
  // A file that loading writes: the engine's form of the model, in this format.
  std::string save = {}, saved_format = {};
  std::string cache = {};  // a folder of compiled models, from which the engine loads them again
};

}  // namespace polygraphy
