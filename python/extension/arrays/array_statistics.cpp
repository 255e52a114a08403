#include "array_statistics.h"

#include "buffer_array.h"
#include "numerics/pair_sums.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {

using polygraphy::Array;
using polygraphy::Histogram;
using polygraphy::PairSums;
using polygraphy::Statistics;

namespace {

template <typename Numbers>
PyRef tuple_of(const Numbers& numbers) {
  return native::tuple_of(numbers, [](auto number) { return to_python(number); });
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
  return tuple(tuple_of(histogram->counts), tuple_of(histogram->edges));
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

PyRef statistics(PyObject*, PyObject* given, PyObject* quantiles) {
  const Array array = given_array(given);
  const std::vector<double> wanted = quantiles_of(quantiles);
  return statistics_object(without_gil([&] { return compute_statistics(array, wanted); }));
}

PyRef histogram(PyObject*, PyObject* given, PyObject* given_range) {
  std::optional<polygraphy::HistogramRange> range;
  if (given_range != Py_None) {
    const auto [least, greatest] = items_of<double, double>(given_range);
    range = {least, greatest};
  }
  const Array array = given_array(given);
  if (!polygraphy::has_compute_type(array.dtype())) return none();
  return histogram_object(without_gil([&] {
    polygraphy::ArraySource source(array);
    return compute_histogram(source, range);
  }));
}

PyRef pair_sums(PyObject*, PyObject* given0, PyObject* given1) {
  const Array array0 = given_array(given0), array1 = given_array(given1);
  if (array0.size() != array1.size()) raise(PyExc_ValueError, "the arrays differ in size");
  const PairSums sums = without_gil([&] {
    return compute_pair_sums(array0, array1,
                             PairSums::kDifference | PairSums::kSquaresA | PairSums::kSquaresB |
                                 PairSums::kProduct | PairSums::kPeak);
  });
  return fields({{"size", sums.size},
                 {"squared_difference", sums.squared_difference},
                 {"squares0", sums.squares_a},
                 {"squares1", sums.squares_b},
                 {"product", sums.product},
                 {"peak", sums.peak},
                 {"same_integers", sums.same_integers}});
}

}  // namespace

PyMethodDef array_functions[] = {
    {"statistics", entry<statistics>, form<statistics>,
     "statistics(array, quantiles): figures of an array of NumPy, given as (buffer, element type "
     "of ONNX, shape), by their names; `computed` is False for types that have none."},
    {"histogram", entry<histogram>, form<histogram>,
     "histogram(array, range): ten bins as (counts, edges), over a range (least, greatest) or, for "
     "None, the array's range; None where it is not finite."},
    {"pair_sums", entry<pair_sums>, form<pair_sums>,
     "pair_sums(array0, array1): the sums behind distances of two arrays of one size, by name."},
    {}};

}  // namespace native
