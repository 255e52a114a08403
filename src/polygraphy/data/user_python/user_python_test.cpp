#include "polygraphy/data/user_python/user_python.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "polygraphy/data/user_python/metadata_json.h"

namespace polygraphy {
namespace {

// Runs python3 with set-up's numpy and nothing else of set-up's.
class Scripts : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* source = std::getenv("PG_SOURCE_DIR");
    const std::string installed = std::string(source ? source : ".") + "/.deps/parity/";
    if (!std::filesystem::exists(installed + "numpy")) GTEST_SKIP() << "no numpy in " << installed;
    for (const std::string name : {"numpy", "numpy.libs"}) {
      std::filesystem::create_symlink(std::filesystem::absolute(installed + name), modules_ / name);
    }
    ::setenv("PYTHONPATH", modules_.path().c_str(), 1);
    ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  }

  std::shared_ptr<UserPython> python() {
    PythonOptions options;
    options.out = [this](std::string_view text) {
      out_ += text;
      if (out_ == "looping\n") cancel_ = true;
    };
    options.err = [this](std::string_view text) { err_ += text; };
    options.cancel = &cancel_;
    auto made = std::make_shared<UserPython>(std::move(options), log_);
    made->set_timeout(timeout_);
    return made;
  }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  ScriptFunction load(const std::string& text, const std::string& name) {
    const std::string path = write("script.py", text);
    return ScriptFunction(python(), {path, name});
  }

  // The feeds of a loader, until it ends.
  std::vector<ArrayMap> feeds(const std::string& text) {
    const ScriptFunction function = load(text, "load_data");
    const ScriptFunction loader =
        function.object(function.call("open_loader", {}).header["id"].integer());
    std::vector<ArrayMap> all;
    while (true) {
      PythonMessage request;
      request.header.set("inputs", JsonValue::List());
      PythonMessage reply = loader.call("next_feed", std::move(request));
      if (reply.header["end"].boolean()) return all;
      all.push_back(std::move(reply.arrays));
    }
  }

  std::string message_of(const std::string& text) {
    try {
      feeds(text);
    } catch (const Error& error) {
      return error.what() + (error.hint().empty() ? "" : "\n" + error.hint());
    }
    return "(nothing)";
  }

  TemporaryFolder folder_, modules_;
  Logger log_;
  std::string out_, err_;
  std::atomic<bool> cancel_ = false;
  std::optional<double> timeout_;
};

TEST_F(Scripts, GeneratorsGiveOneFeedAtATime) {
  const auto all = feeds(
      "import numpy\n"
      "def load_data():\n"
      "  for i in range(3): yield {'x': numpy.full((2, 2), i, 'float32')}\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].find("x")->shape(), (Shape{2, 2}));
  EXPECT_EQ(all[2].find("x")->get_double(3), 2);
}

TEST_F(Scripts, WhatIsPrintedDisturbsNothing) {
  const auto all = feeds(
      "import os, sys\n"
      "def load_data():\n"
      "  print('before')\n"
      "  os.write(1, b'x' * 5000000)\n"
      "  print('warned', file=sys.stderr)\n"
      "  return [{'x': 1}]\n");
  EXPECT_EQ(all.size(), 1u);
  EXPECT_EQ(out_, "before\n" + std::string(5000000, 'x'));
  EXPECT_EQ(err_, "warned\n");
}

TEST_F(Scripts, AThreadMayPrintWithoutEnd) {
  const auto all = feeds(
      "import os, threading\n"
      "def flood():\n"
      "  while True: os.write(1, b'x' * 60000)\n"
      "def load_data():\n"
      "  threading.Thread(target=flood, daemon=True).start()\n"
      "  return [{'x': 1}]\n");
  EXPECT_EQ(all.size(), 1u);
}

// With any Python.
TEST_F(Scripts, OneThatIsNotThereIsNamed) {
  PythonOptions options;
  options.program = "/no/python";
  const auto lost = std::make_shared<UserPython>(options, log_);
  try {
    ScriptFunction(lost, ScriptSymbol{"nosuch.py", "load_data"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "Could not import symbol: load_data from script: nosuch.py");
    EXPECT_EQ(error.hint(), "Note: Error was: No such file or directory");
  }
}

TEST_F(Scripts, StandardInputIsEmpty) {
  EXPECT_EQ(feeds("import sys\ndef load_data(): return [{'x': len(sys.stdin.read())}]\n")[0]
                .find("x")
                ->get_int64(0),
            0);
}

TEST_F(Scripts, TracebacksHaveTheScriptsFramesOnly) {
  EXPECT_EQ(message_of("def inner():\n"
                       "  raise KeyError('a')\n"
                       "def load_data():\n"
                       "  yield inner()\n"),
            "Script " + (folder_ / "script.py") + ": load_data() failed: KeyError: 'a'\n" +
                "Traceback (most recent call last):\n  File \"" + (folder_ / "script.py") +
                "\", line 4, in load_data\n    yield inner()\n          ^^^^^^^\n  File \"" +
                (folder_ / "script.py") +
                "\", line 2, in inner\n    raise KeyError('a')\nKeyError: 'a'");
}

// torch describes a wrong state dict in many lines.
TEST_F(Scripts, OfALongMessageTheFirstLineIsTheHeadline) {
  EXPECT_TRUE(message_of("def load_data():\n"
                         "  raise RuntimeError('two keys are missing:\\n  a,\\n  b')\n")
                  .starts_with("Script " + (folder_ / "script.py") +
                               ": load_data() failed: RuntimeError: two keys are missing:\n"));
}

TEST_F(Scripts, ANulDoesNotEndTheHeadline) {
  EXPECT_TRUE(message_of("def load_data():\n"
                         "  raise RuntimeError('before\\0behind')\n")
                  .starts_with("Script " + (folder_ / "script.py") +
                               ": load_data() failed: RuntimeError: before\\x00behind\n"));
}

TEST_F(Scripts, OfWrongSyntaxTheHeadlineSaysWhere) {
  EXPECT_NE(message_of("import os\ndef load_data(:\n")
                .find("SyntaxError: invalid syntax (script.py, line 2)"),
            std::string::npos);
}

TEST_F(Scripts, EndingPythonIsAnErrorOfTheScript) {
  EXPECT_NE(message_of("import sys\ndef load_data(): sys.exit(3)\n")
                .find("load_data() ended Python: sys.exit(3)"),
            std::string::npos);
  EXPECT_NE(message_of("import os\ndef load_data(): os._exit(3)\n")
                .find("load_data(): Python exited with 3 while it ran."),
            std::string::npos);
  EXPECT_NE(message_of("import os\ndef load_data(): os.kill(os.getpid(), 11)\n")
                .find("load_data(): Python was killed by SIGSEGV"),
            std::string::npos);
}

TEST_F(Scripts, MissingFilesAndFunctions) {
  EXPECT_EQ(message_of("def other(): pass\n"),
            "Could not import symbol: load_data from script: " + (folder_ / "script.py") +
                "\nNote: Error was: module 'script' has no attribute 'load_data'. It has: other");
  EXPECT_THROW(ScriptFunction(python(), ScriptSymbol{folder_ / "absent.py", "f"}), Error);
  EXPECT_NE(message_of("x = \n").find("SyntaxError"), std::string::npos);
}

TEST_F(Scripts, AScriptMayBeCalledAsAModuleOfPython) {
  const std::string path =
      write("json.py", "import json\ndef load_data(): return json.dumps([])\n");
  EXPECT_NO_THROW(ScriptFunction(python(), ScriptSymbol{path, "load_data"}));
}

TEST_F(Scripts, AnEndlessLoopIsLeftOnRequest) {
  const ScriptFunction function = load(
      "def load_data():\n"
      "  print('looping')\n"
      "  while True: pass\n",
      "load_data");
  EXPECT_THROW(function.call("open_loader", {}), Interrupted);
}

TEST_F(Scripts, ACallThatExceedsTheTimeoutIsAnError) {
  timeout_ = 0.2;
  EXPECT_EQ(message_of("import time\ntime.sleep(0.3)\ndef load_data():\n  while True: pass\n"),
            "Script " + (folder_ / "script.py") + ": load_data() exceeded 0.2 s, and was ended.");
}

TEST_F(Scripts, AForkedChildDoesNotAnswer) {
  const ScriptFunction function = load(
      "import os\n"
      "def load_data():\n"
      "  child = os.fork()\n"
      "  if child: os.waitpid(child, 0)\n"
      "  return [{}]\n",
      "load_data");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(function.call("open_loader", {}).header["id"].is_null());
}

TEST_F(Scripts, AnAbandonedCallEnds) {
  const auto users = python();
  const ScriptFunction function(users, {write("script.py",
                                              "def load_data():\n"
                                              "  print('waiting')\n"
                                              "  while True: pass\n"
                                              "def next_one(): return [{}]\n"),
                                        "load_data"});
  {
    const UserPython::Watch watch(*users, [this] { return out_ == "waiting\n"; });
    EXPECT_THROW(function.call("open_loader", {}), Interrupted);
  }
  // The next call has a new process, and is not abandoned.
  const ScriptFunction next(users, {folder_ / "script.py", "next_one"});
  EXPECT_FALSE(next.call("open_loader", {}).header["none"].boolean());
}

TEST_F(Scripts, ArraysOfEveryTypeOfNumpyAndOrder) {
  const auto feed = feeds(
      "import numpy\n"
      "def load_data(): return [{\n"
      "  'fortran': numpy.asfortranarray(numpy.arange(6, dtype='int16').reshape(2, 3)),\n"
      "  'big': numpy.array([1.5], dtype='>f8'), 'text': numpy.array(['a', 'bc']),\n"
      "  'bool': numpy.array([True, False]), 'half': numpy.float16(2), 'empty': numpy.zeros((0, "
      "4)),\n"
      "  'strided': numpy.arange(10)[::-3]}]\n")[0];
  EXPECT_EQ(feed.find("fortran")->get_int64(4), 4);
  EXPECT_EQ(feed.find("big")->get_double(0), 1.5);
  EXPECT_EQ(feed.find("text")->strings()[1], "bc");
  EXPECT_EQ(feed.find("bool")->dtype(), DataType::kBool);
  EXPECT_EQ(feed.find("half")->shape(), Shape{});
  EXPECT_EQ(feed.find("empty")->shape(), (Shape{0, 4}));
  EXPECT_EQ(feed.find("strided")->get_int64(1), 6);
}

TEST_F(Scripts, WhatIsNoFeedIsRefused) {
  EXPECT_NE(message_of("def load_data(): yield 5\n").find("cannot be recognized as a feed_dict"),
            std::string::npos);
  EXPECT_NE(message_of("def load_data(): return 5\n").find("returned a int"), std::string::npos);
  EXPECT_NE(message_of("def load_data(): yield {'x': 'a'}\n").find("returned a str for input: x"),
            std::string::npos);
  EXPECT_NE(message_of("def load_data(a): pass\n").find("missing 1 required positional argument"),
            std::string::npos);
}

TEST(UserPython, IsNamedWhereItIsMissing) {
  PythonOptions options;
  options.program = "/nowhere/bin/python3";
  options.chosen_by = "VIRTUAL_ENV";
  Logger log;
  const TemporaryFolder folder;
  put(folder / "a.py", "");
  try {
    ScriptFunction(std::make_shared<UserPython>(options, log), ScriptSymbol{folder / "a.py", "f"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'/nowhere/bin/python3'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("(chosen by VIRTUAL_ENV)"), std::string::npos);
  }
}

TEST(ScriptSymbol, IsAPathAndAFunction) {
  EXPECT_EQ(parse_script_symbol("a.py", "f").name, "f");
  EXPECT_EQ(parse_script_symbol("a.py:g", "f").name, "g");
  EXPECT_EQ(parse_script_symbol("a:b/c.py", "f").path, "a:b/c.py");
  EXPECT_THROW(parse_script_symbol("a.py:", "f"), Error);
}

TEST(MetadataJson, KeepsWhatIsKnown) {
  const Metadata metadata = {{"x", {DataType::kFloat32, DimList{2, "N", {}}, ""}}, {"y", {}}};
  EXPECT_EQ(to_text(metadata_from(to_json(metadata))), to_text(metadata));
}

}  // namespace
}  // namespace polygraphy
