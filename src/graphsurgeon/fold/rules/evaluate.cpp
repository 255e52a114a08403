// What no other rule computes, the evaluator does: all of it in one session (fold/evaluation.h).

#include "graphsurgeon/fold/rule.h"

namespace graphsurgeon {

extern const FoldRule fold_rule_evaluate;
constinit const FoldRule fold_rule_evaluate = {
    .name = "evaluate",
    .summary = "everything else that depends on constants only, computed by ONNX Runtime",
    .phase = FoldPhase::kEvaluation,
};

}  // namespace graphsurgeon
