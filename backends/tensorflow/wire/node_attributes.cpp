#include "tensorflow/wire/node_attributes.h"

#include <cinttypes>
#include <cstdio>

#include "common/plugin.h"
#include "tensorflow/wire/reader.h"

namespace tensorflow {
namespace {

using protozero::pbf_reader;

constexpr int kDeepest = 16;

std::string quoted(std::string_view bytes) {
  constexpr size_t kLongest = 200;
  std::string made = "'";
  for (const char c : bytes.substr(0, kLongest)) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && code < 0x7F) {
      made += c;
    } else {
      char escaped[5];
      std::snprintf(escaped, sizeof(escaped), "\\x%02x", code);
      made += escaped;
    }
  }
  return made + (bytes.size() > kLongest ? "...'" : "'");
}

std::string type_name(int type) {
  static constexpr const char* kNames[] = {
      "invalid",   "float32", "float64",    "int32",   "uint8",    "int16",   "int8",     "string",
      "complex64", "int64",   "bool",       "qint8",   "quint8",   "qint32",  "bfloat16", "qint16",
      "quint16",   "uint16",  "complex128", "float16", "resource", "variant", "uint32",   "uint64"};
  constexpr int kReference = 100;
  const bool reference = type > kReference;
  const int plain = reference ? type - kReference : type;
  const std::string name = plain >= 0 && plain < static_cast<int>(std::size(kNames))
                               ? kNames[plain]
                               : "type " + std::to_string(plain);
  return reference ? name + "_ref" : name;
}

std::string number(double value) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.9g", value);
  return digits;
}

std::string shape_text(pbf_reader message) {
  std::string dims;
  bool known = true;
  while (message.next()) {
    if (message.tag() == 2) {
      int64_t size = 0;
      pbf_reader dim = message.get_message();
      while (dim.next(1)) size = dim.get_int64();
      dims += (dims.empty() ? "" : ", ") + std::to_string(size);
    } else if (message.tag() == 3) {
      known = !message.get_bool();
    } else {
      message.skip();
    }
  }
  return known ? "[" + dims + "]" : "None";
}

std::string tensor_text(pbf_reader message) {
  std::string type = "invalid", shape = "[]";
  while (message.next()) {
    if (message.tag() == 1) {
      type = type_name(message.get_enum());
    } else if (message.tag() == 2) {
      shape = shape_text(message.get_message());
    } else {
      message.skip();
    }
  }
  return "Tensor: [dtype=" + type + ", shape=" + shape + "]";
}

std::string name_in(pbf_reader message) {
  std::string name;
  while (message.next(1)) name = text(message);
  return name;
}

// Entries of a list may be packed into one field.
template <typename Packed, typename Single, typename Text, typename Add>
void add_numbers(bool packed, Packed all, Single one, Text text_of, const Add& add) {
  if (!packed) return add(text_of(one()));
  for (const auto each : all()) add(text_of(each));
}

// An AttrValue, or the list in one: its entries have the same numbers.
std::string value_text(pbf_reader message, bool in_list, int depth) {
  if (depth > kDeepest) throw pgb::Failure("attributes of a node nest too deep");
  std::string all;
  const auto add = [&](const std::string& value) { all += (all.empty() ? "" : ", ") + value; };
  while (message.next()) {
    const bool packed =
        message.wire_type() == protozero::pbf_wire_type::length_delimited && in_list;
    switch (message.tag()) {
      case 1:
        if (in_list) {
          message.skip();
        } else {
          add("[" + value_text(message.get_message(), true, depth + 1) + "]");
        }
        break;
      case 2:
        add(quoted(text(message)));
        break;
      case 3:
        add_numbers(
            packed, [&] { return message.get_packed_int64(); }, [&] { return message.get_int64(); },
            [](int64_t each) { return std::to_string(each); }, add);
        break;
      case 4:
        add_numbers(
            packed, [&] { return message.get_packed_float(); }, [&] { return message.get_float(); },
            [](float each) { return number(each); }, add);
        break;
      case 5:
        add_numbers(
            packed, [&] { return message.get_packed_bool(); }, [&] { return message.get_bool(); },
            [](bool each) { return std::string(each ? "True" : "False"); }, add);
        break;
      case 6:
        add_numbers(
            packed, [&] { return message.get_packed_enum(); }, [&] { return message.get_enum(); },
            [](int32_t each) { return type_name(each); }, add);
        break;
      case 7:
        add(shape_text(message.get_message()));
        break;
      case 8:
        add(tensor_text(message.get_message()));
        break;
      case 9:
        add(in_list ? "function " + name_in(message.get_message()) : quoted(text(message)));
        break;
      case 10:
        add("function " + name_in(message.get_message()));
        break;
      default:
        message.skip();
    }
  }
  return all;
}

}  // namespace

std::map<std::string, std::string> read_node_attributes(std::string_view node_def) try {
  constexpr uint32_t kAttributes = 5;
  std::map<std::string, std::string> found;
  pbf_reader node(node_def.data(), node_def.size());
  while (node.next(kAttributes)) {
    std::string key, value;
    pbf_reader entry = node.get_message();
    while (entry.next()) {
      if (entry.tag() == 1) {
        key = text(entry);
      } else if (entry.tag() == 2) {
        value = value_text(entry.get_message(), false, 0);
      } else {
        entry.skip();
      }
    }
    found[key] = value;
  }
  return found;
} catch (const protozero::exception&) {
  throw pgb::Failure("a node's attributes are damaged");
}

}  // namespace tensorflow
