#include "base/arrays/numpy_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/arrays/float_column.h"
#include "base/arrays/py_repr.h"
#include "base/text.h"

namespace polygraphy {
namespace {

using text::FloatColumn;
using text::pad_left;
using text::Precision;

// Turns the element at a flat index into its word. Widths are settled beforehand, from all elements
// that will be shown.
class ElementFormat {
 public:
  virtual ~ElementFormat() = default;
  virtual std::string word(int64_t index) const = 0;
};

// ---- Which elements are shown ------------------------------------------------------------------

// The positions along one axis, and after how many of them "..." stands.
struct AxisPlan {
  int64_t size = 0;
  bool summarised = false;
  int64_t leading = 0;   // positions [0, leading), then "..."
  int64_t trailing = 0;  // positions [size - trailing, size)

  int64_t shown() const { return leading + trailing; }
  int64_t position(int64_t i) const { return i < leading ? i : size - trailing + (i - leading); }
};

std::vector<AxisPlan> plan_axes(const Array& array, const NumpyPrintOptions& options) {
  const bool too_many = options.threshold >= 0 && array.size() > options.threshold;
  std::vector<AxisPlan> plans;
  for (const int64_t size : array.shape()) {
    AxisPlan plan{size, false, 0, size};
    if (too_many && options.edge_items >= 0 && options.edge_items < (size + 1) / 2) {
      plan.summarised = true;
      plan.leading = options.edge_items;
      // NumPy shows the last one even with edgeitems=0.
      plan.trailing = std::max<int64_t>(options.edge_items, 1);
    }
    plans.push_back(plan);
  }
  return plans;
}

// Counts through the shown positions in C order.
class Cursor {
 public:
  Cursor(const Array& array, const std::vector<AxisPlan>& plans)
      : plans_(plans), at_(plans.size(), 0), steps_(plans.size()) {
    int64_t step = 1;
    for (size_t axis = plans.size(); axis-- > 0;) {
      steps_[axis] = step;
      step *= array.shape()[axis];
    }
  }

  int64_t at(size_t axis) const { return at_[axis]; }
  int64_t flat_index() const {
    int64_t index = 0;
    for (size_t axis = 0; axis < plans_.size(); ++axis) {
      index += plans_[axis].position(at_[axis]) * steps_[axis];
    }
    return index;
  }
  int64_t step(size_t axis) const { return steps_[axis]; }
  // Moves on along the axes [0, axes); returns the outermost axis with a new position that did not
  // wrap around, or -1 at the end.
  int64_t advance(size_t axes) {
    for (size_t axis = axes; axis-- > 0;) {
      if (++at_[axis] < plans_[axis].shown()) return static_cast<int64_t>(axis);
      at_[axis] = 0;
    }
    return -1;
  }

 private:
  const std::vector<AxisPlan>& plans_;
  std::vector<int64_t> at_;
  std::vector<int64_t> steps_;
};

template <typename Function>
void for_each_shown(const Array& array, const std::vector<AxisPlan>& plans, Function function) {
  // Without edge items NumPy takes the widths from all elements.
  const bool all = std::none_of(plans.begin(), plans.end(), [](const AxisPlan& plan) {
    return plan.summarised && plan.leading > 0;
  });
  if (all) {
    for (int64_t i = 0; i < array.size(); ++i) function(i);
    return;
  }
  Cursor cursor(array, plans);
  do {
    function(cursor.flat_index());
  } while (cursor.advance(plans.size()) >= 0);
}

// ---- Formats -----------------------------------------------------------------------------------

class BoolFormat final : public ElementFormat {
 public:
  explicit BoolFormat(const Array& array) : array_(array) {}
  std::string word(int64_t index) const override {
    return array_.element_bits(index) != 0 ? " True" : "False";
  }

 private:
  const Array& array_;
};

std::string integer_text(const Array& array, int64_t index) {
  return kind_of(array.dtype()) == Kind::kUnsigned ? std::to_string(array.element_bits(index))
                                                   : std::to_string(array.get_int64(index));
}

class IntegerFormat final : public ElementFormat {
 public:
  IntegerFormat(const Array& array, const std::vector<AxisPlan>& plans) : array_(array) {
    for_each_shown(array, plans, [&](int64_t index) {
      width_ = std::max(width_, integer_text(array_, index).size());
    });
  }
  std::string word(int64_t index) const override {
    return pad_left(integer_text(array_, index), width_);
  }

 private:
  const Array& array_;
  size_t width_ = 0;
};

class StringFormat final : public ElementFormat {
 public:
  explicit StringFormat(const Array& array) : array_(array) {}
  std::string word(int64_t index) const override {
    return py_str_repr(array_.strings()[static_cast<size_t>(index)]);
  }

 private:
  const Array& array_;
};

// ml_dtypes: integers as they are, floats with at most six digits, nothing aligned.
std::string small_type_text(const Array& array, int64_t index) {
  if (is_floating(array.dtype())) return format_g(array.get_double(index), 6);
  return integer_text(array, index);
}

class SmallTypeFormat final : public ElementFormat {
 public:
  explicit SmallTypeFormat(const Array& array) : array_(array) {}
  std::string word(int64_t index) const override { return small_type_text(array_, index); }

 private:
  const Array& array_;
};

Precision precision_of(DataType type) {
  return type == DataType::kFloat16                                   ? Precision::kHalf
         : type == DataType::kFloat32 || type == DataType::kComplex64 ? Precision::kSingle
                                                                      : Precision::kDouble;
}

template <typename Value>
void fit(FloatColumn& column, const Array& array, const std::vector<AxisPlan>& plans, Value value) {
  for_each_shown(array, plans, [&](int64_t index) { column.survey(value(index)); });
  column.choose_notation();
  for_each_shown(array, plans, [&](int64_t index) { column.measure(value(index)); });
  column.settle();
}

class FloatFormat final : public ElementFormat {
 public:
  FloatFormat(const Array& array, const std::vector<AxisPlan>& plans, int places)
      : array_(array), column_(precision_of(array.dtype()), places, false) {
    fit(column_, array, plans, [&](int64_t index) { return array.get_double(index); });
  }
  std::string word(int64_t index) const override { return column_.word(array_.get_double(index)); }

 private:
  const Array& array_;
  FloatColumn column_;
};

// `array` is contiguous.
double complex_part(const Array& array, int64_t index, bool imaginary) {
  const size_t at = 2 * static_cast<size_t>(index) + (imaginary ? 1 : 0);
  if (array.dtype() == DataType::kComplex64) {
    float value = 0;
    std::memcpy(&value, array.data() + at * sizeof value, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, array.data() + at * sizeof value, sizeof value);
  return value;
}

class ComplexFormat final : public ElementFormat {
 public:
  ComplexFormat(const Array& array, const std::vector<AxisPlan>& plans, int places)
      : array_(array),
        real_(precision_of(array.dtype()), places, false),
        imaginary_(precision_of(array.dtype()), places, true) {
    fit(real_, array, plans, [&](int64_t index) { return complex_part(array, index, false); });
    fit(imaginary_, array, plans, [&](int64_t index) { return complex_part(array, index, true); });
  }
  std::string word(int64_t index) const override {
    std::string imaginary = imaginary_.word(complex_part(array_, index, true));
    imaginary.insert(imaginary.find_last_not_of(' ') + 1, 1, 'j');
    return real_.word(complex_part(array_, index, false)) + imaginary;
  }

 private:
  const Array& array_;
  FloatColumn real_, imaginary_;
};

bool is_numpys_own(DataType type) {
  const int bits = bit_width(type);
  return bits >= 16 ? type != DataType::kBfloat16 : bits == 8 && !is_floating(type);
}

std::unique_ptr<ElementFormat> make_format(const Array& array, const std::vector<AxisPlan>& plans,
                                           int places) {
  if (array.dtype() == DataType::kString) return std::make_unique<StringFormat>(array);
  if (!is_numpys_own(array.dtype())) return std::make_unique<SmallTypeFormat>(array);
  switch (kind_of(array.dtype())) {
    case Kind::kBool:
      return std::make_unique<BoolFormat>(array);
    case Kind::kFloat:
      return std::make_unique<FloatFormat>(array, plans, places);
    case Kind::kComplex:
      return std::make_unique<ComplexFormat>(array, plans, places);
    default:
      return std::make_unique<IntegerFormat>(array, plans);
  }
}

// ---- Scalars -----------------------------------------------------------------------------------

double scalar_upper_limit(Precision precision) {
  return precision == Precision::kHalf ? 1e3 : precision == Precision::kSingle ? 1e6 : 1e16;
}

std::string float_scalar_text(double value, Precision precision) {
  return text::scalar_text(value, precision, scalar_upper_limit(precision));
}

std::string complex_part_text(double value, Precision precision) {
  std::string written = float_scalar_text(value, precision);
  if (written.ends_with(".0")) written.resize(written.size() - 2);
  return written;
}

std::string scalar_str(const Array& array) {
  const DataType type = array.dtype();
  if (type == DataType::kString) return array.strings()[0];
  if (!is_numpys_own(type)) return small_type_text(array, 0);
  switch (kind_of(type)) {
    case Kind::kBool:
      return array.element_bits(0) != 0 ? "True" : "False";
    case Kind::kFloat:
      return float_scalar_text(array.get_double(0), precision_of(type));
    case Kind::kComplex: {
      const double real = complex_part(array, 0, false);
      const double imaginary = complex_part(array, 0, true);
      std::string imaginary_text = complex_part_text(imaginary, precision_of(type)) + 'j';
      if (real == 0 && !std::signbit(real)) return imaginary_text;
      const std::string plus = imaginary_text.front() == '-' ? "" : "+";
      return '(' + complex_part_text(real, precision_of(type)) + plus + imaginary_text + ')';
    }
    default:
      return integer_text(array, 0);
  }
}

// ---- Layout ------------------------------------------------------------------------------------

// The words of one row of the last axis, broken where the next would pass `width`.
class RowWriter {
 public:
  RowWriter(std::string& out, size_t indent, int64_t width)
      : out_(out), indent_(indent), width_(width), column_(static_cast<int64_t>(indent)) {}

  void add(std::string_view word) {
    const auto length = static_cast<int64_t>(code_points(word));
    const bool at_start = column_ <= static_cast<int64_t>(indent_);
    // A line break that would not help is not made.
    if (width_ >= 0 && column_ + length > width_ && !at_start) {
      while (out_.back() == ' ') out_.pop_back();
      out_ += '\n';
      out_.append(indent_, ' ');
      column_ = static_cast<int64_t>(indent_);
    }
    out_ += word;
    column_ += length;
  }
  void space() {
    out_ += ' ';
    ++column_;
  }

 private:
  std::string& out_;
  size_t indent_;
  int64_t width_;
  int64_t column_;
};

void write_row(std::string& out, const ElementFormat& format, const AxisPlan& plan, int64_t first,
               size_t rank, int64_t line_width) {
  // One column less for each closing bracket. Negative: no limit.
  const int64_t width =
      line_width < 0 ? -1 : std::max<int64_t>(line_width - static_cast<int64_t>(rank), 0);
  RowWriter row(out, rank, width);
  for (int64_t i = 0; i < plan.shown(); ++i) {
    if (i > 0) row.space();
    if (plan.summarised && i == plan.leading) {
      row.add("...");
      row.space();
    }
    row.add(format.word(first + plan.position(i)));
  }
}

}  // namespace

std::string numpy_str(const Array& array, const NumpyPrintOptions& options) {
  if (array.empty()) return "None";
  if (array.size() == 0) return "[]";
  const Array aligned = array.contiguous() ? array : array.contiguous_aligned(1);
  if (aligned.rank() == 0) return scalar_str(aligned);

  const std::vector<AxisPlan> plans = plan_axes(aligned, options);
  const auto format = make_format(aligned, plans, options.precision);
  const size_t rank = plans.size();
  const size_t outer = rank - 1;
  std::string out;
  const auto skip = [&](size_t axis) {
    out += "...";
    out.append(outer - axis, '\n');
    out.append(axis + 1, ' ');
  };
  const auto open = [&](size_t first_axis) {
    for (size_t axis = first_axis; axis < rank; ++axis) {
      out += '[';
      if (axis < outer && plans[axis].summarised && plans[axis].leading == 0) skip(axis);
    }
  };

  Cursor cursor(aligned, plans);
  // Where the row starts: the position along the last axis does not count.
  const auto row_start = [&] {
    return cursor.flat_index() - plans[outer].position(0) * cursor.step(outer);
  };
  for (open(0);;) {
    write_row(out, *format, plans[outer], row_start(), rank, options.line_width);
    const int64_t moved = cursor.advance(outer);
    if (moved < 0) break;
    const auto axis = static_cast<size_t>(moved);
    out.append(outer - axis, ']');
    out.append(outer - axis, '\n');
    out.append(axis + 1, ' ');
    if (plans[axis].summarised && cursor.at(axis) == plans[axis].leading) skip(axis);
    open(axis + 1);
  }
  out.append(rank, ']');
  return out;
}

}  // namespace polygraphy
