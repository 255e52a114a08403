#include "polygraphy/data/tensors/metadata.h"

#include <charconv>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"

namespace polygraphy {
namespace {

std::string dim_text(const Dim& dim) {
  if (dim.has_value()) return std::to_string(dim.value());
  return dim.param().empty() ? "-1" : py_str_repr(dim.param());
}

std::string joined_dims(const DimList& shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += dim_text(shape[i]);
  }
  return text;
}

// The last `:`-separated piece of `token`, which loses it. Without a colon: all of it.
std::string_view pop_piece(std::string_view& token) {
  const size_t colon = token.rfind(':');
  std::string_view piece = token;
  if (colon == std::string_view::npos) {
    token = {};
  } else {
    piece = token.substr(colon + 1);
    token = token.substr(0, colon);
  }
  return strip(piece);
}

std::string_view without_quotes(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  return text;
}

bool is_auto(std::string_view text) {
  return to_lower(without_quotes(text)) == "auto";
}

constexpr std::string_view kHint =
    "Write shapes as name:[1,3,224,224]; a dimension may be a number, a name, or -1.";

// A number as Python's int() reads it: digits, a sign, underscores between digits.
bool read_integer(std::string_view text, int64_t& value) {
  std::string digits;
  bool after_digit = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '_' && after_digit && i + 1 < text.size()) {
      after_digit = false;
      continue;
    }
    if (c == '+' && i == 0) continue;
    after_digit = c >= '0' && c <= '9';
    if (!after_digit && !(c == '-' && i == 0)) return false;
    digits += c;
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return !digits.empty() && error == std::errc{} && end == digits.data() + digits.size();
}

// "[1,3,224]" for what people write instead: 1x3x224, (1,3,224), 1*3*224, [1x3x224], [1 3 224].
// Empty for anything else.
std::string corrected_shape(std::string_view text) {
  while (!text.empty() && (text.front() == '(' || text.front() == '[')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ')' || text.back() == ']')) text.remove_suffix(1);
  std::string result = "[";
  bool in_number = false;
  bool after_blank = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit) {
      if (after_blank && result.back() != '[' && result.back() != ',') result += ',';
      result += c;
    } else if (in_number && (c == 'x' || c == 'X' || c == '*' || c == ',' || c == ';')) {
      result += ',';
    } else if (c != ' ') {
      return {};
    }
    in_number = digit || (in_number && c == ' ');
    after_blank = c == ' ';
  }
  return in_number ? result + "]" : std::string();
}

// Items in one token that should be several: a:3x128,b:3x128. Separators within brackets do not
// count, nor those of the dimensions in 3,128.
std::vector<std::string_view> items_in(std::string_view token) {
  std::vector<std::string_view> items;
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i < token.size(); ++i) {
    const char c = token[i];
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (depth != 0 || (c != ',' && c != ';' && c != ' ')) continue;
    const std::string_view next = strip(token.substr(i + 1));
    const size_t end = next.find_first_of(",; :[");
    const bool named = end != std::string_view::npos && end > 0 && next[end] == ':' &&
                       corrected_shape(next.substr(0, end)).empty();
    if (!named) continue;
    const std::string_view item = strip(token.substr(start, i - start));
    if (!item.empty()) items.push_back(item);
    start = i + 1;
  }
  items.push_back(strip(token.substr(start)));
  return items;
}

// "a:[3,128] b:[3,128]" for a token of several items; empty if the items are unclear.
std::string separated(std::string_view token, MetaParts parts) {
  const auto items = items_in(token);
  if (items.size() < 2) return {};
  std::string result;
  for (const std::string_view item : items) {
    std::string_view name = item;
    const std::string_view type = parts.dtype ? pop_piece(name) : std::string_view();
    const std::string_view piece = pop_piece(name);
    const std::string shape = corrected_shape(piece);
    if (name.empty() || (shape.empty() && !piece.starts_with('['))) return {};
    result += (result.empty() ? "" : " ") + std::string(name) + ":" +
              (shape.empty() ? std::string(piece) : shape);
    if (!type.empty()) result += ":" + std::string(type);
  }
  return result;
}

// `text` is the part of `token` that is the shape.
DimList parse_shape(std::string_view text, std::string_view token) {
  const std::string_view whole = text;
  const auto fail = [&](const std::string& why) -> DimList {
    const std::string shape = corrected_shape(whole);
    std::string hint(kHint);
    const size_t at = token.rfind(whole);
    if (!shape.empty() && shape != whole && at != std::string_view::npos) {
      hint = "Did you mean: " + std::string(token.substr(0, at)) + shape +
             std::string(token.substr(at + whole.size())) + "?\n" + hint;
    }
    throw Error("Could not understand the shape in '" + std::string(token) + "': " + why, hint);
  };
  if (!text.starts_with('[') && !text.ends_with(']')) {
    return fail("expected a list in brackets, but got '" + std::string(text) + "'.");
  }
  if (const size_t equals = text.find("=["); equals != std::string_view::npos) {
    std::string meant(token);
    meant.replace(token.rfind("=["), 1, ":");
    throw Error("Could not understand the shape in '" + std::string(token) +
                    "': a colon stands between name and shape.",
                "Did you mean: " + meant + "?\n" + std::string(kHint));
  }
  while (text.starts_with('[')) text.remove_prefix(1);
  while (text.ends_with(']')) text.remove_suffix(1);
  DimList shape;
  if (text.find_first_of("[]") != std::string_view::npos) return fail("brackets do not nest.");
  for (std::string_view piece : split(text, ',')) {
    piece = strip(piece);
    int64_t value = 0;
    if (read_integer(piece, value)) {
      shape.emplace_back(value);
      continue;
    }
    const std::string_view name = without_quotes(piece);
    if (name.empty()) continue;
    double number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const size_t sign = name[0] == '-' || name[0] == '+' ? 1 : 0;
    if (name.size() > sign && name.find_first_not_of("0123456789", sign) == name.npos) {
      return fail("'" + std::string(name) + "' is too large for a dimension.");
    }
    if (error != std::errc::invalid_argument && end == name.data() + name.size() &&
        (name[0] == '-' || name[0] == '.' || (name[0] >= '0' && name[0] <= '9'))) {
      return fail("'" + std::string(name) + "' is not a dimension.");
    }
    if (name[0] >= '0' && name[0] <= '9' && !corrected_shape(name).empty()) {
      return fail("'" + std::string(name) + "' is not a dimension.");
    }
    shape.emplace_back(name);
  }
  return shape;
}

// Names of types in other programs.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"fp64", "float64"},  {"double", "float64"}, {"f64", "float64"},  {"fp32", "float32"},
    {"float", "float32"}, {"f32", "float32"},    {"fp16", "float16"}, {"half", "float16"},
    {"f16", "float16"},   {"bf16", "bfloat16"},  {"int", "int64"},    {"long", "int64"},
    {"i64", "int64"},     {"i32", "int32"},      {"boolean", "bool"}, {"str", "string"},
};

std::string_view similar_type(std::string_view name) {
  const std::string lower = to_lower(name);
  for (const auto& [other, ours] : kOtherNames) {
    if (lower == other) return ours;
  }
  std::vector<std::string_view> names;
  for (const DataType type : all_data_types()) names.push_back(name_of(type));
  const auto near = near_names(lower, names, 1);
  return near.empty() ? std::string_view() : near.front();
}

// `form` is how the whole is written: "NAME:SHAPE:TYPE".
DataType parse_dtype(std::string_view text, std::string_view token, std::string_view form) {
  const std::string_view name = without_quotes(text);
  if (const auto type = parse_data_type(name)) return *type;
  std::string known;
  for (DataType type : all_data_types()) {
    known += (known.empty() ? "" : ", ") + std::string(name_of(type));
  }
  std::string hint;
  const size_t at = token.rfind(text);
  const std::string_view similar = similar_type(name);
  if (token.find(':') == std::string_view::npos) {
    hint = "Did you mean: " + std::string(token) +
           (form == "NAME:SHAPE:TYPE" ? ":auto:auto" : ":auto") + "? Write " + std::string(form) +
           ".\n";
  } else if (!similar.empty() && at != std::string_view::npos) {
    hint = "Did you mean: " + std::string(token.substr(0, at)) + std::string(similar) + "?\n";
  } else if (name.starts_with('[')) {
    hint = "Write " + std::string(form) + ".\n";
  }
  throw Error("Could not understand data type: " + std::string(name) + " in '" +
                  std::string(token) + "'. Did you forget to specify a data type?",
              hint + "Please use one of: " + known + ", or auto.");
}

}  // namespace

TensorInfo info_of(const Array& array) {
  TensorInfo info;
  info.dtype = array.dtype();
  info.shape.emplace(array.shape().begin(), array.shape().end());
  return info;
}

Metadata metadata_of(const OrderedMap<Array>& tensors) {
  Metadata metadata;
  for (const auto& [name, array] : tensors) metadata.set(name, info_of(array));
  return metadata;
}

std::string shape_text(const DimList& shape) {
  return "(" + joined_dims(shape) + (shape.size() == 1 ? ",)" : ")");
}

std::string shape_list_text(const DimList& shape) {
  return "[" + joined_dims(shape) + "]";
}

std::string bounded_shape_text(const DimList& shape) {
  return "BoundedShape(" + shape_list_text(shape) + ", min=None, max=None)";
}

std::string brackets_text(const TensorInfo& info) {
  std::string text;
  const auto add = [&text](std::string_view part) {
    text.append(text.empty() ? "[" : ", ").append(part);
  };
  if (info.dtype != DataType::kUndefined) add("dtype=" + std::string(name_of(info.dtype)));
  if (info.shape) add("shape=" + shape_text(*info.shape));
  if (!info.docstring.empty()) add(info.docstring);
  return text.empty() ? text : text + "]";
}

std::string to_text(std::string_view name, const TensorInfo& info) {
  const std::string brackets = brackets_text(info);
  return std::string(strip(std::string(name) + (brackets.empty() ? "" : " ") + brackets));
}

std::string to_text(const Metadata& metadata) {
  std::string text = "{";
  for (const auto& [name, info] : metadata) {
    if (text.size() > 1) text += ",\n ";
    text += to_text(name, info);
  }
  return text + "}";
}

Metadata parse_metadata(const std::vector<std::string>& tokens, MetaParts parts) {
  Metadata metadata;
  for (const std::string& token : tokens) {
    if (const std::string several = parts.shape ? separated(token, parts) : ""; !several.empty()) {
      throw Error("Could not understand the shape in '" + token + "': it has several tensors.",
                  "Did you mean: " + several + "?\nSeparate tensors by spaces.");
    }
    std::string_view rest = token;
    TensorInfo info;
    if (parts.dtype) {
      const std::string_view piece = pop_piece(rest);
      if (!is_auto(piece)) {
        info.dtype = parse_dtype(piece, token, parts.shape ? "NAME:SHAPE:TYPE" : "NAME:TYPE");
      }
    }
    if (parts.shape) {
      const std::string_view piece = pop_piece(rest);
      if (!is_auto(piece)) info.shape = parse_shape(piece, token);
    }
    metadata.set(std::string(rest), std::move(info));
  }
  return metadata;
}

bool is_static(const DimList& shape) {
  for (const Dim& dim : shape) {
    if (!dim.is_static()) return false;
  }
  return true;
}

bool is_valid_override(const Shape& shape, const DimList& original) {
  if (shape.size() != original.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (original[i].is_static() && original[i].value() != shape[i]) return false;
  }
  return true;
}

}  // namespace polygraphy
