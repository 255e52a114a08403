#include "base/os/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/os/files/descriptor.h"

namespace polygraphy {
namespace {

// The fourth field of /proc/<pid>/stat, after a name that may have any characters; 0: not known.
int parent_of(const std::filesystem::path& process) {
  char text[256] = {};  // longer than a name and the text around it
  const FileDescriptor file(::open((process / "stat").c_str(), O_RDONLY | O_CLOEXEC));
  const auto size = read_once(file.get(), std::as_writable_bytes(std::span(text)));
  const std::string line(text, size.value_or(0));
  const size_t name = line.rfind(") ");
  return name == std::string::npos || name + 4 > line.size() ? 0 : std::atoi(&line[name + 4]);
}

// Parents and children. Many kernels have no list of a process's children.
std::multimap<int, int> all_children() {
  std::multimap<int, int> children;
  std::error_code failed;
  std::filesystem::directory_iterator at("/proc", failed);
  for (; !failed && at != std::filesystem::directory_iterator(); at.increment(failed)) {
    const int process = std::atoi(at->path().filename().c_str());
    if (process > 0) children.emplace(parent_of(at->path()), process);
  }
  return children;
}

// This process first.
std::vector<int> process_tree(int process) {
  const std::multimap<int, int> children = all_children();
  std::vector<int> tree{process};
  for (size_t i = 0; i < tree.size(); ++i) {
    const auto [first, last] = children.equal_range(tree[i]);
    for (auto child = first; child != last; ++child) tree.push_back(child->second);
  }
  return tree;
}

int own_id() {
  return static_cast<int>(getpid());
}

// `field` of /proc/<pid>/status, in bytes: "VmHWM:     1234 kB".
uint64_t status_bytes(int process, const std::string& field) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, field.size(), field) != 0) continue;
    return std::strtoull(line.c_str() + field.size(), nullptr, 10) * 1024;
  }
  return 0;
}

uint64_t sum_over_tree(int root, const std::string& field) {
  uint64_t sum = 0;
  for (const int process : process_tree(root)) sum += status_bytes(process, field);
  return sum;
}

}  // namespace

uint64_t resident_memory() {
  return sum_over_tree(own_id(), "VmRSS:");
}

uint64_t peak_memory() {
  return peak_memory(own_id());
}

uint64_t peak_memory(int process) {
  return sum_over_tree(process, "VmHWM:");
}

uint64_t own_resident_memory() {
  return status_bytes(own_id(), "VmRSS:");
}

uint64_t own_peak_memory() {
  return status_bytes(own_id(), "VmHWM:");
}

bool reset_peak_memory() {
  return reset_peak_memory(own_id());
}

bool reset_peak_memory(int process) {
  bool all = true;
  for (const int each : process_tree(process)) {
    std::ofstream file("/proc/" + std::to_string(each) + "/clear_refs");
    file << "5" << std::flush;
    all &= static_cast<bool>(file);
  }
  return all;
}

void volunteer_for_the_oom_killer() {
  const FileDescriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score) write_all(score.get(), "500");
}

}  // namespace polygraphy
