#include "cli/message_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace polygraphy::cli {
namespace {

// `text` without "ESC [ ... letter"; `storage` holds the result where there was any.
std::string_view without_colors(std::string_view text, std::string& storage) {
  if (text.find('\x1b') == std::string_view::npos) return text;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
    } else {
      result += text[i];
    }
  }
  storage = std::move(result);
  return storage;
}

void make_parents(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    ::mkdir(path.substr(0, slash).c_str(), 0777);  // open() reports what matters
  }
}

[[noreturn]] void fail(const char* what, const std::string& path) {
  throw IoError(
      std::string("cannot ") + what + " the log file '" + path + "': " + std::strerror(errno),
      "Choose another path for --log-file.");
}

}  // namespace

MessageSink::~MessageSink() {
  if (log_file_ >= 0) ::close(log_file_);
}

void MessageSink::write(Severity severity, std::string_view text) {
  Stream& stream = severity == Severity::kCritical ? env_.err : env_.out;
  // Both may be one terminal or one file: what was said first is seen first.
  if (&stream == &env_.err) env_.out.flush();
  std::string storage;
  stream.write(stream.terminal() ? text : without_colors(text, storage));
  stream.write("\n");
  stream.flush();
  if (log_file_ < 0) return;
  const std::string plain = std::string(without_colors(text, storage)) + "\n";
  std::string_view rest = plain;
  while (!rest.empty()) {
    const ssize_t written = ::write(log_file_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      ::close(log_file_);
      log_file_ = -1;
      fail("write to", path_);
    }
  }
}

void MessageSink::open_log_file(const std::string& path) {
  make_parents(path);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail("open", path);
  if (log_file_ >= 0) ::close(log_file_);
  log_file_ = file;
  path_ = path;
}

}  // namespace polygraphy::cli
