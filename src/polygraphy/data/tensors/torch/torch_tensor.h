// One tensor of a file of torch.save(): what its pickle says about type, shape, strides and
// storage, checked against the bytes of the storage.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/array.h"
#include "formats/pickle.h"
#include "formats/zip_archive.h"

namespace polygraphy {

// An archive of torch.save().
struct TorchArchive {
  std::span<const std::byte> file;
  std::shared_ptr<const void> owner;
  std::map<std::string, ZipEntry> entries;  // by names in the folder that holds all of them
};

// A function that loads the tensor that the call makes. Throws FormatError for one that is not a
// dense tensor, and for types, sizes and strides that do not fit the storage. `what` names the
// tensor in messages, of loading too.
std::function<Array()> torch_tensor(const Pickle& pickle, const PickleValue& call,
                                    const TorchArchive& archive, const std::string& what);

// Of "torch.float32". Only types whose elements have whole bytes.
std::optional<DataType> torch_type(std::string_view name);

}  // namespace polygraphy
