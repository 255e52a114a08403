#include "array_statistics.h"

#include <cstdint>

#include "given_array.h"
#include "numerics/pair_sums.h"

namespace native {

using polygraphy::Array;
using polygraphy::Histogram;
using polygraphy::PairSums;
using polygraphy::Statistics;

namespace {

template <typename Numbers>
PyRef tuple_of(const Numbers& numbers) {
  PyRef tuple = PyRef::take(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  Py_ssize_t place = 0;
  for (const double number : numbers) {
    check(PyTuple_SetItem(tuple.get(), place++, PyFloat_FromDouble(number)));
  }
  return tuple;
}

}  // namespace

PyRef statistics_object(const Statistics& s) {
  return PyRef::take(Py_BuildValue(
      "{s:O,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:L,s:d,s:d,s:d,s:d,s:N}", "computed",
      s.computed ? Py_True : Py_False, "mean", s.mean, "std_dev", s.std_dev, "variance", s.variance,
      "median", s.median, "min", s.min, "max", s.max, "argmin", static_cast<long long>(s.argmin),
      "argmax", static_cast<long long>(s.argmax), "avg_magnitude", s.avg_magnitude, "p90", s.p90,
      "p95", s.p95, "p99", s.p99, "extra_quantiles", tuple_of(s.extra_quantiles).release()));
}

PyRef histogram_object(const std::optional<Histogram>& histogram) {
  if (!histogram) return none();
  PyRef counts = PyRef::take(PyTuple_New(Histogram::kBins));
  for (Py_ssize_t i = 0; i < Histogram::kBins; ++i) {
    check(PyTuple_SetItem(counts.get(), i,
                          to_python(histogram->counts[static_cast<size_t>(i)]).release()));
  }
  return PyRef::take(Py_BuildValue("(NN)", counts.release(), tuple_of(histogram->edges).release()));
}

std::vector<double> quantiles_of(PyObject* sequence) {
  std::vector<double> quantiles;
  for_each(sequence, [&](PyObject* item) {
    const double quantile = PyFloat_AsDouble(item);
    if (PyErr_Occurred()) throw PythonError();
    if (!(quantile >= 0 && quantile <= 1)) raise(PyExc_ValueError, "a quantile is not in [0, 1]");
    quantiles.push_back(quantile);
  });
  return quantiles;
}

namespace {

PyObject* statistics(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *given = nullptr, *quantiles = nullptr;
    if (PyArg_ParseTuple(args, "OO", &given, &quantiles) == 0) throw PythonError();
    const Array array = given_array(given);
    const std::vector<double> wanted = quantiles_of(quantiles);
    Statistics result;
    {
      const WithoutGil released;
      result = compute_statistics(array, wanted);
    }
    return statistics_object(result);
  });
}

PyObject* histogram(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *given = nullptr, *given_range = nullptr;
    if (PyArg_ParseTuple(args, "OO", &given, &given_range) == 0) throw PythonError();
    std::optional<polygraphy::HistogramRange> range;
    if (given_range != Py_None) {
      range.emplace();
      if (PyArg_ParseTuple(given_range, "dd", &range->first, &range->second) == 0) {
        throw PythonError();
      }
    }
    const Array array = given_array(given);
    if (!polygraphy::has_compute_type(array.dtype())) return none();
    std::optional<Histogram> result;
    {
      const WithoutGil released;
      polygraphy::ArraySource source(array);
      result = compute_histogram(source, range);
    }
    return histogram_object(result);
  });
}

PyObject* pair_sums(PyObject*, PyObject* args) {
  return guarded([&] {
    PyObject *given0 = nullptr, *given1 = nullptr;
    if (PyArg_ParseTuple(args, "OO", &given0, &given1) == 0) throw PythonError();
    const Array array0 = given_array(given0), array1 = given_array(given1);
    if (array0.size() != array1.size()) raise(PyExc_ValueError, "the arrays differ in size");
    PairSums sums;
    {
      const WithoutGil released;
      sums = compute_pair_sums(array0, array1,
                               PairSums::kDifference | PairSums::kSquaresA | PairSums::kSquaresB |
                                   PairSums::kProduct | PairSums::kPeak);
    }
    return PyRef::take(
        Py_BuildValue("{s:L,s:d,s:d,s:d,s:d,s:d,s:O}", "size", static_cast<long long>(sums.size),
                      "squared_difference", sums.squared_difference, "squares0", sums.squares_a,
                      "squares1", sums.squares_b, "product", sums.product, "peak", sums.peak,
                      "same_integers", sums.same_integers ? Py_True : Py_False));
  });
}

}  // namespace

PyMethodDef array_functions[] = {
    {"statistics", statistics, METH_VARARGS,
     "statistics(array, quantiles): figures of an array of NumPy, given as (buffer, element type "
     "of ONNX, shape), by their names; `computed` is False for types that have none."},
    {"histogram", histogram, METH_VARARGS,
     "histogram(array, range): ten bins as (counts, edges), over a range (least, greatest) or, for "
     "None, the array's range; None where it is not finite."},
    {"pair_sums", pair_sums, METH_VARARGS,
     "pair_sums(array0, array1): the sums behind distances of two arrays of one size, by name."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace native
