// The files that candidates are written to.
#pragma once

#include <string>
#include <vector>

namespace polygraphy {

// With several jobs, "folder/name.onnx" stands for "folder/name_1.onnx" …, one for each.
std::vector<std::string> candidate_paths(const std::string& path, int jobs);
// With the data beside it, of a model that one file cannot hold.
void remove_candidate(const std::string& path);

}  // namespace polygraphy
