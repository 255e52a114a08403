#include "base/phase_times.h"

#include <algorithm>

namespace polygraphy {
namespace {

constexpr size_t kMost = 1'000'000;  // 64 MB

}  // namespace

PhaseTimes::PhaseTimes(double (*clock)())
    : clock_(clock),
      began_(clock()),
      watch_([this](std::span<const Progress> phases) { update(phases); }) {}

void PhaseTimes::update(std::span<const Progress> phases) {
  size_t same = 0;
  while (same < std::min(phases.size(), under_way_.size()) &&
         phases[same].phase == times_[under_way_[same]].phase) {
    ++same;
  }
  if (same == phases.size() && same == under_way_.size()) return;
  const double now = seconds();
  for (; under_way_.size() > same; under_way_.pop_back()) {
    PhaseTime& ended = times_[under_way_.back()];
    ended.seconds = now - ended.begin;
  }
  while (under_way_.size() < phases.size() && times_.size() < kMost) {
    under_way_.push_back(times_.size());
    times_.push_back({.phase = phases[under_way_.size() - 1].phase, .begin = now});
  }
}

std::vector<PhaseTime> PhaseTimes::times() const {
  std::vector<PhaseTime> times = times_;
  const double now = seconds();
  for (const size_t i : under_way_) times[i].seconds = now - times[i].begin;
  return times;
}

}  // namespace polygraphy
