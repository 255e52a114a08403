#include "graphsurgeon/ir/attribute_codec.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>
#include <cstring>
#include <string>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/payloads/source.h"
#include "graphsurgeon/ir/payloads/tensor_codec.h"
#include "graphsurgeon/wire/field_gather.h"
#include "graphsurgeon/wire/onnx_fields.h"
#include "graphsurgeon/wire/reader.h"

namespace graphsurgeon {

namespace {

namespace field = wire::attribute;

// The type that a value field belongs to; kUndefined for fields that hold no value.
AttributeType type_of_field(uint32_t number) {
  switch (number) {
    case field::kFloat:
      return AttributeType::kFloat;
    case field::kInt:
      return AttributeType::kInt;
    case field::kString:
      return AttributeType::kString;
    case field::kTensor:
      return AttributeType::kTensor;
    case field::kGraph:
      return AttributeType::kGraph;
    case field::kFloats:
      return AttributeType::kFloats;
    case field::kInts:
      return AttributeType::kInts;
    case field::kStrings:
      return AttributeType::kStrings;
    case field::kTensors:
      return AttributeType::kTensors;
    case field::kGraphs:
      return AttributeType::kGraphs;
    case field::kTypeProto:
      return AttributeType::kTypeProto;
    case field::kTypeProtos:
      return AttributeType::kTypeProtos;
    case field::kSparseTensor:
      return AttributeType::kSparseTensor;
    case field::kSparseTensors:
      return AttributeType::kSparseTensors;
    default:
      return AttributeType::kUndefined;
  }
}

bool is_list(AttributeType type) {
  switch (type) {
    case AttributeType::kFloats:
    case AttributeType::kInts:
    case AttributeType::kStrings:
    case AttributeType::kTensors:
    case AttributeType::kGraphs:
    case AttributeType::kTypeProtos:
    case AttributeType::kSparseTensors:
      return true;
    default:
      return false;
  }
}

// The fields of an attribute, before any value is decoded.
struct Outline {
  std::string_view name, ref;
  AttributeType type = AttributeType::kUndefined;
  bool typed = false;
  AttributeType found = AttributeType::kUndefined;  // of the first value field
  bool mixed = false;                               // value fields of several kinds
  int values = 0;                                   // value fields
  wire::FieldGather unknown;
};

Outline outline(std::string_view message) {
  Outline o;
  for (wire::Reader reader(message); reader.next();) {
    switch (reader.key()) {
      case wire::bytes_key(field::kName):
        o.name = reader.bytes();
        continue;
      case wire::bytes_key(field::kRefAttrName):
        o.ref = reader.bytes();
        continue;
      case wire::varint_key(field::kType):
        o.type = static_cast<AttributeType>(reader.as_int32());
        o.typed = true;
        continue;
      case wire::fixed32_key(field::kFloat):
      case wire::varint_key(field::kInt):
      case wire::bytes_key(field::kString):
      case wire::bytes_key(field::kTensor):
      case wire::bytes_key(field::kGraph):
      case wire::fixed32_key(field::kFloats):
      case wire::bytes_key(field::kFloats):
      case wire::varint_key(field::kInts):
      case wire::bytes_key(field::kInts):
      case wire::bytes_key(field::kStrings):
      case wire::bytes_key(field::kTensors):
      case wire::bytes_key(field::kGraphs):
      case wire::bytes_key(field::kTypeProto):
      case wire::bytes_key(field::kTypeProtos):
      case wire::bytes_key(field::kSparseTensor):
      case wire::bytes_key(field::kSparseTensors): {
        const AttributeType type = type_of_field(reader.number());
        if (o.found == AttributeType::kUndefined) o.found = type;
        o.mixed |= o.found != type;
        ++o.values;
        continue;
      }
      default:
        o.unknown.add(reader.raw());
    }
  }
  return o;
}

TensorValue tensor_value(DecodedTensor tensor) {
  return {tensor.name, std::move(tensor.values), tensor.unknown};
}

std::vector<float> decode_floats(std::string_view message) {
  std::vector<float> values;
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::fixed32_key(field::kFloats)) {
      values.push_back(reader.as_float());
    } else if (reader.key() == wire::bytes_key(field::kFloats)) {
      const std::string_view packed = reader.bytes();
      if (packed.size() % sizeof(float) != 0) {
        throw wire::ParseError(reader.position(), "a packed field that does not end with a value");
      }
      const size_t old = values.size();
      values.resize(old + packed.size() / sizeof(float));
      if (!packed.empty()) std::memcpy(values.data() + old, packed.data(), packed.size());
    }
  }
  return values;
}

std::vector<int64_t> decode_ints(std::string_view message) {
  std::vector<int64_t> values;
  const auto add = [&](uint64_t value) { values.push_back(static_cast<int64_t>(value)); };
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::varint_key(field::kInts)) {
      add(reader.varint());
    } else if (reader.key() == wire::bytes_key(field::kInts)) {
      wire::for_each_varint(reader.bytes(), add);
    }
  }
  return values;
}

// Calls `use` with the contents of each length-delimited field of that number.
template <typename Use>
void for_each_bytes(std::string_view message, uint32_t number, Use use) {
  for (wire::Reader reader(message); reader.next();) {
    if (reader.key() == wire::bytes_key(number)) use(reader.bytes());
  }
}

class ValueDecoder {
 public:
  ValueDecoder(std::string_view message, Store& store, SubgraphReader* subgraphs)
      : message_(message), source_(store.source()), subgraphs_(subgraphs) {}

  // False: a kind that stays encoded.
  bool decode(AttributeType type, Attribute& out) {
    switch (type) {
      case AttributeType::kFloat:
        return scalar(field::kFloat, out);
      case AttributeType::kInt:
        return scalar(field::kInt, out);
      case AttributeType::kString:
        for_each_bytes(message_, field::kString, [&](std::string_view text) { out.value = text; });
        return true;
      case AttributeType::kTensor:
        for_each_bytes(message_, field::kTensor, [&](std::string_view t) {
          out.value = tensor_value(decode_tensor(t, source_));
        });
        return true;
      case AttributeType::kSparseTensor:
        for_each_bytes(message_, field::kSparseTensor, [&](std::string_view t) {
          out.value = tensor_value(decode_sparse_tensor(t, source_));
        });
        return true;
      case AttributeType::kGraph:
        for_each_bytes(message_, field::kGraph, [&](std::string_view g) { out.value = graph(g); });
        return true;
      case AttributeType::kFloats:
        out.value = decode_floats(message_);
        return true;
      case AttributeType::kInts:
        out.value = decode_ints(message_);
        return true;
      case AttributeType::kStrings: {
        std::vector<std::string_view> texts;
        for_each_bytes(message_, field::kStrings,
                       [&](std::string_view text) { texts.push_back(text); });
        out.value = std::move(texts);
        return true;
      }
      case AttributeType::kTensors:
      case AttributeType::kSparseTensors: {
        std::vector<TensorValue> tensors;
        for_each_bytes(message_, field::kTensors, [&](std::string_view t) {
          tensors.push_back(tensor_value(decode_tensor(t, source_)));
        });
        for_each_bytes(message_, field::kSparseTensors, [&](std::string_view t) {
          tensors.push_back(tensor_value(decode_sparse_tensor(t, source_)));
        });
        out.value = std::move(tensors);
        return true;
      }
      case AttributeType::kGraphs: {
        std::vector<GraphRef> graphs;
        for_each_bytes(message_, field::kGraphs,
                       [&](std::string_view g) { graphs.push_back(graph(g)); });
        out.value = std::move(graphs);
        return true;
      }
      default:
        return false;
    }
  }

 private:
  bool scalar(uint32_t number, Attribute& out) {
    for (wire::Reader reader(message_); reader.next();) {
      if (reader.key() == wire::fixed32_key(number)) out.value = reader.as_float();
      if (reader.key() == wire::varint_key(number)) out.value = reader.as_int64();
    }
    return true;
  }

  GraphRef graph(std::string_view encoded) {
    assert(subgraphs_ && "attributes with graphs are decoded while the model is loaded");
    return subgraphs_->read(encoded);
  }

  std::string_view message_;
  const std::shared_ptr<const Source>& source_;
  SubgraphReader* subgraphs_;
};

}  // namespace

Attribute decode_attribute(std::string_view message, Store& store, SubgraphReader* subgraphs) {
  const Outline o = outline(message);
  Attribute attribute;
  attribute.name = o.name;
  attribute.ref_attr_name = o.ref;
  attribute.typed = o.typed;
  attribute.type = o.typed ? o.type : o.found;
  // Value, type and name say all there is to say?
  const bool reference = !o.ref.empty();
  const bool whole = !o.mixed && (o.values == 0 ? reference || (o.typed && is_list(o.type))
                                                : !reference && o.found == attribute.type &&
                                                      (o.values == 1 || is_list(attribute.type)));
  ValueDecoder decoder(message, store, subgraphs);
  const bool decoded = reference || attribute.type == AttributeType::kUndefined
                           ? reference
                           : decoder.decode(attribute.type, attribute);
  if (!whole || !decoded) {
    // Kept as it is. (A graph in it that `type` does not speak of is not a subgraph of the node.)
    attribute.encoded = message;
  } else {
    attribute.unknown_fields = store.source()->keep(o.unknown);
  }
  return attribute;
}

std::vector<Attribute> decode_attributes(std::string_view encoded, Store& store,
                                         SubgraphReader* subgraphs) {
  std::vector<Attribute> attributes;
  for (wire::Reader reader(encoded); reader.next();) {
    try {
      attributes.push_back(decode_attribute(reader.bytes(), store, subgraphs));
    } catch (const wire::ParseError& error) {
      const std::string_view name = [&]() -> std::string_view {
        try {
          return outline(reader.bytes()).name;
        } catch (const wire::ParseError&) {
          return {};
        }
      }();
      throw wire::ParseError(error.at(), fmt::format("attribute {} ('{}'): {}", attributes.size(),
                                                     name, error.what()));
    }
  }
  return attributes;
}

bool scan_attributes(std::string_view encoded, bool* external) {
  bool graphs = false;
  for (wire::Reader reader(encoded); reader.next();) {
    for (wire::Reader inner(reader.bytes()); inner.next();) {
      switch (inner.key()) {
        case wire::bytes_key(field::kGraph):
        case wire::bytes_key(field::kGraphs):
          graphs = true;
          break;
        case wire::bytes_key(field::kTensor):
        case wire::bytes_key(field::kTensors):
          *external |= is_external(inner.bytes());
          break;
        case wire::bytes_key(field::kSparseTensor):
        case wire::bytes_key(field::kSparseTensors):
          *external |= is_external_sparse(inner.bytes());
          break;
        default:
          break;
      }
    }
  }
  return graphs;
}

}  // namespace graphsurgeon
