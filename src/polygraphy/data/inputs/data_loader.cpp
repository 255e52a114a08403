#include "polygraphy/data/inputs/data_loader.h"

#include <algorithm>
#include <limits>

#include "base/arrays/convert.h"
#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/near_names.h"
#include "numerics/numpy_random.h"
#include "polygraphy/data/inputs/constraints/input_ranges.h"
#include "polygraphy/data/inputs/constraints/input_sizes.h"
#include "polygraphy/data/inputs/constraints/random_in_range.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/inputs/drawn_arrays.h"
#include "polygraphy/data/inputs/user_shapes.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

using Range = std::pair<double, double>;

constexpr size_t kItems = 2;  // of a sequence without shapes for single items

std::string tensor(const std::string& name) {
  return "Input tensor: " + name + " | ";
}

// The generation of one iteration's feed.
class Iteration {
 public:
  // `ranges` may be null. Adds to `matched` the names of shapes that inputs have.
  Iteration(const DataLoaderOptions& options, Logger& log, uint32_t seed,
            const OrderedMap<ValueRange>* ranges, std::set<std::string>& matched)
      : options_(options),
        log_(log),
        random_(seed),
        ranges_(ranges),
        shapes_(options, log, matched) {}

  ValueMap generate(const Metadata& inputs) {
    shapes_.match(inputs);
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
    shapes_.match(inputs);
    OrderedMap<DimList> dims;
    for (const auto& [name, info] : inputs) {
      if (info.item_shape) continue;
      const TensorInfo* user = shapes_.find(name);
      std::optional<DimList> shape = info.shape;
      if (user != nullptr && user->shape && !shapes_.gives_values(name, info, info.dtype)) {
        shape = shapes_.overridden(name, info, *user->shape);
      }
      if (shape) dims.set(name, *shape);
    }
    return dims;
  }

 private:
  // As many items as the user has given shapes for. Options for the sequence apply to each item.
  Value generate_items(const std::string& name, const TensorInfo& info) {
    const size_t named = shapes_.items(name), count = named > 0 ? named : kItems;
    Value::Sequence items;
    for (size_t i = 0; i < count; ++i) {
      const std::string item = item_name(name, i);
      shapes_.inherit(name, item);
      sequence_ = &name;
      items.push_back(generate_one(item, {info.dtype, info.item_shape, {}}));
    }
    sequence_ = nullptr;
    return items;
  }

  Array generate_one(const std::string& name, const TensorInfo& info) {
    const TensorInfo* user = shapes_.find(name);
    const DataType type =
        user != nullptr && user->dtype != DataType::kUndefined ? user->dtype : info.dtype;
    std::optional<DimList> shape = info.shape;
    if (user != nullptr && user->shape) {
      if (shapes_.gives_values(name, info, type))
        return values_of_shape_tensor(name, type, *user->shape);
      shape = shapes_.overridden(name, info, *user->shape);
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

  Shape static_shape(const std::string& name, const DimList& dims) {
    Shape shape = concrete(dims);
    if (!is_static(dims)) {
      log_.warning(log_modules::kDataLoader,
                   "Input tensor: " + name + " [shape=" + bounded_shape_text(dims) +
                       "] | Will generate data of shape: " + py_list_repr(shape) +
                       ".\nIf this is incorrect, please provide a custom data loader.",
                   Once::kYes);
    }
    return shape;
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
    return draw_numbers(random_, type, shape, range);
  }

  Array draw_in_range(const std::string& name, DataType type, const Shape& shape, Range given) {
    const IntegerRange range = integer_range(name, type, given);
    say_range(name, range.text);
    if (element_count(shape) == 0) return Array::zeros(type, shape);
    require_held(name, type, range);
    if (!options_.random) return draw_integers(random_, type, shape, range.low, range.high);
    if (range.high > std::numeric_limits<int64_t>::max()) {
      fail_range(name, range.text,
                 std::string(options_.random->name()) + " cannot generate values of that size.");
    }
    return options_.random->integers(type, shape, static_cast<int64_t>(range.low),
                                     static_cast<int64_t>(range.high));
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
  UserShapes shapes_;
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
