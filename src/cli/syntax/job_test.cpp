#include "cli/syntax/job.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/syntax/job_words.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

std::unique_ptr<Syntax> syntax_of_command(std::string_view path) {
  return syntax_of(**std::ranges::find(commands(), path, &Command::path), backend_option_tables());
}

std::vector<std::string> words(std::string_view line) {
  const auto views = split(line, ' ');
  return {views.begin(), views.end()};
}

JobDocument job(std::string_view command, std::string_view options) {
  const auto syntax = syntax_of_command(command);
  return job_of(parse_args(*syntax, words(options)), command);
}

// The command line of a job as its JSON has it.
std::string line_of(const JobDocument& job) {
  const auto syntax = syntax_of_command(job.command);
  const auto all = words_of(parse_job(job_json(job), "job.json"), *syntax);
  return join(std::span<const std::string>(all), " ");
}

std::string line(std::string_view command, std::string_view options) {
  return line_of(job(command, options));
}

// The arguments of a job of `run`, or the error.
std::string arguments(const std::string& json, std::string_view command = "run") {
  try {
    return line_of(parse_job(R"({"polygraphy_job": 1, "command": ")" + std::string(command) +
                                 R"(", "arguments": {)" + json + "}}",
                             "job.json"));
  } catch (const Error& error) {
    return std::string("error: ") + error.what() + " " + error.hint();
  }
}

TEST(Job, IsJsonOfTheCommandLine) {
  EXPECT_EQ(job_json(job("debug locate",
                         "m.onnx --openvino --onnxrt --iters 4 --rtol 1e-3 y:0.5 "
                         "--noise-threshold=2.5 --no-neighbours -v")),
            R"({
    "polygraphy_job": 1,
    "command": "debug locate",
    "runners": [
        {
            "runner": "openvino"
        },
        {
            "runner": "onnxrt"
        }
    ],
    "arguments": {
        "model_file": "m.onnx",
        "iterations": 4,
        "rtol": [
            "1e-3",
            "y:0.5"
        ],
        "noise_threshold": 2.5,
        "no_neighbours": true
    }
}
)");
}

TEST(Job, GivesTheCommandLineBack) {
  EXPECT_EQ(line("run", "m.onnx --torch m.pt2 --onnxrt --val-range [0,1] y:[2,3] --seed 5"),
            "run m.onnx --torch m.pt2 --onnxrt --val-range [0,1] y:[2,3] --seed 5");
  EXPECT_EQ(line("run", "m.onnx --model-runner ./a --model-runner ./b"),
            "run m.onnx --model-runner ./a --model-runner ./b");
  EXPECT_EQ(line("run", "m.onnx --onnxrt --seed -1 --samples=-3"),
            "run m.onnx --onnxrt --seed=-1 --samples=-3");
}

TEST(Job, KeepsTheLastUseOfAnOption) {
  EXPECT_EQ(line("run", "m.onnx --seed 1 --onnxrt --seed 2"), "run m.onnx --onnxrt --seed 2");
}

TEST(Job, HasTheWordsOfAnotherCommandLast) {
  EXPECT_EQ(line("debug reduce", "m.onnx -o r.onnx --mode linear --check program --seed 3"),
            "debug reduce m.onnx --output r.onnx --mode linear --check program --seed 3");
}

TEST(Job, HasNoOptionsOfLogsAndTasks) {
  EXPECT_EQ(line("run", "m.onnx -vv --log-file x --silent --onnxrt --save-task t.json"),
            "run m.onnx --onnxrt");
}

TEST(Job, NeverMakesAnOptionOfAValue) {
  EXPECT_EQ(
      arguments(R"("model_file": "--onnxrt")"),
      "error: job 'run': argument 'model_file' has the value '--onnxrt', which may be an option "
      "Write ./--onnxrt.");
  EXPECT_EQ(arguments(R"("load_outputs": ["a", "--onnxrt"])").substr(0, 6), "error:");
  EXPECT_EQ(arguments(R"("model_file": "m", "save_onnx": "--onnxrt")"),
            "run m --save-onnx=--onnxrt");
  EXPECT_EQ(arguments(R"("model_file": true)").substr(0, 6), "error:");
  EXPECT_EQ(arguments(R"("onnx_outputs": ["mark", "all--onnxrt"])").substr(0, 6), "error:");
  EXPECT_EQ(arguments(R"("check": ["a | b", "--silent"])", "debug reduce").substr(0, 6), "error:");
}

TEST(Job, LeavesOutWhatIsFalseOrNull) {
  EXPECT_EQ(arguments(R"("model_file": "m.onnx", "validate": false, "seed": null)"), "run m.onnx");
}

TEST(Job, RefusesOtherArgumentsAndForms) {
  EXPECT_EQ(arguments(R"("iteration": 4)"),
            "error: job 'run': unknown argument 'iteration' Did you mean 'iterations'?\n"
            "`polygraphy schema run --job` lists the known ones.");
  EXPECT_EQ(arguments(R"("verbose": true)").substr(0, 40),
            "error: job 'run': unknown argument 'verb");
  EXPECT_EQ(arguments(R"("validate": 1)"),
            "error: job 'run': argument 'validate' is true or false ");
  EXPECT_EQ(arguments(R"("seed": true)"), "error: job 'run': argument 'seed' needs a value ");
  EXPECT_EQ(arguments(R"("seed": [1, 2])"),
            "error: job 'run': argument 'seed' takes one value, not a list ");
  EXPECT_EQ(arguments(R"("rtol": [["1e-3"]])"),
            "error: job 'run': argument 'rtol' has no lists in its list ");
}

TEST(Job, RefusesOtherDocuments) {
  const auto error = [](std::string_view text) -> std::string {
    try {
      parse_job(text, "job.json");
    } catch (const FormatError& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_NE(error("{}").find("this is not a job"), std::string::npos);
  EXPECT_NE(error(R"({"polygraphy_job": 2})").find("later program"), std::string::npos);
  EXPECT_NE(error(R"({"polygraphy_job": 1, "options": {}})").find("no member 'options'"),
            std::string::npos);
  EXPECT_NE(error(R"({"polygraphy_job": 1, "arguments": {"a": 1, "a": 2}})").find("twice"),
            std::string::npos);
}

// Each option of each command: by itself, with a value of its type.
TEST(Job, HasEachOptionOfEachCommand) {
  int count = 0;
  for (const Command* command : commands()) {
    if (!command->run) continue;
    const auto syntax = syntax_of(*command, backend_option_tables());
    for (const auto& entry : syntax->entries()) {
      const Option& option = *entry.option;
      if (!is_of_jobs(*syntax, entry) || entry.positional()) continue;
      const std::string value = !entry.choices().empty()
                                    ? std::string(split(entry.choices(), ' ').front())
                                : option.type == ValueType::kText ? "x"
                                                                  : "3";
      const bool alone = option.arity == Arity::kFlag || entry.runner;
      ParsedArgs args(*syntax);
      args.add({&entry, std::string(entry.key()),
                alone ? std::vector<std::string>() : std::vector{value}});
      const auto all = words_of(parse_job(job_json(job_of(args, command->path)), "job"), *syntax);
      std::string wanted = std::string(command->path) + " " + std::string(entry.key());
      if (!alone) wanted += " " + value;
      EXPECT_EQ(join(std::span<const std::string>(all), " "), wanted);
      ++count;
    }
  }
  EXPECT_GT(count, 500);
}

}  // namespace
}  // namespace polygraphy::cli
