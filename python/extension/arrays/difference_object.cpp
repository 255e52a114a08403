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
#include "given_array.h"
#include "numerics/difference.h"
#include "python_api.h"

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

struct DifferenceObject {
  PyObject_HEAD std::unique_ptr<State> state;
};

// The state while a thread works on it without the interpreter's lock.
class Use {
 public:
  explicit Use(PyObject* object) : state_(*reinterpret_cast<DifferenceObject*>(object)->state) {
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

PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  return guarded([&] {
    PyObject *given0 = nullptr, *given1 = nullptr;
    Tolerances tolerances;
    int infinities_equal = 0;
    if (PyArg_ParseTuple(args, "OOddp", &given0, &given1, &tolerances.absolute,
                         &tolerances.relative, &infinities_equal) == 0) {
      throw PythonError();
    }
    Array a = given_array(given0), b = given_array(given1);
    if (!Difference::possible(a.dtype(), b.dtype())) {
      raise(PyExc_TypeError, "arrays of these types have no difference");
    }
    if (a.size() != b.size()) raise(PyExc_ValueError, "the arrays differ in size");
    auto state =
        std::make_unique<State>(std::move(a), std::move(b), tolerances, infinities_equal != 0);
    PyRef object = PyRef::take(PyType_GenericAlloc(type, 0));
    new (&reinterpret_cast<DifferenceObject*>(object.get())->state)
        std::unique_ptr<State>(std::move(state));
    return object;
  });
}

void deallocate(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  reinterpret_cast<DifferenceObject*>(object)->state.~unique_ptr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DECREF(type);
}

PyObject* statistics(PyObject* object, PyObject* quantiles) {
  return guarded([&] {
    const Use state(object);
    const std::vector<double> wanted = quantiles_of(quantiles);
    {
      const WithoutGil released;
      state->statistics = compute_statistics(state->sources, wanted);
    }
    return PyRef::take(Py_BuildValue("(NN)", statistics_object(state->statistics[0]).release(),
                                     statistics_object(state->statistics[1]).release()));
  });
}

PyObject* histograms(PyObject* object, PyObject*) {
  return guarded([&] {
    const Use state(object);
    std::vector<std::optional<polygraphy::Histogram>> made;
    {
      const WithoutGil released;
      if (state->statistics.empty()) state->statistics = compute_statistics(state->sources);
      std::vector<HistogramTask> tasks;
      for (size_t i = 0; i < state->sources.size(); ++i) {
        const Statistics& known = state->statistics[i];
        tasks.push_back({state->sources[i], {known.min, known.max}, true, true});
      }
      made = compute_histograms(tasks);
    }
    return PyRef::take(Py_BuildValue("(NN)", histogram_object(made[0]).release(),
                                     histogram_object(made[1]).release()));
  });
}

// Bytes of an element as blocks have it.
size_t element_size(ComputeType type) {
  return type == ComputeType::kFloat ? sizeof(float) : sizeof(double);
}

PyObject* read_into(PyObject* object, PyObject* args) {
  return guarded([&] {
    int which = 0;
    PyObject* target = nullptr;
    if (PyArg_ParseTuple(args, "iO", &which, &target) == 0) throw PythonError();
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
  });
}

PyObject* get_types(PyObject* object, void*) {
  return guarded([&] {
    const Use state(object);
    return PyRef::take(Py_BuildValue("(ii)", static_cast<int>(state->sources[0]->dtype()),
                                     static_cast<int>(state->sources[1]->dtype())));
  });
}

PyObject* get_mismatches(PyObject* object, void*) {
  return guarded([&] { return to_python(Use(object)->difference.mismatches()); });
}

PyObject* get_zeros(PyObject* object, void*) {
  return guarded([&] {
    return PyRef::share(Use(object)->difference.zeros_in_reference() ? Py_True : Py_False);
  });
}

PyGetSetDef properties[] = {
    {"types", get_types, nullptr, "The element types of both differences, as numbers of ONNX.",
     nullptr},
    {"mismatches", get_mismatches, nullptr,
     "Elements where both exceed their tolerance or are NaN; after statistics().", nullptr},
    {"zeros_in_reference", get_zeros, nullptr,
     "Whether a floating-point second array has zeros; after statistics().", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"statistics", statistics, METH_O,
     "statistics(quantiles): of the absolute and of the relative differences, as "
     "_native.statistics has them."},
    {"histograms", histograms, METH_NOARGS, "Of both, as _native.histogram has them."},
    {"read_into", read_into, METH_VARARGS,
     "read_into(which, buffer): writes the absolute (0) or relative (1) differences into a buffer "
     "of floats, or of doubles or 64-bit integers, by their type."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>("Difference(array0, array1, atol, rtol, infinities_equal): the "
                       "differences of two arrays of one size, given as for statistics().")},
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {0, nullptr}};

PyType_Spec spec = {"polygraphy_native._native.Difference", sizeof(DifferenceObject), 0,
                    Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyRef make_difference_class() {
  return PyRef::take(PyType_FromSpec(&spec));
}

}  // namespace native
