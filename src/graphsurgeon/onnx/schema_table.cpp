#include "graphsurgeon/onnx/schema_table.h"

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>
#include <onnx/defs/operator_sets_preview.h>
#include <onnx/defs/schema.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace graphsurgeon {

namespace {

// An operator as one version of its domain has introduced or changed it.
struct Form {
  std::string_view set, op;  // the set is a name of the library's source, not a domain
  int version;
  onnx::OpSchema (*make)();
};

#define PG_OPERATOR(set, version, op) \
  {#set, #op, version,                \
   &onnx::GetOpSchema<onnx::ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(set, version, op)>},
constexpr Form kForms[] = {
#include <graphsurgeon/onnx/operator_forms.inc>  // generated: cmake/operator_forms.cmake
};
#undef PG_OPERATOR

class Table {
 public:
  // Never destroyed: schemas live as long as the process.
  static Table& instance() {
    static Table* const table = new Table;
    return *table;
  }

  const onnx::OpSchema* find(std::string_view op, int version, std::string_view domain) {
    const std::lock_guard lock(mutex_);
    const auto forms = by_op_.find(op);
    if (forms == by_op_.end()) return nullptr;
    const Form* best = nullptr;
    for (const Form* form : forms->second) {
      if (form->version > version || (best && form->version <= best->version)) continue;
      if (domain_of(*form) == domain) best = form;
    }
    return best ? &made(*best) : nullptr;
  }

 private:
  Table() {
    for (const Form& form : kForms) by_op_[form.op].push_back(&form);
  }

  std::string_view domain_of(const Form& form) {
    if (form.set == "Onnx") return onnx::ONNX_DOMAIN;
    if (form.set == "OnnxML") return onnx::AI_ONNX_ML_DOMAIN;
    return made(form).domain();
  }

  const onnx::OpSchema& made(const Form& form) {
    std::unique_ptr<onnx::OpSchema>& schema = made_[&form];
    if (!schema) {
      auto whole = std::make_unique<onnx::OpSchema>(form.make());
      whole->Finalize();
      schema = std::move(whole);
    }
    return *schema;
  }

  std::mutex mutex_;
  std::unordered_map<std::string_view, std::vector<const Form*>> by_op_;
  std::unordered_map<const Form*, std::unique_ptr<onnx::OpSchema>> made_;
};

}  // namespace

const onnx::OpSchema* schema_of(std::string_view op, int version, std::string_view domain) {
  return Table::instance().find(op, version, domain);
}

}  // namespace graphsurgeon
