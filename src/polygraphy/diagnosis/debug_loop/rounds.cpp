#include "polygraphy/diagnosis/debug_loop/rounds.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/files/file_access.h"
#include "base/text.h"
#include "polygraphy/diagnosis/debug_loop/check_slots.h"
#include "polygraphy/diagnosis/debug_loop/repeat.h"

namespace polygraphy {

namespace fs = std::filesystem;

namespace {

// "folder/name.onnx" -> "folder/name_2.onnx" for slot 1.
std::string path_in_slot(const std::string& path, int slot) {
  const fs::path whole(path);
  const std::string stem = whole.stem().string(), extension = whole.extension().string();
  return (whole.parent_path() / (stem + "_" + std::to_string(slot + 1) + extension)).string();
}

}  // namespace

std::string RoundFiles::path(const std::string& final_place) const {
  return slot_ < 0 || !std::ranges::count(paths_, final_place) ? final_place
                                                               : path_in_slot(final_place, slot_);
}

void RoundFiles::move_into_place() const {
  for (const std::string& final_place : paths_) {
    std::error_code error;
    fs::rename(path(final_place), final_place, error);
    if (!error || error == std::errc::no_such_file_or_directory) continue;
    throw IoError("Cannot move " + path(final_place) + " to " + final_place + ": " +
                  error.message());
  }
}

void RoundFiles::remove() const {
  for (const std::string& final_place : paths_) remove_file(path(final_place));
}

std::string RoundFiles::in_the_way() const {
  for (const std::string& final_place : paths_) {
    if (fs::exists(fs::symlink_status(path(final_place)))) return path(final_place);
  }
  return {};
}

// Each slot has one work until a round has taken its outcome, or another work needs the slot.
class Rounds::SideBySide {
 public:
  SideBySide(const RoundOptions& options, const std::string& artifact, const Logger& log)
      : options_(options), artifact_(artifact), slots_(options.check, options.at_a_time, log) {
    for (int slot = 0; slot < options.at_a_time; ++slot) {
      const std::string path = seats_.emplace_back(options.files, slot).files.in_the_way();
      if (path.empty()) continue;
      throw Error(kRoundFileInTheWay, path + " already exists, refusing to overwrite.",
                  "Rounds that run side by side write files like this one: move the file, or give "
                  "another name or folder.");
    }
  }
  ~SideBySide() { stop(); }

  void stop() {
    slots_.stop_all();
    for (Seat& seat : seats_) empty(seat);
  }

  // The outcome of the work, whose files are then in place. Works of `next` run meanwhile.
  CheckSlots::Outcome outcome(const RoundWork& needed, const Upcoming<RoundWork>& next) {
    Seat* seat = &seat_of(needed);
    std::vector<RoundWork> wanted = {needed};
    while (true) {
      collect();
      if (seat->outcome) break;
      fill(wanted, next);
      slots_.wait(kSlice);
      if (!options_.cancel.cancelled()) continue;
      slots_.stop_all();
      throw Interrupted();
    }
    CheckSlots::Outcome outcome = *std::exchange(seat->outcome, {});
    seat->key.reset();
    for (KeptMessage& message : outcome.messages) use_final_places(message.text, seat->files);
    if (outcome.made && !outcome.error) seat->files.move_into_place();
    return outcome;
  }

 private:
  static constexpr double kSlice = 0.05;  // seconds after which Ctrl-C is noticed

  struct Seat {
    Seat(const std::vector<std::string>& paths, int slot) : files(paths, slot) {}
    RoundFiles files;
    std::optional<std::string> key = {};
    std::optional<CheckSlots::Outcome> outcome = {};
  };

  static void empty(Seat& seat) {
    if (seat.key) seat.files.remove();
    seat.key.reset();
    seat.outcome.reset();
  }

  void use_final_places(std::string& text, const RoundFiles& files) const {
    for (const std::string& path : options_.files) text = replace_all(text, files.path(path), path);
  }

  void collect() {
    for (size_t slot = 0; slot < seats_.size(); ++slot) {
      Seat& seat = seats_[slot];
      if (seat.key && !seat.outcome) seat.outcome = slots_.take(static_cast<int>(slot));
    }
  }

  // The seat of a work, which may have been started before. The last outcome has left one empty.
  Seat& seat_of(const RoundWork& work) {
    const auto known = std::ranges::find(seats_, work.key, &Seat::key);
    if (known != seats_.end()) return *known;
    const auto empty =
        std::ranges::find_if(seats_, [](const Seat& seat) { return !seat.key.has_value(); });
    empty->key = work.key;
    slots_.start(static_cast<int>(empty - seats_.begin()), empty->files.path(artifact_),
                 [make = work.make, files = empty->files](Logger& log, CancelToken cancel) {
                   return make(files, log, cancel);
                 });
    return *empty;
  }

  // Runs as many works as there are slots, and no others.
  void fill(std::vector<RoundWork>& wanted, const Upcoming<RoundWork>& next) {
    const auto is_wanted = [&](const std::string& key) {
      return std::ranges::count(wanted, key, &RoundWork::key) > 0;
    };
    while (wanted.size() < seats_.size()) {
      std::optional<RoundWork> another = take_next(next);
      if (!another) break;
      if (!is_wanted(another->key)) wanted.push_back(*std::move(another));
    }
    for (size_t slot = 0; slot < seats_.size(); ++slot) {
      Seat& seat = seats_[slot];
      if (!seat.key || is_wanted(*seat.key)) continue;
      slots_.stop(static_cast<int>(slot));
      empty(seat);
    }
    for (const RoundWork& work : wanted) seat_of(work);
  }

  const RoundOptions& options_;
  const std::string artifact_;
  std::vector<Seat> seats_;
  CheckSlots slots_;
};

Rounds::Rounds(DebugLoop& loop, RoundOptions options, Logger& log)
    : loop_(loop), options_(std::move(options)), log_(log) {
  if (options_.at_a_time == 1) {
    check_ = options_.check(log_, options_.cancel);
  } else {
    side_by_side_ = std::make_unique<SideBySide>(options_, loop.artifact(), log_);
  }
}

Rounds::~Rounds() = default;

void Rounds::stop() {
  if (side_by_side_) side_by_side_->stop();
}

bool Rounds::run(const RoundWork& work, const Upcoming<RoundWork>& next,
                 std::optional<int64_t> remaining, const OrderedMap<int64_t>& state) {
  made_ = true;
  if (check_) {
    const auto make = [&] {
      return made_ = work.make(RoundFiles(options_.files), log_, options_.cancel);
    };
    return run_round(loop_, *check_, make, remaining, state);
  }
  DebugLoop::Round round(loop_, remaining);
  if (const ReplayEntry* entry = round.replayed()) {
    check_replayed(*entry, state);
    round.end({.passed = entry->success});
    return entry->success;
  }
  round.begin(state);
  CheckSlots::Outcome outcome = side_by_side_->outcome(work, next);
  log_kept(outcome.messages, log_);
  if (outcome.error) std::rethrow_exception(outcome.error);
  made_ = outcome.made;
  if (made_) round.made();
  round.end(outcome.verdict, made_);
  return outcome.verdict.passed;
}

}  // namespace polygraphy
