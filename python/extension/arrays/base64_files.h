// Arrays as base64 in files of text, without the text in memory.
#pragma once

#include "python_api.h"

namespace native {

// write_pieces(fd, pieces) and read_base64(fd, offset, length, skip, buffer).
extern PyMethodDef base64_functions[];

}  // namespace native
