// The system's reasons in messages about files.
#pragma once

#include <string>
#include <string_view>

namespace polygraphy {

// "No such file or directory" for ENOENT; in English in every locale.
std::string system_reason(int error);

// How the hint begins of a file that only the sandbox keeps from being opened.
inline constexpr std::string_view kRefusedBySandbox = "The sandbox refuses it.";

// The remedy for a file that could not be opened for reading; may be empty. With its path, a
// refusal of the sandbox differs from missing permissions.
std::string open_hint(int error, const std::string& path = {});

// The same of one that could not be written.
std::string write_hint(int error);

// A remedy for a library's message on something that it was refused; empty outside of the sandbox,
// and for other messages.
std::string sandbox_hint(std::string_view message);

}  // namespace polygraphy
