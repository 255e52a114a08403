// Messages of the onnx library, adapted to ours. Only for the sources of this folder.
#pragma once

#include <string>
#include <string_view>

namespace graphsurgeon {

// The library breaks some of its sentences over lines.
std::string on_one_line(std::string_view text);

}  // namespace graphsurgeon
