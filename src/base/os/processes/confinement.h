// Limits on a process that the kernel enforces: Landlock for files and programs, seccomp for calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace polygraphy {

// Allowed to a confined process. Paths are files, or folders with all below them; those that do not
// exist allow nothing. Links are followed: a file counts under its real name.
struct Confinement {
  std::vector<std::string> read = {};
  std::vector<std::string> write = {};    // read, make, change, rename and remove, too
  std::vector<std::string> execute = {};  // start as a program
  std::vector<std::string> list = {};     // folders with names that may be read
  std::vector<std::string> unmake = {};   // folders with empty folders that may be removed
  bool from_memory = false;               // start programs that are in no folder
  bool network = false;                   // and sockets of other processes
};

// The parts of a confinement that this kernel can enforce.
struct Enforced {
  bool files = false;  // read, write, execute
  bool calls = false;  // network; calls that only files under other names, the kernel, or other
                       // processes would notice
};

// Never undone: a process can only be confined further. Processes that it starts are confined with
// it. Threads that run already are not; call it before there are any. Open files stay open. Throws
// IoError where a path cannot be allowed for want of descriptors or memory.
Enforced confine_this_process(const Confinement& confinement);

// From now on, starting programs fails.
void refuse_programs();

// Whether confine_this_process() has limited files here.
bool is_confined();

// Whether `path` would open but for the confinement; `error`: of the open() that failed.
bool is_refused(const std::string& path, int error);

}  // namespace polygraphy
