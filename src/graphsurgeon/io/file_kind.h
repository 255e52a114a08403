// Recognises files that are not ONNX models, for error messages.
#pragma once

#include <string_view>

namespace graphsurgeon {

struct FileKind {
  std::string_view
      what;  // "a Git LFS pointer, not the file itself"; empty when it is not recognised
  std::string_view hint;  // the remedy
};

// Looks at the first bytes only.
FileKind recognise(std::string_view bytes);

}  // namespace graphsurgeon
