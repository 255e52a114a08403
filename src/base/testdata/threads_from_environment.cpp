// For tests: PG_TEST_THREADS is how many threads parallel_for uses, whatever the machine has.
#include <cstdlib>

#include "base/thread_pool.h"

namespace polygraphy {
namespace {

[[maybe_unused]] const bool taken = [] {
  const char* threads = std::getenv("PG_TEST_THREADS");
  if (threads != nullptr) set_parallelism(std::atoi(threads));
  return threads != nullptr;
}();

}  // namespace
}  // namespace polygraphy
