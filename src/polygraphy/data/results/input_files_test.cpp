// The files of --load-inputs: every format, alone, in lists and in folders.
#include "polygraphy/data/results/input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "formats/npy.h"
#include "polygraphy/data/results/saved_inputs.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string npy(const Array& array) {
  std::string file = npy_header(array);
  write_npy_data(array, [&](std::span<const std::byte> bytes) {
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  return file;
}

Array number(float value) {
  return Array::of<float>({1}, {value});
}

std::string raw(float value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// A TensorProto: float[1], with this name if there is one.
std::string tensor_pb(const std::string& name, float value) {
  std::string text = "\x08\x01\x10\x01";
  if (!name.empty()) text += std::string("\x42") + static_cast<char>(name.size()) + name;
  return text + "\x4a\x04" + raw(value);
}

class InputFilesTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& contents) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
    put(folder_ / name, contents);
    return folder_ / name;
  }
  static Metadata inputs(std::initializer_list<const char*> names) {
    Metadata metadata;
    for (const char* name : names) metadata.set(name, {DataType::kFloat32, DimList{1}, ""});
    return metadata;
  }
  // "x=1 y=2 | x=3": iterations, their inputs, the first element of each.
  static std::string read(std::vector<std::string> paths, const Metadata& model = {}) {
    Logger quiet;
    InputReader reader(std::move(paths), quiet);
    std::string text;
    while (const auto feed = reader.next(model)) {
      if (!text.empty()) text += " | ";
      for (const auto& [name, array] : *feed) {
        text += (text.empty() || text.ends_with(' ') ? "" : " ") + name + "=" +
                std::to_string(array.get_int64(0));
      }
    }
    return text;
  }
  static std::string failure(std::vector<std::string> paths, const Metadata& model = {}) {
    try {
      return "no error: " + read(std::move(paths), model);
    } catch (const Error& error) {
      return std::string(error.what()) + "\n" + error.hint();
    }
  }

  TemporaryFolder folder_;
};

TEST_F(InputFilesTest, AnNpyIsTheInputItIsNamedAfterOrTheOnlyOne) {
  const std::string x = file("x.npy", npy(number(1))), other = file("image.npy", npy(number(2)));
  EXPECT_EQ(read({x}), "x=1");
  EXPECT_EQ(read({x}, inputs({"x", "y"})), "x=1");
  EXPECT_EQ(read({other}, inputs({"x"})), "x=2");
}

TEST_F(InputFilesTest, FilesOfDifferentInputsMakeOneIteration) {
  const std::string x = file("x.npy", npy(number(1))), y = file("y.npy", npy(number(2)));
  EXPECT_EQ(read({x, y}, inputs({"x", "y"})), "x=1 y=2");
  EXPECT_EQ(read({x, y, x, y}, inputs({"x", "y"})), "x=1 y=2 | x=1 y=2");
  EXPECT_EQ(read({x, y}, inputs({"only"})), "only=1 | only=2");
}

TEST_F(InputFilesTest, NamelessArraysOfAnArchiveCountFromZero) {
  EXPECT_EQ(input_name_for("arr_1", false, inputs({"a", "b"})), "b");
  EXPECT_EQ(input_name_for("input_0", true, inputs({"a", "b"})), "a");
  EXPECT_EQ(input_name_for("arr_2", false, inputs({"a", "b"})), "arr_2");
  EXPECT_EQ(input_name_for("b", true, inputs({"a", "b"})), "b");
  EXPECT_EQ(input_name_for("arr_0", false, inputs({"x", "arr_0"})), "arr_0");
  EXPECT_EQ(input_name_for("input_1[2]", true, inputs({"a", "b"})), "b[2]");
  EXPECT_EQ(input_name_for("image[2]", true, inputs({"x"})), "x");
}

TEST_F(InputFilesTest, TestDataOfOnnx) {
  file("model/test_data_set_0/input_0.pb", tensor_pb("a", 1));
  file("model/test_data_set_0/input_1.pb", tensor_pb("", 2));
  file("model/test_data_set_0/output_0.pb", tensor_pb("y", 9));
  file("model/test_data_set_10/input_0.pb", tensor_pb("a", 5));
  file("model/test_data_set_10/input_1.pb", tensor_pb("", 6));
  file("model/test_data_set_2/input_0.pb", tensor_pb("a", 3));
  file("model/test_data_set_2/input_1.pb", tensor_pb("", 4));
  EXPECT_EQ(read({folder_ / "model"}, inputs({"a", "b"})), "a=1 b=2 | a=3 b=4 | a=5 b=6");
  EXPECT_EQ(read({folder_ / "model/test_data_set_2"}, inputs({"a", "b"})), "a=3 b=4");
  EXPECT_EQ(read({folder_ / "model/test_data_set_0/input_0.pb"}), "a=1");
}

TEST_F(InputFilesTest, ASequenceHasAnEntryForEachItem) {
  const std::string one = tensor_pb("", 1), two = tensor_pb("", 2);
  const auto item = [](const std::string& tensor) {
    return std::string("\x1a") + static_cast<char>(tensor.size()) + tensor;
  };
  EXPECT_EQ(read({file("s.pb", "\x0a\x01s\x10\x01" + item(one) + item(two))}), "s[0]=1 s[1]=2");
  EXPECT_EQ(read({file("t.pb", "\x0a\x01s\x10\x01" + item(one))}), "s=1");
  EXPECT_EQ(read({file("u.pb", "\x0a\x01s\x10\x01")}), "");
  EXPECT_EQ(read({file("input_1.pb", "\x10\x01" + item(one) + item(two))}, inputs({"x", "y"})),
            "y[0]=1 y[1]=2");
}

TEST_F(InputFilesTest, AnOptionalIsWhatItHolds) {
  const auto field = [](char key, const std::string& bytes) {
    return std::string(1, key) + static_cast<char>(bytes.size()) + bytes;
  };
  const std::string one = tensor_pb("", 1), two = tensor_pb("", 2);
  const std::string sequence = "\x10\x01" + field('\x1a', one) + field('\x1a', two);
  EXPECT_EQ(read({file("t.pb", "\x0a\x01o\x10\x01" + field('\x1a', one))}), "o=1");
  EXPECT_EQ(read({file("s.pb", "\x0a\x03opt\x10\x03" + field('\x2a', sequence))}),
            "opt[0]=1 opt[1]=2");
  EXPECT_EQ(read({file("input_0.pb", "\x10\x03" + field('\x2a', sequence))}, inputs({"x"})),
            "x[0]=1 x[1]=2");
  EXPECT_EQ(read({file("n.pb", std::string("\x0a\x03opt\x10\x00", 7))}), "");
  // int8[32] with its values where optionals have a sequence.
  EXPECT_EQ(read({file("x.pb", "\x0a\x01\x20\x10\x03" + field('\x2a', std::string(32, '\x05')))}),
            "x=5");
}

TEST_F(InputFilesTest, AFolderOfSamplesInNaturalOrder) {
  for (const int i : {10, 9, 1}) {
    file("d/sample" + std::to_string(i) + ".npy", npy(number(static_cast<float>(i))));
  }
  file("d/.hidden.npy", "");
  file("d/labels.txt", "cat");
  EXPECT_EQ(read({folder_ / "d"}, inputs({"x"})), "x=1 | x=9 | x=10");
}

TEST_F(InputFilesTest, AFolderWithAFilePerInputIsOneSample) {
  file("d/y.npy", npy(number(2)));
  file("d/x.npy", npy(number(1)));
  EXPECT_EQ(read({folder_ / "d"}, inputs({"x", "y"})), "x=1 y=2");
}

TEST_F(InputFilesTest, RawBytesTakeNameShapeAndTypeFromThePathOrTheModel) {
  const std::string path = file("x.bin", raw(3));
  EXPECT_EQ(read({path + ":a:[1]:float32"}), "a=3");
  EXPECT_EQ(read({path + ":a:[4,1]:uint8"}), "a=0");
  EXPECT_EQ(read({path + ":x:auto:auto"}, inputs({"x"})), "x=3");
  EXPECT_EQ(read({path + ":x:[-1]:float32"}, inputs({"x"})), "x=3") << "the size gives it";
  EXPECT_EQ(read({path}, inputs({"x"})), "x=3");
  file("blobs/0000000000/x.bin", raw(1));
  file("blobs/0000000001/x.bin", raw(2));
  EXPECT_EQ(read({folder_ / "blobs"}, inputs({"x"})), "x=1 | x=2");
}

TEST_F(InputFilesTest, BlobsOfInputsWithSlashesInTheirNamesAreFound) {
  for (const int i : {0, 1}) {
    const std::string sample = "blobs/000000000" + std::to_string(i) + "/";
    file(sample + "encoder/ids:0.bin", raw(static_cast<float>(2 * i)));
    file(sample + "encoder/mask/m.bin", raw(static_cast<float>(2 * i + 1)));
    file(sample + "x.bin", raw(7));
  }
  EXPECT_EQ(read({folder_ / "blobs"}, inputs({"x", "encoder/ids:0", "encoder/mask/m"})),
            "x=7 encoder/ids:0=0 encoder/mask/m=1 | x=7 encoder/ids:0=2 encoder/mask/m=3");
}

TEST_F(InputFilesTest, RawBytesThatDoNotFitAreErrorsWithTheSpelling) {
  const std::string path = file("x.bin", raw(3));
  EXPECT_THAT(failure({path}), HasSubstr("Describe the bytes: " + path + ":x:[1,3,4]:float32"));
  EXPECT_THAT(failure({path + ":a:[3]:float32"}),
              HasSubstr("4 bytes, but float32 of shape (3,) needs 12"));
  EXPECT_THAT(failure({path + ":a:3x4:float32"}), HasSubstr("Did you mean: a:[3,4]:float32?"));
  EXPECT_THAT(failure({path + ":[1]:float32"}),
              HasSubstr("a name, a shape and a type must follow"));
  EXPECT_THAT(failure({path + ":a:[-1,-1]:float32"}), HasSubstr("an array of unknown shape"));
}

TEST_F(InputFilesTest, ContentCountsMoreThanTheName) {
  EXPECT_EQ(read({file("x.bin", npy(number(4)))}), "x=4");
  EXPECT_EQ(read({file("x", npy(number(4)))}), "x=4");
}

TEST_F(InputFilesTest, ForeignFilesAreErrorsThatSayWhatIsKnown) {
  EXPECT_THAT(failure({file("x.h5", "\x89HDF\r\n\x1a\n")}), HasSubstr("PATH:NAME:[1,3,4]:float32"));
  EXPECT_THAT(failure({file("x.npz", std::string("PK\5\6", 4) + std::string(18, '\0'))}),
              HasSubstr("no error"));
  EXPECT_THAT(failure({file("x.pb", "\x08")}), HasSubstr("x.pb"));
  EXPECT_THAT(failure({file("y.pb", "\x10\x63")}), HasSubstr("neither a TensorProto"));
}

}  // namespace
}  // namespace polygraphy
