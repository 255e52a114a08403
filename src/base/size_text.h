// Numbers of bytes as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace polygraphy {

// In binary units, with four digits: "512 bytes", "1.5 KiB", "61.04 MiB", "2 GiB".
std::string size_text(int64_t bytes);

}  // namespace polygraphy
