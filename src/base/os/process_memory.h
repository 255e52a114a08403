// Memory of this process and those it started, as the system counts it.
#pragma once

#include <cstdint>

namespace polygraphy {

// Bytes of physical memory in use; pages that two processes share count twice. 0 on systems without
// this figure.
uint64_t resident_memory();
// The most there was since the process began, or since reset_peak_memory(): the sum of each
// process's own peak, so never less than the peak of the sum.
uint64_t peak_memory();
// The same of another process and those it started; 0: it is gone.
uint64_t peak_memory(int process);
// The same of this process alone.
uint64_t own_resident_memory();
uint64_t own_peak_memory();
// False where the system does not allow it: peaks are then those since the processes began.
bool reset_peak_memory();
bool reset_peak_memory(int process);

// When memory runs out, the system should end this process, not the one that reports it.
void volunteer_for_the_oom_killer();

}  // namespace polygraphy
