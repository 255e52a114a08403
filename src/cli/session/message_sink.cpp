#include "cli/session/message_sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/os/files/open_file.h"
#include "base/os/paths.h"
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

[[noreturn]] void fail(const char* what, const std::string& path, int error) {
  throw IoError(
      std::string("cannot ") + what + " the log file '" + path + "': " + std::strerror(error),
      "Choose another path.");
}

}  // namespace

MessageSink::LogFile::LogFile(const std::string& path) : path_(path) {
  std::error_code ignored;  // opening the file reports failures that matter
  std::filesystem::create_directories(folder_of(path), ignored);
  file_ = open_to_append(path, OldContents::kDrop);
  if (!file_) fail("open", path, errno);
}

void MessageSink::LogFile::append(std::string_view message) {
  std::string visible_storage, storage;
  const std::string line =
      std::string(without_colors(visible(message, visible_storage), storage)) + "\n";
  if (!file_) return;
  if (const int error = write_all(file_.get(), line)) {
    file_.close();
    fail("write to", path_, error);
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
  if (log_file_) log_file_->append(text);
}

void MessageSink::record(const std::string& path, Logger& log) {
  record_.emplace(path);
  shown_ = recorded_ = log;
  recorded_->set_sink([this](Severity, std::string_view text) { record_->append(text); });
  for (const auto& [module, threshold] : shown_->thresholds()) {
    const Severity lower = std::min(threshold, Severity::kInfo);
    recorded_->set_severity(module, lower);
    log.set_severity(module, lower);
  }
  log.set_relay([this](Severity severity, std::string_view module, std::string_view text, Once once,
                       int levels) {
    for (Logger* one : {&*shown_, &*recorded_}) {
      const Logger::Indent indent(*one, levels);
      one->log(severity, module, text, once);
    }
  });
}

}  // namespace polygraphy::cli
