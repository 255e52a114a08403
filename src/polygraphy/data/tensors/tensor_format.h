// File formats of arrays. One file per format under formats/; each defines one descriptor, and what
// lists formats (readers, writers, folders, help, error messages) goes by the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "formats/stored_tensor.h"

namespace polygraphy {

// Writes a file array by array. Nothing exists under the final name before finish().
class TensorFileWriter {
 public:
  virtual ~TensorFileWriter() = default;
  // Called before the first add(): about how many arrays will come. Only a hint.
  virtual void expect(size_t arrays) { static_cast<void>(arrays); }
  // False: the format lacks the array's type, and a stand-in was written, made by to_bytes() or
  // codes_of(); the caller notes type and shape in the metadata. Keys differ. Throws IoError.
  virtual bool add(std::string_view key, const Array& array) = 0;
  // `metadata` comes back as TensorFile::metadata.
  virtual void finish(const std::string& metadata) = 0;
};

struct TensorFormat {
  enum class Content : uint8_t {
    kDocument,  // JSON: read as a stream by results/saved_document.h, not by `read`
    kArrays,    // named arrays: one iteration, or all of them where polygraphy wrote the file
    kPart,      // one input or output, or some; other files hold more of the iteration
    kBytes,     // one array's bytes; its type and shape come from elsewhere (raw_input.h)
  };
  std::string_view name;        // in lists for users: "JSON", ".npy", ".pb of onnx test data"
  std::string_view extensions;  // in lower case, separated by blanks: ".bin .raw .dat"
  int order = 0;                // in listings
  Content content = Content::kArrays;
  // True if the bytes are certainly of this format; such a file may have any name. Null: only the
  // extension decides. Never throws.
  bool (*recognizes)(std::span<const std::byte> bytes) = nullptr;
  // The same for bytes that look like it; called if neither bytes nor extension decide.
  bool (*resembles)(std::span<const std::byte> bytes) = nullptr;
  // Reads names, types and places; no values. Throws FormatError. Set for kArrays and kPart.
  TensorFile (*read)(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                     const std::string& path) = nullptr;
  // Set for formats that iterations are saved in (results/result_store.h). Throws IoError.
  std::unique_ptr<TensorFileWriter> (*write)(const std::string& path) = nullptr;

  bool has_extension(std::string_view path) const;  // in upper case as well
};

// All formats of the folder, in file order.
std::span<const TensorFormat* const> tensor_formats();
// The same in the order of listings.
std::vector<const TensorFormat*> listed_tensor_formats();

// By the path's extension alone; null: no format has it.
const TensorFormat* format_of_extension(std::string_view path);
// Decides by the bytes, else by the path's extension, else by similarity of the bytes. Never
// kBytes, which fits any file; null: unknown.
const TensorFormat* format_of(std::span<const std::byte> bytes, std::string_view path);
bool is_document(const TensorFormat* format);

// For help and messages: names of formats, in the order of listings, joined by ", ".
std::string names_of_saved_formats();   // that results are saved in: "JSON, .safetensors, .npz"
std::string names_of_binary_formats();  // these without JSON: ".safetensors, .npz"
std::string names_of_loaded_formats();  // that are only read: ".npy, .pb of onnx test data"

}  // namespace polygraphy
