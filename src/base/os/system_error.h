// The system's reasons in messages about files.
#pragma once

#include <string>

namespace polygraphy {

// "No such file or directory" for ENOENT; in English in every locale.
std::string system_reason(int error);

// The remedy for a file that could not be opened for reading; may be empty.
std::string open_hint(int error);

// The same of one that could not be written.
std::string write_hint(int error);

}  // namespace polygraphy
