#include "numerics/instruction_set.h"

namespace polygraphy {

InstructionSet instruction_set() {
#if defined(__x86_64__)
  static const InstructionSet most = [] {
    if (!__builtin_cpu_supports("avx2")) return InstructionSet::kBaseline;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt")
               ? InstructionSet::kAvx512
               : InstructionSet::kAvx2;
  }();
  return most;
#else
  return InstructionSet::kBaseline;
#endif
}

}  // namespace polygraphy
