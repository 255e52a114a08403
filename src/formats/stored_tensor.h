// The arrays of a file, found and not yet read: the result of every reader of a format.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/arrays/array.h"

namespace polygraphy {

// An array in a file: found, not read. load() views the mapped file where it can, reads else;
// throws FormatError. It keeps the file open.
struct StoredTensor {
  std::string name;
  std::function<Array()> load;
};

struct TensorFile {
  std::vector<StoredTensor> tensors;  // in file order
  // False: names are taken from the file's name, because the format has none.
  bool named = true;
  // Our metadata (polygraphy/data/results/result_store.h); empty in files of other programs.
  std::string metadata;
};

}  // namespace polygraphy
