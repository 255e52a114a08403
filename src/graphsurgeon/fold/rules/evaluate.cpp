// The evaluator computes all nodes that no other rule computes, in one session (fold/evaluation.h).

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

extern constinit const FoldRule fold_rule_evaluate = {
    .name = "evaluate",
    .summary = "everything else that depends on constants only, computed by ONNX Runtime",
    .phase = FoldPhase::kEvaluation,
};

}  // namespace graphsurgeon
