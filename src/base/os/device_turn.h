// Turns on a device: timed work has it alone, among all processes of this machine.
#pragma once

#include <string>

#include "base/cancel.h"
#include "base/os/files/descriptor.h"

namespace polygraphy {

// A lock on a file, /tmp/polygraphy-turn-<device>.lock, which ends with the process at the latest.
class DeviceTurn {
 public:
  // Waits until the device is free. `device`: a part of the file's name: "gpu-0", "cpu". Throws
  // IoError, and Interrupted within a tenth of a second after `cancel` is cancelled.
  explicit DeviceTurn(const std::string& device, CancelToken cancel = {});

 private:
  FileDescriptor lock_;
};

}  // namespace polygraphy
