// Operator schemas of the ONNX standard: versions, inputs, outputs, attributes; from the onnx
// library.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/attribute.h"

namespace graphsurgeon {

enum class Arity : uint8_t { kSingle, kOptional, kVariadic };

// A formal input or output. Views into the library's tables, valid for the life of the process.
struct OpParameter {
  std::string_view name;
  std::string_view type;  // a type variable ("T") or a type ("tensor(int64)")
  Arity arity = Arity::kSingle;
  int min_count = 1;  // of a variadic one
};

struct OpAttribute {
  std::string_view name;
  AttributeType type = AttributeType::kUndefined;
  bool required = false;
};

// Cheap to copy; refers to a table entry that lives as long as the process.
class OpSchema {
 public:
  std::string_view op() const;
  std::string_view domain() const;  // "" for the default domain
  int since_version() const;        // the opset that introduced this form of the operator
  bool deprecated() const;
  int min_inputs() const;
  int max_inputs() const;  // INT_MAX: any number
  int min_outputs() const;
  int max_outputs() const;
  std::vector<OpParameter> inputs() const;
  std::vector<OpParameter> outputs() const;
  std::vector<OpAttribute> attributes() const;  // by name
  // The types of OpParameter::type: the allowed types of a type variable ("tensor(float)",
  // "seq(tensor(int64))"), or the type itself.
  std::vector<std::string_view> types_of(std::string_view type) const;
  // False: equal inputs may give different outputs (RandomNormal, Dropout …). nullopt: the standard
  // does not say.
  std::optional<bool> deterministic() const;
  bool infers_shapes() const;

 private:
  friend std::optional<OpSchema> find_schema(std::string_view, int64_t, std::string_view);
  explicit OpSchema(const void* entry) : entry_(entry) {}
  const void* entry_;
};

// The form of `op` that a model which imports `version` of `domain` uses: the newest one not newer
// than that. nullopt: not an operator of that domain and version. "ai.onnx" means the default
// domain.
std::optional<OpSchema> find_schema(std::string_view op, int64_t version,
                                    std::string_view domain = {});

// The newest version of a domain that is known here; nullopt for domains that are not the
// standard's.
std::optional<int64_t> latest_opset(std::string_view domain = {});

// The newest IR version that is known here.
int64_t latest_ir_version();

}  // namespace graphsurgeon
