#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "tasks/task_plan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using polygraphy::TaskPlan;
  try {
    const TaskPlan plan =
        TaskPlan::parse(std::string(reinterpret_cast<const char*>(data), size), "plan");
    for (int64_t i = 0; i < plan.size(); ++i) {
      static_cast<void>(plan.task(i));
      static_cast<void>(plan.id(i));
    }
  } catch (const polygraphy::Error&) {
  }
  return 0;
}
