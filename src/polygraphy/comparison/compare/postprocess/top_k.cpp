// `--postprocess top-5`: an output becomes the places of its largest values along an axis, largest
// first.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "numerics/block_source.h"
#include "polygraphy/comparison/compare/postprocess.h"

namespace polygraphy {
namespace {

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

// Keeps the k best of a row: larger values before smaller ones, NaN last, equal ones by place.
template <typename T>
class Best {
 public:
  explicit Best(size_t k) : k_(k) {}

  void offer(T value, int64_t place) {
    const Entry entry{value, place};
    if (heap_.size() < k_) {
      heap_.push_back(entry);
      std::push_heap(heap_.begin(), heap_.end(), before);
    } else if (before(entry, heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), before);
      heap_.back() = entry;
      std::push_heap(heap_.begin(), heap_.end(), before);
    }
  }

  // Calls write(rank, place), best first; empties this.
  template <typename Write>
  void take(Write write) {
    std::sort_heap(heap_.begin(), heap_.end(), before);
    for (size_t rank = 0; rank < heap_.size(); ++rank) write(rank, heap_[rank].place);
    heap_.clear();
  }

 private:
  struct Entry {
    T value;
    int64_t place;
  };
  static bool is_nan(T value) {
    if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
    return false;
  }
  static bool before(const Entry& a, const Entry& b) {
    if (is_nan(a.value) != is_nan(b.value)) return is_nan(b.value);
    if (a.value > b.value) return true;
    if (a.value < b.value) return false;
    return a.place < b.place;
  }

  size_t k_;
  std::vector<Entry> heap_;  // the worst in front
};

class TopK : public OutputFunction {
 public:
  TopK(int64_t k, std::optional<int64_t> axis)
      : k_(k), axis_(axis.value_or(-1)), axis_given_(axis.has_value()) {}

  std::string_view name() const override { return "TopKPostprocessFunc"; }
  std::string python_argument() const override {
    const std::string k = std::to_string(k_);
    return axis_given_ ? "(" + k + ", " + std::to_string(axis_) + ")" : k;
  }

  Array apply(const std::string& name, const Array& output) const override {
    const auto rank = static_cast<int64_t>(output.shape().size());
    const int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
    if (axis < 0 || axis >= rank) {
      throw Error(kNotPostprocessed,
                  "Output: " + name + " | top-" + std::to_string(k_) + " along axis " +
                      std::to_string(axis_) + ": the output has shape " +
                      py_tuple_repr(output.shape()) + ".",
                  "Choose another axis, or name the outputs with this axis.");
    }
    if (!has_compute_type(output.dtype())) {
      throw Error(kNotPostprocessed,
                  "Output: " + name + " | top-" + std::to_string(k_) + ": values of type " +
                      std::string(name_of(output.dtype())) + " have no order.",
                  "Name the outputs to process.");
    }
    switch (compute_type_of(output.dtype())) {
      case ComputeType::kFloat:
        return places<float>(convert(output, DataType::kFloat32), static_cast<size_t>(axis));
      case ComputeType::kDouble:
        return places<double>(output, static_cast<size_t>(axis));
      case ComputeType::kInt64:
        return places<int64_t>(convert(output, DataType::kInt64), static_cast<size_t>(axis));
      case ComputeType::kUint64:
        break;
    }
    return places<uint64_t>(output, static_cast<size_t>(axis));
  }

 private:
  template <typename T>
  Array places(const Array& values, size_t axis) const {
    const Array array = values.contiguous_aligned();
    Shape shape = array.shape();
    const int64_t length = shape[axis], k = std::min(k_, length);
    shape[axis] = k;
    int64_t outer = 1, inner = 1;  // rows before, and elements between two of a row
    for (size_t i = 0; i < axis; ++i) outer *= shape[i];
    for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    Array result = Array::zeros(DataType::kInt64, shape);
    if (result.size() == 0) return result;
    const T* from = array.as<T>().data();
    int64_t* to = reinterpret_cast<int64_t*>(result.mutable_data());
    Best<T> best(static_cast<size_t>(k));
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) {
        const T* row = from + o * length * inner + i;
        for (int64_t at = 0; at < length; ++at) best.offer(row[at * inner], at);
        int64_t* out = to + o * k * inner + i;
        best.take(
            [&](size_t rank, int64_t place) { out[static_cast<int64_t>(rank) * inner] = place; });
      }
    }
    return result;
  }

  int64_t k_, axis_;
  bool axis_given_;
};

// "top-5", "top-5,axis=1", "top-5,1".
std::shared_ptr<const OutputFunction> parse(std::string_view text) {
  constexpr std::string_view kPrefix = "top-", kAxis = "axis=";
  if (!text.starts_with(kPrefix)) return nullptr;
  text.remove_prefix(kPrefix.size());
  const size_t comma = text.find(',');
  const auto k = whole_number(text.substr(0, comma));
  std::optional<int64_t> axis;
  if (comma != std::string_view::npos) {
    std::string_view rest = text.substr(comma + 1);
    if (rest.starts_with(kAxis)) rest.remove_prefix(kAxis.size());
    axis = whole_number(rest);
    if (!axis) return nullptr;
  }
  if (!k || *k < 1) return nullptr;
  return std::make_shared<TopK>(*k, axis);
}

}  // namespace

extern constinit const Postprocess postprocess_top_k = {
    .form = "top-<K>",
    .summary =
        "the positions of the K largest values along the last or the given axis, largest first, "
        "for --compare indices",
    .example = "top-3,axis=1",
    .parse = parse,
};

}  // namespace polygraphy
