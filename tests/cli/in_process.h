// Runs the command line inside the test: streams, environment, clock and folder are the test's.
#pragma once

#include <string>
#include <vector>

namespace polygraphy::cli {

struct World {
  std::vector<std::string> variables = {};  // "NAME=value"
  std::string root = {};                    // where relative paths begin
  int columns = 80;
};

struct Outcome {
  int code;
  std::string out, err;
};

// `args` without the program's name, which is "polygraphy". The clock says that everything takes a
// quarter of a second. The executable is the one of the build tree, so back ends and runtimes are
// found beside it.
Outcome run_in_process(const std::vector<std::string>& args, const World& world = {});

// A new empty folder, removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string write(const std::string& name,
                    const std::string& contents) const;  // returns the path
  std::string read(const std::string& name) const;

 private:
  std::string path_;
};

// Runner names carry date and time: "-11/21/26-09:42:56" becomes "-<date>".
std::string without_dates(const std::string& text);

// A model with one node, y = Identity(x), x and y float32 of shape (2, 3); IR version 8, opset 13.
std::string identity_model();

}  // namespace polygraphy::cli
