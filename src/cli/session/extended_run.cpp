#include "cli/session/extended_run.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/os/child_process.h"
#include "base/os/processes/this_process.h"
#include "base/text.h"
#include "cli/session/module_folders.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/python_environments.h"
#include "cli/session/user_interpreter.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

// The folder of work, which `python3 -c` searches first, has no installed packages.
#define PG_INSTALLED_PACKAGES_ONLY \
  "import sys\n"                   \
  "if sys.path[:1] == ['']: del sys.path[0]\n"

constexpr const char* kOptions = PG_INSTALLED_PACKAGES_ONLY
    "from polygraphy.tools.run.run import print_extension_options\n"
    "print_extension_options()";

constexpr const char* kRun = PG_INSTALLED_PACKAGES_ONLY
    "del sys.argv[0]\n"
    "from polygraphy.tools.run.run import main\n"
    "main()";

// Whether an installed package has the entry points; true where the folders of packages are not
// known.
bool may_have_extensions(const Environment& env) {
  const std::vector<std::string> folders = module_folders(resolve_plugin_paths(env), env).known;
  if (folders.empty()) return true;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const fs::path extension = it->path().extension();
      if (extension != ".dist-info" && extension != ".egg-info") continue;
      std::ifstream file(it->path() / "entry_points.txt");
      for (std::string line; std::getline(file, line);)
        if (strip(line) == "[polygraphy.run.plugins]") return true;
    }
  }
  return false;
}

// The packages before others of their names, the one that they need behind all.
std::string python_path(const Environment& env) {
  std::string path = python_packages(env);
  if (const auto inherited = env.variable("PYTHONPATH"); !inherited.empty())
    path += ":" + std::string(inherited);
  const std::string native = native_package(env);
  return path + ":" + native.substr(0, native.rfind('/'));
}

}  // namespace

RunExtensions run_extensions(const Environment& env) {
  if (native_package(env).empty() || !may_have_extensions(env)) return {};
  try {
    ChildProcess child({.argv = {find_python(env).program, "-c", kOptions},
                        .environment = {{"PYTHONPATH", python_path(env)}},
                        .out = ChildStream::capture(),
                        .err = ChildStream::null()});
    const auto status = child.wait();
    if (!status || !status->success()) return {};
    const std::string& text = child.out().text;
    const size_t end = std::min(text.find('\n'), text.size());
    RunExtensions found{.help = text.substr(std::min(end + 1, text.size()))};
    for (const std::string_view option : split(std::string_view(text).substr(0, end), ' '))
      if (!option.empty()) found.options.emplace_back(option);
    return found;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return {};  // no Python
  }
}

std::string become_extended_run(Environment& env, const std::vector<std::string>& argv,
                                const std::vector<std::string>& ours) {
  if (!ours.empty()) {
    return "Installed Python packages have further options, but a run with those cannot have " +
           join(std::span<const std::string>(ours), ", ") + ".";
  }
  std::vector<std::string> words = {find_python(env).program, "-c", kRun};
  words.insert(words.end(), argv.begin(), argv.end());
  env.out.flush();
  env.err.flush();
  become(std::move(words), "PYTHONPATH", python_path(env));
  return {};
}

}  // namespace polygraphy::cli
