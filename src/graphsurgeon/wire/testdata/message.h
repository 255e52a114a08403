// For tests: encoded messages, built field by field, right or wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

namespace graphsurgeon::wire {

inline std::string varint(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  text += static_cast<char>(value);
  return text;
}

// Concatenating messages adds their fields, so `+` is all that is needed.
inline std::string num(uint32_t field, int64_t value) {
  return varint(uint64_t{field} << 3) + varint(static_cast<uint64_t>(value));
}
inline std::string text(uint32_t field, std::string_view value) {
  return varint(uint64_t{field} << 3 | 2) + varint(value.size()) + std::string(value);
}
inline std::string real(uint32_t field, float value) {
  std::string bits(4, '\0');
  std::memcpy(bits.data(), &value, 4);
  return varint(uint64_t{field} << 3 | 5) + bits;
}

inline std::string node(std::string_view op, std::initializer_list<std::string_view> inputs,
                        std::initializer_list<std::string_view> outputs,
                        std::string_view more = {}) {
  std::string message;
  for (const auto input : inputs) message += text(1, input);
  for (const auto output : outputs) message += text(2, output);
  return message + text(4, op) + std::string(more);
}

// NodeProto.attribute holding a graph.
inline std::string graph_attribute(std::string_view name, std::string_view graph) {
  return text(5, text(1, name) + text(6, graph) + num(20, 5));
}

// ValueInfoProto of a tensor type; no shape.
inline std::string value(std::string_view name, int64_t elem_type) {
  return text(1, name) + text(2, text(1, num(1, elem_type)));
}

// A float TensorProto with raw_data.
inline std::string floats(std::string_view name, std::initializer_list<float> values) {
  std::string raw(values.size() * 4, '\0');
  if (!raw.empty()) std::memcpy(raw.data(), values.begin(), raw.size());
  return num(1, static_cast<int64_t>(values.size())) + num(2, 1) + text(8, name) + text(9, raw);
}

// ModelProto around the fields of a GraphProto.
inline std::string model(std::string_view graph) {
  return num(1, 10) + text(7, graph) + text(8, num(2, 21));
}

}  // namespace graphsurgeon::wire
