#include "graphsurgeon/io/tensor_scope.h"

namespace graphsurgeon {

Tensor* TensorScope::local(const Name& name) {
  if (name.text.empty()) return create(name.text);
  Tensor*& slot = names_.slot(name);
  if (slot) return slot;
  Tensor* tensor = slot = create(name.text);
  names_.added();
  return tensor;
}

Tensor* TensorScope::resolve(const Name& name) {
  if (outer_ && !name.text.empty()) {
    for (const TensorScope* scope = this; scope; scope = scope->outer_.get()) {
      if (Tensor* tensor = scope->names_.find(name)) return tensor;
    }
  }
  return local(name);
}

}  // namespace graphsurgeon
