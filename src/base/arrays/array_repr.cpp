#include "base/arrays/array_repr.h"

#include <string_view>
#include <vector>

#include "base/arrays/numpy_text.h"
#include "base/arrays/py_repr.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr std::string_view kOpening = "array(";
constexpr size_t kLineWidth = 75;

// The words of a row of numbers: all are padded to one width.
std::vector<std::string_view> words_of(std::string_view row, size_t count, bool summarised,
                                       size_t edge) {
  const size_t words = summarised ? 2 * edge : count;
  const size_t width = (row.size() - (summarised ? 3 + words : words - 1)) / words;
  std::vector<std::string_view> result;
  for (size_t at = 0; at < row.size();) {
    if (summarised && result.size() == edge) {
      result.push_back(row.substr(at, 3));
      at += 4;
    } else {
      result.push_back(row.substr(at, width));
      at += width + 1;
    }
  }
  return result;
}

// Appends the words with commas, with a line break where the next word would pass the limit.
void append_row(const std::vector<std::string_view>& words, size_t indentation, size_t limit,
                std::string& out) {
  size_t column = indentation;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) {
      out += ',';
      if (column + 2 + words[i].size() > limit) {
        out += '\n';
        out.append(indentation, ' ');
        column = indentation;
      } else {
        out += ' ';
        column += 2;
      }
    }
    out += words[i];
    column += words[i].size();
  }
}

std::string numbers_text(const Array& array) {
  NumpyPrintOptions options;
  const auto edge = static_cast<size_t>(options.edge_items);
  options.line_width = -1;
  const auto rank = static_cast<size_t>(array.rank());
  const auto row_length = static_cast<size_t>(array.shape().back());
  const bool summarised = array.size() > options.threshold && row_length > 2 * edge;
  const size_t indentation = kOpening.size() + rank;

  const std::string text = numpy_str(array, options);
  const std::vector<std::string_view> lines = split_lines(text);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    if (i > 0) {
      out += '\n';
      if (!strip(line).empty()) out.append(kOpening.size(), ' ');
    }
    const std::string_view content = strip(line);
    if (content.empty()) continue;
    if (content == "...") {
      out += line;
      out += ',';
      continue;
    }
    const size_t closing = line.size() - (line.find_last_not_of(']') + 1);
    out += line.substr(0, rank);
    append_row(
        words_of(line.substr(rank, line.size() - rank - closing), row_length, summarised, edge),
        indentation, kLineWidth - 1 - rank, out);
    out.append(closing, ']');
    if (i + 1 < lines.size()) out += ',';
  }
  return out;
}

std::string strings_text(const Array& array) {
  return py_list_repr(array.strings());
}

// The types that NumPy would choose for these numbers are not named.
bool is_default(DataType type) {
  return type == DataType::kBool || type == DataType::kInt64 || type == DataType::kFloat64 ||
         type == DataType::kComplex128;
}

}  // namespace

std::string numpy_repr(const Array& array) {
  std::string text(kOpening);
  std::vector<std::string> extra;
  if (array.dtype() == DataType::kString) {
    text += strings_text(array);
  } else if (array.size() == 0) {
    text += "[]";
    if (array.rank() != 1) extra.push_back("shape=" + py_tuple_repr(array.shape()));
  } else if (array.rank() == 0) {
    text += numpy_str(array);
  } else {
    text += numbers_text(array);
    if (array.size() > NumpyPrintOptions().threshold)
      extra.push_back("shape=" + py_tuple_repr(array.shape()));
  }
  if (!is_default(array.dtype()) || array.size() == 0)
    extra.push_back("dtype=" + std::string(name_of(array.dtype())));
  if (extra.empty()) return text + ")";
  const std::string tail = join(extra, ", ") + ")";
  const size_t line_start = text.rfind('\n') + 1;
  const bool fits = text.size() - line_start + tail.size() + 2 <= kLineWidth;
  return text + (fits ? ", " : ",\n" + std::string(kOpening.size(), ' ')) + tail;
}

}  // namespace polygraphy
