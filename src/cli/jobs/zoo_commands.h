// Command lines that reproduce a result of a zoo.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/syntax/parser.h"
#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy::cli {

class ZooCommands {
 public:
  // `args`: those of the zoo. `engines`: labels of its runners, in the order of their flags.
  // `threads`: of those whose options have no number.
  ZooCommands(const ParsedArgs& args, std::vector<std::string> engines, int64_t threads);

  // Purposes and command lines, for engines on which the model fails; of a model that passes, the
  // comparison of all engines.
  std::vector<std::pair<std::string, std::string>> of(const ZooModelResult& model) const;

 private:
  struct Engine {
    std::string label;
    std::string name = {};     // of the back end
    std::string flag = {};     // "--onnxrt"
    std::string options = {};  // those of the back end, each word behind a blank
  };
  const Engine* find(const std::string& label) const;
  // `shapes`: the option for shapes of the command.
  std::string inputs_of(const ZooModelResult& model, const std::string& shapes) const;

  std::vector<Engine> engines_;
  std::string generated_ = {};  // options of inputs, but their shapes
};

}  // namespace polygraphy::cli
