// The instruction sets of the processor for which inner loops have forms.
#pragma once

#include <cstdint>

namespace polygraphy {

enum class InstructionSet : uint8_t { kBaseline, kAvx2, kAvx512 };

// The largest set of this processor, detected once.
InstructionSet instruction_set();

}  // namespace polygraphy
