// The job behind `debug locate`: which node of a model makes two engines differ.
#pragma once

#include "base/log.h"
#include "polygraphy/diagnosis/locate/locate_job.h"
#include "polygraphy/diagnosis/locate/locate_result.h"
#include "polygraphy/models/parts/part_errors.h"

namespace polygraphy {

// Runs both engines on all tensors, the target once more on every node alone (all of them in one
// session: exploded models), and noisy evaluations of the model, and says of each node what it
// does. In bodies of guilty nodes (If, Loop, Scan) the nodes are looked at in the same way. Local
// functions are inlined. Values of tensors are kept for a group of nodes at a time. Throws Error
// (the model, feeds, an option of an engine; with LocateJob::reference_model also that model, one
// that lacks an input of the job's model or has weights beyond memory_limit, a saved side, or a
// remedy), RunnerFailure (an engine cannot run the whole model), Interrupted. Runners load models
// that differ from the job's in their structure only; their messages become VERBOSE lines.
LocateResult locate(const LocateJob& job, RunnerFactory& factory, Logger& log);

}  // namespace polygraphy
