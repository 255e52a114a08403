#include "formats/plain_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <vector>

#include "base/arrays/convert.h"
#include "base/error.h"

namespace polygraphy {
namespace {

using Type = JsonReader::Type;

class PlainArray {
 public:
  explicit PlainArray(JsonReader& json) : json_(json) {}

  Array read() {
    read_lists();
    if (!kind_) return Array::zeros(DataType::kFloat64, shape());
    switch (*kind_) {
      case Type::kString:
        return Array::from_strings(shape(), std::move(texts_));
      case Type::kBool:
        return filled<bool>(DataType::kBool);
      default:
        return whole_ ? filled<int64_t>(DataType::kInt64) : filled<double>(DataType::kFloat64);
    }
  }

 private:
  // One open list: how long it is so far.
  struct List {
    size_t offset;
    int64_t length = 0;
  };

  // Lists within lists, without recursion: the text decides how deep.
  void read_lists() {
    std::vector<List> open;
    do {
      if (!open.empty() && !json_.next_element()) {
        close(open);
        continue;
      }
      if (!open.empty()) ++open.back().length;
      if (json_.peek() == Type::kArray) {
        if (rank_ && open.size() == *rank_) {
          fail(json_.offset(), "a list instead of a value, unlike its neighbours");
        }
        open.push_back({json_.offset()});
        json_.enter_array();
      } else {
        read_value(open.size());
      }
    } while (!open.empty());
  }

  void close(std::vector<List>& open) {
    const List list = open.back();
    open.pop_back();
    const size_t axis = open.size();
    if (lengths_.size() <= axis) lengths_.resize(axis + 1);
    if (!lengths_[axis]) {
      lengths_[axis] = list.length;
    } else if (*lengths_[axis] != list.length) {
      fail(list.offset, fmt::format("this list of axis {} has {} elements, the list before it {}",
                                    axis, list.length, *lengths_[axis]));
    }
    // Empty lists do not determine the rank.
    if (list.length == 0 && !rank_) rank_ = axis + 1;
  }

  void read_value(size_t depth) {
    const size_t at = json_.offset();
    if (!rank_) rank_ = depth;
    if (depth != *rank_) fail(at, "a value instead of a list, unlike its neighbours");
    const Type type = json_.peek();
    if (kind_ && *kind_ != type) fail(at, "values of different kinds");
    kind_ = type;
    switch (type) {
      case Type::kNumber:
        read_number(at);
        break;
      case Type::kBool:
        numbers_.push_back(json_.read_bool() ? 1 : 0);
        break;
      case Type::kString:
        texts_.push_back(json_.read_string());
        break;
      default:
        fail(at, "expected an array: lists of numbers, truth values or texts");
    }
  }

  // Whole numbers are kept as such until one is not.
  void read_number(size_t at) {
    std::string_view text;
    const double value = json_.read_number(&text);
    const bool whole = text.find_first_not_of("-0123456789") == std::string_view::npos;
    if (whole_ && whole) {
      int64_t integer = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
      if (error != std::errc()) fail(at, fmt::format("{} does not fit in 64 bits", text));
      integers_.push_back(integer);
    }
    if (!whole) whole_ = false;
    numbers_.push_back(value);
  }

  template <typename T>
  Array filled(DataType type) {
    Array array = Array::uninitialized(type, shape());
    auto* out = reinterpret_cast<T*>(array.mutable_data());
    if constexpr (std::is_same_v<T, int64_t>) {
      std::copy(integers_.begin(), integers_.end(), out);
    } else {
      std::transform(numbers_.begin(), numbers_.end(), out,
                     [](double value) { return static_cast<T>(value); });
    }
    return array;
  }

  Shape shape() const {
    Shape shape;
    for (const auto& length : lengths_) shape.push_back(length.value_or(0));
    return shape;
  }

  [[noreturn]] void fail(size_t offset, const std::string& what) const {
    try {
      json_.fail_at(offset, what + ".");
    } catch (const FormatError& error) {
      throw FormatError(error.what(),
                        "An array in JSON is nested lists of one kind of value, [[1, 2], [3, 4]], "
                        "or an object as written by --save-inputs.");
    }
  }

  JsonReader& json_;
  std::optional<size_t> rank_;  // as the first value, or the first empty list, has it
  std::vector<std::optional<int64_t>> lengths_;
  std::optional<Type> kind_;
  bool whole_ = true;
  std::vector<int64_t> integers_;  // while all are
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace

Array read_plain_array(JsonReader& json) {
  return PlainArray(json).read();
}

Array with_type_of_input(const Array& array, DataType type) {
  const Kind wanted = kind_of(type);
  const bool number = wanted == Kind::kFloat || wanted == Kind::kSigned ||
                      wanted == Kind::kUnsigned || wanted == Kind::kBool;
  const bool fits = array.dtype() == DataType::kInt64 ? number : wanted == Kind::kFloat;
  if (!fits || (array.dtype() != DataType::kInt64 && array.dtype() != DataType::kFloat64)) {
    return array;
  }
  return convert(array, type);
}

}  // namespace polygraphy
