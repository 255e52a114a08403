// The files of --load-outputs: their order, and the files of each iteration.
#pragma once

#include <deque>
#include <string>
#include <vector>

namespace polygraphy {

// Files that hold one iteration's outputs together, or a single file of any number of iterations.
using OutputFiles = std::vector<std::string>;

// The files of a path as the user gave it: a file, PATH:NAME:SHAPE:TYPE, or a folder. Of a folder:
//   - its *.json, or files of arrays (.npz, .safetensors), as --save-outputs writes them;
//   - else its files of one array each (output_0.pb, logits.npy) or of some (layers.pt), which are
//     one iteration;
//   - else its folders, each an iteration: test_data_set_0/output_0.pb.
// Names are in natural order (2 before 10); hidden ones and input_* are left out. Throws IoError,
// and Error for a folder without outputs.
std::deque<OutputFiles> list_output_files(const std::string& path);

// How the outputs of a path are called that no runner of ours has made: its last part.
std::string name_of_outputs(const std::string& path);

}  // namespace polygraphy
