// Tensors of PyTorch, as torch.save() writes them.
#include "polygraphy/data/tensors/tensor_format.h"
#include "polygraphy/data/tensors/torch/torch_file.h"

namespace polygraphy {

extern constinit const TensorFormat tensor_format_torch = {
    .name = ".pt of PyTorch",
    .extensions = ".pt .pth",
    .order = 5,
    .content = TensorFormat::Content::kPart,
    .recognizes = is_torch_file,
    .read = read_torch_file,
};

}  // namespace polygraphy
