#include "polygraphy/models/decoder/decoder_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/decoder/decoder_feeds.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Names with dots, in quotes.
std::string quoted(const std::string& text) {
  return std::regex_replace(text, std::regex("[a-z_]+\\.[a-z0-9_.]+"), "\"$&\"");
}

graphsurgeon::Model parse(const std::string& inputs, const std::string& outputs) {
  return graphsurgeon::parse_onnx_text(("<ir_version: 8, opset_import: [\"\": 17]> g (" +
                                        quoted(inputs) + ") => (" + quoted(outputs) + ") {}")
                                           .c_str());
}

DecoderForm form_of(const std::string& inputs, const std::string& outputs,
                    const DecoderNames& names = {}) {
  return decoder_form(parse(inputs, outputs), names);
}

const std::string kCache = "float[B, 2, P, 16]";

TEST(DecoderForm, OptimumsNames) {
  const DecoderForm form =
      form_of("int64[B, S] input_ids, int64[B, T] attention_mask, int64[B, S] position_ids, " +
                  kCache + " past_key_values.0.key, " + kCache + " past_key_values.0.value",
              "float[B, S, 97] logits, float[B, 2, T, 16] present.0.key, float[B, 2, T, 16] "
              "present.0.value");
  EXPECT_EQ(to_text(form),
            "tokens: input_ids\nmask: attention_mask\npositions: position_ids\nlogits: logits\n"
            "past_key_values.0.key <- present.0.key, grows along axis 2\n"
            "past_key_values.0.value <- present.0.value, grows along axis 2\n");
  EXPECT_EQ(form.vocabulary, 97);
}

TEST(DecoderForm, ByOrderWhereNamesAreThoseOfOperators) {
  const DecoderForm form =
      form_of("int64[B, S] input_ids, " + kCache + " key_cache_0, " + kCache + " value_cache_0",
              "float[B, S, 97] linear_14, float[B, 2, T, 16] cat_17, float[B, 2, T, 16] cat_19");
  ASSERT_EQ(form.states.size(), 2u);
  EXPECT_EQ(form.states[1].past, "value_cache_0");
  EXPECT_EQ(form.states[1].present, "cat_19");
  EXPECT_EQ(form.logits, "linear_14");
}

TEST(DecoderForm, ABufferOfAFixedLengthDoesNotGrow) {
  const DecoderForm form = form_of("int64[B, S] input_ids, float[B, 2, 32, 16] past.0",
                                   "float[B, S, 97] logits, float[B, 2, 32, 16] present.0");
  EXPECT_EQ(form.states[0].axis, -1);
  const ValueMap states = first_states(form, 3);
  EXPECT_EQ(states.find("past.0")->tensor().shape(), (Shape{3, 2, 32, 16}));
}

TEST(DecoderForm, AWindowIsABufferThatTheModelShiftsItself) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(R"(
      <ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
      g (int64[B, S] input_ids, float[B, S, 64] x, int32[B] lengths, int32[1] total,
         float[B, 2, past_sliding_length, 16] past_key,
         float[B, 2, past_sliding_length, 16] past_value)
        => (float[B, S, 97] logits, float[B, 2, total_sliding_length, 16] present_key,
            float[B, 2, total_sliding_length, 16] present_value)
      {
        logits, present_key, present_value = com.microsoft.GroupQueryAttention
          <num_heads: int = 4, kv_num_heads: int = 2, local_window_size: int = 8,
           sliding_window_cache: int = 1>
          (x, "", "", past_key, past_value, lengths, total)
      })");
  const DecoderForm form = decoder_form(model);
  EXPECT_THAT(to_text(form), HasSubstr("past_key <- present_key, a window of 8 positions\n"));
  EXPECT_FALSE(form.states[0].room()) << "older positions are dropped";
  EXPECT_EQ(first_states(form, 3).find("past_key")->tensor().shape(), (Shape{3, 2, 8, 16}));
}

TEST(DecoderForm, OtherInputsStay) {
  const DecoderForm form =
      form_of("int64[B, S] input_ids, float[B, 7, 8] image, " + kCache + " past.0",
              "float[B, S, 97] logits, float[B, 2, T, 16] present.0");
  EXPECT_THAT(form.others, testing::ElementsAre("image"));
}

// As Optimum exports T5, BART and Whisper.
const std::string kEncoderCache = "float[B, 2, encoder_length, 16]";

TEST(DecoderForm, CachesOfAnEncoderStay) {
  const std::string inputs =
      "int64[B, encoder_length] encoder_attention_mask, int64[B, S] "
      "input_ids, float[B, encoder_length, 8] encoder_hidden_states, " +
      kCache + " past.0.decoder.key, " + kEncoderCache + " past.0.encoder.key";
  const std::string outputs = "float[B, S, 97] logits, float[B, 2, T, 16] present.0.decoder.key, " +
                              kEncoderCache + " present.0.encoder.key";
  const DecoderForm merged = form_of(inputs + ", bool[1] use_cache_branch", outputs);
  EXPECT_EQ(merged.mask, "") << "that of the encoder has another length";
  EXPECT_THAT(to_text(merged), HasSubstr("past.0.decoder.key <- present.0.decoder.key, grows along "
                                         "axis 2\npast.0.encoder.key <- present.0.encoder.key, as "
                                         "the first run made it\n"));
  EXPECT_THAT(merged.others,
              testing::ElementsAre("encoder_attention_mask", "encoder_hidden_states"));
  const DecoderForm with_past = form_of(inputs, outputs);
  EXPECT_EQ(with_past.states.size(), 1u) << "no run makes the encoder's";
  EXPECT_THAT(with_past.others, testing::Contains("past.0.encoder.key"));
}

TEST(DecoderForm, AMaskOfAnEncoderMayHaveTheUsualName) {
  const auto mask = [](const std::string& length) {
    return form_of("int64[B, S] decoder_input_ids, int64[B, E] input_ids, int64[B, " + length +
                       "] attention_mask, " + kCache + " past.0",
                   "float[B, S, 97] logits, float[B, 2, T, 16] present.0");
  };
  EXPECT_EQ(mask("encoder_sequence_length").mask, "");
  EXPECT_EQ(mask("decoder_sequence_length").mask, "attention_mask");
  EXPECT_EQ(mask("T").tokens, "decoder_input_ids");
}

TEST(DecoderForm, AnUnknownSizeIsAskedFor) {
  const std::string inputs = "int64[B, S] input_ids, float[B, 2, P, D] past.0";
  const std::string outputs = "float[B, S, 97] logits, float[B, 2, T, D] present.0";
  EXPECT_THAT([&] { first_states(form_of(inputs, outputs), 1); },
              ThrowsMessage<Error>(HasSubstr("The size of axis 3 ('D') of the cache 'past.0'")));
  const DecoderForm form = form_of(inputs, outputs, {.sizes = {{"D", 16}}});
  EXPECT_EQ(first_states(form, 1).find("past.0")->tensor().shape(), (Shape{1, 2, 0, 16}));
}

TEST(DecoderForm, ModelsThatAreNoDecoders) {
  EXPECT_THAT([] { form_of("int64[B, S] input_ids", "float[B, S, 97] logits"); },
              ThrowsMessage<Error>(HasSubstr("No input of the model matches an output")));
  EXPECT_THAT([] { form_of("float[B, 3] image", "float[B, 10] logits"); },
              ThrowsMessage<Error>(HasSubstr("No input of the model takes token ids")));
  EXPECT_THAT([] { form_of("int64[B, S] input_ids", "float[B, 4] scores"); },
              ThrowsMessage<Error>(HasSubstr("No output of the model is logits")));
}

TEST(DecoderFeeds, MasksAndPositionsSkipPadding) {
  const DecoderForm form =
      form_of("int64[B, S] input_ids, int64[B, T] attention_mask, int64[B, S] position_ids, " +
                  kCache + " past.0",
              "float[B, S, 97] logits, float[B, 2, T, 16] present.0");
  const TokenRows tokens{2, 2, {1, 2, 3, 4}};
  const std::vector<int64_t> padding = {0, 2};
  const ValueMap feed =
      step_feed(form, {.tokens = tokens, .past = 1, .padding = padding}, first_states(form, 2), {});
  const auto ints = [&](const char* name) {
    const auto values = feed.find(name)->tensor().as<int64_t>();
    return std::vector<int64_t>(values.begin(), values.end());
  };
  EXPECT_THAT(ints("attention_mask"), testing::ElementsAre(1, 1, 1, 0, 0, 1));
  EXPECT_THAT(ints("position_ids"), testing::ElementsAre(1, 2, 0, 0));
}

TEST(TokenRows, AppendsToEachRow) {
  TokenRows rows{2, 1, {1, 2}};
  rows.append({2, 2, {3, 4, 5, 6}});
  EXPECT_EQ(rows, (TokenRows{2, 3, {1, 3, 4, 2, 5, 6}}));
  EXPECT_EQ(rows.part(1, 2), (TokenRows{2, 1, {3, 5}}));
}

}  // namespace
}  // namespace polygraphy
