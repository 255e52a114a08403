#include "graphsurgeon/io/save.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save_errors.h"
#include "graphsurgeon/io/save_plan.h"
#include "graphsurgeon/ir/payloads/external_payload.h"
#include "graphsurgeon/wire/testdata/message.h"

namespace graphsurgeon {
namespace {

namespace fs = std::filesystem;
using polygraphy::contents_of;
using polygraphy::put;
using polygraphy::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;
using wire::model;
using wire::node;
using wire::num;
using wire::text;
using wire::value;

// `count` floats counting up from `first`.
std::string counting(int64_t count, float first) {
  std::string raw(static_cast<size_t>(count) * 4, '\0');
  for (int64_t i = 0; i < count; ++i) {
    const float v = first + static_cast<float>(i);
    std::memcpy(raw.data() + i * 4, &v, 4);
  }
  return raw;
}

std::string inline_tensor(const std::string& name, int64_t count, float first) {
  return num(1, count) + num(2, 1) + text(8, name) + text(9, counting(count, first));
}

std::string entry(const std::string& key, const std::string& v) {
  return text(13, text(1, key) + text(2, v));
}

std::string external_tensor(const std::string& name, int64_t count, const std::string& location,
                            int64_t offset) {
  return num(1, count) + num(2, 1) + text(8, name) + entry("location", location) +
         entry("offset", std::to_string(offset)) + entry("length", std::to_string(count * 4)) +
         num(14, 1);
}

class SaveTest : public testing::Test {
 protected:
  // Two external tensors of 300 and 2 floats in m.data, an inline one of 400, a small one of 3.
  void write_model(const std::string& folder) {
    fs::create_directories(folder);
    put(folder + "/m.data", counting(300, 0) + counting(2, 1000));
    put(folder + "/m.onnx", model(text(1, node("Sum", {"a", "b", "c", "d"}, {"y"})) + text(2, "g") +
                                  text(5, external_tensor("a", 300, "m.data", 0)) +
                                  text(5, external_tensor("b", 2, "m.data", 1200)) +
                                  text(5, inline_tensor("c", 400, 5000)) +
                                  text(5, inline_tensor("d", 3, 7)) + text(12, value("y", 1))));
  }

  static void expect_same_values(const std::string& path) {
    const Model m = load_model(path);
    const auto& tensors = m.graph->initializers();
    ASSERT_THAT(tensors, SizeIs(4));
    const int64_t counts[] = {300, 2, 400, 3};
    const float firsts[] = {0, 1000, 5000, 7};
    for (size_t i = 0; i < 4; ++i) {
      const Array array = tensors[i]->payload()->load("t").contiguous_aligned();
      const auto bytes = array.bytes();
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                counting(counts[i], firsts[i]))
          << tensors[i]->name();
    }
  }

  static std::vector<Payload::Kind> kinds(const std::string& path) {
    const Model m = load_model(path);
    std::vector<Payload::Kind> found;
    for (const TensorRef& t : m.graph->initializers()) found.push_back(t->payload()->kind());
    return found;
  }

  static constexpr auto kInline = Payload::Kind::kInline;
  static constexpr auto kExternal = Payload::Kind::kExternal;
  TemporaryFolder folder_;
};

SaveOptions quick() {
  SaveOptions options;
  options.durability = polygraphy::Durability::kNone;
  return options;
}

SaveOptions external(const std::string& name = "", bool one_file = true) {
  SaveOptions options = quick();
  options.external_data = name;
  options.one_file = one_file;
  return options;
}

TEST_F(SaveTest, IsSelfContainedUnlessAskedOtherwise) {
  write_model(folder_ / "in");
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "out/m.onnx", quick());
  EXPECT_THAT(kinds(folder_ / "out/m.onnx"), ElementsAre(kInline, kInline, kInline, kInline));
  fs::remove_all(folder_ / "in");
  expect_same_values(folder_ / "out/m.onnx");
}

TEST_F(SaveTest, MovesValuesFromTheThresholdOnIntoOneFile) {
  write_model(folder_ / "in");
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "out/new.onnx", external());
  EXPECT_THAT(kinds(folder_ / "out/new.onnx"), ElementsAre(kExternal, kInline, kExternal, kInline));
  const Model m = load_model(folder_ / "out/new.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->external()->location, "new.onnx.data");
  EXPECT_EQ(m.graph->initializers()[2]->payload()->external()->offset % 64, 0);
  EXPECT_EQ(m.graph->initializers()[2]->payload()->external()->length, 1600);
  expect_same_values(folder_ / "out/new.onnx");

  SaveOptions all = external("weights.bin");
  all.external_data_threshold = 0;
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "out/all.onnx", all);
  EXPECT_THAT(kinds(folder_ / "out/all.onnx"),
              ElementsAre(kExternal, kExternal, kExternal, kExternal));
  EXPECT_TRUE(fs::exists(folder_ / "out/weights.bin"));
  expect_same_values(folder_ / "out/all.onnx");
}

// ONNX Runtime refuses a model with sizes in another file: "Cannot parse data from external
// tensors".
TEST_F(SaveTest, WhatShapeInferenceReadsStaysInTheModelWhateverTheThreshold) {
  const auto int64s = [](const std::string& name, size_t count) {
    return num(1, static_cast<int64_t>(count)) + num(2, 7) + text(8, name) +
           text(9, std::string(count * 8, '\1'));
  };
  put(folder_ / "m.onnx",
      model(text(1, node("Reshape", {"w", "shape"}, {"a"})) +
            text(1, node("Split", {"a", "many"}, {"b"})) +
            text(1, node("Resize", {"b", "", "scales"}, {"c"})) +
            text(1, node("Gather", {"c", "indices"}, {"d"})) +
            text(1, node("Add", {"d", "e"}, {"y"})) + text(2, "g") + text(5, int64s("shape", 2)) +
            text(5, int64s("many", 500)) + text(5, inline_tensor("scales", 4, 1)) +
            text(5, int64s("indices", 500)) + text(5, inline_tensor("e", 1, 1)) +
            text(5, inline_tensor("w", 4, 1)) + text(12, value("y", 1))));
  SaveOptions all = external("w.bin");
  all.external_data_threshold = 0;
  save_model(load_model(folder_ / "m.onnx"), folder_ / "n.onnx", all);
  EXPECT_THAT(kinds(folder_ / "n.onnx"),
              ElementsAre(kInline, kInline, kInline, kExternal, kExternal, kExternal));
}

TEST_F(SaveTest, StartsLargeTensorsOnAPage) {
  put(folder_ / "m.onnx",
      model(text(5, inline_tensor("a", 300, 0)) + text(5, inline_tensor("b", 20000, 0))));
  save_model(load_model(folder_ / "m.onnx"), folder_ / "n.onnx", external());
  const Model m = load_model(folder_ / "n.onnx");
  EXPECT_EQ(m.graph->initializers()[1]->payload()->external()->offset, 4096);
  EXPECT_EQ(fs::file_size(folder_ / "n.onnx.data"), 4096u + 80000u);
  EXPECT_EQ(m.graph->initializers()[1]->payload()->load("b").get_double(19999), 19999.0);
}

TEST_F(SaveTest, WritesAFilePerTensor) {
  write_model(folder_ / "in");
  put(folder_ / "odd.onnx",
      model(text(5, inline_tensor("a/b", 300, 0)) + text(5, inline_tensor("a_b", 300, 1)) +
            text(5, inline_tensor("a b", 300, 2))));
  save_model(load_model(folder_ / "odd.onnx"), folder_ / "out/o.onnx", external("", false));
  const Model m = load_model(folder_ / "out/o.onnx");
  std::vector<std::string> locations;
  for (const TensorRef& t : m.graph->initializers()) {
    locations.push_back(t->payload()->external()->location);
  }
  EXPECT_THAT(locations, ElementsAre("o.onnx.a_b.data", "o.onnx.a_b.1.data", "o.onnx.a_b.2.data"));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(m.graph->initializers()[i]->payload()->load("t").get_double(0),
              static_cast<double>(i));
  }
}

TEST_F(SaveTest, InPlaceTheOldDataIsReplacedNotAppendedTo) {
  write_model(folder_ / "in");
  // Several times: nothing grows, and a file that is replaced while it is mapped stays valid.
  for (int i = 0; i < 3; ++i) {
    SaveOptions options = external("m.data");
    options.external_data_threshold = 1200;
    const Model m = load_model(folder_ / "in/m.onnx");
    save_model(m, folder_ / "in/m.onnx", options);
    EXPECT_EQ(fs::file_size(folder_ / "in/m.data"), 1216u + 1600u);
    expect_same_values(folder_ / "in/m.onnx");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "in"), {}), 2) << "nothing left behind";
}

TEST_F(SaveTest, InPlaceOneFilePerTensorDoesNotOverwriteWhatIsStillToBeRead) {
  // The tensors' files are named such that each would overwrite the other's source.
  fs::create_directories(folder_ / "in");
  put(folder_ / "in/m.onnx.a.data", counting(300, 2));
  put(folder_ / "in/m.onnx.b.data", counting(300, 1));
  put(folder_ / "in/m.onnx", model(text(5, external_tensor("a", 300, "m.onnx.b.data", 0)) +
                                   text(5, external_tensor("b", 300, "m.onnx.a.data", 0))));
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "in/m.onnx", external("", false));
  const Model m = load_model(folder_ / "in/m.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->load("a").get_double(0), 1.0);
  EXPECT_EQ(m.graph->initializers()[1]->payload()->load("b").get_double(0), 2.0);
}

TEST_F(SaveTest, SharesDataInTheSameFolderByteForByte) {
  write_model(folder_ / "in");
  SaveOptions options = quick();
  options.share_external_data = true;
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "in/copy.onnx", options);
  EXPECT_EQ(contents_of(folder_ / "in/copy.onnx"), contents_of(folder_ / "in/m.onnx"));

  const Model edited = load_model(folder_ / "in/m.onnx");
  edited.graph->set_name("other");
  save_model(edited, folder_ / "in/edited.onnx", options);
  EXPECT_THAT(kinds(folder_ / "in/edited.onnx"),
              ElementsAre(kExternal, kExternal, kInline, kInline));
  expect_same_values(folder_ / "in/edited.onnx");
}

TEST_F(SaveTest, SharesDataBelowTheNewModelsFolder) {
  write_model(folder_ / "in");
  SaveOptions options = quick();
  options.share_external_data = true;
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "above.onnx", options);
  const Model m = load_model(folder_ / "above.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->external()->location, "in/m.data");
  expect_same_values(folder_ / "above.onnx");
}

TEST_F(SaveTest, RefusesToShareDataThatLiesElsewhere) {
  write_model(folder_ / "in");
  SaveOptions options = quick();
  options.share_external_data = true;
  fs::create_directories(folder_ / "elsewhere");
  try {
    save_model(load_model(folder_ / "in/m.onnx"), folder_ / "elsewhere/m.onnx", options);
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'a'"), HasSubstr("in/m.data")));
    EXPECT_EQ(error.code(), kSharedDataElsewhere);
  }
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere/m.onnx"));
}

TEST_F(SaveTest, SharedDataStaysWhereItIsWhileTheRestMoves) {
  write_model(folder_ / "in");
  SaveOptions options = external("new.data");
  options.share_external_data = true;
  save_model(load_model(folder_ / "in/m.onnx"), folder_ / "in/new.onnx", options);
  const Model m = load_model(folder_ / "in/new.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->external()->location, "m.data");
  EXPECT_EQ(m.graph->initializers()[2]->payload()->external()->location, "new.data");
  expect_same_values(folder_ / "in/new.onnx");
}

TEST_F(SaveTest, RefusesDataFileNamesThatCannotBeLoadedAgain) {
  write_model(folder_ / "in");
  const Model m = load_model(folder_ / "in/m.onnx");
  for (const char* name : {"/tmp/w.bin", "../w.bin", "a/../w.bin", "./w.bin", "a//b", "out.onnx"}) {
    EXPECT_THROW(save_model(m, folder_ / "out.onnx", external(name)), polygraphy::Error) << name;
  }
  EXPECT_FALSE(fs::exists(folder_ / "out.onnx"));
  save_model(m, folder_ / "out.onnx", external("sub/w.bin"));
  expect_same_values(folder_ / "out.onnx");
}

TEST_F(SaveTest, WritesNoDataThroughLinks) {
  write_model(folder_ / "in");
  const Model m = load_model(folder_ / "in/m.onnx");
  put(folder_ / "victim", "old");
  fs::create_directories(folder_ / "out");
  fs::create_symlink("../victim", folder_ / "out/m.onnx.data");
  fs::create_directory_symlink("..", folder_ / "out/sub");
  fs::create_symlink("../victim", folder_ / "out/m.onnx.a.data");
  for (const SaveOptions& options : {external(), external("sub/victim"), external("", false)}) {
    EXPECT_THAT([&] { save_model(m, folder_ / "out/m.onnx", options); },
                ThrowsMessage<polygraphy::Error>(HasSubstr("is a symbolic link")));
  }
  EXPECT_EQ(contents_of(folder_ / "victim"), "old");
}

TEST_F(SaveTest, AFailureLeavesTheOldFiles) {
  write_model(folder_ / "in");
  const Model m = load_model(folder_ / "in/m.onnx");
  m.graph->set_name("edited");
  fs::create_directories(folder_ / "out");
  put(folder_ / "out/m.onnx", "old model");
  put(folder_ / "out/m.onnx.data", "old data");
  fs::resize_file(folder_ / "in/m.data", 1000);  // too short now
  EXPECT_THROW(save_model(m, folder_ / "out/m.onnx", external()), polygraphy::Error);
  EXPECT_THROW(save_model(m, folder_ / "out/m.onnx", quick()), polygraphy::Error);
  EXPECT_EQ(contents_of(folder_ / "out/m.onnx"), "old model");
  EXPECT_EQ(contents_of(folder_ / "out/m.onnx.data"), "old data");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "out"), {}), 2) << "nothing left behind";
}

// A limit of the process in place of a full disk: the data fits, the model does not.
TEST_F(SaveTest, OverItselfTheDataStaysWhereTheModelCannotBeWritten) {
  write_model(folder_ / "in");
  const Model m = load_model(folder_ / "in/m.onnx");
  m.graph->set_doc_string(std::string(100'000, 'd'));
  const std::string model = contents_of(folder_ / "in/m.onnx"),
                    data = contents_of(folder_ / "in/m.data");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 50'000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(save_model(m, folder_ / "in/m.onnx", external("m.data")), polygraphy::Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(contents_of(folder_ / "in/m.onnx"), model);
  EXPECT_EQ(contents_of(folder_ / "in/m.data"), data);
}

TEST_F(SaveTest, NoticesThatTheModelChangedOnDisk) {
  const std::string bytes = model(text(5, inline_tensor("c", 400, 0)));
  put(folder_ / "m.onnx", bytes);
  const Model m = load_model(folder_ / "m.onnx");
  put(folder_ / "m.onnx", bytes + bytes);
  try {
    save_model(m, folder_ / "out.onnx", quick());
    FAIL();
  } catch (const polygraphy::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("changed on disk after loading"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out.onnx"));
}

TEST_F(SaveTest, AFileThatWasReplacedUnderneathIsStillThere) {
  write_model(folder_ / "in");
  const Model m = load_model(folder_ / "in/m.onnx");
  m.graph->set_name("edited");
  // Over its own file and data, twice: the first save replaces the mapped files.
  for (int i = 0; i < 2; ++i) {
    save_model(m, folder_ / "in/m.onnx", external("m.data"));
    expect_same_values(folder_ / "in/m.onnx");
  }
}

// protobuf ends at 2 GiB; other readers cannot read this file, but we can.
TEST_F(SaveTest, AFileOver4GiBIsRead) {
  constexpr int64_t kBytes = int64_t{5} << 30;
  const std::string header =
      num(1, kBytes) + num(2, 2) + text(8, "w") + wire::varint(9 << 3 | 2) + wire::varint(kBytes);
  const std::string initializer = wire::varint(5 << 3 | 2) + wire::varint(header.size() + kBytes);
  const std::string start = num(1, 10) + wire::varint(7 << 3 | 2) +
                            wire::varint(initializer.size() + header.size() + kBytes) +
                            initializer + header;
  put(folder_ / "m.onnx", start);
  fs::resize_file(folder_ / "m.onnx", start.size() + kBytes);  // takes no space
  const Model m = load_model(folder_ / "m.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->load("w").size(), kBytes);
  EXPECT_THROW((void)encode_model(m), polygraphy::Error);
  fs::resize_file(folder_ / "m.onnx", start.size() + kBytes - 1);
  EXPECT_THROW(load_model(folder_ / "m.onnx"), polygraphy::FormatError);
}

TEST_F(SaveTest, DecodesTypedFieldsOnTheirWayIntoADataFile) {
  std::string halves;
  for (int i = 0; i < 1000; ++i) halves += wire::varint(0x3c00);
  put(folder_ / "m.onnx",
      model(text(5, num(1, 1000) + num(2, 10) + text(5, halves) + text(8, "h"))));
  save_model(load_model(folder_ / "m.onnx"), folder_ / "n.onnx", external());
  const Model m = load_model(folder_ / "n.onnx");
  EXPECT_EQ(m.graph->initializers()[0]->payload()->kind(), kExternal);
  EXPECT_EQ(m.graph->initializers()[0]->payload()->load("h").get_double(999), 1.0);
  EXPECT_EQ(fs::file_size(folder_ / "n.onnx.data"), 2000u);
}

TEST_F(SaveTest, WritesSplatsWithoutMakingThem) {
  Store* store = Store::create();
  Model m;
  m.ir_version = 10;
  m.graph = Graph::create(*store, "g");
  m.graph->mutable_initializers().push_back(
      Tensor::constant(*store, "f", splat_payload(Array::of<float>({}, {2.5f}), {100, 1000})));
  const uint8_t seven = 7;
  m.graph->mutable_initializers().push_back(Tensor::constant(
      *store, "n", splat_payload(Array::view(DataType::kUint4, {}, &seven, nullptr).clone(), {3})));
  m.graph->mutable_initializers().push_back(
      Tensor::constant(*store, "s", splat_payload(Array::from_strings({}, {"x"}), {2})));
  save_model(m, folder_ / "m.onnx", quick());
  save_model(m, folder_ / "n.onnx", external());
  for (const char* name : {"m.onnx", "n.onnx"}) {
    const Model back = load_model(folder_ / name);
    const auto& tensors = back.graph->initializers();
    const Array floats = tensors[0]->payload()->load("f");
    EXPECT_EQ(floats.shape(), (Shape{100, 1000}));
    EXPECT_EQ(floats.get_double(99'999), 2.5);
    EXPECT_THAT(tensors[1]->payload()->load("n").bytes(),
                ElementsAre(std::byte{0x77}, std::byte{0x07}));
    EXPECT_THAT(tensors[2]->payload()->load("s").strings(), ElementsAre("x", "x"));
  }
}

TEST_F(SaveTest, WritesStridedValuesInOrder) {
  Store* store = Store::create();
  Model m;
  m.graph = Graph::create(*store, "g");
  const int64_t permutation[] = {1, 0};
  const Array transposed = Array::of<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6}).transposed(permutation);
  m.graph->mutable_initializers().push_back(
      Tensor::constant(*store, "t", owned_payload(transposed)));
  save_model(m, folder_ / "m.onnx", quick());
  const Model back = load_model(folder_ / "m.onnx");
  EXPECT_TRUE(bitwise_equal(back.graph->initializers()[0]->payload()->load("t"), transposed));
}

// --- 2 GiB

// A sparse file stands in for the weights.
class Huge : public SaveTest {
 protected:
  static constexpr int64_t kGiB = int64_t{1} << 30;
  void write_huge(bool in_attribute) {
    put(folder_ / "big.data", "");
    fs::resize_file(folder_ / "big.data", 3 * kGiB);
    std::string graph;
    for (int i = 0; i < 3; ++i) {
      const std::string tensor =
          external_tensor("w" + std::to_string(i), kGiB / 4, "big.data", i * kGiB);
      graph += in_attribute
                   ? text(1, node("Constant", {}, {"c" + std::to_string(i)},
                                  text(5, text(1, "value") + text(5, tensor) + num(20, 4))))
                   : text(5, tensor);
    }
    put(folder_ / "m.onnx", model(graph));
  }
};

TEST_F(Huge, ModelsGetExternalDataByThemselves) {
  write_huge(false);
  const Model m = load_model(folder_ / "m.onnx");
  const SavePlan inside(m, folder_ / "n.onnx", quick(), SavePlan::External::kNothing);
  EXPECT_THAT(inside.files(), IsEmpty());
  const SavePlan plan(m, folder_ / "n.onnx", quick(), SavePlan::External::kInitializers);
  ASSERT_THAT(plan.files(), SizeIs(1));
  EXPECT_EQ(plan.files()[0].location, "n.onnx.data");
  EXPECT_EQ(plan.files()[0].size, static_cast<uint64_t>(3 * kGiB));
}

TEST_F(Huge, WithoutAFileToPutThemNextToTheyAreRefused) {
  write_huge(false);
  try {
    save_model(load_model(folder_ / "m.onnx"), "/dev/null", quick());
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'/dev/null' is not a regular file"));
  }
}

TEST_F(Huge, AreEncodedInMemoryOnlyWithReferences) {
  write_huge(false);
  Model m = load_model(folder_ / "m.onnx");
  m.graph->set_name("edited");
  EXPECT_LT(encode_model(m).size(), 1000u);
  m.graph->initializers()[0]->to_constant(splat_payload(Array::of<float>({}, {0.f}), {kGiB / 2}));
  try {
    (void)encode_model(m);
    FAIL();
  } catch (const polygraphy::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("2147483647"));
    EXPECT_EQ(error.code(), kModelTooLarge);
  }
  EXPECT_LT(encode_without_payloads(m).size(), 1000u);
}

// --- stripped

TEST(EncodeWithoutPayloads, KeepsNamesTypesShapesAndSmallValues) {
  const std::string bytes =
      model(text(5, inline_tensor("big", 300, 0)) + text(5, inline_tensor("small", 3, 0)) +
            text(15, text(1, inline_tensor("sp", 600, 0)) + num(3, 1000)));
  const Model m = load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "m");
  const std::string stripped = encode_without_payloads(m, 100, "nowhere");
  const Model back = load_model_from_bytes(std::as_bytes(std::span(stripped)), nullptr, "stripped");
  const auto& tensors = back.graph->initializers();
  ASSERT_THAT(tensors, SizeIs(3));
  EXPECT_EQ(tensors[0]->name(), "big");
  EXPECT_EQ(tensors[0]->payload()->external()->location, "nowhere");
  EXPECT_EQ(tensors[0]->payload()->nbytes(), 1200);
  EXPECT_EQ(tensors[1]->payload()->kind(), Payload::Kind::kInline);
  EXPECT_EQ(tensors[2]->name(), "sp");
  EXPECT_THAT(tensors[2]->payload()->shape(), ElementsAre(1000));
  EXPECT_EQ(tensors[2]->payload()->kind(), Payload::Kind::kExternal);
}

// --- beside the weights

TEST(EncodeBesideWeights, LargeInitializersAreReferencesIntoTheFile) {
  const TemporaryFolder folder;
  const std::string bytes =
      model(text(5, inline_tensor("big", 300, 0)) + text(5, inline_tensor("small", 3, 0)));
  put(folder / "m.onnx", bytes);
  Model m = load_model(folder / "m.onnx");
  m.graph->set_name("edited");
  const std::string beside = encode_beside_weights(m, "m.onnx", 100);
  EXPECT_LT(beside.size(), 300u);
  put(folder / "beside.onnx", beside);
  const Model back = load_model(folder / "beside.onnx");
  const auto& tensors = back.graph->initializers();
  ASSERT_THAT(tensors, SizeIs(2));
  EXPECT_EQ(tensors[0]->payload()->external()->location, "m.onnx");
  EXPECT_EQ(tensors[0]->values().get_double(299), 299);
  EXPECT_EQ(tensors[1]->payload()->kind(), Payload::Kind::kInline);
}

TEST(EncodeBesideWeights, WhatIsNotInTheFileStaysInTheModel) {
  const std::string bytes = model(text(5, inline_tensor("big", 300, 0)));
  const Model m = load_model_from_bytes(std::as_bytes(std::span(bytes)), nullptr, "m");
  EXPECT_GT(encode_beside_weights(m, "m.onnx", 100).size(), 1200u);
}

}  // namespace
}  // namespace graphsurgeon
