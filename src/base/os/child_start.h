// The start of another program, up to its first instruction.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace polygraphy {

struct ChildStart {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string folder;
  std::vector<std::pair<int, int>> descriptors;  // 0, 1, 2 included
};

// As the leader of a new process group, with default signal handling, killed by the system when the
// calling thread ends. Every descriptor but the named ones is closed. Our memory is not copied,
// however large it is. Throws Error.
pid_t start_child(const ChildStart& start);

}  // namespace polygraphy
