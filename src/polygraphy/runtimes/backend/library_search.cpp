#include "polygraphy/runtimes/backend/library_search.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/glob.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

// The entries of a folder, sorted; none when it cannot be read.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

class Candidates {
 public:
  // Files of `folder` with names that match; the same file under several names counts once,
  // shortest name first.
  void add(const fs::path& folder, const std::string& pattern) {
    std::vector<fs::path> matches;
    for (const fs::path& entry : entries(folder)) {
      if (Glob(pattern).matches(entry.filename().native())) matches.push_back(entry);
    }
    std::stable_sort(matches.begin(), matches.end(), [](const fs::path& a, const fs::path& b) {
      return a.native().size() < b.native().size();
    });
    for (const fs::path& match : matches) {
      std::error_code error;
      const fs::path real = fs::canonical(match, error);
      if (error || std::find(real_.begin(), real_.end(), real) != real_.end()) continue;
      real_.push_back(real);
      names_.push_back(match.native());
    }
  }
  void add_soname(const char* soname) { names_.emplace_back(soname); }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<fs::path> real_;
  std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> library_candidates(const pgb_backend_options& backend,
                                            const PluginPaths& paths) {
  if (runs_in_python(backend)) return {paths.python};
  Candidates found;
  static constexpr const char* kNone[] = {nullptr};
  const char* const* patterns =
      backend.site_packages_patterns ? backend.site_packages_patterns : kNone;
  const char* const* sonames = backend.sonames ? backend.sonames : kNone;
  // Wildcards are in the last component only.
  for (const std::string& site_packages : paths.site_packages) {
    for (const char* const* pattern = patterns; *pattern; ++pattern) {
      const fs::path path = fs::path(site_packages) / *pattern;
      found.add(path.parent_path(), path.filename());
    }
  }
  for (const std::string& folder : paths.bundled) {
    for (const char* const* pattern = patterns; *pattern; ++pattern) {
      const std::string file = fs::path(*pattern).filename();
      found.add(folder, file);
      for (const fs::path& entry : entries(folder)) {
        found.add(entry / "lib", file);
        found.add(entry / "libs", file);
      }
    }
  }
  for (const char* const* soname = sonames; *soname; ++soname) found.add_soname(*soname);
  return found.take();
}

}  // namespace polygraphy
