#include "graphsurgeon/wire/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon::wire {
namespace {

template <typename Encode>
std::string written(Encode encode) {
  std::string bytes;
  StringSink sink(bytes);
  Writer out;
  encode(out);
  const uint64_t measured = out.size();
  out.write_to(sink);
  encode(out);
  out.finish();
  EXPECT_EQ(bytes.size(), measured);
  return bytes;
}

TEST(Writer, WritesEachKindOfField) {
  EXPECT_EQ(written([](Writer& out) {
              out.varint(1, 300);
              out.int64(2, -1);
              out.int32(3, -1);
              out.float32(4, 1.5f);
              out.bytes(5, "abc");
              out.bytes(6, "");
              out.raw(num(7, 1));
              out.varint(536870911, 0);
            }),
            num(1, 300) + num(2, -1) + num(3, -1) + real(4, 1.5f) + text(5, "abc") + text(6, "") +
                num(7, 1) + num(536870911, 0));
}

TEST(Writer, NestsMessages) {
  EXPECT_EQ(
      written([](Writer& out) {
        out.begin(1);
        out.varint(1, 1);
        out.begin(2);
        out.bytes(3, std::string(200, 'x'));
        out.end();
        out.begin(2);
        out.end();
        out.end();
        out.begin(9);
        out.end();
      }),
      text(1, num(1, 1) + text(2, text(3, std::string(200, 'x'))) + text(2, "")) + text(9, ""));
}

TEST(Writer, SortsUnknownFieldsInByRanges) {
  const std::string unknown = num(9, 1) + num(2, 2) + num(5, 3) + num(2, 4);
  EXPECT_EQ(written([&](Writer& out) {
              out.raw_range(unknown, 0, 4);
              out.bytes(4, "known");
              out.raw_range(unknown, 4, UINT32_MAX);
            }),
            num(2, 2) + num(2, 4) + text(4, "known") + num(9, 1) + num(5, 3));
}

// A payload must not be copied on its way to the sink.
class Recorder final : public Sink {
 public:
  void write(std::string_view bytes) override {
    pieces.push_back(bytes);
    all += bytes;
  }
  std::vector<std::string_view> pieces;
  std::string all;
};

TEST(Writer, HandsLargeFieldsOverInPlace) {
  const std::string payload(1 << 20, 'p');
  Recorder sink;
  Writer out;
  const auto encode = [&] {
    out.begin(1);
    out.bytes(9, payload);
    out.end();
    out.varint(2, 1);
  };
  encode();
  out.write_to(sink);
  encode();
  out.finish();
  EXPECT_EQ(sink.all, text(1, text(9, payload)) + num(2, 1));
  ASSERT_EQ(sink.pieces.size(), 3u);
  EXPECT_EQ(sink.pieces[1].data(), payload.data());
}

class Zeros final : public Body {
 public:
  explicit Zeros(uint64_t n) : n_(n) {}
  uint64_t size() const override { return n_; }
  void write_to(Sink& sink) const override { sink.write(std::string(n_, '\0')); }

 private:
  uint64_t n_;
};

TEST(Writer, AsksABodyForItsBytesOnlyWhenWriting) {
  EXPECT_EQ(written([](Writer& out) {
              out.varint(1, 1);
              out.body(9, Zeros(3));
              out.varint(2, 2);
            }),
            num(1, 1) + text(9, std::string(3, '\0')) + num(2, 2));
  // Measuring something far too large costs nothing.
  Writer out;
  out.body(1, Zeros(uint64_t{1} << 40));
  EXPECT_GT(out.size(), uint64_t{1} << 40);
}

TEST(Writer, NoticesThatTheSecondRunDiffers) {
  std::string bytes;
  StringSink sink(bytes);
  Writer out;
  out.bytes(1, "abc");
  out.write_to(sink);
  out.bytes(1, "abcd");
  EXPECT_THROW(out.finish(), polygraphy::Error);

  Writer fewer;
  fewer.begin(1);
  fewer.end();
  fewer.write_to(sink);
  EXPECT_THROW(fewer.finish(), polygraphy::Error);

  Writer more;
  more.write_to(sink);
  more.begin(1);
  more.end();
  EXPECT_THROW(more.finish(), polygraphy::Error);
}

TEST(VarintSize, IsTheNumberOfSevenBitGroups) {
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(varint_size(uint64_t{1} << bit), static_cast<size_t>(bit / 7 + 1));
    EXPECT_EQ(varint_size(uint64_t{1} << bit), varint(uint64_t{1} << bit).size());
  }
  EXPECT_EQ(varint_size(0), 1u);
}

}  // namespace
}  // namespace graphsurgeon::wire
