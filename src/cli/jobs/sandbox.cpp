#include "cli/jobs/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/os/files/file_access.h"
#include "base/os/paths.h"
#include "base/os/processes/confinement.h"
#include "base/os/processes/this_process.h"
#include "base/os/scratch_folder.h"
#include "base/text.h"
#include "cli/jobs/file_check.h"
#include "cli/session/plugin_paths.h"
#include "cli/session/python_environments.h"
#include "cli/syntax/syntax.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

// Of the system: libraries, and descriptions of the machine.
constexpr std::string_view kSystem[] = {"/usr",
                                        "/lib",
                                        "/lib64",
                                        "/opt",
                                        "/nix/store",
                                        "/proc",
                                        "/sys",
                                        "/dev/urandom",
                                        "/dev/random",
                                        "/dev/zero",
                                        "/etc/ld.so.cache",
                                        "/etc/ld.so.conf",
                                        "/etc/ld.so.conf.d",
                                        "/etc/localtime",
                                        "/etc/nsswitch.conf",
                                        "/etc/passwd",
                                        "/etc/group",
                                        "/etc/OpenCL",
                                        "/etc/vulkan",
                                        "/etc/nvidia"};
// Devices to compute on, and sinks.
constexpr std::string_view kDevices[] = {"/dev/null", "/dev/full", "/dev/dri", "/dev/kfd",
                                         "/dev/accel"};
// Models that Python reads.
constexpr std::string_view kReadInPython[] = {".pt",    ".pth", ".pt2", ".pb",   ".h5",
                                              ".keras", ".pkl", ".pte", ".mlir", ".bin"};
// Data without tensors of PyTorch, which Python reads.
constexpr std::string_view kNeverPython[] = {".onnx", ".so",   ".npy",    ".npz",  ".csv",
                                             ".txt",  ".yaml", ".engine", ".plan", ".safetensors"};
// Comparisons that Python computes, and libraries that read models there.
constexpr std::string_view kInPython[] = {"lpips", "perceptual", "tensorflow", "keras"};

constexpr std::string_view kAllowRead = "--allow-read", kAllowWrite = "--allow-write";

bool ends_with_one_of(std::string_view text, std::span<const std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

// The folder itself, or the nearest one above it that exists.
std::string existing_folder(fs::path folder) {
  std::error_code ignored;
  while (!fs::is_directory(folder, ignored)) {
    if (!folder.has_parent_path() || folder == folder.parent_path()) return ".";
    folder = folder.parent_path();
  }
  return folder.empty() ? "." : folder.native();
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

class Limits {
 public:
  explicit Limits(const Environment& env) : env_(env) {
    for (const std::string_view path : kSystem) limits_.read.emplace_back(path);
    for (const std::string_view path : kDevices) limits_.write.emplace_back(path);
    // Figures of memory are reset there; but who may change the kernel there must not.
    if (!is_writable("/proc/sys/kernel/core_pattern")) limits_.write.emplace_back("/proc");
    add_gpus();
    add_folder(env.path("."));  // where files with default names are
    limits_.execute = {env.executable};
    limits_.read.push_back(env.executable);
  }

  // A file with those beside it, or a folder.
  void add_read(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
      limits_.read.push_back(path);
      return;
    }
    limits_.read.push_back(path);
    add_folder(folder_of(path));
    if (const std::string real = real_path(path); !real.empty()) add_folder(folder_of(real));
  }

  void add_written(const std::string& path, bool is_folder) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) limits_.write.push_back(path);
    limits_.write.push_back(existing_folder(is_folder ? path : folder_of(path)));
    // A link may lead to a file that does not exist yet.
    const std::string real = resolve_links(path).value_or(path);
    if (real != path) limits_.write.push_back(existing_folder(folder_of(real)));
  }

  void add_libraries(std::span<const pgb_backend_options* const> backends) {
    const PluginPaths paths = library_folders(env_);
    for (const auto* folders : {&paths.plugin_dirs, &paths.site_packages, &paths.bundled}) {
      for (const std::string& folder : *folders) add_linked(folder);
    }
    for (const pgb_backend_options* backend : backends) {
      if (!backend->library_env) continue;
      const std::string library(env_.variable(backend->library_env));
      if (!library.empty()) add_read(library);
    }
    for (const std::string_view folder : split(env_.variable("LD_LIBRARY_PATH"), ':')) {
      if (!folder.empty()) limits_.read.emplace_back(folder);
    }
    // Where the package and those of Python are searched.
    limits_.list.push_back(folder_of(folder_of(env_.executable)) + "/lib");
    for (const PythonEnvironment& environment : python_environments(env_))
      limits_.list.push_back(environment.prefix + "/lib");
    if (const std::string package = native_package(env_); !package.empty())
      limits_.read.push_back(package);
  }

  // An interpreter has modules, programs and libraries anywhere: it may read and start all that the
  // user may, and change as little as others.
  void add_python() {
    limits_.read.emplace_back("/");
    limits_.execute.emplace_back("/");
    limits_.from_memory = true;
    limits_.write.emplace_back("/dev/shm");  // of its processes
  }

  // A path that does not exist would widen nothing, without a word.
  void allow(std::string_view option, const std::string& path) {
    if (!is_there(path)) throw Error(fmt::format("{}: '{}' does not exist", option, path));
    (option == kAllowRead ? limits_.read : limits_.write).push_back(path);
  }
  void allow_write(std::string path) { limits_.write.push_back(std::move(path)); }

  Confinement take() { return std::move(limits_); }

 private:
  // A home has more than models, and the root has everything: there, what lies beside a file counts
  // only if it is a file that is not hidden.
  void add_folder(const std::string& folder) {
    const std::string real = real_path(folder), home(env_.variable("HOME"));
    if (real != "/" && (home.empty() || real != real_path(home))) {
      limits_.read.push_back(folder);
      return;
    }
    std::error_code failed;
    for (fs::directory_iterator it(real, failed), end; !failed && it != end; it.increment(failed)) {
      std::error_code ignored;
      if (it->is_regular_file(ignored) && !it->path().filename().native().starts_with('.'))
        limits_.read.push_back(it->path().native());
    }
  }

  // With the folders that links in it lead to.
  void add_linked(const std::string& folder) {
    limits_.read.push_back(folder);
    std::error_code failed;
    for (fs::directory_iterator it(folder, failed), end; !failed && it != end;
         it.increment(failed)) {
      std::error_code ignored;
      if (!it->is_symlink(ignored)) continue;
      const std::string real = real_path(it->path().native());
      if (!real.empty())
        limits_.read.push_back(fs::is_directory(real, ignored) ? real : folder_of(real));
    }
  }

  void add_gpus() {
    for (const std::string& name : names_in_folder("/dev").value_or(std::vector<std::string>())) {
      if (name.starts_with("nvidia")) limits_.write.push_back("/dev/" + name);
    }
  }

  const Environment& env_;
  Confinement limits_;
};

// Reads the command line for what it needs.
class Needs {
 public:
  Needs(std::span<const ParsedArgs* const> levels, const Command& command, const Environment& env,
        std::span<const pgb_backend_options* const> backends)
      : levels_(levels), command_(command), env_(env), backends_(backends) {}

  bool users_programs() const {
    const ParsedArgs& args = *levels_.back();
    const auto given = [&](std::string_view key) {
      return args.syntax().find(key) != nullptr && args.has(key);
    };
    // A page that is served, to a browser.
    if (given("--visual") && !given("--save-visual")) return true;
    return any_use([&](const Occurrence& use) {
      const Option& option = *use.entry->option;
      if (option.files == FileUse::kReadCommand || option.starts_programs) return true;
      return std::ranges::any_of(use.values, [&](const std::string& value) {
        // Of a text, a file that exists.
        return is_script(value) &&
               (option.files != FileUse::kNone || is_file(existing_part(env_.path(value))));
      });
    });
  }

  bool python() const {
    // It loads all back ends, for their versions.
    if (command_.path == "backends") return true;
    return any_use([&](const Occurrence& use) {
      const Option& option = *use.entry->option;
      return option.starts_python || is_python(use.spelling) ||
             std::ranges::any_of(use.values, [&](const auto& value) {
               return option.files == FileUse::kNone ? is_python(value)
                                                     : is_read_in_python(option, env_.path(value));
             });
    });
  }

  // A command with defaults for files that it writes puts them there.
  bool current_folder() const {
    return std::ranges::any_of(levels_.back()->syntax().entries(), [](const Syntax::Entry& entry) {
      return entry.option->may_be_empty;
    });
  }

  void add_files(Limits& limits) const {
    any_use([&](const Occurrence& use) {
      add_files_of(use, limits);
      return false;
    });
    for (const ParsedArgs* args : levels_) {
      for (const std::string_view option : {kAllowRead, kAllowWrite}) {
        if (!args->syntax().find(option)) continue;
        for (const auto& values : args->all(option)) {
          for (const std::string& value : values) limits.allow(option, env_.path(value));
        }
      }
    }
  }

 private:
  bool any_use(const auto& holds) const {
    return std::ranges::any_of(levels_, [&](const ParsedArgs* args) {
      return std::ranges::any_of(args->occurrences(), holds);
    });
  }

  static bool is_script(const std::string& value) {
    return value.ends_with(".py") || value.find(".py:") != std::string::npos;
  }

  // "--torch", "--torch-device", "torch compile=1", "lpips:0.1", "frozen", a type of models.
  bool is_python(const std::string& text) const {
    const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    const std::string word = text.substr(std::min(text.find_first_not_of('-'), text.size()));
    return text == "frozen" || text == "ckpt" || text == "--tf" ||
           std::ranges::any_of(kInPython, has) ||
           std::ranges::any_of(backends_, [&](const pgb_backend_options* backend) {
             return runs_in_python(*backend) && word.starts_with(backend->name);
           });
  }

  bool is_read_in_python(const Option& option, const std::string& path) const {
    std::error_code ignored;
    if (ends_with_one_of(path, kReadInPython)) return true;
    if (option.files == FileUse::kReadModel) return fs::is_directory(path, ignored);
    // A folder of models has none of data.
    return option.files == FileUse::kRead && command_.path != "zoo" &&
           !ends_with_one_of(path, kNeverPython);
  }

  void add_files_of(const Occurrence& use, Limits& limits) const {
    const Option& option = *use.entry->option;
    for (const std::string& value : use.values) {
      if (value.empty() || value == "-") continue;
      const std::string path = existing_part(env_.path(value));
      switch (option.files) {
        case FileUse::kNone:
          add_words_of(value, limits);
          break;
        case FileUse::kReadCommand:
        case FileUse::kWrittenBeside:
          break;
        case FileUse::kRead:
        case FileUse::kReadModel:
        case FileUse::kFolderOfData:
          limits.add_read(path);
          break;
        case FileUse::kMoved:
        case FileUse::kUpdated:
          limits.add_read(path);
          limits.add_written(path, option.type == ValueType::kFolder);
          break;
        case FileUse::kWritten:
          limits.add_written(path, option.type == ValueType::kFolder || option.or_folder);
          break;
      }
    }
  }

  // Engines take names of files in texts: a library among providers, CACHE_DIR=FOLDER.
  void add_words_of(const std::string& value, Limits& limits) const {
    for (const std::string_view word : split(value, ' ')) {
      const size_t equals = word.find('=');
      const std::string path = env_.path(word.substr(equals == word.npos ? 0 : equals + 1));
      if (equals != word.npos && names_path(to_lower(word.substr(0, equals))))
        limits.add_written(path, true);
      if (path.find('/') != std::string::npos && is_file(path)) limits.add_read(path);
    }
  }
  static bool names_path(const std::string& key) {
    return std::ranges::any_of(std::array{"dir", "path", "file", "cache", "folder"},
                               [&](auto part) { return key.find(part) != std::string::npos; });
  }

  std::span<const ParsedArgs* const> levels_;
  const Command& command_;
  const Environment& env_;
  std::span<const pgb_backend_options* const> backends_;
};

}  // namespace

std::optional<Confinement> confinement_of(std::span<const ParsedArgs* const> levels,
                                          const Command& command, const Environment& env,
                                          std::span<const pgb_backend_options* const> backends) {
  const ParsedArgs& args = *levels.back();
  const Needs needs(levels, command, env, backends);
  if (command.is_outside || args.has("--no-sandbox") || needs.users_programs()) return std::nullopt;
  Limits limits(env);
  needs.add_files(limits);
  limits.add_libraries(backends);
  if (needs.python()) limits.add_python();
  if (needs.current_folder()) limits.allow_write(env.path("."));
  if (const std::string summary(env.variable("GITHUB_STEP_SUMMARY")); !summary.empty())
    limits.add_written(summary, false);
  Confinement result = limits.take();
  result.network = args.has("--allow-net");
  return result;
}

Sandbox enter_sandbox(Confinement limits) {
  Sandbox sandbox;
  try {
    const std::string shared = temporary_folder();
    const auto own = std::make_shared<const ScratchFolder>(shared + "/.polygraphy-sandbox-");
    set_variable("TMPDIR", own->path());
    limits.write.push_back(own->path());
    limits.unmake.push_back(shared);
    sandbox.temporary = own;
  } catch (const IoError&) {
    // The command that needs a temporary file says that there is no place for it.
  }
  const Enforced enforced = confine_this_process(limits);
  if (enforced.files && enforced.calls) return sandbox;
  sandbox.lacks = std::string("The sandbox is open: this kernel lacks ") +
                  (enforced.calls   ? "Landlock, which protects files"
                   : enforced.files ? "seccomp, which closes the network"
                                    : "Landlock and seccomp") +
                  "\nTry models that you do not trust on another machine, or accept it by "
                  "--no-sandbox.";
  return sandbox;
}

}  // namespace polygraphy::cli
