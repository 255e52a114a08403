// NumPy's .npz: named arrays. Types that NumPy lacks are stored as codes (element_codes.h), our
// metadata as the text array `__metadata__`.
#include "formats/npz.h"

#include "formats/element_codes.h"
#include "formats/npy.h"
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {
namespace {

class Writer final : public TensorFileWriter {
 public:
  explicit Writer(const std::string& path) : npz_(path) {}

  bool add(std::string_view key, const Array& array) override {
    const bool known = numpy_has(array.dtype());
    npz_.add(key, known ? array : codes_of(array));
    return known;
  }
  void finish(const std::string& metadata) override {
    npz_.add("__metadata__", Array::from_strings({}, {metadata}));
    npz_.finish();
  }

 private:
  NpzWriter npz_;
};

std::unique_ptr<TensorFileWriter> write(const std::string& path) {
  return std::make_unique<Writer>(path);
}

}  // namespace

extern constinit const TensorFormat tensor_format_npz = {
    .name = ".npz",
    .extensions = ".npz",
    .order = 2,
    .recognizes = is_npz,
    .read = read_npz,
    .write = write,
};

}  // namespace polygraphy
