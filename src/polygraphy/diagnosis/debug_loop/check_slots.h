// Checks side by side.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/kept_messages.h"
#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"

namespace polygraphy {

// A few threads that live as long as this, each with a separate check, which is made on first use.
// Belongs to one thread; messages of the checks arrive with their verdicts.
class CheckSlots {
 public:
  struct Outcome {
    CheckResult verdict;
    bool made = true;  // false: there was nothing to check
    std::vector<KeptMessage> messages;
    std::exception_ptr error;  // instead of a verdict
  };

  // `like` has the thresholds for the checks' messages.
  CheckSlots(MakeCheck make, int count, const Logger& like);
  ~CheckSlots();  // stops what is running
  CheckSlots(const CheckSlots&) = delete;
  CheckSlots& operator=(const CheckSlots&) = delete;

  int count() const { return static_cast<int>(slots_.size()); }
  std::optional<int> free_slot() const;
  // Writes the artifact of a check, in the slot's thread. False: there is nothing to check.
  using MakeArtifact = std::function<bool(Logger& log, CancelToken cancel)>;
  // In a free slot. `artifact` is to stay in place until it is over. `make`: null: it is there.
  // Throws what making the check throws.
  void start(int slot, const std::string& artifact, MakeArtifact make = {});
  // nullopt: it is still running. The slot is free afterwards.
  std::optional<Outcome> take(int slot);
  // Stops the check and waits until it has ended. The slot is free afterwards.
  void stop(int slot);
  void stop_all();
  // Until one has ended that was not taken yet, or the time is over.
  void wait(double seconds);

 private:
  struct Slot;
  struct Shared;
  void work(Slot& slot);

  MakeCheck make_;
  std::unique_ptr<Shared> shared_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace polygraphy
