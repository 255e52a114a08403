// All back ends: the tree's, with compiled-in tables (backends/<name>/<name>_options.cpp), and
// plugins in a folder.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/engine_switches.h"

namespace polygraphy {

// Of the tree, in order of name. Help and error messages know them whether or not their plugins
// are installed, and without opening anything.
std::span<const pgb_backend_options* const> backend_option_tables();

// Of a back end of the tree; empty: no back end has this name.
std::span<const pgb_option_spec> options_of(std::string_view backend);
std::span<const pgb_option_spec> options_of(const pgb_backend_options& backend);

struct BackendEntry {
  const pgb_backend_options* options;  // lives as long as the process
  std::string plugin;                  // its file; empty: none of the folders has it
};

// A file that is named as a plugin and cannot be used.
struct UnusablePlugin {
  std::string name;  // "mine" of polygraphy_mine.so
  std::string file, reason, remedy;
};

// Whether load() takes models of this format: "onnx".
bool takes_format(const pgb_backend_options& backend, std::string_view format);
// Whether the format's patterns are of files or folders of this name ("model.onnx").
bool is_named_by(const pgb_model_format& format, std::string_view name, bool is_folder);
// "mine" of "polygraphy_mine.so"; empty: the file is not named as a plugin.
std::string_view name_of_plugin(std::string_view file);
// Whether its runners get a separate process even without --isolate.
bool wants_own_process(const pgb_backend_options& backend);
// Whether it runs in the user's Python: its library is a module there.
bool runs_in_python(const pgb_backend_options& backend);
// pgb_backend_options.switches.
EngineSwitches switches_of(const pgb_backend_options& backend);
// "onnx, engine".
std::string formats_text(const pgb_backend_options& backend);

class BackendCatalog {
 public:
  // Lists polygraphy_<name>.so in the folders; one that cannot be read counts as empty. A file
  // among the folders is a plugin itself, with any name. Only plugins without a compiled table are
  // opened. Throws Error that names both files when two back ends have a name, a runner flag or an
  // option in common.
  explicit BackendCatalog(const std::vector<std::string>& folders);

  // In order of name.
  const std::vector<BackendEntry>& entries() const { return entries_; }
  const std::vector<UnusablePlugin>& unusable() const { return unusable_; }
  std::vector<const pgb_backend_options*> tables() const;
  // Throws Error, with the names of all back ends, when none has this name.
  const BackendEntry& get(std::string_view name) const;

 private:
  void add(const std::string& name, const std::string& file);
  void add_file(const std::string& file);
  void check_spellings() const;

  std::vector<BackendEntry> entries_;
  std::vector<UnusablePlugin> unusable_;
};

// The table that the plugin `file` exports as back end `name` (empty: whichever); the file stays
// open. Throws Error: why it is not usable, and the remedy.
const pgb_backend& open_plugin(const std::string& file, std::string_view name);

}  // namespace polygraphy
