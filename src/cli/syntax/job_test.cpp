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
  EXPECT_EQ(arguments(R"("model_file": "--onnxrt")"),
            "error: job 'run': argument 'model_file' has a value that is an option or another "
            "argument Begin a path with './'.");
  for (const char* refused : {
           R"("load_outputs": ["a", "--onnxrt"])",
           R"("model_file": true)",
           R"("model_file": "m", "onnx_outputs": ["mark", "all--onnxrt"])",
           R"("model_file": "m", "rtol": ["-Infinity", 1])",
           R"("model_file": "m", "rtol": [-Infinity, 1])",
           R"("model_file": "m", "seed": 1.5)",
           R"("model_file": "a\u0000b")",
       })
    EXPECT_EQ(arguments(refused).substr(0, 6), "error:") << refused;
  for (const char* refused : {R"(["a | b", "--silent"])", R"(["--", "m.onnx"])"}) {
    const std::string json = R"("model_file": "m", "output": "r", "check": )";
    EXPECT_EQ(arguments(json + refused, "debug reduce").substr(0, 6), "error:") << refused;
  }
  EXPECT_EQ(arguments(R"("model_file": "m", "save_onnx": "--onnxrt")"),
            "run m --save-onnx=--onnxrt");
  EXPECT_EQ(arguments(R"("model_file": "m", "rtol": [-1, "y:2"])"), "run m --rtol -1 y:2");
}

TEST(Job, TakesNoFileOfARunnerForTheModel) {
  const auto job = parse_job(
      R"({"polygraphy_job": 1, "command": "run", "runners": [{"runner": "torch", "file": "n"}]})",
      "job.json");
  EXPECT_THROW(words_of(job, *syntax_of_command("run")), Error);
}

TEST(Job, HasOptionsWithoutTheirOptionalValue) {
  EXPECT_EQ(line("surgeon sanitize", "m.onnx -o o --save-external-data"),
            "surgeon sanitize m.onnx --output o --save-external-data");
  EXPECT_EQ(line("surgeon sanitize", "m.onnx -o o --save-external-data a --save-external-data"),
            "surgeon sanitize m.onnx --output o --save-external-data a --save-external-data");
  EXPECT_EQ(line("run", "m.onnx --onnxrt --noise-floor"), "run m.onnx --onnxrt --noise-floor");
}

// A command takes all words behind it.
TEST(Job, HasFurtherOptionsBeforeTheWordsOfACommand) {
  const auto syntax = syntax_of_command("debug reduce");
  const JobDocument reduce = job("debug reduce", "m.onnx -o r --check false x");
  const auto with = [&](const std::vector<std::string>& further) {
    const auto all = words_of(reduce, *syntax, further);
    return join(std::span<const std::string>(all), " ");
  };
  EXPECT_EQ(with({"--output", "o"}), "debug reduce m.onnx --output r --output o --check false x");
  EXPECT_EQ(with({"--check", "true"}), "debug reduce m.onnx --output r --check true");
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
  EXPECT_NE(error(R"({"polygraphy_job": 2})").find("version 2"), std::string::npos);
  EXPECT_NE(error(R"({"polygraphy_job": 1, "options": {}})").find("no member 'options'"),
            std::string::npos);
  EXPECT_NE(error(R"({"polygraphy_job": 1, "arguments": {"a": 1, "a": 2}})").find("twice"),
            std::string::npos);
}

// Each option of each command, with a value of its type, and without one where that is optional.
TEST(Job, HasEachOptionOfEachCommand) {
  int count = 0;
  const auto value_of = [](const Syntax::Entry& entry) {
    if (!entry.choices().empty()) return std::string(split(entry.choices(), ' ').front());
    return std::string(entry.option->type == ValueType::kText ? "x" : "3");
  };
  const auto check = [&](const Command& command, const Syntax& syntax, const Syntax::Entry& entry,
                         bool alone) {
    ParsedArgs args(syntax);
    for (const auto& each : syntax.entries()) {
      if (&each == &entry || !each.required) continue;
      args.add({&each, std::string(each.key()), {value_of(each)}});
    }
    std::vector<std::string> values;
    if (!alone) values.push_back(value_of(entry));
    args.add({&entry, std::string(entry.key()), values});
    const auto all = words_of(parse_job(job_json(job_of(args, command.path)), "job"), syntax);
    const auto own = std::span(all).subspan(split(command.path, ' ').size());
    EXPECT_EQ(words_of(job_of(parse_args(syntax, own), command.path), syntax), all);
    EXPECT_EQ(std::ranges::count_if(all,
                                    [&](const std::string& word) {
                                      return word == entry.key() ||
                                             word.starts_with(std::string(entry.key()) + "=");
                                    }),
              1)
        << command.path << entry.key();
    ++count;
  };
  for (const Command* command : commands()) {
    if (!command->run || command->path == "job") continue;
    const auto syntax = syntax_of(*command, backend_option_tables());
    for (const auto& entry : syntax->entries()) {
      const Arity arity = entry.option->arity;
      if (!is_of_jobs(*syntax, entry) || entry.positional()) continue;
      const bool takes_value = arity != Arity::kFlag && !entry.runner;
      if (takes_value) check(*command, *syntax, entry, false);
      if (!takes_value || arity == Arity::kOptional || arity == Arity::kZeroOrMore)
        check(*command, *syntax, entry, true);
    }
  }
  EXPECT_GT(count, 500);
}

}  // namespace
}  // namespace polygraphy::cli
