#include "cli/session/message_sink.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/progress_line.h"
#include "base/visible_text.h"

namespace polygraphy::cli {
namespace {

// Visible text without colours, which are its only escape sequences; `storage` holds the result
// where there was any.
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
      "Choose another path.");
}

}  // namespace

MessageSink::~MessageSink() {
  for (const LogFile& file : log_files_) {
    if (file.descriptor >= 0) ::close(file.descriptor);
  }
}

void MessageSink::append(LogFile& file, std::string_view text) {
  while (!text.empty() && file.descriptor >= 0) {
    const ssize_t written = ::write(file.descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      ::close(file.descriptor);
      file.descriptor = -1;
      fail("write to", file.path);
    }
  }
}

void MessageSink::write(Severity severity, std::string_view text) {
  Stream& stream = severity == Severity::kCritical || leaves_out_ ? env_.err : env_.out;
  if (env_.progress) env_.progress->hide();
  // Both may be one terminal or one file: messages appear in the order in which they were written.
  if (&stream == &env_.err) env_.out.flush();
  std::string visible_storage, storage;
  text = visible(text, visible_storage);
  if (stream.terminal()) {
    stream.control(text);  // visible already
  } else {
    stream.write(without_colors(text, storage));
  }
  stream.write("\n");
  stream.flush();
  if (env_.progress) env_.progress->show_again();
  if (log_files_.empty()) return;
  const std::string plain = std::string(without_colors(text, storage)) + "\n";
  for (LogFile& file : log_files_) append(file, plain);
}

void MessageSink::open_log_file(const std::string& path) {
  make_parents(path);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail("open", path);
  log_files_.push_back({path, file});
}

}  // namespace polygraphy::cli
