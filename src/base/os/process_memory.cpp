#include "base/os/process_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace polygraphy {
namespace {

std::vector<int> children_of(int process) {
  std::vector<int> children;
  std::error_code ignored;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, ignored)) {
    std::ifstream file(task.path() / "children");
    for (int child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

// This process first.
std::vector<int> process_tree() {
  std::vector<int> tree{static_cast<int>(getpid())};
  for (size_t i = 0; i < tree.size(); ++i) {
    for (const int child : children_of(tree[i])) tree.push_back(child);
  }
  return tree;
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

uint64_t sum_over_tree(const std::string& field) {
  uint64_t sum = 0;
  for (const int process : process_tree()) sum += status_bytes(process, field);
  return sum;
}

}  // namespace

uint64_t resident_memory() {
  return sum_over_tree("VmRSS:");
}

uint64_t peak_memory() {
  return sum_over_tree("VmHWM:");
}

uint64_t own_resident_memory() {
  return status_bytes(static_cast<int>(getpid()), "VmRSS:");
}

uint64_t own_peak_memory() {
  return status_bytes(static_cast<int>(getpid()), "VmHWM:");
}

bool reset_peak_memory() {
  bool all = true;
  for (const int process : process_tree()) {
    std::ofstream file("/proc/" + std::to_string(process) + "/clear_refs");
    file << "5" << std::flush;
    all &= static_cast<bool>(file);
  }
  return all;
}

}  // namespace polygraphy
