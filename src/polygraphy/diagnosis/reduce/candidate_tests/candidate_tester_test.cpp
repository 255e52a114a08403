#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Candidates are models that are known by the names of their graphs.
Model model_of(const std::string& name) {
  Model model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Neg(x) })");
  model.graph->set_name(name);
  return model;
}

Candidate candidate(const std::string& name, bool again = false) {
  return {.about = "Trying " + name,
          .make = [name](CandidateTools& tools) -> std::optional<Model> {
            if (name == "impossible") return std::nullopt;
            tools.log.info("module", "Making " + name);
            return model_of(name);
          },
          .again = again};
}

// The verdict on a name.
using Verdicts = std::function<CheckResult(const std::string& name, CancelToken cancel)>;

class NameCheck : public Check {
 public:
  NameCheck(Verdicts verdicts, CancelToken cancel, Logger& log)
      : verdicts_(std::move(verdicts)), cancel_(cancel), log_(log) {}
  CheckResult run(const std::string& artifact) override {
    const std::string name(graphsurgeon::load_model(artifact).graph->name());
    log_.info("module", "Checking " + name);
    return verdicts_(name, cancel_);
  }

 private:
  Verdicts verdicts_;
  CancelToken cancel_;
  Logger& log_;
};

struct Seen {
  std::string answers, log, journal, replay;
  int64_t checks = 0, cached = 0;
};

// Files and messages of one session.
class Session {
 public:
  using Search = std::function<std::string(InterestingnessTest& test)>;

  Seen run(int jobs, bool cache, const Verdicts& verdicts, const Search& search,
           CancelToken cancel = {}) {
    Seen seen;
    Logger log([&](Severity, std::string_view text) { (seen.log += text) += '\n'; });
    const Model base = model_of("base");
    SubmodelRunner runtime(base, {}, {}, log);
    const auto feeds = generated_feeds({}, log);
    Intermediates intermediates(base, runtime, *feeds, log);
    {
      Journal journal(folder_ / "journal", "one", false);
      CheckingOptions checking;
      checking.make_check = [&](Logger& own, CancelToken stop) {
        return std::make_unique<NameCheck>(verdicts, stop, own);
      };
      checking.loop.artifact = folder_ / "candidate.onnx";
      checking.loop.save_replay = folder_ / "replay.json";
      checking.jobs = jobs;
      checking.cache = cache;
      checking.journal = &journal;
      checking.cancel = cancel;
      const auto write = [](const Model& model, const std::string& path, Logger& to) {
        to.info("module", "Writing " + path);
        graphsurgeon::save_model(model, path, {.durability = Durability::kNone});
      };
      CandidateTester test(std::move(checking), base, write, intermediates, &intermediates, log);
      test.begin("_test");
      seen.answers = search(test);
      test.end();
      seen.checks = test.checks();
      seen.cached = test.cached();
    }
    for (size_t at = 0; (at = seen.log.find("Duration", at)) != std::string::npos; ++at) {
      seen.log.erase(at, seen.log.find('\n', at) - at);
    }
    seen.journal = text_of("journal");
    seen.replay = text_of("replay.json");
    std::filesystem::remove(folder_ / "journal");
    std::filesystem::remove(folder_ / "replay.json");
    std::filesystem::remove(folder_ / "replay_skip_current.json");
    return seen;
  }

  std::vector<std::string> left_behind() const { return folder_.names(); }

 private:
  std::string text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  const TemporaryFolder folder_;
};

// A search with random steps, which offers candidates that it never reaches.
struct RandomSearch {
  struct Step {
    bool is_batch;
    std::vector<int> names;  // of a batch; or of a question and what comes with it
  };
  std::vector<Step> steps;

  std::string operator()(InterestingnessTest& test) const {
    std::string answers;
    for (const Step& step : steps) {
      std::vector<Candidate> candidates;
      for (const int name : step.names) {
        candidates.push_back(
            candidate(name == 0 ? "impossible" : std::to_string(name), name % 5 == 4));
      }
      if (step.is_batch) {
        const auto found = test.first_failing(in_order(candidates));
        answers += found ? std::to_string(found->position) + " " : "none ";
      } else if (!candidates.empty()) {
        answers += test.fails(candidates[0], in_order(candidates, 1)) ? "fails " : "passes ";
      }
    }
    return answers;
  }
};

TEST(CandidateTesterTest, ResultLogJournalAndReplayDoNotDependOnTheNumberOfJobs) {
  EXPECT_TRUE(rc::check([] {
    const auto names = rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 12));
    const auto step = rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::resize(6, names));
    RandomSearch search;
    for (const auto& [is_batch, asked] : *rc::gen::resize(
             6, rc::gen::container<std::vector<std::pair<bool, std::vector<int>>>>(step))) {
      search.steps.push_back({is_batch, asked});
    }
    const auto failing = *rc::gen::container<std::set<int>>(rc::gen::inRange(1, 12));
    const bool cache = *rc::gen::arbitrary<bool>();
    const Verdicts verdicts = [&](const std::string& name, CancelToken) -> CheckResult {
      if (!failing.contains(std::stoi(name))) return {.passed = true};
      // In two ways, so that the order of failures is seen.
      return {.passed = false, .signature = std::stoi(name) % 2 == 0 ? "even" : "odd"};
    };
    Session session;
    const Seen alone = session.run(1, cache, verdicts, search);
    const Seen together = session.run(*rc::gen::inRange(2, 6), cache, verdicts, search);
    RC_ASSERT(together.answers == alone.answers);
    RC_ASSERT(together.log == alone.log);
    RC_ASSERT(together.journal == alone.journal);
    RC_ASSERT(together.replay == alone.replay);
    RC_ASSERT(together.checks == alone.checks);
    RC_ASSERT(together.cached == alone.cached);
    RC_ASSERT(session.left_behind().empty());
  }));
}

TEST(CandidateTesterTest, CtrlCEndsASearchWhoseVerdictsAreAllKnown) {
  std::atomic<bool> interrupted = false;
  const Verdicts fails = [](const std::string&, CancelToken) {
    return CheckResult{.passed = false};
  };
  const auto search = [&](InterestingnessTest& test) -> std::string {
    test.fails(candidate("a"));
    interrupted = true;
    test.fails(candidate("a"));
    return "went on";
  };
  EXPECT_THROW(Session().run(1, true, fails, search, interrupted), Interrupted);
}

TEST(CandidateTesterTest, ABatchIsCheckedSideBySide) {
  // Each check waits until there are three.
  std::atomic<int> there = 0;
  const Verdicts together = [&](const std::string&, CancelToken cancel) -> CheckResult {
    for (++there; there < 3;) {
      if (cancel.cancelled()) throw Interrupted();
      std::this_thread::yield();
    }
    return {.passed = true};
  };
  const Seen seen = Session().run(3, true, together, [](InterestingnessTest& test) {
    const std::vector<Candidate> batch = {candidate("a"), candidate("b"), candidate("c")};
    return test.first_failing(in_order(batch)) ? "one fails" : "none fails";
  });
  EXPECT_EQ(seen.answers, "none fails");
  EXPECT_EQ(there, 3);
}

// Of "first", which fails, and others, which are stopped or have ended by then.
TEST(CandidateTesterTest, WhatIsNotNeededLeavesNothingBehind) {
  std::atomic<bool> is_running = false, is_stopped = false, has_ended = false;
  const Verdicts verdicts = [&](const std::string& name, CancelToken cancel) -> CheckResult {
    if (name == "ends") {
      has_ended = true;
      return {.passed = false};
    }
    if (name == "endless") {
      is_running = true;
      while (!cancel.cancelled()) std::this_thread::yield();
      is_stopped = true;
      throw Interrupted();
    }
    while (!is_running || !has_ended) std::this_thread::yield();
    return {.passed = false};
  };
  Session session;
  const Seen seen = session.run(3, true, verdicts, [](InterestingnessTest& test) {
    const std::vector<Candidate> batch = {candidate("first"), candidate("ends"),
                                          candidate("endless")};
    return test.first_failing(in_order(batch))->candidate.about;
  });
  EXPECT_TRUE(is_stopped);
  EXPECT_EQ(seen.answers, "Trying first");
  EXPECT_EQ(seen.checks, 1);
  EXPECT_THAT(seen.log, HasSubstr("Checking first"));
  EXPECT_THAT(seen.log, Not(HasSubstr("end")));
  EXPECT_EQ(seen.journal.find("\"passed\""), seen.journal.rfind("\"passed\""));
  EXPECT_THAT(session.left_behind(), IsEmpty());
}

// Each of them ends when what comes with it has begun, for which there is one slot.
TEST(CandidateTesterTest, WhatIsNotNeededMakesRoom) {
  std::atomic<int> begun = 0, stopped = 0;
  const Verdicts verdicts = [&](const std::string& name, CancelToken cancel) -> CheckResult {
    if (name.starts_with("endless")) {
      ++begun;
      while (!cancel.cancelled()) std::this_thread::yield();
      ++stopped;
      throw Interrupted();
    }
    while (begun < std::stoi(name)) std::this_thread::yield();
    return {.passed = true};
  };
  const Seen seen = Session().run(2, true, verdicts, [&](InterestingnessTest& test) {
    for (const std::string name : {"1", "2", "3"}) {
      EXPECT_FALSE(
          test.fails(candidate(name), in_order<Candidate>({candidate("endless " + name)})));
    }
    EXPECT_EQ(stopped, 2);
    return "";
  });
  EXPECT_EQ(stopped, 3);
  EXPECT_EQ(seen.checks, 3);
}

TEST(CandidateTesterTest, CtrlCStopsAllOfABatch) {
  std::atomic<bool> cancelled = false;
  std::atomic<int> running = 0, stopped = 0;
  const Verdicts endless = [&](const std::string&, CancelToken cancel) -> CheckResult {
    if (++running == 3) cancelled = true;
    while (!cancel.cancelled()) std::this_thread::yield();
    ++stopped;
    throw Interrupted();
  };
  Session session;
  const auto search = [](InterestingnessTest& test) {
    try {
      static_cast<void>(test.first_failing(
          in_order<Candidate>({candidate("a"), candidate("b"), candidate("c")})));
    } catch (const Interrupted&) {
      return "interrupted";
    }
    return "went on";
  };
  const Seen seen = session.run(3, true, endless, search, &cancelled);
  EXPECT_EQ(seen.answers, "interrupted");
  EXPECT_EQ(stopped, 3);
  EXPECT_THAT(seen.journal, Not(HasSubstr("passed")));
  EXPECT_THAT(session.left_behind(), IsEmpty());
}

// The tries of a candidate that may be flaky are a batch, too.
TEST(CandidateTesterTest, TriesAreMadeSideBySide) {
  std::atomic<int> asked = 0;
  const Verdicts third_time = [&](const std::string&, CancelToken cancel) -> CheckResult {
    const int time = ++asked;
    while (asked < 3 && !cancel.cancelled()) std::this_thread::yield();
    return {.passed = time != 3};
  };
  const Seen seen = Session().run(3, true, third_time, [](InterestingnessTest& test) {
    test.set_tries(3);
    return test.fails(candidate("a")) ? "fails" : "passes";
  });
  EXPECT_EQ(seen.answers, "fails");
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace polygraphy
