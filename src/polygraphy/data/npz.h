// NumPy's .npz format: a zip archive of .npy files, stored or deflated. Source: PKWARE's
// APPNOTE.TXT.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/array.h"

namespace polygraphy {

bool is_npz(std::span<const std::byte> file);

// The first array of the archive. A stored one is a view of `file` where its alignment allows.
// Throws FormatError; `what` names the array in messages.
Array read_first_of_npz(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                        const std::string& what);

}  // namespace polygraphy
