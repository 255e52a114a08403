// Back ends x cases. Excluded cases run too: one that passes fails the suite, so that the lists
// cannot rot.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/glob.h"
#include "bench.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/library_search.h"
#include "polygraphy/runtimes/contract/contract_case.h"
#include "polygraphy/runtimes/contract/exclusions.h"

namespace polygraphy::contract {
namespace {

struct BackEnd {
  std::string name;
  const pgb_backend_options* options;
  std::vector<Exclusion> exclusions;
};

// Those whose plugins lie in the folder of the build, in order of name.
std::vector<BackEnd> back_ends() {
  std::vector<BackEnd> found;
  const BackendCatalog catalog(test_paths().plugin_dirs);
  for (const BackendEntry& entry : catalog.entries()) {
    if (entry.plugin.empty()) continue;
    const std::string name = entry.options->name;
    const std::string file = PG_SOURCE_DIR "/backends/" + name + "/contract/exclusions.txt";
    found.push_back(
        {name, entry.options,
         std::filesystem::exists(file) ? load_exclusions(file) : std::vector<Exclusion>()});
  }
  return found;
}

struct Instance {
  BackEnd back_end;
  Case test;
};

std::vector<Instance> all_instances() {
  std::vector<Instance> instances;
  for (const BackEnd& back_end : back_ends()) {
    for (const Case& each : all_cases()) {
      if (each.needs_model && !takes_onnx(*back_end.options)) continue;
      if (each.applies(*back_end.options)) instances.push_back({back_end, each});
    }
  }
  return instances;
}

void PrintTo(const Instance& instance, std::ostream* out) {
  *out << instance.back_end.name << ": " << instance.test.name;
}

// Empty when the back end can be opened, else why not. Tried once for each.
const std::string& unavailable(const std::string& back_end) {
  static std::map<std::string, std::string> reasons;
  const auto [found, is_new] = reasons.try_emplace(back_end);
  if (is_new) {
    RecordingLog log;
    PluginHost host(test_paths(), log.log());
    try {
      host.open(back_end);
    } catch (const Error& error) {
      found->second = error.what();
    }
  }
  return found->second;
}

class Contract : public testing::TestWithParam<Instance> {
 protected:
  void SetUp() override {
    const std::string& reason = unavailable(GetParam().back_end.name);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(Contract, Holds) {
  const Instance& instance = GetParam();
  Bench bench(instance.back_end.name);
  if (instance.test.needs_model) {
    bench.use_model(bench.file("g (float[2, 3] x) => (float[2, 3] y, float[2, 3] z) "
                               "{ y = Exp (x) z = Neg (y) }"),
                    "onnx");
  }
  const Exclusion* exclusion = exclusion_of(instance.back_end.exclusions, instance.test.name);
  const Judgement judgement = judge(run_case(instance.test, bench), exclusion);
  if (judgement.kind == Judgement::Kind::kStale) {
    ADD_FAILURE() << "passes now: remove the line from contract/exclusions.txt ("
                  << exclusion->reason << ")";
  }
  for (const std::string& line : judgement.lines) ADD_FAILURE() << line;
}

INSTANTIATE_TEST_SUITE_P(BackEnds, Contract, testing::ValuesIn(all_instances()),
                         [](const auto& instance) {
                           std::string name =
                               instance.param.back_end.name + "_" + instance.param.test.name;
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

TEST(Exclusions, EachAppliesToACase) {
  const std::vector<Case>& cases = all_cases();
  for (const BackEnd& back_end : back_ends()) {
    for (const Exclusion& exclusion : back_end.exclusions) {
      const Glob pattern(exclusion.cases);
      const bool applies = std::any_of(
          cases.begin(), cases.end(), [&](const Case& each) { return pattern.matches(each.name); });
      EXPECT_TRUE(applies) << back_end.name << ": no case matches " << exclusion.cases;
    }
  }
}

// A library that set-up brought and that cannot be opened is a broken machine, not a poor one.
TEST(BackEnds, WhoseLibrariesAreThereCanBeOpened) {
  RecordingLog log;
  PluginHost host(test_paths(), log.log());
  for (const BackendStatus& status : host.status()) {
    const auto candidates =
        library_candidates(*host.catalog().get(status.name).options, test_paths());
    const bool there = std::any_of(candidates.begin(), candidates.end(), [](const auto& file) {
      return file.find('/') != std::string::npos && std::filesystem::exists(file);
    });
    EXPECT_TRUE(!there || status.available) << status.name << ": " << status.reason;
  }
}

}  // namespace
}  // namespace polygraphy::contract
