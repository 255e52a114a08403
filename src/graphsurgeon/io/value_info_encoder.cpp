#include "graphsurgeon/io/value_info_encoder.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "graphsurgeon/io/field_merger.h"
#include "graphsurgeon/wire/onnx_fields.h"

namespace graphsurgeon {

void ValueInfoEncoder::begin(const Graph& graph) {
  for (auto& told : told_) told.clear();
  for (const auto& declaration : GraphAccess::declarations(graph)) {
    told_[static_cast<size_t>(declaration.list)][declaration.tensor].encoded.push_back(
        declaration.encoded);
  }
}

void ValueInfoEncoder::write(uint32_t field, const Tensor& t, GraphList list) {
  namespace f = wire::value_info;
  auto& told = told_[static_cast<size_t>(list)];
  if (!told.empty() && !TensorAccess::edited(t)) {
    if (const auto found = told.find(&t); found != told.end()) {
      auto& [encoded, next] = found->second;
      if (next < encoded.size() && encoded[next].data() != nullptr) {
        return out_.bytes(field, encoded[next++]);
      }
      ++next;
    }
  }
  out_.begin(field);
  const auto* extra = TensorAccess::find_extra(t);
  FieldMerger fields(out_, extra ? extra->unknown : std::string_view());
  fields.text(f::kName, t.name());
  fields.at(f::kType);
  const bool of_values = t.is_constant() && !TensorAccess::declared(t);
  if (t.type_proto().data() != nullptr) {
    out_.bytes(f::kType, t.type_proto());
  } else if (const DataType dtype = of_values ? t.dtype() : t.declared_dtype();
             dtype != DataType::kUndefined) {  // no reader takes a shape of unknown elements
    const auto dim = [&](const Dim& d) {
      out_.begin(wire::shape::kDim);
      if (d.has_value()) {
        out_.int64(wire::dim::kValue, d.value());
      } else if (!d.param().empty()) {
        out_.bytes(wire::dim::kParam, d.param());
      }
      out_.end();
    };
    out_.begin(f::kType);
    out_.begin(wire::type::kTensor);
    out_.int32(wire::tensor_type::kElemType, static_cast<int32_t>(dtype));
    if (of_values || t.declared_shape()) {
      out_.begin(wire::tensor_type::kShape);
      if (of_values) {
        for (const int64_t d : t.payload()->shape()) dim(Dim(d));
      } else {
        for (const Dim& d : *t.declared_shape()) dim(d);
      }
      out_.end();
    }
    out_.end();
    out_.end();
  }
  if (extra) fields.text(f::kDocString, extra->doc);
  fields.rest();
  out_.end();
}

const std::vector<const Tensor*>& ValueInfoEncoder::unlisted(const Graph& graph) {
  const auto [entry, is_new] = unlisted_.try_emplace(&graph);
  std::vector<const Tensor*>& unlisted = entry->second;
  if (!is_new) return unlisted;
  std::unordered_set<const Tensor*> repeated;
  for (const NodeRef& n : graph.nodes()) {
    for (const Tensor* t : n->outputs()) {
      const bool typed =
          t->type_proto().data() != nullptr || t->declared_dtype() != DataType::kUndefined;
      if (!typed || t->is_empty() || t->is_constant()) continue;
      // One that is produced twice is described once.
      if (t->producers().size() == 1 || repeated.insert(t).second) unlisted.push_back(t);
    }
  }
  if (unlisted.empty()) return unlisted;
  std::vector<const Tensor*> listed;
  for (const auto* list : {&graph.inputs(), &graph.outputs(), &graph.value_infos()}) {
    for (const TensorRef& t : *list) listed.push_back(t.get());
  }
  std::sort(listed.begin(), listed.end(), std::less<>());
  std::erase_if(unlisted, [&](const Tensor* t) {
    return std::binary_search(listed.begin(), listed.end(), t, std::less<>());
  });
  return unlisted;
}

}  // namespace graphsurgeon
