// The exception type of the project: an error of the user, a file or a runtime. Findings are
// values; programming errors are assertions.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace polygraphy {

// Identifies an error for programs, so that a caller can add a remedy in its own terms (the command
// line names an option, a Python program an argument). A constant beside the function that throws
// it: `inline constexpr ErrorCode kNoExternalData{"external-data-missing"};`.
struct ErrorCode {
  std::string_view id = {};

  explicit operator bool() const { return !id.empty(); }
  bool operator==(const ErrorCode&) const = default;
};

// what() is the message: the observation and its place (file, node, tensor, both values). hint() is
// a remedy; it may be empty or have several lines. It names no option of the command line: the
// command line prints the message, the hint, and the remedy that it has for the code
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

// A damaged file, or one of another format: truncated, absurd lengths, wrong magic, too deep.
class FormatError : public Error {
 public:
  using Error::Error;
};

// A file or directory that cannot be opened, read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

// The user (Ctrl-C) or a host cancelled the work. The command line exits with 130.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace polygraphy
