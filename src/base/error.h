// The one exception type of the project: something the user, a file or an engine did wrong.
// Findings are values; programmer errors are asserts.
#pragma once

#include <stdexcept>
#include <string>

namespace polygraphy {

// what() is the message: what was seen and where (file, node, tensor, both values).
// hint() says what to do; may be empty, may have several lines. The command line prints the hint on
// the lines after the message.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}

  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
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
