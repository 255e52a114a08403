// Tensors in files of torch.save(): a zip archive of a pickle, `data.pkl`, and of the bytes of each
// storage, `data/N`. Needs no PyTorch: the pickle is read as data (formats/pickle.h), and what is
// neither a tensor nor a container of them is an error. Source: torch/serialization.py and
// torch/_utils.py of PyTorch.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "formats/stored_tensor.h"

namespace polygraphy {

// Whether the bytes are such a file, of PyTorch before 1.6 too, or a TorchScript program. The last
// two are errors of read_torch_file.
bool is_torch_file(std::span<const std::byte> file);

// All tensors. A dict's value is called as its key, a value of a dict in it `outer.inner`, an item
// of a list or tuple `outer[0]` (flat_names.h). A tensor or list that is alone in the file has the
// file's name. Arrays view `file`, so tensors share storages as in PyTorch; those that are not
// contiguous are copied when they are loaded. Throws FormatError.
TensorFile read_torch_file(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                           const std::string& path);

}  // namespace polygraphy
