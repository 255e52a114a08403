// Arrays as base64 in files of text, without the text in memory.

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/files/descriptor.h"
#include "buffer_array.h"
#include "formats/base64.h"
#include "python_functions.h"
#include "python_values.h"

namespace native {
namespace {

using polygraphy::Base64Encoder;
using polygraphy::read_all_at;
using polygraphy::write_all;

// Of bytes before and after encoding: small enough to stay in the cache between the two.
constexpr size_t kBlock = size_t{3} << 16;
constexpr size_t kTextBlock = kBlock / 3 * 4;

// Text as it is, or buffers whose bytes, one after the other, are written as base64.
struct Piece {
  std::vector<std::shared_ptr<const Py_buffer>> buffers;
  bool encoded = false;
};

std::span<const std::byte> bytes_of(const Py_buffer& buffer) {
  return {static_cast<const std::byte*>(buffer.buf), static_cast<size_t>(buffer.len)};
}

// Returns the error number; 0 for success.
int write_base64(int fd, const Piece& piece, std::vector<char>& text) {
  Base64Encoder encoder;
  for (const auto& buffer : piece.buffers) {
    for (std::span<const std::byte> left = bytes_of(*buffer); !left.empty();) {
      const auto block = left.first(std::min(left.size(), kBlock));
      const size_t size = encoder.encode(block, text.data());
      if (const int error = write_all(fd, {text.data(), size})) return error;
      left = left.subspan(block.size());
    }
  }
  return write_all(fd, {text.data(), encoder.finish(text.data())});
}

int write_text(int fd, const Piece& piece) {
  const auto bytes = bytes_of(*piece.buffers.front());
  return write_all(fd, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

PyRef write_pieces(PyObject*, int fd, PyObject* given) {
  std::vector<Piece> pieces;
  for_each(given, [&](PyObject* item) {
    Piece& piece = pieces.emplace_back();
    piece.encoded = PyTuple_Check(item) != 0;
    if (piece.encoded) {
      for_each(item, [&](PyObject* part) { piece.buffers.push_back(buffer_of(part)); });
    } else {
      piece.buffers.push_back(buffer_of(item));
    }
  });
  const int error = without_gil([&] {
    std::vector<char> text(Base64Encoder::text_limit(kBlock));
    for (const Piece& piece : pieces) {
      const int failed = piece.encoded ? write_base64(fd, piece, text) : write_text(fd, piece);
      if (failed != 0) return failed;
    }
    return 0;
  });
  if (error != 0) {
    errno = error;
    PyErr_SetFromErrno(PyExc_OSError);
    throw PythonError();
  }
  return none();
}

// The text of a part of a file, block by block, each of whole groups of four characters.
class TextBlocks {
 public:
  TextBlocks(int fd, int64_t offset, int64_t length) : fd_(fd), offset_(offset), left_(length) {}

  // Empty at the end, and if the file is truncated or unreadable, which failed() reports.
  std::string_view next() {
    const size_t wanted = static_cast<size_t>(std::min<int64_t>(left_, kTextBlock));
    const auto block = std::as_writable_bytes(std::span(text_).first(wanted));
    failed_ = read_all_at(fd_, static_cast<uint64_t>(offset_), block) != wanted;
    if (failed_) return {};
    offset_ += static_cast<int64_t>(wanted);
    left_ -= static_cast<int64_t>(wanted);
    return {text_.data(), wanted};
  }
  bool failed() const { return failed_; }

 private:
  int fd_;
  int64_t offset_, left_;
  bool failed_ = false;
  std::vector<char> text_ = std::vector<char>(kTextBlock);
};

// Fills `out` with what the text says after the first `skip` bytes. An explanation if it does not.
std::string decode(TextBlocks& blocks, size_t skip, std::span<std::byte> out) {
  std::vector<std::byte> decoded(kBlock);
  for (std::string_view text; !(text = blocks.next()).empty();) {
    const auto size = polygraphy::decoded_base64_size(text);
    if (!size) return "the text is not base64";
    // Straight into place where all of it belongs there.
    const bool direct = skip == 0 && *size <= out.size();
    std::byte* const target = direct ? out.data() : decoded.data();
    if (!polygraphy::decode_base64(text, target)) return "the text is not base64";
    const size_t skipped = std::min(skip, *size);
    const size_t kept = *size - skipped;
    if (kept > out.size()) return "the text has more bytes than the array";
    if (!direct) std::copy_n(decoded.data() + skipped, kept, out.data());
    skip -= skipped;
    out = out.subspan(kept);
  }
  if (blocks.failed()) return "the file is truncated";
  return out.empty() ? "" : "the text has fewer bytes than the array";
}

PyRef read_base64(PyObject*, int fd, int64_t offset, int64_t length, int64_t skip,
                  PyObject* target) {
  if (offset < 0 || length < 0 || skip < 0) raise(PyExc_ValueError, "a number is negative");
  const WritableBuffer buffer(target);
  const std::string problem = without_gil([&] {
    TextBlocks blocks(fd, offset, length);
    return decode(blocks, static_cast<size_t>(skip), buffer.bytes());
  });
  if (!problem.empty()) raise(PyExc_ValueError, problem);
  return none();
}

}  // namespace

// write_pieces(fd, pieces) and read_base64(fd, offset, length, skip, buffer).
PyMethodDef base64_functions[] = {
    {"write_pieces", entry<write_pieces>, form<write_pieces>,
     "write_pieces(fd, pieces): writes bytes, and base64 of the buffers in each tuple."},
    {"read_base64", entry<read_base64>, form<read_base64>,
     "read_base64(fd, offset, length, skip, buffer): decodes base64 of a file after the first "
     "`skip` bytes into a buffer. ValueError: not base64, or another size."},
    {}};

}  // namespace native
