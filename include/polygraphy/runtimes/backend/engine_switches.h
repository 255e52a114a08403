// Options by which an engine computes in another way, though not other results.
#pragma once

#include <string>
#include <vector>

namespace polygraphy {

// Keys of BackendOptions; empty where the engine has none. pgb_switches.
struct EngineSwitches {
  std::string threads = {};                  // how many threads an inference has
  std::string level = {};                    // how far the model is optimised
  std::vector<std::string> levels = {};      // its values, from least to most
  std::string disable = {};                  // optimizers that are left out
  std::vector<std::string> optimizers = {};  // names that it takes
  // A file which loading leaves behind: the model as the engine has made it, in this format.
  std::string save = {}, saved_format = {};
  std::string cache = {};  // a folder of what has been compiled, from which it is loaded again
};

}  // namespace polygraphy
