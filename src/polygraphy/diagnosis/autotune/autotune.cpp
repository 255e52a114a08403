#include "polygraphy/diagnosis/autotune/autotune.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "polygraphy/diagnosis/autotune/candidates.h"

namespace polygraphy {
namespace {

using log_modules::kAutotune;

// How many candidates there may be.
int64_t most_candidates(const AutotuneJob& job, size_t count) {
  if (job.mode == AutotuneMode::kGreedy) return static_cast<int64_t>(count);
  const int64_t subsets = count < 62 ? (int64_t{1} << count) - 1 : job.limits.most;
  return std::min(subsets, job.limits.most);
}

// A model that is loaded, and the file that it was loaded from: some runners read it at each run.
struct Contestant {
  std::unique_ptr<CandidateFile> file;  // null: the user's own
  LoadedModel model;
};

class Autotune {
 public:
  Autotune(const AutotuneJob& job, RunnerFactory& factory, Logger& log)
      : job_(job), log_(log), timing_(job_.measure, factory, log) {
    job_.replace.model = factory.onnx(job.replace.model);
    show_as_verbose(quiet_, log, kAutotune);
    candidates_.emplace(job_.replace, job.config, job.config_name, job.python, quiet_);
    if (candidates_->count() > 0) return;
    throw Error(kNothingToReplace, "There are no replacements to try: " + job.config_name +
                                       " has no subgraph of " + job.model_name +
                                       " that a plugin can replace");
  }

  AutotuneResult run() {
    measure_unmodified();
    const SearchResult found = search();
    if (found.best.empty()) {
      if (found.interrupted) throw Interrupted();
      refuse();
    }
    const bool confirmed = !found.interrupted && confirm();
    return {.interrupted = !confirmed, .report = save(found.best, confirmed)};
  }

 private:
  void measure_unmodified() {
    best_.model = timing_.load(job_.replace.model, "the unmodified model");
    const double seconds = timing_.measure(best_.model);
    log_.info(kAutotune, fmt::format("The unmodified model takes {} on {}{}{}",
                                     milliseconds(seconds), job_.measure.runner.label(),
                                     timing_.inputs().empty() ? "" : " with ", timing_.inputs()));
  }

  SearchResult search() {
    const size_t count = candidates_->count();
    most_ = most_candidates(job_, count);
    phase_.emplace("measuring candidate", static_cast<int64_t>(most_));
    const MeasureCandidate measure = [this](const Replacements&, const Replacements& candidate) {
      return attempt(candidate);
    };
    if (job_.mode == AutotuneMode::kGreedy) return search_greedy(count, measure);
    SearchResult found = search_subsets(count, job_.limits, measure);
    if (!found.complete) {
      log_.warning(kAutotune, fmt::format("The {} replacements have more than the maximum of {} "
                                          "subsets; the others were not measured",
                                          count, found.tried));
    }
    return found;
  }

  std::optional<Duel> attempt(const Replacements& replacements) {
    // For greedy, only the new replacement: the others are already in the best.
    const Replacements tried =
        job_.mode == AutotuneMode::kGreedy ? Replacements{replacements.back()} : replacements;
    Attempt attempt{.replacements = candidates_->names(tried)};
    const std::string head = fmt::format(
        "{} of {}: {}", attempts_.size() + 1, most_,
        tried.size() == 1 ? candidates_->describe(tried.front()) : attempt.replacements);
    attempt.duel = measure(replacements, attempt.refusal);
    phase_->step();
    attempts_.push_back(attempt);
    if (!attempt.duel) {
      log_.warning(kAutotune, head + " is rejected: " + attempt.refusal);
      return std::nullopt;
    }
    const Duel& duel = *attempt.duel;
    log_.info(kAutotune,
              fmt::format("{} | {} beside {} ({}){}", head, milliseconds(duel.candidate),
                          milliseconds(duel.best), change_text(duel.best, duel.candidate),
                          duel.faster ? ", kept" : ""));
    return duel;
  }

  // Or else the model was measured already, without what has no effect.
  bool is_new(const Replacements& effective, const Replacements& replacements) const {
    if (job_.mode == AutotuneMode::kExhaustive) return effective == replacements;
    return !effective.empty() && effective.back() == replacements.back();
  }

  // A candidate that is faster becomes the best. nullopt: `refusal` says why.
  std::optional<Duel> measure(const Replacements& replacements, std::string& refusal) {
    Contestant candidate;
    try {
      const auto model = candidates_->make(replacements, quiet_);
      if (!is_new(candidates_->effective(replacements, *model), replacements))
        throw Error("it has no effect: its outputs are no longer needed");
      candidate.file = std::make_unique<CandidateFile>(*model);
      candidate.model = timing_.load(candidate.file->source(), "the candidate");
      const Duel duel = timing_.compare(best_.model, candidate.model);
      if (duel.faster) {
        ++wins_;
        result_ = duel;
        best_ = std::move(candidate);
      }
      return duel;
    } catch (const Interrupted&) {
      throw;
    } catch (const BestFailed&) {
      throw;
    } catch (const IoError&) {
      throw;  // a full disk is not a fault of the candidate
    } catch (const Error& error) {
      refusal = error.what();
    }
    // The name of the temporary file is meaningless to users.
    if (candidate.file) {
      refusal = replace_all(refusal, candidate.file->source().path, "the candidate");
    }
    return std::nullopt;
  }

  [[noreturn]] void refuse() const {
    const Attempt* fastest = nullptr;
    for (const Attempt& each : attempts_) {
      if (!each.duel) continue;
      if (!fastest ||
          each.duel->candidate * fastest->duel->best < fastest->duel->candidate * each.duel->best) {
        fastest = &each;
      }
    }
    const std::string head = "No replacement makes " + job_.model_name + " faster: ";
    constexpr const char* kNothingWritten = "No model was written.";
    if (!fastest) {
      throw Error(kNothingFaster,
                  head + fmt::format("all {} candidate(s) failed to run on {}", attempts_.size(),
                                     job_.measure.runner.label()),
                  kNothingWritten);
    }
    const Duel& duel = *fastest->duel;
    const bool chance = duel.candidate < duel.best;
    throw Error(
        kNothingFaster,
        head + fmt::format("the best of {} candidate(s) takes {}, but {} without the replacement{}",
                           attempts_.size(), milliseconds(duel.candidate), milliseconds(duel.best),
                           chance ? ", within the noise of measurement" : ""),
        chance ? "No model was written. Increase the number of runs to measure small differences."
               : kNothingWritten);
  }

  // Of several steps, each may have been measured at another moment. False: interrupted.
  bool confirm() {
    if (wins_ < 2) return true;
    Duel duel;
    try {
      const LoadedModel unmodified = timing_.load(job_.replace.model, "the unmodified model");
      duel = timing_.compare(unmodified, best_.model);
    } catch (const Interrupted&) {
      return false;
    }
    result_ = duel;
    if (duel.candidate < duel.best) return true;
    throw Error(kNothingFaster,
                fmt::format("The replacements make {} faster one by one, but not together: it "
                            "takes {} with them, and {} without",
                            job_.model_name, milliseconds(duel.candidate), milliseconds(duel.best)),
                "No model was written.");
  }

  AutotuneReport save(const Replacements& found, bool confirmed) {
    best_ = {};  // its file may be the one that is written
    const Replacements best = candidates_->effective(found, *candidates_->make(found, quiet_));
    save_onnx(*candidates_->make(best, log_), job_.output, log_);
    std::optional<Duel> result;
    if (confirmed) result = result_;
    log_.info(kAutotune,
              fmt::format(
                  "{} of {} replacements kept: {}{}", best.size(), candidates_->count(),
                  candidates_->names(best),
                  !result ? ""
                          : fmt::format(" | {} instead of {} ({})", milliseconds(result->candidate),
                                        milliseconds(result->best),
                                        change_text(result->best, result->candidate))));
    AutotuneReport report = report_of(best, result);
    if (!job_.report.empty()) {
      write_file(job_.report, report_text(report));
      if (job_.report != "-") log_.info(kAutotune, "Report saved to " + job_.typed_report);
    }
    return report;
  }

  AutotuneReport report_of(const Replacements& best, const std::optional<Duel>& result) const {
    AutotuneReport report{.model = job_.model_name,
                          .runner = job_.measure.runner.label(),
                          .inputs = timing_.inputs(),
                          .mode = job_.mode == AutotuneMode::kGreedy ? "greedy" : "exhaustive",
                          .warm_up = job_.measure.warm_up,
                          .runs = job_.measure.runs,
                          .found = {},
                          .attempts = attempts_,
                          .kept = {},
                          .result = result,
                          .output = job_.output.shown()};
    for (size_t i = 0; i < candidates_->count(); ++i) {
      report.found.push_back(candidates_->describe(i));
    }
    for (const size_t i : best) report.kept.push_back(candidates_->describe(i));
    return report;
  }

  AutotuneJob job_;
  Logger& log_;
  Logger quiet_;
  SideBySide timing_;
  std::optional<Candidates> candidates_;
  Contestant best_;
  int64_t wins_ = 0;                    // candidates that became the best
  Duel result_;                         // the last of these
  int64_t most_ = 0;                    // candidates that there may be
  std::optional<ProgressPhase> phase_;  // of the search
  std::vector<Attempt> attempts_;
};

}  // namespace

AutotuneResult autotune(const AutotuneJob& job, RunnerFactory& factory, Logger& log) {
  return Autotune(job, factory, log).run();
}

}  // namespace polygraphy
