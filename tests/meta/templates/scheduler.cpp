// A scheduler that runs nothing.
#include "tasks/scheduler.h"

namespace polygraphy {
namespace {

void run(const Submission&, Logger&) {}

}  // namespace

extern constinit const Scheduler scheduler_meta_probe = {
    .name = "meta-probe", .summary = "Nothing at all.", .only_writes = true, .run = run};

}  // namespace polygraphy
