#include "cli/session/installed_backends.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy::cli {
namespace {

namespace fs = std::filesystem;

class InstalledBackendsTest : public testing::Test {
 protected:
  InstalledBackendsTest() {
    make("py/bin/python3", "");
    make("py/lib/python3.11/site-packages/other.py", "");
  }

  std::string in(const std::string& path) const { return folder_ / path; }
  void make(const std::string& path, const std::string& contents) const {
    fs::create_directories(fs::path(in(path)).parent_path());
    write_file(in(path), contents, Durability::kNone);
  }

  // Whether the user's Python may have the module `engine`.
  bool may_have_engine(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> variables = {"POLYGRAPHY_PYTHON=" + in("py/bin/python3"),
                                          "HOME=" + in("home")};
    variables.insert(variables.end(), more.begin(), more.end());
    std::vector<const char*> pointers;
    for (const std::string& variable : variables) pointers.push_back(variable.c_str());
    pointers.push_back(nullptr);
    TextStream out, err;
    const Environment env{.out = out,
                          .err = err,
                          .variables = pointers.data(),
                          .executable = in("tree/bin/polygraphy")};
    pgb_backend_options backend{};
    backend.struct_size = sizeof backend;
    backend.name = "engine";
    backend.python_module = "engine";
    return InstalledBackends(env).may_have(backend);
  }

  TemporaryFolder folder_;
};

constexpr const char* kSite = "py/lib/python3.11/site-packages/";

TEST_F(InstalledBackendsTest, InTheFolderOfModules) {
  EXPECT_FALSE(may_have_engine());
  make(std::string(kSite) + "engine/__init__.py", "");
  EXPECT_TRUE(may_have_engine());
}

TEST_F(InstalledBackendsTest, InTheFolderOfTheUser) {
  make("home/.local/lib/python3.11/site-packages/engine.py", "");
  EXPECT_TRUE(may_have_engine());
  EXPECT_FALSE(may_have_engine({"PYTHONUSERBASE=" + in("base")}));
  make("base/lib/python3.11/site-packages/engine.py", "");
  EXPECT_TRUE(may_have_engine({"PYTHONUSERBASE=" + in("base")}));
}

TEST_F(InstalledBackendsTest, BehindALinkToTheInterpreter) {
  make("real/bin/python3.11", "");
  make("real/lib/python3.11/site-packages/engine.py", "");
  fs::remove(in("py/bin/python3"));
  fs::create_symlink(in("real/bin/python3.11"), in("py/bin/python3"));
  EXPECT_TRUE(may_have_engine());
  make("py/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
  EXPECT_FALSE(may_have_engine()) << "an environment has its own modules only";
}

TEST_F(InstalledBackendsTest, UnknownWhereAnEnvironmentHasModulesOfTheSystem) {
  make("py/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = True\n");
  EXPECT_TRUE(may_have_engine());
}

TEST_F(InstalledBackendsTest, InFoldersOfPathFiles) {
  make("clone/engine.py", "");
  make(std::string(kSite) + "__editable__.engine.pth", "# a clone\n" + in("clone") + "\n");
  EXPECT_TRUE(may_have_engine());
  fs::remove(in("clone/engine.py"));
  EXPECT_FALSE(may_have_engine());
}

TEST_F(InstalledBackendsTest, UnknownWherePathFilesRunCode) {
  make(std::string(kSite) + "distutils-precedence.pth", "import os; pass\n");
  make(std::string(kSite) + "polygraphy_native.pth", "import os; pass\n");
  EXPECT_FALSE(may_have_engine()) << "these find no modules of others";
  make(std::string(kSite) + "__editable__.engine.pth", "import __editable___engine_finder\n");
  EXPECT_TRUE(may_have_engine());
}

}  // namespace
}  // namespace polygraphy::cli
