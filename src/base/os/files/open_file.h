// Ways to open a file.
#pragma once

#include <cstdint>
#include <string>

#include "base/os/files/descriptor.h"

namespace polygraphy {

// Writes go to the end, in whichever process. Creates a missing file. Empty, with the reason in
// errno: it cannot be opened.
enum class OldContents : uint8_t { kKeep, kDrop };
FileDescriptor open_to_append(const std::string& path, OldContents old);

// A regular file that other processes and users write, too: never a link, and without a wait for
// the other end of a FIFO. For writing, a missing file is created. Throws IoError.
enum class OpenFor : uint8_t { kReading, kWriting };
FileDescriptor open_regular(const std::string& path, OpenFor what);

// A file without a name, to be written and read; the system removes it with the process. In
// `folder`, for this user only. Empty, with the reason in errno.
FileDescriptor open_unnamed(const std::string& folder);

}  // namespace polygraphy
