// The folder of plugins: <folder>/<plugin>/pattern.py for each.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace polygraphy {

struct PatternFile {
  std::string plugin;  // the name of its folder
  std::string path;
};

struct PatternChoice {
  std::string folder;
  std::vector<std::string> include = {};  // names of plugins; empty: all
  std::vector<std::string> exclude = {};
};

// The selected pattern files, by name of their plugins. Warns of a folder without any, and of names
// that no plugin has. Throws IoError for a missing folder.
std::vector<PatternFile> find_patterns(const PatternChoice& choice, Logger& log);

// Where the pattern file of a plugin would be.
std::string pattern_path(const std::string& folder, const std::string& plugin);

}  // namespace polygraphy
