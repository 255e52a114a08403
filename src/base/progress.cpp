#include "base/progress.h"

#include <exception>
#include <utility>
#include <vector>

namespace polygraphy {
namespace {

thread_local constinit const ProgressWatch* watch = nullptr;

std::vector<Progress>& phases() {
  thread_local std::vector<Progress> phases;
  return phases;
}

}  // namespace

ProgressWatch::ProgressWatch(Receive receive)
    : receive_(std::move(receive)), previous_(std::exchange(watch, this)) {}

ProgressWatch::~ProgressWatch() {
  watch = previous_;
}

void report_progress() {
  for (const ProgressWatch* one = watch; one; one = one->previous_) {
    try {
      one->receive_(phases());
    } catch (const std::exception&) {  // A terminal that is gone is not a reason to end the work.
    }
  }
}

void report_progress(Progress innermost) {
  if (!watch) return;
  phases().push_back(std::move(innermost));
  report_progress();
  phases().pop_back();
}

ProgressPhase::ProgressPhase(std::string phase, std::optional<int64_t> total)
    : depth_(phases().size()) {
  phases().push_back({.phase = std::move(phase), .total = total});
  report_progress();
}

ProgressPhase::~ProgressPhase() {
  phases().resize(depth_);
  report_progress();
}

void ProgressPhase::at(int64_t done, std::optional<int64_t> total) {
  phases()[depth_].done = done;
  phases()[depth_].total = total;
  report_progress();
}

void ProgressPhase::at(int64_t done) {
  at(done, phases()[depth_].total);
}

void ProgressPhase::step() {
  at(phases()[depth_].done + 1);
}

}  // namespace polygraphy
