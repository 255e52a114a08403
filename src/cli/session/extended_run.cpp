#include "cli/session/extended_run.h"

#include <unistd.h>

#include <cstdlib>
#include <span>

#include "base/error.h"
#include "base/os/child_process.h"
#include "base/text.h"
#include "cli/session/python_environments.h"
#include "cli/session/user_interpreter.h"

namespace polygraphy::cli {
namespace {

constexpr const char* kHasExtensions =
    "import sys\n"
    "from importlib.metadata import entry_points\n"
    "sys.exit(not entry_points(group='polygraphy.run.plugins'))";

constexpr const char* kRun =
    "import sys\n"
    "del sys.argv[0]\n"
    "from polygraphy.tools.run.run import main\n"
    "main()";

bool has_extensions(const std::string& python) {
  try {
    ChildProcess child({.argv = {python, "-c", kHasExtensions},
                        .out = ChildStream::null(),
                        .err = ChildStream::null()});
    const auto status = child.wait();
    return status && status->success();
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return false;  // no Python
  }
}

}  // namespace

std::string become_extended_run(Environment& env, const std::vector<std::string>& argv,
                                const std::vector<std::string>& ours) {
  const std::string native = native_package(env);
  if (native.empty()) return {};
  const std::string python = find_python(env).program;
  if (!has_extensions(python)) return {};
  if (!ours.empty()) {
    return "Installed Python packages have further options, but a run with those cannot have " +
           join(std::span<const std::string>(ours), ", ") + ".";
  }
  // The packages before others of their names, the one that they need behind all.
  std::string path = python_packages(env);
  if (const auto inherited = env.variable("PYTHONPATH"); !inherited.empty()) {
    path += ":" + std::string(inherited);
  }
  path += ":" + native.substr(0, native.rfind('/'));
  ::setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<std::string> words = {python, "-c", kRun};
  words.insert(words.end(), argv.begin(), argv.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  env.out.flush();
  env.err.flush();
  ::execvp(pointers.front(), pointers.data());
  return {};
}

}  // namespace polygraphy::cli
