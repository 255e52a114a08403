// The models of a zoo, and the files beside them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/data/inputs/data_loader.h"

namespace polygraphy {

// The folder beside a model with its inputs, as the official zoo has it.
inline constexpr std::string_view kInputsFolder = "test_data_set_0";

// Those of each place in turn: of a folder, all .onnx files at any depth by name; of a .txt file,
// the paths in its lines, which begin in its folder, without blank lines and those with a '#' in
// front; any other path is a model. Throws IoError, and Error without any.
std::vector<std::string> zoo_models(std::span<const std::string> places);

// Names of shapes and ranges that some models lack are in order; one that no model has is misspelt.
// Reads the graphs of models until all names are found. Throws Error.
void require_inputs_of_models(const DataLoaderOptions& inputs, std::span<const std::string> models);

// Files that the results of a model depend on: its external data, and its inputs in kInputsFolder.
// A model that cannot be read has no external data.
std::vector<std::string> zoo_companions(const std::string& model);

}  // namespace polygraphy
