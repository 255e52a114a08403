// `_native.Difference`: the differences of two arrays.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array_statistics.h"
#include "buffer_array.h"
#include "numerics/difference.h"
#include "python_class.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {
namespace {

using polygraphy::Array;
using polygraphy::BlockSource;
using polygraphy::ComputeType;
using polygraphy::Difference;
using polygraphy::HistogramTask;
using polygraphy::Statistics;
using polygraphy::Tolerances;

struct State {
  State(Array first, Array second, Tolerances tolerances, bool infinities_equal)
      : a(std::move(first)),
        b(std::move(second)),
        difference(a, b, tolerances, infinities_equal),
        sources{&difference.absolute(), &difference.relative()} {}

  Array a, b;
  Difference difference;
  std::vector<BlockSource*> sources;
  std::vector<Statistics> statistics;  // of both; empty before the first access
  bool busy = false;
};

using DifferenceClass = PythonClass<std::unique_ptr<State>>;

// The state while a thread works on it without the interpreter's lock.
class Use {
 public:
  explicit Use(PyObject* object) : state_(*DifferenceClass::of(object)) {
    if (state_.busy) raise(PyExc_RuntimeError, "another thread reads this difference");
    state_.busy = true;
  }
  ~Use() { state_.busy = false; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  State* operator->() const { return &state_; }

 private:
  State& state_;
};

PyObject* make(PyTypeObject*, PyObject* args, PyObject*) {
  return guarded([&] {
    const auto [given0, given1, absolute, relative, infinities_equal] =
        items_of<PyObject*, PyObject*, double, double, bool>(args);
    Array a = given_array(given0), b = given_array(given1);
    if (!Difference::possible(a.dtype(), b.dtype())) {
      raise(PyExc_TypeError, "arrays of these types have no difference");
    }
    if (a.size() != b.size()) raise(PyExc_ValueError, "the arrays differ in size");
    return DifferenceClass::object(std::make_unique<State>(
        std::move(a), std::move(b), Tolerances{.absolute = absolute, .relative = relative},
        infinities_equal));
  });
}

PyRef statistics(PyObject* object, PyObject* quantiles) {
  const Use state(object);
  const std::vector<double> wanted = quantiles_of(quantiles);
  state->statistics = without_gil([&] { return compute_statistics(state->sources, wanted); });
  return tuple_of(state->statistics, statistics_object);
}

PyRef histograms(PyObject* object) {
  const Use state(object);
  const auto made = without_gil([&] {
    if (state->statistics.empty()) state->statistics = compute_statistics(state->sources);
    std::vector<HistogramTask> tasks;
    for (size_t i = 0; i < state->sources.size(); ++i) {
      const Statistics& known = state->statistics[i];
      tasks.push_back({state->sources[i], {known.min, known.max}, true, true});
    }
    return compute_histograms(tasks);
  });
  return tuple_of(made, histogram_object);
}

// Bytes of an element as blocks have it.
size_t element_size(ComputeType type) {
  return type == ComputeType::kFloat ? sizeof(float) : sizeof(double);
}

PyRef read_into(PyObject* object, int which, PyObject* target) {
  if (which != 0 && which != 1) raise(PyExc_ValueError, "0: absolute, 1: relative");
  const Use state(object);
  const WritableBuffer buffer(target);
  BlockSource& source = *state->sources[static_cast<size_t>(which)];
  const size_t size = element_size(compute_type_of(source.dtype()));
  std::byte* out = buffer.bytes().data();
  if (buffer.bytes().size() != static_cast<size_t>(source.size()) * size) {
    raise(PyExc_ValueError, "the buffer has " + std::to_string(buffer.bytes().size()) +
                                " bytes, for " + std::to_string(source.size()) + " elements");
  }
  {
    const WithoutGil released;
    for (int64_t start = 0; start < source.size(); start += BlockSource::kBlockElements) {
      const int64_t count = std::min(BlockSource::kBlockElements, source.size() - start);
      const size_t bytes = static_cast<size_t>(count) * size;
      std::memcpy(out, source.read(start, count), bytes);
      out += bytes;
    }
  }
  return none();
}

PyRef get_types(PyObject* object) {
  const Use state(object);
  return tuple_of(state->sources, [](const BlockSource* source) {
    return to_python(static_cast<int>(source->dtype()));
  });
}

PyRef get_mismatches(PyObject* object) {
  return to_python(Use(object)->difference.mismatches());
}

PyRef get_zeros(PyObject* object) {
  return to_python(Use(object)->difference.zeros_in_reference());
}

PyGetSetDef properties[] = {
    {"types", get<get_types>, nullptr, "The element types of both differences, as numbers of ONNX.",
     nullptr},
    {"mismatches", get<get_mismatches>, nullptr,
     "Elements where both exceed their tolerance or are NaN; after statistics().", nullptr},
    {"zeros_in_reference", get<get_zeros>, nullptr,
     "Whether a floating-point second array has zeros; after statistics().", nullptr},
    {}};

PyMethodDef methods[] = {
    {"statistics", entry<statistics>, form<statistics>,
     "statistics(quantiles): of the absolute and of the relative differences, as "
     "_native.statistics has them."},
    {"histograms", entry<histograms>, form<histograms>, "Of both, as _native.histogram has them."},
    {"read_into", entry<read_into>, form<read_into>,
     "read_into(which, buffer): writes the absolute (0) or relative (1) differences into a buffer "
     "of floats, or of doubles or 64-bit integers, by their type."},
    {}};

}  // namespace

PyRef make_difference_class() {
  return DifferenceClass::make(
      "polygraphy_native._native.Difference",
      "Difference(array0, array1, atol, rtol, infinities_equal): the differences of two arrays of "
      "one size, given as for statistics().",
      {{Py_tp_new, reinterpret_cast<void*>(make)},
       {Py_tp_getset, properties},
       {Py_tp_methods, methods}});
}

}  // namespace native
