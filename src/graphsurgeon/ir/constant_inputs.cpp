#include "graphsurgeon/ir/constant_inputs.h"

namespace graphsurgeon {

void take_constants_from_inputs(Model& model) {
  constexpr int64_t kConstantsNeedNotBeInputs = 4;
  if (model.ir_version == 0 || model.ir_version >= kConstantsNeedNotBeInputs) return;
  model.ir_version = kConstantsNeedNotBeInputs;
  std::erase_if(model.graph->mutable_inputs(),
                [](const TensorRef& input) { return input->is_constant(); });
}

}  // namespace graphsurgeon
