// Files of nothing but an array's bytes (raw_input.h).
#include "polygraphy/data/tensors/tensor_format.h"

namespace polygraphy {

extern constinit const TensorFormat tensor_format_raw = {
    .name = "raw bytes",
    .extensions = ".bin .raw .dat",
    .order = 6,
    .content = TensorFormat::Content::kBytes,
};

}  // namespace polygraphy
