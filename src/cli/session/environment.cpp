#include "cli/session/environment.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/os/files/descriptor.h"
#include "base/os/processes/this_process.h"
#include "base/visible_text.h"

namespace polygraphy::cli {
namespace {

constexpr size_t kBufferSize = 64 << 10;

}  // namespace

DescriptorStream::DescriptorStream(int descriptor, std::string name)
    : descriptor_(descriptor), terminal_(is_terminal(descriptor)), name_(std::move(name)) {
  // Where memory ends later, the sentence about it has a place.
  buffer_.reserve(kBufferSize);
}

DescriptorStream::~DescriptorStream() {
  try {
    flush();
  } catch (const Error&) {
    // A destructor cannot report errors: callers that need them flush before.
  }
}

void DescriptorStream::write(std::string_view text) {
  std::string storage;
  control(terminal_ ? visible(text, storage) : text);
}

void DescriptorStream::control(std::string_view text) {
  if (buffer_.size() + text.size() < kBufferSize) {
    buffer_ += text;
    return;
  }
  flush();
  send(text);
}

void DescriptorStream::flush() {
  std::string pending = std::move(buffer_);
  buffer_.clear();
  send(pending);
  pending.clear();
  buffer_ = std::move(pending);
}

void DescriptorStream::send(std::string_view text) {
  const int error = closed_ ? 0 : write_all(descriptor_, text);
  if (error == 0) return;
  closed_ = true;
  if (error != EPIPE) throw IoError("cannot write to " + name_ + ": " + std::strerror(error));
}

std::string_view Environment::variable(std::string_view name) const {
  for (const char* const* entry = variables; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=') {
      return text.substr(name.size() + 1);
    }
  }
  return {};
}

std::string Environment::path(std::string_view typed) const {
  if (root.empty() || typed.empty() || typed.front() == '/' || typed == "-")
    return std::string(typed);
  return root + "/" + std::string(typed);
}

}  // namespace polygraphy::cli
