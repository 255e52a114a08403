#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/os/files/file_lock.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/mapped_file.h"
#include "base/os/system_error.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_files.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// A child process that a killed run has just forked holds the lock until its exec(). False: another
// process keeps it.
bool lock(int fd) {
  constexpr int kTries = 40;
  constexpr std::chrono::milliseconds kPause(25);
  for (int i = 0; i < kTries; ++i) {
    if (try_lock(fd) != EWOULDBLOCK) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

std::string json_string(const std::string& text) {
  StringSink sink;
  JsonWriter(sink).string(text);
  return sink.text();
}

// The beginning of a journal. The version states how models are identified: 2, by XXH3-128.
constexpr std::string_view kKind = "{\"journal\": \"polygraphy debug reduce\"";
constexpr std::string_view kVersion = ", \"version\": 2, ";

std::string heading(const std::string& reduction) {
  return std::string(kKind).append(kVersion) + "\"reduction\": " + json_string(reduction) + "}\n";
}

// As Fingerprint::text() writes it. nullopt: not a fingerprint.
std::optional<Fingerprint> read_fingerprint(std::string_view text) {
  constexpr size_t kDigits = 16;
  if (text.size() != 2 * kDigits) return std::nullopt;
  Fingerprint result;
  for (uint64_t* word : {&result.high, &result.low}) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + kDigits, *word, 16);
    if (error != std::errc() || end != text.data() + kDigits) return std::nullopt;
    text.remove_prefix(kDigits);
  }
  return result;
}

struct Line {
  Checked checked;
  CheckResult verdict;
  // Instead: a file that candidates are written to from here on; empty: those before are gone.
  std::optional<std::string> candidate;
};

Line read_line(std::string_view line, const std::string& source) {
  Line entry;
  JsonReader json(line, source);
  std::string key;
  bool has_model = false, has_verdict = false;
  json.enter_object();
  while (json.next_key(key)) {
    if (key == "model") {
      const std::optional<Fingerprint> model = read_fingerprint(json.read_string());
      if (!model) json.fail("a model needs a key of 32 hexadecimal digits");
      entry.checked.model = *model;
      has_model = true;
    } else if (key == "time") {
      entry.checked.time = static_cast<int>(json.read_integer());
    } else if (key == "passed") {
      entry.verdict.passed = json.read_bool();
      has_verdict = true;
    } else if (key == "signature") {
      entry.verdict.signature = json.read_string();
    } else if (key == "output") {
      entry.verdict.output = json.read_string();
    } else if (key == "candidate") {
      entry.candidate = json.read_string();
    } else {
      json.skip_value();
    }
  }
  if (!entry.candidate && (!has_model || !has_verdict))
    json.fail("a verdict needs a model and a value for passed");
  json.finish();
  return entry;
}

std::string candidate_line(const std::string& path) {
  return "{\"candidate\": " + json_string(path) + "}\n";
}

}  // namespace

Journal::Journal(std::string path, const std::string& reduction, bool resume)
    : path_(std::move(path)) {
  const auto fail = [this] [[noreturn]] {
    throw IoError("Cannot write the journal " + path_ + ": " + system_reason(errno));
  };
  file_ = open_to_append(path_, OldContents::kKeep);
  if (!file_) fail();
  const auto status = file_status(file_.get());
  if (!status) fail();
  if (!status->is_file()) throw Error("The journal " + path_ + " is not a regular file");
  if (!lock(file_.get())) {
    throw Error(kJournalInUse, "The journal " + path_ + " is in use by another reduction",
                "Wait for its end, or give another file.");
  }
  const auto file = MappedFile::open(path_);
  std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  if (!text.empty() && !resume) {
    throw Error(kJournalExists, "The journal " + path_ + " already exists, refusing to overwrite.",
                "Continue it, or give another file.");
  }
  // Nothing is changed before it is clear whose file this is.
  if (text.starts_with(kKind) && !text.substr(kKind.size()).starts_with(kVersion) &&
      text.size() >= kKind.size() + kVersion.size()) {
    throw Error(kForeignJournal,
                "The journal " + path_ + " was written by another version of this program",
                "Give another file.");
  }
  const std::string first = heading(reduction);
  if (!text.starts_with(first) && !first.starts_with(text)) {
    throw Error(kForeignJournal,
                "The journal " + path_ +
                    " belongs to another reduction: its model, check command or input data differs",
                "Give another file, or the same arguments as for the journal.");
  }
  // A line that a kill has truncated is dropped: its candidate is checked again.
  const size_t whole = text.rfind('\n') + 1;
  if (whole < text.size() && !set_size(file_.get(), whole)) fail();
  text = text.substr(0, whole);
  if (text.empty()) {
    write(first);
    return;
  }
  read_lines(text, first.size());
}

void Journal::read_lines(std::string_view text, size_t end) {
  for (int line = 2; end < text.size(); ++line) {
    const size_t begin = end;
    end = text.find('\n', begin) + 1;
    Line entry =
        read_line(text.substr(begin, end - begin), path_ + ", line " + std::to_string(line));
    if (!entry.candidate) {
      before_.emplace(std::move(entry.checked), std::move(entry.verdict));
    } else if (entry.candidate->empty()) {
      left_behind_.clear();
    } else {
      left_behind_.insert(*std::move(entry.candidate));
    }
  }
}

Journal::~Journal() {
  try {
    if (writes_candidates_) write(candidate_line(""));
  } catch (const IoError&) {  // then the next run finds nothing to remove
  }
}

void Journal::write_candidates_to(const std::vector<std::string>& paths) {
  // All of them: that run may have had more slots, or another folder.
  for (const std::string& path : left_behind_) remove_candidate(path);
  left_behind_.clear();
  for (const std::string& path : paths) {
    const std::string absolute = fs::absolute(path).lexically_normal().string();
    write(candidate_line(absolute));
    writes_candidates_ = true;
  }
}

// One call, so that a kill leaves all of it or a line without an end.
void Journal::write(const std::string& line) {
  if (const int error = write_all(file_.get(), line))
    throw IoError("Cannot write the journal " + path_ + ": " + system_reason(error));
}

void Journal::add(const Checked& checked, const CheckResult& verdict) {
  write("{\"model\": " + json_string(checked.model.text()) + ", \"time\": " +
        std::to_string(checked.time) + ", \"passed\": " + (verdict.passed ? "true" : "false") +
        ", \"signature\": " + json_string(verdict.signature) +
        (verdict.output.empty() ? "" : ", \"output\": " + json_string(verdict.output)) + "}\n");
}

}  // namespace polygraphy
