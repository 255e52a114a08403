#include "in_process.h"

#include <stdlib.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/driver.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {
namespace {

double ticks = 0;

double quarter_seconds() {
  return ticks += 0.25;
}

// One protobuf field of wire type 2.
std::string field(int number, const std::string& bytes) {
  std::string result;
  result += static_cast<char>(number << 3 | 2);
  result += static_cast<char>(bytes.size());
  return result + bytes;
}

std::string varint_field(int number, int value) {
  std::string result;
  result += static_cast<char>(number << 3);
  result += static_cast<char>(value);
  return result;
}

std::string value_info(const std::string& name) {
  const std::string shape = field(1, varint_field(1, 2)) + field(1, varint_field(1, 3));
  const std::string tensor = varint_field(1, 1) + field(2, shape);
  return field(1, name) + field(2, field(1, tensor));
}

}  // namespace

std::string identity_model() {
  const std::string node = field(1, "x") + field(2, "y") + field(3, "copy") + field(4, "Identity");
  const std::string graph =
      field(1, node) + field(2, "tiny") + field(11, value_info("x")) + field(12, value_info("y"));
  const std::string opset = field(1, "") + varint_field(2, 13);
  return varint_field(1, 8) + field(7, graph) + field(8, opset);
}

Outcome run_in_process(const std::vector<std::string>& args, const World& world) {
  std::vector<const char*> variables;
  for (const auto& variable : world.variables) variables.push_back(variable.c_str());
  variables.push_back(nullptr);
  TextStream out, err;
  Environment env{.out = out,
                  .err = err,
                  .variables = variables.data(),
                  .executable = PG_BINARY_DIR "/bin/polygraphy",
                  .root = world.root,
                  .clock = quarter_seconds,
                  .columns = world.columns};
  std::vector<std::string> argv{"polygraphy"};
  argv.insert(argv.end(), args.begin(), args.end());
  const int code = run_command_line(env, argv);
  return {code, out.text(), err.text()};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "polygraphy-test-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& contents) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

std::string TemporaryFolder::read(const std::string& name) const {
  std::ifstream file(path_ + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string without_dates(const std::string& text) {
  constexpr std::string_view kForm = "-00/00/00-00:00:00";
  const auto matches = [&](size_t at) {
    if (text.size() - at < kForm.size()) return false;
    for (size_t i = 0; i < kForm.size(); ++i) {
      const unsigned char c = static_cast<unsigned char>(text[at + i]);
      if (kForm[i] == '0' ? !std::isdigit(c) : c != kForm[i]) return false;
    }
    return true;
  };
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (matches(i)) {
      result += "-<date>";
      i += kForm.size() - 1;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace polygraphy::cli
