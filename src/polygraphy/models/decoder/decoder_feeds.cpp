#include "polygraphy/models/decoder/decoder_feeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/arrays/convert.h"
#include "base/text.h"

namespace polygraphy {
namespace {

Array integers(const std::vector<int64_t>& values, Shape shape, DataType type) {
  return convert(Array::of<int64_t>(std::move(shape), std::span(values)), type);
}

int64_t padding_of(const DecoderStep& step, int64_t row) {
  return step.padding.empty() ? 0 : step.padding[static_cast<size_t>(row)];
}

// Positions of a past of a fixed length that no token has filled yet.
int64_t unfilled(const DecoderForm& form, int64_t length) {
  for (const DecoderState& state : form.states) {
    if (state.span > 0) return std::max<int64_t>(state.span - length, 0);
  }
  return 0;
}

std::vector<int64_t> mask_of(const DecoderStep& step, int64_t before, int64_t length) {
  std::vector<int64_t> mask;
  for (int64_t row = 0; row < step.tokens.rows; ++row) {
    for (int64_t place = 0; place < before + length; ++place)
      mask.push_back(place < before + padding_of(step, row) ? 0 : 1);
  }
  return mask;
}

std::vector<int64_t> positions_of(const DecoderStep& step) {
  std::vector<int64_t> positions;
  for (int64_t row = 0; row < step.tokens.rows; ++row) {
    for (int64_t place = 0; place < step.tokens.length; ++place)
      positions.push_back(std::max<int64_t>(step.past + place - padding_of(step, row), 0));
  }
  return positions;
}

Shape scalar_like(const TensorInfo& info) {
  return info.shape && info.shape->empty() ? Shape{} : Shape{1};
}

int64_t size_of(const DecoderForm& form, const DecoderState& state, size_t axis, int64_t rows) {
  const Dim& size = (*state.info.shape)[axis];
  if (size.is_static()) return size.value();
  if (state.window > 0 && axis + 2 == state.info.shape->size()) return state.window;
  if (static_cast<int64_t>(axis) == state.axis) return 0;
  if (axis == 0) return rows;
  const auto known = form.sizes.find(size.param());
  if (known != form.sizes.end()) return known->second;
  const bool number = !size.param().empty() && size.param().size() < 10 &&
                      size.param().find_first_not_of("0123456789") == std::string::npos;
  if (number) return std::stoll(size.param());
  throw Error(fmt::format("The size of axis {} ('{}') of the cache '{}' is not known", axis,
                          size.param(), state.past),
              "Give sizes of named dimensions in a file.");
}

}  // namespace

TokenRows TokenRows::part(int64_t begin, int64_t end) const {
  TokenRows part{rows, end - begin, {}};
  for (int64_t row = 0; row < rows; ++row) {
    const auto first = ids.begin() + row * length;
    part.ids.insert(part.ids.end(), first + begin, first + end);
  }
  return part;
}

void TokenRows::append(const TokenRows& more) {
  TokenRows both{rows, length + more.length, {}};
  for (int64_t row = 0; row < rows; ++row) {
    const auto first = ids.cbegin() + row * length, next = more.ids.cbegin() + row * more.length;
    both.ids.insert(both.ids.end(), first, first + length);
    both.ids.insert(both.ids.end(), next, next + more.length);
  }
  *this = std::move(both);
}

TokenRows token_rows(const Array& ids) {
  const bool known = ids.dtype() == DataType::kInt64 || ids.dtype() == DataType::kInt32;
  if (!known || ids.rank() < 1 || ids.rank() > 2 || ids.size() == 0) {
    throw Error(
        fmt::format("Token ids must be integers of the shape [tokens] or [batch, tokens], at "
                    "least one; these are {} with {} axes and {} elements",
                    name_of(ids.dtype()), ids.rank(), ids.size()));
  }
  const Array wide = convert(ids.contiguous_aligned(), DataType::kInt64).contiguous_aligned();
  const auto values = wide.as<int64_t>();
  return {ids.rank() == 1 ? 1 : ids.shape()[0], ids.shape().back(), {values.begin(), values.end()}};
}

Array array_of(const TokenRows& tokens, DataType type) {
  return integers(tokens.ids, {tokens.rows, tokens.length}, type);
}

ValueMap first_states(const DecoderForm& form, int64_t rows) {
  ValueMap states;
  for (const DecoderState& state : form.states) {
    Shape shape;
    const size_t rank = state.info.shape ? state.info.shape->size() : 0;
    for (size_t axis = 0; axis < rank; ++axis) shape.push_back(size_of(form, state, axis, rows));
    states.set(state.past, Array::zeros(state.info.dtype, std::move(shape)));
  }
  return states;
}

ValueMap with_open_masks(const DecoderForm& form, ValueMap others) {
  for (const std::string& name : form.others) {
    const Value* value = others.find(name);
    const bool is_mask = to_lower(name).find("mask") != std::string::npos;
    if (!is_mask || !value || !value->as_tensor()) continue;
    const Array& mask = *value->as_tensor();
    if (!is_integral(mask.dtype()) && mask.dtype() != DataType::kBool) continue;
    others.set(name, integers(std::vector<int64_t>(static_cast<size_t>(mask.size()), 1),
                              mask.shape(), mask.dtype()));
  }
  return others;
}

ValueMap step_feed(const DecoderForm& form, const DecoderStep& step, const ValueMap& states,
                   const ValueMap& others) {
  const int64_t rows = step.tokens.rows, length = step.past + step.tokens.length;
  ValueMap feed;
  for (const auto& [name, info] : form.inputs) {
    const DataType type = info.dtype == DataType::kUndefined ? DataType::kInt64 : info.dtype;
    if (name == form.tokens) {
      Array ids = array_of(step.tokens, type);
      if (info.shape && info.shape->size() == 1) ids = ids.reshaped({step.tokens.length});
      feed.set(name, std::move(ids));
    } else if (name == form.mask) {
      const int64_t before = unfilled(form, length);
      feed.set(name, integers(mask_of(step, before, length), {rows, before + length}, type));
    } else if (name == form.positions) {
      feed.set(name, integers(positions_of(step), {rows, step.tokens.length}, type));
    } else if (name == form.cache_positions) {
      std::vector<int64_t> places;
      for (int64_t place = step.past; place < length; ++place) places.push_back(place);
      feed.set(name, integers(places, {step.tokens.length}, type));
    } else if (name == form.total_length) {
      feed.set(name, integers({length}, scalar_like(info), type));
    } else if (name == form.lengths) {
      feed.set(name,
               integers(std::vector<int64_t>(static_cast<size_t>(rows), length - 1), {rows}, type));
    } else if (name == form.uses_cache) {
      feed.set(name, Array::of<bool>(scalar_like(info), {step.past > 0}));
    } else if (const Value* state = states.find(name)) {
      feed.set(name, *state);
    } else if (const Value* other = others.find(name)) {
      feed.set(name, *other);
    } else {
      throw Error(
          fmt::format("Input '{}' of the model has no value: it is neither of the cache nor "
                      "of its tokens, mask and positions",
                      name),
          "Give its value with the inputs.");
    }
  }
  return feed;
}

}  // namespace polygraphy
