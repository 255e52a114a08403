// How many planted faults are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "planted_suite.h"

namespace polygraphy {
namespace {

struct Figures {
  int right = 0, wrong = 0, missed = 0, failed = 0;
  int innocents = 0;  // accused beside the wrong node, in all cases
};

Figures answer_all(bool held_out) {
  Figures figures;
  const char* only = std::getenv("PG_TEST_ONLY");  // for one person at a terminal
  for (const PlantedCase& one : planted_cases(held_out, only ? only : "")) {
    const Answered answered = locate_planted(one);
    int* const counts[] = {&figures.right, &figures.wrong, &figures.missed, &figures.failed};
    ++*counts[static_cast<int>(answered.answer)];
    figures.innocents += answered.innocents;
    if (answered.answer == Answer::kRight && answered.innocents == 0) continue;
    const char* const names[] = {"right", "wrong", "missed", "failed"};
    if (!held_out || only)
      std::printf("%s, %d innocents: %s\n%s\n", names[static_cast<int>(answered.answer)],
                  answered.innocents, one.name.c_str(), answered.text.c_str());
  }
  std::printf("right %d, wrong %d, missed %d, failed %d, innocents %d\n", figures.right,
              figures.wrong, figures.missed, figures.failed, figures.innocents);
  return figures;
}

// Of about 160 each; before ties, places and elements were judged, 50 were right in both halves.
TEST(PlantedSuite, Tuned) {
  const Figures figures = answer_all(false);
  EXPECT_EQ(figures.failed, 0);
  EXPECT_EQ(figures.wrong, 0);
  EXPECT_EQ(figures.missed, 0);
  EXPECT_EQ(figures.innocents, 0);
}

TEST(PlantedSuite, HeldOut) {
  const Figures figures = answer_all(true);
  EXPECT_EQ(figures.failed, 0);
  EXPECT_EQ(figures.wrong, 0);
  EXPECT_EQ(figures.missed, 0);
  EXPECT_EQ(figures.innocents, 0);
}

// Tensors become outputs of models that the user did not ask for.
TEST(PlantedSuite, AnEngineThatCrashesOnAMarkedModelDoesNotEndTheProcess) {
  const SmallNetwork network = all_networks().front();
  PlantedJob job(network, {}, NumberFormat::kFloat32);
  RunnerTools tools = job.factory.tools();
  tools.program = PG_PROGRAM;
  RunnerFactory factory(tools, job.log);
  auto& target = std::get<RunnerSpec>(job.job.target);
  const auto& inner = job.model.graph->nodes().front()->outputs().front();
  target.session.options.push_back({"dies_of", {std::string(inner->name())}});
  try {
    locate(job.job, factory, job.log);
    FAIL() << "the engine ran with the tensor as an output";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("SIGFPE"));
  }
}

}  // namespace
}  // namespace polygraphy
