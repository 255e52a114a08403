// Engines x cases. Excluded cases run too: one that passes fails the suite, so that the lists
// cannot rot.
#include "contract.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "base/glob.h"

namespace polygraphy::contract {
namespace {

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& cases :
       {types_cases, shapes_cases, values_cases, errors_cases, lifecycle_cases, models_cases}) {
    for (Case& each : cases()) all.push_back(std::move(each));
  }
  return all;
}

struct Instance {
  const Engine* engine;
  Case test;
};

std::vector<Instance> all_instances() {
  std::vector<Instance> instances;
  for (const Engine& engine : engines()) {
    for (const Case& each : all_cases()) instances.push_back({&engine, each});
  }
  return instances;
}

void PrintTo(const Instance& instance, std::ostream* out) {
  *out << instance.engine->name << ": " << instance.test.name;
}

const Exclusion* exclusion_of(const Instance& instance) {
  for (const Exclusion& exclusion : instance.engine->exclusions) {
    if (Glob(exclusion.cases).matches(instance.test.name)) return &exclusion;
  }
  return nullptr;
}

// Empty when the engine can be opened, else why not. Asked once per engine.
const std::string& unavailable(const std::string& engine) {
  static std::map<std::string, std::string> reasons;
  const auto [found, is_new] = reasons.try_emplace(engine);
  if (is_new) {
    RecordingLog log;
    PluginHost host(test_paths(), log.log());
    try {
      host.open(engine);
    } catch (const Error& error) {
      found->second = error.what();
    }
  }
  return found->second;
}

class Contract : public testing::TestWithParam<Instance> {
 protected:
  void SetUp() override {
    const std::string& reason = unavailable(GetParam().engine->name);
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(Contract, Holds) {
  const Instance& instance = GetParam();
  Bench bench(instance.engine->name);
  const Exclusion* exclusion = exclusion_of(instance);
  if (!exclusion) {
    try {
      instance.test.run(bench);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what() << "\n" << error.hint();
    }
    return;
  }
  testing::TestPartResultArray failures;
  bool refused = false;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &failures);
    try {
      instance.test.run(bench);
    } catch (const Error& error) {
      refused = true;
    }
  }
  if (!refused && failures.size() == 0) {
    ADD_FAILURE() << "passes now: take its exclusion out of engines.cpp (" << exclusion->reason
                  << ")";
  } else if (exclusion->deviation == Deviation::kUnsupported && !refused) {
    ADD_FAILURE() << "declared as refused by the engine, but it delivers something wrong:\n"
                  << failures.GetTestPartResult(0).message();
  } else if (exclusion->deviation == Deviation::kWrong && refused) {
    ADD_FAILURE() << "declared as wrong, but the engine refuses it: declare it as unsupported";
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Contract, testing::ValuesIn(all_instances()),
                         [](const auto& instance) {
                           std::string name = std::string(instance.param.engine->name) + "_" +
                                              instance.param.test.name;
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

TEST(Exclusions, EachAppliesToACase) {
  const std::vector<Case> cases = all_cases();
  for (const Engine& engine : engines()) {
    for (const Exclusion& exclusion : engine.exclusions) {
      const Glob pattern(exclusion.cases);
      const bool applies = std::any_of(
          cases.begin(), cases.end(), [&](const Case& each) { return pattern.matches(each.name); });
      EXPECT_TRUE(applies) << engine.name << ": no case matches " << exclusion.cases;
    }
  }
}

// Set-up brings both: a machine where one cannot be opened is broken, not poor.
TEST(Engines, ThatSetUpBroughtCanBeOpened) {
  RecordingLog log;
  PluginHost host(test_paths(), log.log());
  for (const BackendStatus& status : host.status()) {
    const std::string folder = status.name == "onnxrt" ? "ort" : status.name;
    if (!std::filesystem::exists(std::string(PG_DEPS_DIR "/") + folder)) continue;
    EXPECT_TRUE(status.available) << status.name << ": " << status.reason;
  }
}

}  // namespace
}  // namespace polygraphy::contract
