#include <gmock/gmock.h>

#include "check_bench.h"

namespace polygraphy {
namespace {

TEST(CheckLint, TheSignatureNamesTheRules) {
  CheckBench bench;
  bench.start("lint");
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
  EXPECT_EQ(bench.run("y = Relux(x)"), "lint: runs");
  EXPECT_TRUE(bench.log().has("[E] Lint has errors (runs): onnxrt cannot load "));
  EXPECT_EQ(bench.run("[n] t = Relu(x) [n] y = Neg(t)"), "lint: duplicate-node-names");
}

TEST(CheckLint, AModelThatBringsTheRuntimeDownFails) {
  CheckBench bench;
  bench.start("lint", {"openvino"});
  EXPECT_EQ(bench.run("y = Softplus(x)"), "lint: runs");
  EXPECT_TRUE(bench.log().has("openvino was killed by SIGSEGV"));
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
}

TEST(CheckLint, WhatCannotBeFedIsStillLookedAt) {
  CheckBench bench;
  bench.tools().inputs = [](const Metadata&, int64_t, Logger&) -> std::optional<ValueMap> {
    throw CannotFeed("the shape of 'x' is not known");
  };
  bench.start("lint");
  EXPECT_EQ(bench.run("y = Relu(x)"), "passed");
  EXPECT_EQ(bench.run("[n] t = Relu(x) [n] y = Neg(t)"), "lint: duplicate-node-names");
}

}  // namespace
}  // namespace polygraphy
