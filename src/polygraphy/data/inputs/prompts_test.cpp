#include "polygraphy/data/inputs/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

TEST(PromptsTest, LinesAreTexts) {
  const auto prompts = parse_prompts("To be\r\n\nor not", "p.txt");
  ASSERT_THAT(prompts, SizeIs(2));
  EXPECT_EQ(prompts[0].text, "To be");
  EXPECT_EQ(prompts[1].text, "or not");
  EXPECT_THAT(prompts[0].ids, IsEmpty());
}

TEST(PromptsTest, JsonListsHaveTextsAndIds) {
  const auto prompts = parse_prompts(" [\"To be\", [1, 2]]", "p.json");
  ASSERT_THAT(prompts, SizeIs(2));
  EXPECT_EQ(prompts[0].text, "To be");
  EXPECT_THAT(prompts[1].ids, ElementsAre(1, 2));
}

TEST(PromptsTest, AListOfNumbersIsOnePrompt) {
  const auto prompts = parse_prompts("[3, 4, 5]", "p.json");
  ASSERT_THAT(prompts, SizeIs(1));
  EXPECT_THAT(prompts[0].ids, ElementsAre(3, 4, 5));
}

TEST(PromptsTest, RefusesOthers) {
  for (const std::string text :
       {"", "\n\n", "[]", "[[]]", "[[-1]]", "[1, \"a\", 2]", "[null]", "[\"a\", 1]", "[[1.5]]"})
    EXPECT_THROW(parse_prompts(text, "p"), Error) << text;
}

// They may be meant as token ids or as texts: to decode their characters as a prompt is neither.
TEST(PromptsTest, JsonThatIsNoListIsNoText) {
  for (const std::string text : {"{\"a\": 1}", "{\n\"a\": [1]\n}\n", "{not JSON", "5", " 1.5\n",
                                 "\"To be\"", "null", "[1, 2", "[[1, 2], \"a", "[INST] To be"}) {
    try {
      parse_prompts(text, "p.json");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("p.json")) << text;
      EXPECT_THAT(error.hint(), ::testing::HasSubstr("a JSON list of texts and lists of token ids"))
          << text;
    }
  }
}

TEST(PromptsTest, TextsMayHaveBracketsAndNumbers) {
  EXPECT_EQ(parse_prompts("To be [or] {not}\n[2]\n5", "p.txt").size(), 3);
  EXPECT_EQ(parse_prompts("1 2 3", "p.txt").front().text, "1 2 3");
  EXPECT_EQ(parse_prompts("[\"[INST] To be\"]", "p.txt").front().text, "[INST] To be");
}

TEST(PromptsTest, AreFeedsOfOneRow) {
  const auto feeds = prompt_feeds({{.ids = {1, 2, 3}}, {.ids = {4}}}, "ids");
  Metadata inputs;
  inputs.set("ids", {.dtype = DataType::kInt32});
  const auto feed = feeds->next(inputs);
  EXPECT_EQ(feed->find("ids")->tensor().shape(), (Shape{1, 3}));
  EXPECT_EQ(feed->find("ids")->tensor().dtype(), DataType::kInt32);
  EXPECT_TRUE(feeds->next({}));
  EXPECT_FALSE(feeds->next({}));
}

// The last of the other inputs stands beside all further prompts.
TEST(PromptsTest, OtherInputsStandBesideThem) {
  const auto feeds = prompts_beside(prompt_feeds({{.ids = {1, 2, 3}}, {.ids = {4}}}, "ids"),
                                    prompt_feeds({{.ids = {7}}}, "adapter"), {"adapter"});
  for (int i = 0; i < 2; ++i) {
    const auto feed = feeds->next({});
    ASSERT_TRUE(feed);
    EXPECT_EQ(feed->find("adapter")->tensor().get_int64(0), 7);
    EXPECT_TRUE(feed->find("ids"));
  }
  EXPECT_FALSE(feeds->next({}));
}

TEST(PromptsTest, OnlyTextsNeedATokenizer) {
  Logger log;
  UserPython python({}, log);  // is not started
  std::vector<Prompt> prompts = {{.ids = {1, 2}}};
  tokenize_for_model(prompts, "nowhere/model.onnx", "", python);
  EXPECT_THAT(prompts[0].ids, ElementsAre(1, 2));
  prompts.push_back({.text = "To be"});
  const auto message = [&](const std::string& tokenizer) -> std::string {
    try {
      tokenize_for_model(prompts, "nowhere/model.onnx", tokenizer, python);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), kNoTokenizer);
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(message(""), "There is no tokenizer nowhere/tokenizer.json for the prompts");
  EXPECT_EQ(message("other.json"), "There is no tokenizer other.json for the prompts");
}

TEST(PromptsTest, APythonWithoutNumpyLacksTokenizersToo) {
  const TemporaryFolder folder;
  const std::string program = folder / "bare";
  std::ofstream(program) << "#!/bin/sh\nexec python3 -S -E \"$@\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  std::ofstream(folder / "tokenizer.json") << "{}";
  Logger log;
  PythonOptions options;
  options.program = program;
  UserPython python(options, log);
  std::vector<Prompt> prompts = {{.text = "To be"}};
  EXPECT_THAT([&] { tokenize_for_model(prompts, folder / "model.onnx", "", python); },
              ThrowsMessage<Error>(HasSubstr(
                  "Texts as prompts need the packages tokenizers and numpy of your Python: ")));
}

}  // namespace
}  // namespace polygraphy
