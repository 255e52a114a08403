// Common part of the tests of jobs: a job on a small network by its name.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hard_networks.h"
#include "locate_bench.h"

namespace polygraphy {

class LocateJobs : public testing::Test {
 protected:
  LocateResult run(const std::string& name, std::vector<Fault> faults,
                   const std::function<void(FaultyJob&)>& change = {}) {
    model_ = network_named(name).make();
    samples_ = {network_named(name).feed(0)};
    FaultyJob job = faulty_job(*model_, samples_, std::move(faults), {});
    if (change) change(job);
    return locate(job, log_);
  }

  Logger log_;
  std::optional<graphsurgeon::Model> model_;
  std::vector<ArrayMap> samples_;
};

}  // namespace polygraphy
