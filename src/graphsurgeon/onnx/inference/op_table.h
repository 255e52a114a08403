// The operators that the nodes of one body may use, by its opset imports. Only for the sources of
// this library.
#pragma once

#include <onnx/defs/schema.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

// Version per domain, "" for the default one.
using Opsets = std::map<std::string, int64_t, std::less<>>;
Opsets opsets_of(const std::vector<OpsetImport>& imports);
// Of a whole model: where it uses the default domain without importing it, a version is taken, with
// a warning (IR version 3 and newer).
Opsets opsets_of(const Model& model, polygraphy::Logger& logger);

class ShapeNode;
// Fills in dimensions that the operator's function has left open in the shapes of the outputs.
using ShapeFunction = void (*)(ShapeNode& node);

// An operator as inference needs it.
struct OpEntry {
  const onnx::OpSchema* schema = nullptr;  // null: not an operator of the standard
  onnx::InferenceFunction infer;           // may be empty
  // Of operators of the standard; may be null.
  ShapeFunction sharpen = nullptr;
  ValueFunction follow_values = nullptr;
  // The operator as a function, if it has no inference function and the standard defines it so. The
  // operator's attributes have the function's defaults.
  const Function* body = nullptr;
};

class OpTable {
 public:
  explicit OpTable(Opsets opsets) : opsets_(std::move(opsets)) {}
  OpTable(const OpTable&) = delete;
  OpTable& operator=(const OpTable&) = delete;

  // Valid as long as this table.
  const OpEntry& find(std::string_view op, std::string_view domain);

 private:
  struct View {
    std::string_view domain, op;
  };
  struct Key {
    std::string domain, op;
    operator View() const { return {domain, op}; }
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(const View& key) const {
      const std::hash<std::string_view> hash;
      return hash(key.op) * 31 + hash(key.domain);
    }
    size_t operator()(const Key& key) const { return (*this)(View(key)); }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(const View& a, const View& b) const {
      return a.op == b.op && a.domain == b.domain;
    }
  };
  OpEntry look_up(std::string_view op, std::string_view domain);

  Opsets opsets_;
  std::unordered_map<Key, OpEntry, Hash, Equal> entries_;
  std::vector<Model> bodies_;  // that the entries point into
};

}  // namespace graphsurgeon
