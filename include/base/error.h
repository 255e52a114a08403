// The one exception type of the project: something the user, a file or a runtime did wrong.
// Findings are values; programmer errors are asserts.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace polygraphy {

// What went wrong, for programs: a caller can tell errors apart, and say in its own words what to
// do (the command line names an option, a Python program an argument). A constant beside the
// function that throws it: `inline constexpr ErrorCode kNoExternalData{"external-data-missing"};`.
struct ErrorCode {
  std::string_view id = {};

  explicit operator bool() const { return !id.empty(); }
  bool operator==(const ErrorCode&) const = default;
};

// what() is the message: what was seen and where (file, node, tensor, both values).
// hint() says what to do; may be empty, may have several lines. It names no option of the command
// line: the command line prints the message, the hint, and the remedy that it has for the code
//. code() is empty where no caller needs to know.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}
  Error(ErrorCode code, const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)), code_(code) {}

  const std::string& hint() const noexcept { return hint_; }
  ErrorCode code() const noexcept { return code_; }

 private:
  std::string hint_;
  ErrorCode code_;
};

// A file that is not what it claims to be: truncated, absurd lengths, wrong magic, too deep.
class FormatError : public Error {
 public:
  using Error::Error;
};

// A file or directory that cannot be opened, read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

// The user (Ctrl-C) or a host asked to stop. The command line exits with 130.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace polygraphy
