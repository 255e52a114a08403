#include "polygraphy/data/inputs/data_loader.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/packing.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "numerics/numpy_random.h"
#include "polygraphy/data/inputs/constraints/input_ranges.h"
#include "polygraphy/data/inputs/constraints/input_sizes.h"
#include "polygraphy/data/inputs/constraints/random_in_range.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/tensors/flat_names.h"
#include "polygraphy/data/tensors/name_match.h"

namespace polygraphy {
namespace {

using Range = std::pair<double, double>;
using Wide = __int128;  // holds the bounds of every integer type

constexpr size_t kItems = 2;  // of a sequence without shapes for single items
constexpr size_t kMostItems = 10'000;
constexpr int64_t kBlock = 4096;  // elements drawn at a time; a multiple of 8 for packed types

std::string tensor(const std::string& name) {
  return "Input tensor: " + name + " | ";
}

[[noreturn]] void fail_range(const std::string& name, const std::string& range,
                             const std::string& why) {
  throw Error(kValueRangeUnsuitable,
              tensor(name) + "Cannot generate values in range " + range + ": " + why,
              "Set a range that fits the input's data type.");
}

struct Limits {
  Wide low, high;
};

Limits limits_of(DataType type) {
  const int bits = bit_width(type);
  if (kind_of(type) == Kind::kSigned)
    return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  return {0, (Wide{1} << bits) - 1};
}

std::string wide_text(Wide value) {
  std::string reversed;
  Wide rest = value;
  do {
    reversed += static_cast<char>('0' + (rest < 0 ? -(rest % 10) : rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) reversed += '-';
  return {reversed.rbegin(), reversed.rend()};
}

// Python's int(). A double cannot hold the greatest 64-bit numbers: the power of two just above
// stands for them.
Wide to_integer(double value, Wide greatest) {
  const auto integer = static_cast<Wide>(value);
  return integer == greatest + 1 && greatest > (Wide{1} << 53) ? greatest : integer;
}

// The elements as unsigned numbers of the type's width, one after the other.
template <typename T, typename Fill>
void fill_as(NumpyRandom& random, Fill fill, Array& array, Wide low, Wide high) {
  auto* out = reinterpret_cast<T*>(array.mutable_data());
  (random.*fill)(std::span<T>(out, static_cast<size_t>(array.size())), static_cast<T>(low),
                 static_cast<T>(high - low));
}

Array draw_integers(NumpyRandom& random, DataType type, const Shape& shape, Wide low, Wide high) {
  if (is_packed(type)) {
    const DataType wide = kind_of(type) == Kind::kSigned ? DataType::kInt8 : DataType::kUint8;
    return pack(draw_integers(random, wide, shape, low, high), type);
  }
  Array array = Array::uninitialized(type, shape);
  switch (bit_width(type)) {
    case 8:
      if (type == DataType::kBool) {
        fill_as<uint8_t>(random, &NumpyRandom::fill_bool, array, low, high);
      } else {
        fill_as<uint8_t>(random, &NumpyRandom::fill_uint8, array, low, high);
      }
      break;
    case 16:
      fill_as<uint16_t>(random, &NumpyRandom::fill_uint16, array, low, high);
      break;
    case 32:
      fill_as<uint32_t>(random, &NumpyRandom::fill_uint32, array, low, high);
      break;
    default:
      fill_as<uint64_t>(random, &NumpyRandom::fill_uint64, array, low, high);
      break;
  }
  return array;
}

// Uniform numbers in double precision, handed to `take` block by block with the index of the first.
template <typename Take>
void draw_floats(NumpyRandom& random, int64_t count, Range range, Take take) {
  double scale = range.second - range.first, shift = range.first;
  if (std::isinf(range.first)) {
    scale = range.first;
    shift = 0;
  }
  if (std::isinf(range.second)) scale = range.second;
  std::vector<double> block(static_cast<size_t>(std::min(count, kBlock)));
  for (int64_t start = 0; start < count; start += kBlock) {
    const std::span<double> part(block.data(),
                                 static_cast<size_t>(std::min(kBlock, count - start)));
    random.fill_uniform(part);
    for (double& value : part) value = value * scale + shift;
    take(start, part);
  }
}

Array draw_strings(NumpyRandom& random, const Shape& shape, Range range) {
  std::vector<std::string> texts;
  draw_floats(random, element_count(shape), range, [&](int64_t, std::span<const double> values) {
    for (double value : values) texts.push_back(py_float_repr(value));
  });
  return Array::from_strings(shape, std::move(texts));
}

// Real and imaginary part of an element are drawn one after the other.
template <typename Real>
Array draw_complex(NumpyRandom& random, DataType type, const Shape& shape, Range range) {
  Array array = Array::uninitialized(type, shape);
  auto* out = reinterpret_cast<Real*>(array.mutable_data());
  draw_floats(random, 2 * array.size(), range, [&](int64_t start, std::span<const double> values) {
    for (double value : values) out[start++] = static_cast<Real>(value);
  });
  return array;
}

Array draw_reals(NumpyRandom& random, DataType type, const Shape& shape, Range range) {
  Array array = Array::uninitialized(type, shape);
  draw_floats(random, array.size(), range, [&](int64_t start, std::span<const double> values) {
    const Array doubles = Array::view(DataType::kFloat64, {static_cast<int64_t>(values.size())},
                                      values.data(), nullptr);
    const Array converted = convert(doubles, type);
    std::memcpy(array.mutable_data() + start * bit_width(type) / 8, converted.data(),
                static_cast<size_t>(converted.nbytes()));
  });
  return array;
}

Shape concrete(const DimList& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.is_static() ? dim.value() : 1);
  return shape;
}

// The index of the item of this sequence that the user means by `name`.
std::optional<size_t> item_of(std::string_view sequence, std::string_view name) {
  const auto item = parse_item_name(name);
  if (!item || item->sequence != sequence || item->index >= kMostItems) return std::nullopt;
  return item->index;
}

// The generation of one iteration's feed.
class Iteration {
 public:
  // `ranges` may be null. Adds to `matched` the names of shapes that inputs have.
  Iteration(const DataLoaderOptions& options, Logger& log, uint32_t seed,
            const OrderedMap<ValueRange>* ranges, std::set<std::string>& matched)
      : options_(options), log_(log), random_(seed), ranges_(ranges), matched_(matched) {}

  ValueMap generate(const Metadata& inputs) {
    match_user_shapes(inputs);
    ValueMap feed;
    for (const auto& [name, info] : inputs) {
      feed.set(name,
               info.item_shape ? generate_items(name, info) : Value(generate_one(name, info)));
    }
    warn_about_ranges(inputs);
    return feed;
  }

  // Shapes of the inputs of generate(), if known.
  OrderedMap<Shape> shapes(const Metadata& inputs) {
    OrderedMap<Shape> shapes;
    for (const auto& [name, dims] : dims(inputs)) shapes.set(name, static_shape(name, dims));
    return shapes;
  }

  // The same, with the dimensions that neither model nor user decides.
  OrderedMap<DimList> dims(const Metadata& inputs) {
    match_user_shapes(inputs);
    OrderedMap<DimList> dims;
    for (const auto& [name, info] : inputs) {
      if (info.item_shape) continue;
      const TensorInfo* const* user = user_.find(name);
      std::optional<DimList> shape = info.shape;
      if (user != nullptr && (*user)->shape && !gives_values(name, info, info.dtype)) {
        shape = overridden(name, info, *(*user)->shape);
      }
      if (shape) dims.set(name, *shape);
    }
    return dims;
  }

 private:
  // The user's entry for each input: the last one that matches.
  void match_user_shapes(const Metadata& inputs) {
    std::vector<std::string> unmatched;
    for (const auto& [key, info] : options_.shapes) {
      const Glob glob(key);
      bool matched = false;
      for (const auto& [name, input] : inputs) {
        const bool sequence = input.item_shape && !inputs.contains(key);
        const std::optional<size_t> item = sequence ? item_of(name, key) : std::nullopt;
        if (item) items_[name] = std::max(items_[name], *item + 1);
        // The name of an input is matched literally: its characters are not wildcards.
        if (inputs.contains(key) ? key != name : !item && !glob.matches(name)) continue;
        user_[item ? key : name] = &info;
        matched = true;
      }
      if (matched) matched_.insert(key);
      if (!matched) unmatched.push_back(key);
    }
    if (options_.strict_shapes && !options_.shapes.empty() && matched_.empty())
      refuse_unmatched(unmatched.front(), inputs);
    for (const std::string& key : unmatched) warn_about_unmatched(key, inputs);
  }

  [[noreturn]] static void refuse_unmatched(const std::string& key, const Metadata& inputs) {
    std::vector<std::string_view> names;
    for (const auto& [name, info] : inputs) names.push_back(name);
    throw InputError(kInputShapeUnusable, key, "No input is named '" + key + "'",
                     unknown_name_hint(key, names, "Inputs"));
  }

  void warn_about_unmatched(const std::string& key, const Metadata& inputs) {
    if (key.find_first_of("*?[]!") != std::string::npos) {
      log_.warning(log_modules::kDataLoader,
                   "Input tensor wildcard: " + key +
                       " | Metadata was provided, but none of the matched inputs exist in one "
                       "or more runners.");
      return;
    }
    std::string text =
        tensor(key) + "Metadata was provided, but the input does not exist in one or more runners.";
    if (const auto close = find_name(key, inputs)) {
      text += "\nMaybe you meant to set: " + std::string(*close) + "?";
    }
    log_.warning(log_modules::kDataLoader, text);
  }

  // As many items as the user has given shapes for. Options for the sequence apply to each item.
  Value generate_items(const std::string& name, const TensorInfo& info) {
    const size_t* named = items_.find(name);
    const size_t count = named != nullptr ? *named : kItems;
    Value::Sequence items;
    for (size_t i = 0; i < count; ++i) {
      const std::string item = item_name(name, i);
      if (const TensorInfo* const* all = user_.find(name); all != nullptr && !user_.contains(item))
        user_.set(item, *all);
      sequence_ = &name;
      items.push_back(generate_one(item, {info.dtype, info.item_shape, {}}));
    }
    sequence_ = nullptr;
    return items;
  }

  Array generate_one(const std::string& name, const TensorInfo& info) {
    const TensorInfo* const* found = user_.find(name);
    const TensorInfo* user = found == nullptr ? nullptr : *found;
    const DataType type =
        user != nullptr && user->dtype != DataType::kUndefined ? user->dtype : info.dtype;
    std::optional<DimList> shape = info.shape;
    if (user != nullptr && user->shape) {
      if (gives_values(name, info, type)) return values_of_shape_tensor(name, type, *user->shape);
      shape = overridden(name, info, *user->shape);
    }
    if (info.kind == ValueKind::kMap) {
      throw InputError(
          kInputTypeNotGenerated, name, tensor(name) + "It is a map, and maps cannot be generated.",
          "Load it from a file, as the arrays '" + name + ".keys' and '" + name + ".values'.");
    }
    if (!shape) {
      throw InputError(kInputShapeUnknown, name,
                       tensor(name) + "Its shape is unknown, so its values cannot be generated.",
                       "Set the shape of input '" + name + "'.");
    }
    return draw(name, type, static_shape(name, *shape));
  }

  std::optional<DimList> overridden(const std::string& name, const TensorInfo& info,
                                    const DimList& user) {
    const std::string known = info.shape ? bounded_shape_text(*info.shape) : "None";
    if (!is_static(user)) {
      log_.warning(log_modules::kDataLoader,
                   "Input tensor: " + name + " [shape=" + known +
                       "] | Provided input shape: " + bounded_shape_text(user) +
                       " is dynamic.\nDynamic shapes cannot be used to generate inference data. "
                       "Will use default shape instead.\nTo avoid this, please provide a fixed "
                       "shape to the data loader. ");
      return info.shape;
    }
    if (info.shape && !is_valid_override(concrete(user), *info.shape)) {
      if (options_.strict_shapes && options_.shapes.contains(name)) {
        throw InputError(kInputShapeUnusable, name,
                         tensor(name) + "It cannot have the shape " + shape_list_text(user) +
                             ": its shape in the model is " + shape_list_text(*info.shape),
                         "Dimensions that the model fixes cannot change.");
      }
      log_.warning(log_modules::kDataLoader,
                   "Input tensor: " + name + " [shape=" + known +
                       "] | Cannot use provided custom shape: " + bounded_shape_text(user) +
                       " to override tensor shape. Will use default shape instead.",
                   Once::kYes);
      return info.shape;
    }
    return user;
  }

  Shape static_shape(const std::string& name, const DimList& dims) {
    Shape shape = concrete(dims);
    if (!is_static(dims)) {
      log_.warning(
          log_modules::kDataLoader,
          "Input tensor: " + name + " [shape=" + bounded_shape_text(dims) +
              "] | Will generate data of shape: " + py_list_repr(std::span<const int64_t>(shape)) +
              ".\nIf this is incorrect, please provide a custom data loader.",
          Once::kYes);
    }
    return shape;
  }

  // An integer input of one dimension whose length is the number of the user's "dimensions": these
  // are its values.
  bool gives_values(const std::string& name, const TensorInfo& info, DataType type) const {
    const TensorInfo* user = options_.shapes.find(name);  // no wildcards here
    if (user == nullptr || !user->shape || !is_static(*user->shape)) return false;
    if (type != DataType::kUndefined && !is_integral(type)) return false;
    return info.shape && info.shape->size() == 1 && is_static(*info.shape) &&
           (*info.shape)[0].value() == static_cast<int64_t>(user->shape->size());
  }

  Array values_of_shape_tensor(const std::string& name, DataType type, const DimList& values) {
    const Shape numbers = concrete(values);
    Array array = Array::of<int64_t>({static_cast<int64_t>(numbers.size())},
                                     std::span<const int64_t>(numbers));
    if (type != DataType::kUndefined) array = convert(array, type);
    log_.info(
        log_modules::kDataLoader,
        "Assuming " + name + " is a shape tensor. Setting input values to: " + numpy_str(array) +
            ". If these values are not correct, please set it correctly in 'input_metadata' or by "
            "providing --input-shapes",
        Once::kYes);
    return array;
  }

  // The user's; nullopt: not given.
  std::optional<Range> range_of(const std::string& name, DataType type) const {
    const OrderedMap<Range>* ranges = &options_.val_range;
    if (is_integral(type) && !options_.int_range.empty()) ranges = &options_.int_range;
    if (!is_integral(type) && type != DataType::kBool && !options_.float_range.empty()) {
      ranges = &options_.float_range;
    }
    if (const Range* own = ranges->find(name)) return *own;
    if (const Range* all = sequence_ ? ranges->find(*sequence_) : nullptr) return *all;
    if (const Range* common = ranges->find("")) return *common;
    return std::nullopt;
  }

  // The original draws 0 and 1, too, but most models get other integers.
  void warn_of_default_range(const std::string& name) {
    log_.warning(log_modules::kDataLoader,
                 tensor(sequence_ ? std::string(*sequence_) : name) +
                     "All values are 0 or 1, the default range of integers. Set a range if the "
                     "model takes others.",
                 Once::kYes);
  }

  void say_range(const std::string& name, const std::string& range) {
    log_.verbose(log_modules::kDataLoader,
                 tensor(name) + "Generating input data in range: " + range, Once::kYes);
  }

  // From the graph; null where it has none, or the user has set a range for this very input.
  const ValueRange* constraint_of(const std::string& name) const {
    if (ranges_ == nullptr || options_.val_range.contains(name)) return nullptr;
    return ranges_->find(name);
  }

  Array draw(const std::string& name, DataType type, const Shape& shape) {
    if (const ValueRange* range = constraint_of(name)) {
      log_.info(
          log_modules::kDataLoader,
          tensor(name) + "Generating valid values: " + range->text() + " (" + range->reason + ")",
          Once::kYes);
      const Range* common = options_.val_range.find("");
      std::optional<ValueBounds> wanted;
      if (common != nullptr) wanted = ValueBounds{common->first, common->second};
      return random_in_range(random_, type, shape, *range, wanted);
    }
    const std::optional<Range> given = range_of(name, type);
    const Range range = given.value_or(Range{0, 1});
    if (is_integral(type) || type == DataType::kBool) {
      if (!given && is_integral(type)) warn_of_default_range(name);
      return draw_in_range(name, type, shape, range);
    }
    const std::string text =
        "[" + py_float_repr(range.first) + ", " + py_float_repr(range.second) + "]";
    say_range(name, text);
    if (type == DataType::kUndefined) type = DataType::kFloat64;
    if (!is_known(type)) {
      throw Error(kInputTypeNotGenerated,
                  tensor(name) + "Cannot generate values of its data type (ONNX number " +
                      std::to_string(static_cast<int>(type)) + ").",
                  "Provide saved inputs.");
    }
    if (options_.random) return options_.random->floats(type, shape, range.first, range.second);
    if (type == DataType::kString) return draw_strings(random_, shape, range);
    if (type == DataType::kComplex64) return draw_complex<float>(random_, type, shape, range);
    if (type == DataType::kComplex128) return draw_complex<double>(random_, type, shape, range);
    return draw_reals(random_, type, shape, range);
  }

  Array draw_in_range(const std::string& name, DataType type, const Shape& shape, Range range) {
    const bool boolean = type == DataType::kBool;
    const std::string typed =
        "[" + py_float_repr(range.first) + ", " + py_float_repr(range.second) + "]";
    if (!boolean && (!std::isfinite(range.first) || !std::isfinite(range.second) ||
                     std::abs(range.first) > 1e30 || std::abs(range.second) > 1e30)) {
      fail_range(name, typed, "the bounds exceed the range of " + std::string(name_of(type)) + ".");
    }
    const Limits limits = boolean ? Limits{0, 1} : limits_of(type);
    const Wide low = boolean ? range.first != 0 : to_integer(range.first, limits.high);
    const Wide high = boolean ? range.second != 0 : to_integer(range.second, limits.high);
    const auto text = [boolean](Wide value) {
      return boolean ? std::string(value != 0 ? "True" : "False") : wide_text(value);
    };
    const std::string range_text = "[" + text(low) + ", " + text(high) + "]";
    say_range(name, range_text);
    if (element_count(shape) == 0) return Array::zeros(type, shape);
    if (low > high) fail_range(name, range_text, "the lower bound is greater than the upper one.");
    if (low < limits.low || high > limits.high) {
      fail_range(name, range_text,
                 std::string(name_of(type)) + " holds values from " + wide_text(limits.low) +
                     " to " + wide_text(limits.high) + ".");
    }
    if (!options_.random) return draw_integers(random_, type, shape, low, high);
    constexpr Wide kGreatest = std::numeric_limits<int64_t>::max();
    if (high > kGreatest) {
      fail_range(name, range_text,
                 std::string(options_.random->name()) + " cannot generate values of that size.");
    }
    return options_.random->integers(type, shape, static_cast<int64_t>(low),
                                     static_cast<int64_t>(high));
  }

  static bool is_item(const std::string& key, const Metadata& inputs) {
    const auto item = parse_item_name(key);
    const TensorInfo* sequence = item ? inputs.find(item->sequence) : nullptr;
    return sequence != nullptr && sequence->item_shape;
  }

  void warn_about_ranges(const Metadata& inputs) {
    std::vector<std::string> extra, keys, names{""};
    for (const auto& [name, unused] : inputs) names.push_back(name);
    for (const auto& [key, unused] : options_.val_range) {
      keys.push_back(key);
      if (!key.empty() && !inputs.contains(key) && !is_item(key, inputs)) extra.push_back(key);
    }
    if (extra.empty()) return;
    const auto set_text = [](const std::vector<std::string>& texts) {
      std::string text;
      for (const std::string& t : texts) text += (text.empty() ? "{" : ", ") + py_str_repr(t);
      return text + "}";
    };
    const std::vector<std::string_view> inputs_only(names.begin() + 1, names.end());
    const std::string meant = did_you_mean(extra.front(), inputs_only);
    log_.warning(log_modules::kDataLoader, "Extra items in val_range: " + set_text(extra) +
                                               ".\nNote: items requested were: " + set_text(names) +
                                               ", but all items are: " + set_text(keys) +
                                               (meant.empty() ? "" : "\n" + meant));
  }

  const DataLoaderOptions& options_;
  Logger& log_;
  NumpyRandom random_;
  const OrderedMap<ValueRange>* ranges_;
  std::set<std::string>& matched_;
  OrderedMap<const TensorInfo*> user_;     // by input name, or that of a sequence's item
  OrderedMap<size_t> items_;               // of sequences with shapes for single items: how many
  const std::string* sequence_ = nullptr;  // the owner of the item that is being made
};

}  // namespace

struct DataLoader::KnownRanges {
  OrderedMap<Shape> shapes;
  OrderedMap<ValueRange> ranges;
};

struct DataLoader::KnownSizes {
  OrderedMap<DimList> dims;
  OrderedMap<Shape> shapes;
};

namespace {

template <typename T>
bool same(const OrderedMap<T>& one, const OrderedMap<T>& other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; });
}

}  // namespace

DataLoader::DataLoader(DataLoaderOptions options, Logger& log)
    : options_(std::move(options)), log_(log) {
  if (options_.announce_shapes && !options_.shapes.empty()) {
    log_.info(log_modules::kDataLoader,
              "Will generate inference input data according to provided TensorMetadata: " +
                  to_text(options_.shapes));
  }
}

DataLoader::~DataLoader() = default;
DataLoader::DataLoader(DataLoader&&) noexcept = default;

ValueMap DataLoader::generate(int64_t index, const Metadata& inputs) {
  const uint64_t seed = options_.seed + static_cast<uint64_t>(index);
  if (seed > std::numeric_limits<uint32_t>::max()) {
    throw Error("Seed must be between 0 and 2**32 - 1, but iteration " + std::to_string(index) +
                    " needs seed " + std::to_string(seed) + ".",
                "Choose a smaller seed.");
  }
  const std::string_view module = options_.random ? options_.random->name() : "numpy";
  log_.verbose(log_modules::kDataLoader,
               "Generating data using " + std::string(module) + " seed: " + std::to_string(seed));
  if (options_.random) options_.random->seed(seed);
  const auto small_seed = static_cast<uint32_t>(seed);
  has_generated_ = true;
  if (!options_.model) {
    return Iteration(options_, log_, small_seed, nullptr, matched_).generate(inputs);
  }
  Logger silent;  // generate() says the same
  Iteration trial(options_, silent, small_seed, nullptr, matched_);
  const Metadata sized = with_sizes(inputs, trial.dims(inputs));
  const OrderedMap<ValueRange>& ranges = ranges_for(trial.shapes(sized));
  return Iteration(options_, log_, small_seed, &ranges, matched_).generate(sized);
}

Metadata DataLoader::with_sizes(const Metadata& inputs, const OrderedMap<DimList>& dims) {
  if (sizes_ == nullptr || !same(dims, sizes_->dims)) {
    OrderedMap<DimList> open;
    OrderedMap<Shape> given;
    for (const auto& [name, known] : dims) {
      if (is_static(known)) {
        given.set(name, concrete(known));
      } else {
        open.set(name, known);
      }
    }
    sizes_.reset(new KnownSizes{dims, {}});
    if (!open.empty()) sizes_->shapes = input_sizes(options_.model, open, given, log_);
  }
  Metadata sized = inputs;
  for (const auto& [name, known] : dims) {
    const Shape* shape = sizes_->shapes.find(name);
    if (shape == nullptr || is_static(known) || *shape == concrete(known)) continue;
    sized[name].shape = DimList(shape->begin(), shape->end());
  }
  return sized;
}

std::vector<std::string> DataLoader::unmatched_shapes() const {
  std::vector<std::string> names;
  if (!has_generated_) return names;
  for (const auto& [name, info] : options_.shapes) {
    if (!matched_.contains(name)) names.push_back(name);
  }
  return names;
}

const OrderedMap<ValueRange>& DataLoader::ranges_for(const OrderedMap<Shape>& shapes) {
  if (known_ == nullptr || !same(shapes, known_->shapes)) {
    graphsurgeon::Model model = options_.model();
    known_.reset(new KnownRanges{shapes, input_ranges(model, shapes, log_)});
  }
  return known_->ranges;
}

}  // namespace polygraphy
