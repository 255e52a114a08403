// NumPy's .npz format: a zip archive of .npy files, stored or deflated (zip_archive.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrays/array.h"
#include "base/os/atomic_file.h"
#include "formats/stored_tensor.h"

namespace polygraphy {

// Whether the bytes begin as an archive of .npy files, or as an empty one.
bool is_npz(std::span<const std::byte> file);

// The first array of the archive. A stored one is a view of `file` where its alignment allows.
// Throws FormatError; `what` names the array in messages.
Array read_first_of_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                        const std::string& what);

// All arrays, by name and place. Reads the archive's directory only. Throws FormatError.
TensorFile read_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                    const std::string& path);

// Writes an archive array by array, as numpy.savez does: stored, with checksums; in files of more
// than 4 GiB as zip64. The data of each array is aligned to 64 bytes, so that it can be mapped.
class NpzWriter {
 public:
  // Throws IoError.
  explicit NpzWriter(const std::string& path) : file_(path) {}
  // Types that NumPy has only; `key` without ".npy". Reads strided arrays twice.
  void add(std::string_view key, const Array& array);
  // The file is there after this.
  void finish();

 private:
  void add_to_directory(const std::string& name, uint64_t offset, uint64_t size, uint32_t crc);

  AtomicFile file_;
  std::string directory_;
  uint64_t count_ = 0;
};

}  // namespace polygraphy
