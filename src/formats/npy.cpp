#include "formats/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxHeader = 65536;
constexpr int64_t kMaxEmptyTexts = 65536;  // they take memory, but none in the file

[[noreturn]] void fail(const std::string& what, const std::string& why) {
  throw FormatError(what + ": " + why);
}

uint8_t byte_at(std::span<const std::byte> bytes, size_t i) {
  return static_cast<uint8_t>(bytes[i]);
}

// The Python literal in a header: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  void parse(std::string& descr, bool& fortran_order, Shape& shape) {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        if (front() == '[') fail(what_, "structured arrays are not supported.");
        descr = quoted();
        has_descr = true;
      } else if (key == "fortran_order") {
        fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        shape = tuple();
        has_shape = true;
      } else {
        bad();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_descr || !has_order || !has_shape) bad();
  }

 private:
  [[noreturn]] void bad() {
    fail(what_, "not understood as the header of an .npy file: " +
                    std::string(strip(text_.substr(0, 200))));
  }
  char front() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (front() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) bad();
  }
  std::string quoted() {
    const char quote = front();
    if (quote != '\'' && quote != '"') bad();
    const size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) bad();
    const std::string_view text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(text);
  }
  bool boolean() {
    front();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    bad();
  }
  Shape tuple() {
    constexpr size_t kMaxRank = 64;  // NumPy's
    Shape shape;
    expect('(');
    while (!accept(')')) {
      front();
      int64_t dim = 0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), dim);
      if (error != std::errc{} || dim < 0) bad();
      at_ = static_cast<size_t>(end - text_.data());
      if (front() == 'L') ++at_;  // Python 2
      if (shape.size() == kMaxRank) fail(what_, "more than 64 dimensions.");
      shape.push_back(dim);
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::string_view text_;
  const std::string& what_;
  size_t at_ = 0;
};

DataType number_type(char kind, int64_t size) {
  switch (kind) {
    case 'f':
      return size == 2   ? DataType::kFloat16
             : size == 4 ? DataType::kFloat32
             : size == 8 ? DataType::kFloat64
                         : DataType::kUndefined;
    case 'i':
      return size == 1   ? DataType::kInt8
             : size == 2 ? DataType::kInt16
             : size == 4 ? DataType::kInt32
             : size == 8 ? DataType::kInt64
                         : DataType::kUndefined;
    case 'u':
      return size == 1   ? DataType::kUint8
             : size == 2 ? DataType::kUint16
             : size == 4 ? DataType::kUint32
             : size == 8 ? DataType::kUint64
                         : DataType::kUndefined;
    case 'b':
      return size == 1 ? DataType::kBool : DataType::kUndefined;
    case 'c':
      return size == 8    ? DataType::kComplex64
             : size == 16 ? DataType::kComplex128
                          : DataType::kUndefined;
    default:
      return DataType::kUndefined;
  }
}

void parse_descr(std::string_view descr, NpyHeader& header, const std::string& what) {
  const auto unsupported = [&](std::string_view why) {
    fail(what, "NumPy type '" + std::string(descr) + "' is not supported" + std::string(why) + ".");
  };
  std::string_view rest = descr;
  char order = '=';
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    order = rest.front();
    rest.remove_prefix(1);
  }
  if (rest == "?") rest = "b1";
  if (rest.empty()) unsupported("");
  const char kind = rest.front();
  if (kind == 'O') unsupported(": arrays of Python objects cannot be read");
  if (kind == 'V') {
    unsupported(": NumPy writes this for bfloat16, float8 and similar types, and loses the type");
  }
  int64_t size = 0;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), size);
  if (error != std::errc{} || end != rest.data() + rest.size() || size < 0) unsupported("");
  header.big_endian = order == '>';
  header.element_size = size;
  header.dtype = number_type(kind, size);
  if (header.dtype != DataType::kUndefined) return;
  if (kind != 'U' && kind != 'S' && kind != 'a') unsupported("");
  header.dtype = DataType::kString;
  header.element = kind == 'U' ? NpyHeader::Element::kUcs4 : NpyHeader::Element::kBytes;
  if (kind == 'U' && __builtin_mul_overflow(size, 4, &header.element_size)) unsupported("");
}

// Bytes of the parts that byte order applies to.
size_t swapped_unit(DataType type, int64_t element_size) {
  return static_cast<size_t>(kind_of(type) == Kind::kComplex ? element_size / 2 : element_size);
}

void swap_bytes(std::byte* data, size_t bytes, size_t unit) {
  if (unit < 2) return;
  for (size_t i = 0; i + unit <= bytes; i += unit) std::reverse(data + i, data + i + unit);
}

void append_code_point(std::string& out, uint32_t code) {
  if (code > 0x10FFFF) code = 0xFFFD;
  if (code >= 0xDC80 && code < 0xDD00) {  // Python's surrogateescape
    out += static_cast<char>(code - 0xDC00);
  } else if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// One element of fixed width, without the zeros that fill it up.
std::string text_element(const NpyHeader& header, std::span<const std::byte> bytes) {
  std::string text;
  if (header.element == NpyHeader::Element::kBytes) {
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.erase(text.find_last_not_of('\0') + 1);
    return text;
  }
  size_t length = bytes.size() / 4;
  const auto code_at = [&](size_t i) {
    uint32_t code;
    std::memcpy(&code, bytes.data() + 4 * i, 4);
    return header.big_endian ? __builtin_bswap32(code) : code;
  };
  while (length > 0 && code_at(length - 1) == 0) --length;
  for (size_t i = 0; i < length; ++i) append_code_point(text, code_at(i));
  return text;
}

Array string_array(const NpyHeader& header, std::span<const std::byte> data) {
  const auto count = static_cast<size_t>(element_count(header.shape));
  const auto size = static_cast<size_t>(header.element_size);
  std::vector<std::string> texts(count);
  Shape reversed(header.shape.rbegin(), header.shape.rend());
  for (size_t i = 0; i < count; ++i) texts[i] = text_element(header, data.subspan(i * size, size));
  if (!header.fortran_order) return Array::from_strings(header.shape, std::move(texts));
  std::vector<int64_t> axes(reversed.size());
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(axes.size() - 1 - i);
  return Array::from_strings(std::move(reversed), std::move(texts)).transposed(axes);
}

// Strides of the first index running fastest.
std::vector<int64_t> fortran_strides(const Shape& shape, int64_t element_size) {
  std::vector<int64_t> strides;
  int64_t stride = element_size;
  for (int64_t dim : shape) {
    strides.push_back(stride);
    stride *= dim;
  }
  return strides;
}

Array view_in_order(const NpyHeader& header, const std::byte* data,
                    std::shared_ptr<const void> owner) {
  if (!header.fortran_order) return Array::view(header.dtype, header.shape, data, std::move(owner));
  return Array::strided(header.dtype, header.shape,
                        fortran_strides(header.shape, header.element_size), data, std::move(owner));
}

// A strided view of bytes in Fortran order without gaps.
bool is_fortran_contiguous(const Array& array) {
  return !array.contiguous() &&
         array.strides() == fortran_strides(array.shape(), bit_width(array.dtype()) / 8);
}

size_t longest(const Array& strings) {
  size_t length = 1;  // NumPy's least
  for (const std::string& text : strings.strings()) length = std::max(length, code_points(text));
  return length;
}

std::string descr_of(const Array& array) {
  const int bytes = bit_width(array.dtype()) / 8;
  const std::string size = std::to_string(bytes);
  switch (kind_of(array.dtype())) {
    case Kind::kBool:
      return "|b1";
    case Kind::kSigned:
      return (bytes == 1 ? "|i" : "<i") + size;
    case Kind::kUnsigned:
      return (bytes == 1 ? "|u" : "<u") + size;
    case Kind::kFloat:
      return "<f" + size;
    case Kind::kComplex:
      return "<c" + size;
    default:
      return "<U" + std::to_string(longest(array));
  }
}

}  // namespace

bool numpy_has(DataType type) {
  switch (kind_of(type)) {
    case Kind::kUnknown:
      return false;
    case Kind::kFloat:
      return type == DataType::kFloat16 || type == DataType::kFloat32 || type == DataType::kFloat64;
    default:
      return !is_packed(type);
  }
}

int64_t NpyHeader::data_bytes() const {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(element_count(shape), element_size, &bytes)) {
    throw FormatError("an array of shape " + py_tuple_repr(shape) + " is too large.");
  }
  return bytes;
}

size_t npy_header_size(std::span<const std::byte> prefix, const std::string& what) {
  if (prefix.size() < 10 || std::memcmp(prefix.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(what, "not an .npy file.");
  }
  const uint8_t version = byte_at(prefix, 6);
  if (version < 1 || version > 3) {
    fail(what, "unknown version " + std::to_string(version) + " of the .npy format.");
  }
  const size_t start = version == 1 ? 10 : 12;
  if (prefix.size() < start) fail(what, "the .npy header is truncated.");
  size_t length = 0;
  for (size_t i = start; i-- > 8;) length = length << 8 | byte_at(prefix, i);
  if (length > kMaxHeader) {
    fail(what, "an .npy header of " + std::to_string(length) + " bytes, more than the limit of " +
                   std::to_string(kMaxHeader) + ".");
  }
  return start + length;
}

NpyHeader parse_npy_header(std::span<const std::byte> header, const std::string& what) {
  const size_t size = npy_header_size(header.first(std::min(header.size(), kNpyPrefixBytes)), what);
  if (header.size() < size) fail(what, "the .npy header is truncated.");
  const size_t start = byte_at(header, 6) == 1 ? 10 : 12;
  NpyHeader result;
  std::string descr;
  HeaderParser({reinterpret_cast<const char*>(header.data()) + start, size - start}, what)
      .parse(descr, result.fortran_order, result.shape);
  parse_descr(descr, result, what);
  try {
    result.data_bytes();
  } catch (const FormatError& error) {
    fail(what, error.what());
  }
  if (result.element_size == 0 && element_count(result.shape) > kMaxEmptyTexts) {
    fail(what, "too many elements of size 0.");
  }
  return result;
}

Array npy_array(const NpyHeader& header, std::span<const std::byte> data,
                std::shared_ptr<const void> owner) {
  data = data.first(static_cast<size_t>(header.data_bytes()));
  if (header.element != NpyHeader::Element::kNumber) return string_array(header, data);
  const size_t unit = swapped_unit(header.dtype, header.element_size);
  if (header.big_endian && unit > 1) {
    return npy_array(header, [&](std::span<std::byte> out) {
      std::copy(data.begin(), data.end(), out.begin());
    });
  }
  const bool aligned = reinterpret_cast<uintptr_t>(data.data()) % unit == 0;
  if (aligned) return view_in_order(header, data.data(), std::move(owner));
  return npy_array(
      header, [&](std::span<std::byte> out) { std::copy(data.begin(), data.end(), out.begin()); });
}

Array npy_array(const NpyHeader& header, const std::function<void(std::span<std::byte>)>& read) {
  const auto bytes = static_cast<size_t>(header.data_bytes());
  if (header.element != NpyHeader::Element::kNumber) {
    std::vector<std::byte> data(bytes);
    read(data);
    return string_array(header, data);
  }
  Array array = Array::uninitialized(header.dtype, header.shape);
  read({array.mutable_data(), bytes});
  if (header.big_endian) {
    swap_bytes(array.mutable_data(), bytes, swapped_unit(header.dtype, header.element_size));
  }
  if (!header.fortran_order || header.shape.size() < 2) return array;
  const std::byte* data = array.data();
  return view_in_order(header, data, std::make_shared<Array>(std::move(array)));
}

Array read_npy(std::span<const std::byte> file, std::shared_ptr<const void> owner,
               const std::string& what) {
  const NpyHeader header = parse_npy_header(file, what);
  const std::span<const std::byte> data = file.subspan(npy_header_size(file, what));
  if (data.size() < static_cast<size_t>(header.data_bytes())) {
    fail(what, "truncated: an array of shape " + py_tuple_repr(header.shape) + " needs " +
                   std::to_string(header.data_bytes()) + " bytes, but " +
                   std::to_string(data.size()) + " follow the header.");
  }
  return npy_array(header, data, std::move(owner));
}

std::string npy_header(const Array& array) {
  // NumPy leaves room for the dimension that may grow, and aligns the data to 64 bytes.
  constexpr size_t kGrowthDigits = 21, kAlignment = 64;
  const bool fortran = is_fortran_contiguous(array);
  std::string text = "{'descr': '" + descr_of(array) +
                     "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + py_tuple_repr(array.shape()) + ", }";
  if (!array.shape().empty()) {
    const int64_t growing = fortran ? array.shape().back() : array.shape().front();
    text.append(kGrowthDigits - std::to_string(growing).size(), ' ');
  }
  for (const int version : {1, 2}) {
    const size_t prefix = version == 1 ? 10 : 12;
    const size_t padding = kAlignment - (prefix + text.size() + 1) % kAlignment;
    const size_t length = text.size() + padding + 1;
    if (version == 1 && length > 0xFFFF) continue;
    std::string header(kMagic);
    header += static_cast<char>(version);
    header += '\0';
    for (size_t i = 8, rest = length; i < prefix; ++i, rest >>= 8)
      header += static_cast<char>(rest);
    return header + text + std::string(padding, ' ') + '\n';
  }
  return {};
}

void write_npy_data(const Array& array,
                    const std::function<void(std::span<const std::byte>)>& write) {
  if (array.dtype() == DataType::kString) {
    const size_t length = longest(array);
    std::vector<uint32_t> codes(length);
    for (std::string_view text : array.strings()) {
      std::fill(codes.begin(), codes.end(), 0);
      for (size_t i = 0; !text.empty(); ++i) {
        const CodePoint point = first_code_point(text);
        codes[i] = point.value;
        text.remove_prefix(point.length);
      }
      write(std::as_bytes(std::span(codes)));
    }
    return;
  }
  if (is_fortran_contiguous(array)) {
    write({array.data(), static_cast<size_t>(array.nbytes())});
    return;
  }
  write(array.contiguous_aligned(1).bytes());
}

}  // namespace polygraphy
