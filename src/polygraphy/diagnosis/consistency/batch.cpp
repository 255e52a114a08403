#include "polygraphy/diagnosis/consistency/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/diagnosis/consistency/consistency.h"
#include "polygraphy/runtimes/decoding/joined_arrays.h"

namespace polygraphy {
namespace {

// Tensors with a dimension.
const Dim* first_dim(const TensorInfo& info) {
  if (info.kind != ValueKind::kTensor || !info.shape || info.shape->empty()) return nullptr;
  return &info.shape->front();
}

// The axis with the open dimension: the first one, or any with its name; without a name, the only
// open one behind a fixed first one: states of recurrent networks.
std::optional<size_t> axis_of(const TensorInfo& info, const Dim& open) {
  const Dim* first = first_dim(info);
  if (!first) return std::nullopt;
  if (*first == open) return 0;
  const auto found = std::find(info.shape->begin(), info.shape->end(), open);
  if (found == info.shape->end()) return std::nullopt;
  const auto fixed =
      std::ranges::count_if(*info.shape, [](const Dim& dim) { return dim.is_static(); });
  if (open.param().empty() && (!first->is_static() || fixed + 1 != std::ssize(*info.shape)))
    return std::nullopt;
  return static_cast<size_t>(found - info.shape->begin());
}

// With an axis in front of the others, or, `back`, the first axis in its place.
Array with_axis_moved(const Array& array, size_t axis, bool back) {
  if (axis == 0) return array;
  std::vector<int64_t> order(static_cast<size_t>(array.rank()));
  std::iota(order.begin(), order.end(), 0);
  const auto begin = order.begin(), end = begin + static_cast<ptrdiff_t>(axis) + 1;
  std::rotate(begin, back ? begin + 1 : end - 1, end);
  return array.transposed(order).contiguous_aligned();
}

// No formula of several sizes.
bool names_batch(const std::string& name) {
  return to_lower(name).find("batch") != std::string::npos &&
         std::ranges::all_of(name, [](char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// "T", "seq_len", "max_length" ...
bool names_time(std::string_view dimension) {
  constexpr std::string_view kUsual[] = {"t", "time", "times", "step", "steps", "frame", "frames"};
  const std::string name = to_lower(std::string(dimension));
  return std::ranges::find(kUsual, name) != std::end(kUsual) || name.starts_with("seq") ||
         name.starts_with("time") || name.find("length") != std::string::npos;
}

// The first dimension, but behind time another one that is named.
const Dim* batch_in(const DimList& shape) {
  if (!names_time(shape.front().param())) return &shape.front();
  const auto other = std::ranges::find_if(shape, [](const Dim& dim) {
    return !dim.is_static() && !dim.param().empty() && !names_time(dim.param());
  });
  return other == shape.end() ? &shape.front() : &*other;
}

// The input that has a dimension of this name twice, such as the matrix of a graph's edges; empty:
// none has.
std::string input_with_two(const Metadata& inputs, const Dim& open) {
  for (const auto& [name, info] : inputs) {
    if (first_dim(info) && !open.param().empty() && std::ranges::count(*info.shape, open) > 1)
      return name;
  }
  return {};
}

// The open dimension that is the batch; null: all first dimensions are fixed.
const Dim* batch_dimension(const Metadata& inputs) {
  const Dim* open = nullptr;
  for (const auto& [name, info] : inputs) {
    const Dim* first = first_dim(info);
    if (!first) continue;
    for (const Dim& dim : *info.shape) {
      if (!dim.is_static() && names_batch(std::string(dim.param()))) return &dim;
    }
    if (!first->is_static() && !open) open = batch_in(*info.shape);
  }
  return open;
}

BatchInputs named_inputs(const Metadata& inputs, const std::vector<std::string>& named) {
  BatchInputs batch;
  for (const std::string& name : named) {
    batch.inputs.push_back({name});
    const TensorInfo* info = inputs.find(name);
    if (!info) {
      std::vector<std::string_view> known;
      for (const auto& [input, ignored] : inputs) known.push_back(input);
      throw Error("The model has no input '" + name + "'",
                  unknown_name_hint(name, known, "Its inputs"));
    }
    const Dim* dim = first_dim(*info);
    if (!dim) {
      if (info->kind == ValueKind::kTensor && !info->shape) continue;
      throw Error("Input '" + name + "' has no rows: " + to_text(name, *info),
                  "Name inputs that have the batch as their first dimension.");
    }
    if (!dim->is_static()) {
      if (batch.dimension.empty()) batch.dimension = dim->param();
      continue;
    }
    if (batch.fixed != 0 && batch.fixed != dim->value()) {
      throw Error(
          fmt::format("Inputs '{}' and '{}' have different static numbers of rows: {} and {}",
                      named.front(), name, batch.fixed, dim->value()),
          "Name inputs with the same number of rows.");
    }
    batch.fixed = dim->value();
  }
  return batch;
}

Shape row_shape(const Array& array) {
  return {array.shape().begin() + 1, array.shape().end()};
}

}  // namespace

BatchInputs find_batch_inputs(const Metadata& inputs, const std::vector<std::string>& named) {
  BatchInputs batch;
  bool may_be_fixed = false;
  if (!named.empty()) {
    batch = named_inputs(inputs, named);
  } else {
    const Dim* open = batch_dimension(inputs);
    if (open) batch.dimension = open->param();
    const std::string square = open ? input_with_two(inputs, *open) : std::string();
    if (!square.empty()) {
      batch.none =
          fmt::format("'{}' has no rows: two of its dimensions are '{}'", square, open->param());
      return batch;
    }
    for (const auto& [name, info] : inputs) {
      const Dim* dim = first_dim(info);
      may_be_fixed |= dim && dim->is_static() && dim->value() > 1;
    }
    for (const auto& [name, info] : inputs) {
      const auto axis = open ? axis_of(info, *open) : std::nullopt;
      if (axis) batch.inputs.push_back({name, *axis});
    }
  }
  if (batch.inputs.empty() || batch.fixed == 1) {
    batch.none = may_be_fixed ? "no input has a dynamic first dimension:"
                              : "the model has no batch dimension:";
    if (inputs.empty()) batch.none += " no inputs";
    size_t shown = 0;
    for (const auto& [name, info] : inputs) {
      if (++shown > 3) continue;
      batch.none += (shown == 1 ? " " : ", ") + name + " ";
      batch.none += info.kind != ValueKind::kTensor ? "is not a tensor"
                    : info.shape                    ? shape_text(*info.shape)
                                                    : "has an unknown shape";
    }
    if (shown > 3) batch.none += fmt::format(" and {} more", shown - 3);
    if (may_be_fixed)
      batch.none += "; if a static one is the batch, name its inputs as batch inputs";
  }
  return batch;
}

std::optional<size_t> axis_of_rows(const Array& together, const Array* one, int64_t rows,
                                   const TensorInfo* info, const std::string& dimension) {
  if (is_packed(together.dtype()) || (one && one->rank() != together.rank())) return std::nullopt;
  const auto fits = [&](size_t axis) {
    return together.shape()[axis] == rows && (!one || one->shape()[axis] == 1);
  };
  const auto rank = static_cast<size_t>(together.rank());
  if (one && info && info->shape && info->shape->size() == rank && !dimension.empty()) {
    for (size_t axis = 0; axis < rank; ++axis) {
      if ((*info->shape)[axis].param() == dimension && fits(axis)) return axis;
    }
  }
  if (rank > 0 && fits(0)) return 0;
  if (!one) return std::nullopt;
  std::optional<size_t> only;
  for (size_t axis = 0; axis < rank; ++axis) {
    if (together.shape()[axis] == one->shape()[axis]) continue;
    if (only || !fits(axis)) return std::nullopt;
    only = axis;
  }
  return only;
}

Array rows_first(const Array& array, size_t axis) {
  return with_axis_moved(array, axis, false);
}

Array rows_of(const Array& array, int64_t from, int64_t count) {
  Shape shape = array.shape();
  const int64_t elements = shape[0] == 0 ? 0 : array.size() / shape[0];
  shape[0] = count;
  if (array.dtype() == DataType::kString) {
    const auto texts = array.strings().subspan(static_cast<size_t>(from * elements),
                                               static_cast<size_t>(count * elements));
    return Array::from_strings(std::move(shape), {texts.begin(), texts.end()});
  }
  if (is_packed(array.dtype())) {
    throw Error(fmt::format("Rows of {} cannot be separated: elements share bytes",
                            name_of(array.dtype())));
  }
  const auto whole = std::make_shared<const Array>(array.contiguous_aligned());
  const int64_t bytes = elements * bit_width(array.dtype()) / 8;
  return Array::view(array.dtype(), std::move(shape), whole->data() + from * bytes, whole);
}

Array join_rows(const std::vector<Array>& arrays) {
  if (arrays.front().dtype() != DataType::kString) return joined(arrays, 0);
  Shape shape = arrays.front().shape();
  shape[0] = 0;
  std::vector<std::string> texts;
  for (const Array& array : arrays) {
    shape[0] += array.shape()[0];
    texts.insert(texts.end(), array.strings().begin(), array.strings().end());
  }
  return Array::from_strings(std::move(shape), std::move(texts));
}

void require_batch_that_fits(const ValueMap& feed, int64_t rows) {
  int64_t bytes = 0;
  for (const auto& [name, array] : flatten(feed)) bytes += array.nbytes();
  if (bytes <= kLargestBatchBytes / rows) return;
  throw Error(fmt::format("A batch of {} rows of {} bytes is too large", rows, bytes),
              "Use fewer rows, or smaller inputs.");
}

BatchRows::BatchRows(const std::vector<ValueMap>& feeds, const std::vector<BatchAxis>& inputs,
                     int64_t wanted)
    : others_(feeds.front()), inputs_(inputs) {
  const auto array_of = [](const ValueMap& feed, const BatchAxis& input) {
    const Value* value = feed.find(input.name);
    const Array* array = value ? value->as_tensor() : nullptr;
    if (!array || static_cast<size_t>(array->rank()) <= input.axis)
      throw Error("The value of input '" + input.name + "' has no rows",
                  "Name inputs that have the batch as their first dimension.");
    return rows_first(*array, input.axis);
  };
  for (const ValueMap& feed : feeds) {
    std::optional<int64_t> count;
    bool fits = true;
    ArrayMap arrays;
    for (const BatchAxis& input : inputs_) {
      const Array array = array_of(feed, input), first = array_of(feeds.front(), input);
      fits &= row_shape(array) == row_shape(first) && array.dtype() == first.dtype();
      if (count && *count != array.shape()[0]) {
        throw Error(fmt::format("Inputs '{}' and '{}' have {} and {} rows", inputs_[0].name,
                                input.name, *count, array.shape()[0]),
                    "Name the inputs that have the batch as their first dimension.");
      }
      count = array.shape()[0];
      arrays.set(input.name, array);
    }
    for (int64_t row = 0; fits && row < count.value_or(0) && this->count() < wanted; ++row) {
      ArrayMap parts;
      for (const auto& [name, array] : arrays) parts.set(name, rows_of(array, row, 1));
      rows_.push_back(std::move(parts));
    }
  }
  different_ = count();
  for (int64_t i = 0; different_ > 0 && count() < wanted; ++i)
    rows_.push_back(rows_[static_cast<size_t>(i % different_)]);
}

ValueMap BatchRows::feed(const std::vector<int64_t>& rows) const {
  ValueMap feed = others_;
  for (const BatchAxis& input : inputs_) {
    std::vector<Array> parts;
    for (const int64_t row : rows)
      parts.push_back(*rows_[static_cast<size_t>(row)].find(input.name));
    feed.set(input.name, with_axis_moved(join_rows(parts), input.axis, true));
  }
  return feed;
}

}  // namespace polygraphy
