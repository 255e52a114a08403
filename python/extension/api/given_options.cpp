#include "api/given_options.h"

#include <string_view>

#include "api/array_object.h"
#include "api/given_names.h"
#include "base/arrays/convert.h"
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "python_functions.h"

namespace native {

using graphsurgeon::Partitioning;
using polygraphy::Array;
using polygraphy::DataType;
using polygraphy::Error;
using polygraphy::FeedSource;
using polygraphy::Metadata;
using polygraphy::ModelSource;
using polygraphy::ValueMap;

namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool is_number(DataType type) {
  return polygraphy::is_integral(type) || polygraphy::is_floating(type);
}

std::string element_text(const Array& array, int64_t index) {
  if (array.dtype() == DataType::kUint64)
    return std::to_string(static_cast<uint64_t>(array.get_int64(index)));
  return polygraphy::is_integral(array.dtype())
             ? std::to_string(array.get_int64(index))
             : polygraphy::py_float_repr(array.get_double(index));
}

// Whether the element of an array is the same number after the conversion to integers.
bool is_same(const Array& array, const Array& converted, int64_t index) {
  if (!polygraphy::is_integral(array.dtype()))
    return array.get_double(index) == converted.get_double(index);
  const int64_t number = array.get_int64(index);
  if (number != converted.get_int64(index)) return false;
  // The same 64 bits are two numbers where only one type has signs.
  const auto is_unsigned = [](DataType type) { return type == DataType::kUint64; };
  return number >= 0 || is_unsigned(array.dtype()) == is_unsigned(converted.dtype());
}

void check_values(const std::string& name, const Array& array, DataType type) {
  if (array.dtype() == type) return;
  const std::string given(polygraphy::name_of(array.dtype())), wanted(polygraphy::name_of(type));
  if (polygraphy::kind_of(array.dtype()) == polygraphy::Kind::kComplex &&
      polygraphy::kind_of(type) != polygraphy::Kind::kComplex) {
    throw Error("Input " + quoted(name) + " is " + wanted + ", which has no imaginary parts, and " +
                    "the given array is " + given + ".",
                "If only the real parts are meant, give array.real.");
  }
  if (!polygraphy::is_integral(type) || !is_number(array.dtype())) return;
  const Array converted = polygraphy::convert(array, type);
  for (int64_t i = 0; i < array.size(); ++i) {
    if (is_same(array, converted, i)) continue;
    throw Error("Input " + quoted(name) + " is " + wanted + ", and element " + std::to_string(i) +
                    " of the given " + given + " array is " + element_text(array, i) + ".",
                "If that is meant, convert the array: array.astype(\"" + wanted + "\").");
  }
}

// Throws Error where values would change in the integer type of their input: fractions, and numbers
// out of range. O(1) for arrays of the expected type.
void check_feed_values(const ValueMap& feed, const Metadata& inputs) {
  for (const auto& [name, value] : feed) {
    const polygraphy::TensorInfo* info = inputs.find(name);
    const Array* array = value.as_tensor();
    if (info != nullptr && array != nullptr) check_values(name, *array, info->dtype);
  }
}

// The feeds of a Python iterable.
class PythonFeeds : public FeedSource {
 public:
  PythonFeeds(Job& job, PyObject* iterable, const ModelSource& source)
      : job_(job), iterable_(iterable), source_(source) {}
  ~PythonFeeds() override {
    const PyGILState_STATE state = PyGILState_Ensure();
    iterator_ = PyRef();
    PyGILState_Release(state);
  }
  PythonFeeds(const PythonFeeds&) = delete;
  PythonFeeds& operator=(const PythonFeeds&) = delete;

  std::optional<ValueMap> next(const Metadata& inputs) override {
    std::optional<ValueMap> feed;
    job_.call([&] {
      if (!iterator_) iterator_ = PyRef::take(PyObject_GetIter(iterable_));
      PyObject* const item = PyIter_Next(iterator_.get());
      if (!item && PyErr_Occurred()) throw PythonError();
      if (item) feed = values_of_dict(PyRef::take(item).get());
    });
    if (feed) {
      check_feed_names(*feed, inputs, source_);
      check_feed_values(*feed, inputs);
    }
    return feed;
  }

 private:
  Job& job_;
  PyObject* iterable_;
  ModelSource source_;
  PyRef iterator_;
};

}  // namespace

polygraphy::PluginPaths plugin_paths(const Keywords& places) {
  polygraphy::PluginPaths paths;
  paths.plugin_dirs = places.texts("plugins");
  paths.site_packages = places.texts("packages");
  paths.bundled = places.texts("engines");
  paths.python = places.text("python");
  PyObject* const environment = places.get("environment");
  for (const auto* backend : polygraphy::BackendCatalog(paths.plugin_dirs).tables()) {
    if (!backend->library_env) continue;
    PyObject* const library = PyDict_GetItemString(environment, backend->library_env);
    if (library && PyObject_Size(library) > 0) {
      paths.library_env.emplace_back(backend->name, text_of(library));
    }
  }
  return paths;
}

polygraphy::FoldModelOptions fold_options(const Keywords& keywords) {
  polygraphy::FoldModelOptions options;
  options.max_passes = keywords.optional_integer("num_passes").value_or(options.max_passes);
  options.growth_advice =
      "To fold these nodes, too, set max_growth=None, or a larger number of bytes.";
  options.memory_advice =
      "To fold these nodes, too, set mem_limit=None, or a larger number of bytes.";
  options.defaults_advice = "To let callers replace them, set keep_input_defaults=True.";
  graphsurgeon::FoldOptions& fold = options.fold;
  fold.fold_shapes = keywords.flag("fold_shapes");
  fold.infer_shapes = fold.fold_shapes && keywords.flag("per_pass_shape_inference");
  if (const auto way = keywords.optional_text("partitioning")) {
    fold.partitioning = *way == "basic" ? Partitioning::kBasic : Partitioning::kRecursive;
  }
  fold.size_threshold = keywords.optional_integer("size_threshold");
  fold.max_growth = keywords.optional_integer("max_growth");
  fold.memory_limit = keywords.optional_integer("mem_limit");
  fold.keep_input_defaults = keywords.flag("keep_input_defaults");
  fold.skip_rules = keywords.texts("skip_rules");
  return options;
}

Metadata metadata_of_dict(PyObject* dict) {
  Metadata metadata;
  for_each_item(dict, [&](const std::string& name, PyObject* pair) {
    const auto [dtype, dims] = items_of<PyObject*, PyObject*>(pair);
    polygraphy::TensorInfo info;
    if (dtype != Py_None) {
      const std::string_view text = text_of(dtype);
      const auto type = polygraphy::parse_data_type(text);
      if (!type) {
        throw polygraphy::Error("'" + std::string(text) + "' is not an element type ('" + name +
                                "').");
      }
      info.dtype = *type;
    }
    if (dims != Py_None) {
      info.shape.emplace();
      for_each(dims, [&](PyObject* dim) {
        if (dim == Py_None) {
          info.shape->emplace_back();
        } else if (PyUnicode_Check(dim)) {
          info.shape->emplace_back(text_of(dim));
        } else {
          info.shape->emplace_back(to_int64(dim));
        }
      });
    }
    metadata.set(name, std::move(info));
  });
  return metadata;
}

polygraphy::OrderedMap<std::pair<double, double>> ranges_of_dict(PyObject* dict) {
  polygraphy::OrderedMap<std::pair<double, double>> ranges;
  for_each_item(dict, [&](const std::string& name, PyObject* range) {
    const auto [low, high] = items_of<double, double>(range);
    ranges.set(name, {low, high});
  });
  return ranges;
}

GivenInputs::GivenInputs(const Keywords& keywords)
    : files_(keywords.texts("files")), valid_(keywords.flag("valid_inputs")) {
  if (!keywords.is_none("feeds")) feeds_ = PyRef::share(keywords.get("feeds"));
  generated_.seed = static_cast<uint64_t>(keywords.count("seed"));
  generated_.iterations = keywords.count("iterations");
  generated_.strict_shapes = true;
  generated_.shapes = metadata_of_dict(keywords.get("shapes"));
  generated_.val_range = ranges_of_dict(keywords.get("val_range"));
}

polygraphy::DataLoaderOptions GivenInputs::generated(const ModelSource& source) const {
  polygraphy::DataLoaderOptions options = generated_;
  if (valid_) options.model = [source] { return polygraphy::load_as_is(source); };
  return options;
}

void GivenInputs::check_names(const ModelSource& source) const {
  const bool lists_feeds = feeds_ && PyList_Check(feeds_.get());
  if (generated_.shapes.empty() && generated_.val_range.empty() && !lists_feeds) return;
  const auto names = ModelNames::of(source);
  if (!names) return;
  for (const auto& [name, info] : generated_.shapes) names->check_inputs_named_by(name);
  for (const auto& [name, range] : generated_.val_range) {
    if (!name.empty()) names->check_inputs_named_by(name);
  }
  if (!lists_feeds) return;
  for_each(feeds_.get(), [&](PyObject* feed) {
    for_each_item(feed, [&](const std::string& name, PyObject*) { names->check_input(name); });
  });
}

std::unique_ptr<FeedSource> GivenInputs::open(Job& job, const ModelSource& source) const {
  if (feeds_) return std::make_unique<PythonFeeds>(job, feeds_.get(), source);
  if (!files_.empty()) return polygraphy::saved_feeds(files_, job.log());
  return polygraphy::generated_feeds(generated(source), job.log());
}

}  // namespace native
