// NumPy's .npy format, versions 1 to 3. Source: numpy/lib/_format_impl.py, "Format Version 1.0" and
// following.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/array.h"

namespace polygraphy {

// The header's description of the data that follows it.
struct NpyHeader {
  // How one element lies in the file.
  enum class Element { kNumber, kUcs4, kBytes };
  Element element = Element::kNumber;
  DataType dtype = DataType::kUndefined;  // kString for both kinds of text
  int64_t element_size = 0;               // bytes
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  // Product of shape and element_size.
  int64_t data_bytes() const;
};

constexpr size_t kNpyPrefixBytes = 12;

// Bytes before the data, from the first kNpyPrefixBytes bytes of the file (or all of a shorter
// one). Throws FormatError: no .npy file, or a header of more than 64 KiB. `what` names the array
// in messages, here and below.
size_t npy_header_size(std::span<const std::byte> prefix, const std::string& what);
// Reads a whole header. Throws FormatError.
NpyHeader parse_npy_header(std::span<const std::byte> header, const std::string& what);

// The array of the bytes at `data` (at least data_bytes()), which live as long as `owner`; views
// them where it can, else copies. A Fortran-ordered array is a strided view.
Array npy_array(const NpyHeader& header, std::span<const std::byte> data,
                std::shared_ptr<const void> owner);

// The array of a header; `read` fetches its data, called once with room for data_bytes(): numbers
// are read straight into the array. `read` throws when it cannot.
Array npy_array(const NpyHeader& header, const std::function<void(std::span<std::byte>)>& read);

// A whole file in memory. Throws FormatError when it is cut short.
Array read_npy(std::span<const std::byte> file, std::shared_ptr<const void> owner,
               const std::string& what);

// Header as NumPy 2 writes it, byte for byte. Numbers and strings only: for other types see
// array_json.h.
std::string npy_header(const Array& array);
// The data that follows it, in pieces. A contiguous Fortran-ordered view is written as such, as in
// NumPy.
void write_npy_data(const Array& array,
                    const std::function<void(std::span<const std::byte>)>& write);

// False for types that NumPy lacks: bfloat16, float8, int4 …
bool numpy_has(DataType type);

}  // namespace polygraphy
