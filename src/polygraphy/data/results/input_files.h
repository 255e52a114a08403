// The files of --load-inputs: their order, and the files of each iteration.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/raw_input.h"

namespace polygraphy {

// A file of iterations (JSON, named arrays), or of one input of an iteration (one array, raw
// bytes): TensorFormat::Content.
struct InputFile {
  std::string path;
  bool part = false;
  bool raw = false;
  RawInput raw_input = {};  // of raw ones
  bool first = false;       // of a folder that is a sample: a new iteration begins
};

// The files of a path as the user gave it: a file, PATH:NAME:SHAPE:TYPE, or a folder. Of a folder:
//   - its *.json, as --save-inputs writes them;
//   - else, if it is one sample (input_0.pb, input_1.pb …): these;
//   - else its files, each a sample or an input of one;
//   - else its folders, each a sample: test_data_set_0/input_0.pb, 0000000000/x.bin; raw bytes
//     in its folders are inputs with '/' in their names.
// Names are in natural order (2 before 10); hidden ones and output_*.pb are left out. Throws
// IoError, and Error for a folder without inputs.
std::deque<InputFile> list_input_files(const std::string& path);

// The input of `inputs` for the array `name` of a file. `guess`: the name comes from the file's
// name. Returns `name` if it is an input or if inputs are not known, the third input for input_2
// and arr_2, and for a guess the only input, if there is only one.
std::string input_name_for(const std::string& name, bool guess, const Metadata& inputs);

}  // namespace polygraphy
