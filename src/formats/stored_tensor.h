// The arrays of a file, found and not yet read: what every reader of a format gives.
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
  // What we write there of ourselves (polygraphy/results/result_store.h); else empty.
  std::string metadata;
};

}  // namespace polygraphy
