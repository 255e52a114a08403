#include "graphsurgeon/onnx/schema.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/schema_table.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <string>

namespace graphsurgeon {

namespace {

using Registry = onnx::OpSchemaRegistry;
using Entry = onnx::OpSchema;

const Entry& entry_of(const void* entry) {
  return *static_cast<const Entry*>(entry);
}

std::vector<OpParameter> parameters(const std::vector<Entry::FormalParameter>& formal) {
  std::vector<OpParameter> result;
  for (const auto& one : formal) {
    OpParameter parameter{one.GetName(), one.GetTypeStr(), Arity::kSingle, one.GetMinArity()};
    if (one.GetOption() == Entry::Optional) parameter.arity = Arity::kOptional;
    if (one.GetOption() == Entry::Variadic) parameter.arity = Arity::kVariadic;
    result.push_back(parameter);
  }
  return result;
}

}  // namespace

std::string_view OpSchema::op() const {
  return entry_of(entry_).Name();
}
std::string_view OpSchema::domain() const {
  return entry_of(entry_).domain();
}
int OpSchema::since_version() const {
  return entry_of(entry_).since_version();
}
bool OpSchema::deprecated() const {
  return entry_of(entry_).Deprecated();
}
int OpSchema::min_inputs() const {
  return entry_of(entry_).min_input();
}
int OpSchema::max_inputs() const {
  return entry_of(entry_).max_input();
}
int OpSchema::min_outputs() const {
  return entry_of(entry_).min_output();
}
int OpSchema::max_outputs() const {
  return entry_of(entry_).max_output();
}
std::vector<OpParameter> OpSchema::inputs() const {
  return parameters(entry_of(entry_).inputs());
}
std::vector<OpParameter> OpSchema::outputs() const {
  return parameters(entry_of(entry_).outputs());
}

std::vector<OpAttribute> OpSchema::attributes() const {
  std::vector<OpAttribute> result;
  for (const auto& [name, attribute] : entry_of(entry_).attributes()) {
    result.push_back({name, static_cast<AttributeType>(attribute.type), attribute.required});
  }
  std::sort(result.begin(), result.end(),
            [](const OpAttribute& a, const OpAttribute& b) { return a.name < b.name; });
  return result;
}

std::vector<std::string_view> OpSchema::types_of(std::string_view type) const {
  for (const auto& constraint : entry_of(entry_).typeConstraintParams()) {
    if (constraint.type_param_str != type) continue;
    return {constraint.allowed_type_strs.begin(), constraint.allowed_type_strs.end()};
  }
  return {type};
}

std::optional<bool> OpSchema::deterministic() const {
  switch (entry_of(entry_).GetNodeDeterminism()) {
    case Entry::NodeDeterminism::Deterministic:
      return true;
    case Entry::NodeDeterminism::NonDeterministic:
      return false;
    default:
      return std::nullopt;
  }
}

bool OpSchema::infers_shapes() const {
  return entry_of(entry_).has_type_and_shape_inference_function();
}

std::optional<OpSchema> find_schema(std::string_view op, int64_t version, std::string_view domain) {
  if (version < 1) return std::nullopt;
  const auto capped = static_cast<int>(std::min<int64_t>(version, std::numeric_limits<int>::max()));
  const Entry* entry = schema_of(op, capped, normalized_domain(domain));
  if (entry == nullptr) return std::nullopt;
  return OpSchema(entry);
}

std::optional<int64_t> latest_opset(std::string_view domain) {
  const auto& versions = Registry::DomainToVersionRange::Instance().LastReleaseVersionMap();
  const auto found = versions.find(std::string(normalized_domain(domain)));
  if (found == versions.end()) return std::nullopt;
  return found->second;
}

int64_t latest_ir_version() {
  return onnx::Version::IR_VERSION;
}

}  // namespace graphsurgeon
