#include <gmock/gmock.h>

#include "checking.h"

namespace polygraphy {
namespace {

TEST(CheckLint, AGoodModelPasses) {
  Checking checking;
  checking.start("lint");
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
}

TEST(CheckLint, TheSignatureNamesTheRules) {
  Checking checking;
  checking.start("lint");
  EXPECT_EQ(checking.run("y = Relux(x)"), "lint: runs");
  EXPECT_TRUE(checking.log().has("[E] Lint has errors (runs): onnxrt cannot load "));
  EXPECT_EQ(checking.run("[n] t = Relu(x) [n] y = Neg(t)"), "lint: duplicate-node-names");
}

TEST(CheckLint, AModelThatBringsTheRuntimeDownFails) {
  Checking checking;
  checking.start("lint", {"openvino"});
  EXPECT_EQ(checking.run("y = Softplus(x)"), "lint: runs");
  EXPECT_TRUE(checking.log().has("openvino was killed by SIGSEGV"));
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
}

TEST(CheckLint, WhatCannotBeFedIsStillLookedAt) {
  Checking checking;
  checking.tools().inputs = [](const Metadata&, int64_t, Logger&) -> std::optional<ValueMap> {
    throw CannotFeed("the shape of 'x' is not known");
  };
  checking.start("lint");
  EXPECT_EQ(checking.run("y = Relu(x)"), "passed");
  EXPECT_EQ(checking.run("[n] t = Relu(x) [n] y = Neg(t)"), "lint: duplicate-node-names");
}

}  // namespace
}  // namespace polygraphy
