// What the inner loops may use of the processor at hand. Each knows its forms for less than that.
#pragma once

#include <cstdint>

namespace polygraphy {

enum class InstructionSet : uint8_t { kBaseline, kAvx2, kAvx512 };

// The most that this processor has; asked once.
InstructionSet instruction_set();

}  // namespace polygraphy
