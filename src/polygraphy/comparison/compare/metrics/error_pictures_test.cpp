#include <gtest/gtest.h>
#include <libdeflate.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "base/testdata/log_text.h"
#include "pictures/dot_grid.h"
#include "pictures/error_plot.h"
#include "pictures/heatmap.h"
#include "pictures/image_layout.h"
#include "pictures/picture_files.h"
#include "pictures/png.h"
#include "pictures/svg.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

uint32_t big_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

TEST(ImageLayoutTest, TheLastTwoDimensionsAreAnImage) {
  const ImageLayout layout = layout_images({2, 3, 4, 5});
  EXPECT_EQ(layout.images, 6);
  EXPECT_EQ(layout.figures, 1);
  EXPECT_EQ(layout.rows * layout.columns, 6);
  EXPECT_EQ(layout.coordinates(5), "(1,2,0:4,0:5)");
  EXPECT_FALSE(layout.reduced());
  EXPECT_EQ(layout_images({7}).coordinates(0), "(0,0:1,0:7)");
  EXPECT_EQ(layout_images({}).coordinates(0), "(0,0:1,0:1)");
}

TEST(ImageLayoutTest, GridsAreTheOriginals) {
  const ImageLayout layout = layout_images({1, 512, 7, 7});
  EXPECT_EQ(layout.rows, 14);
  EXPECT_EQ(layout.columns, 7);
  EXPECT_EQ(layout.figures, 6);
  const ImageLayout wide = layout_images({10, 100, 1000});
  EXPECT_EQ(wide.rows, 10);
  EXPECT_EQ(wide.columns, 1);
}

TEST(ImageLayoutTest, WhatIsLargerThanAFigureIsReduced) {
  const ImageLayout large = layout_images({5000, 30000});
  EXPECT_EQ(large.block_height, 5);
  EXPECT_EQ(large.block_width, 16);
  EXPECT_EQ(large.figures, 1);
  EXPECT_LE(large.cells_high, 1080);
  EXPECT_LE(large.cells_wide, 1920);
  const ImageLayout many = layout_images({1000000, 1, 1});
  EXPECT_LE(many.figures, 256);
  EXPECT_GT(many.images_per_tile, 1);
  EXPECT_GE(many.tiles * many.images_per_tile, many.images);
}

TEST(ImageLayoutTest, EmptyTensorsHaveNoFigures) {
  EXPECT_EQ(layout_images({0, 3, 3}).figures, 0);
  EXPECT_EQ(layout_images({3, 0}).figures, 0);
}

TEST(SvgTest, AnyTextIsEscaped) {
  EXPECT_EQ(xml_escaped("a<b>&\"c\x01\xFFü"), "a&lt;b&gt;&amp;&quot;c\xEF\xBF\xBD\xEF\xBF\xBDü");
  Svg svg(10, 20);
  svg.text(1, 2.5, 8, "</text>");
  const std::string text = svg.finish();
  EXPECT_NE(text.find(">&lt;/text&gt;</text>"), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 7), "</svg>\n");
}

// The rows of a PNG file, whose checksums hold, each with its filter in front.
std::string rows_of(const std::string& png) {
  std::string rows(1000, 0);
  for (size_t at = 8; at < png.size();) {
    const size_t length = big_endian(png.substr(at));
    const std::string chunk = png.substr(at + 4, length + 4);
    EXPECT_EQ(libdeflate_crc32(0, chunk.data(), chunk.size()),
              big_endian(png.substr(at + 8 + length)));
    if (chunk.starts_with("IDAT")) {
      size_t size = 0;
      libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
      EXPECT_EQ(libdeflate_zlib_decompress(inflater, chunk.data() + 4, length, rows.data(),
                                           rows.size(), &size),
                LIBDEFLATE_SUCCESS);
      libdeflate_free_decompressor(inflater);
      rows.resize(size);
    }
    at += length + 12;
  }
  return rows;
}

TEST(PngTest, APixelComesBack) {
  const Rgb palette[] = {{1, 2, 3}, {4, 5, 6}};
  const uint8_t pixels[] = {0, 1, 1, 1, 0, 0};
  const std::string png = png_of(3, 2, pixels, palette);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(png.substr(16)), 3u);
  EXPECT_EQ(big_endian(png.substr(20)), 2u);
  EXPECT_EQ(rows_of(png), std::string("\0\0\1\1\0\1\0\0", 8));
}

TEST(PictureFilesTest, NamesAreTakenEverywhereAndNeverShared) {
  PictureFiles files("d");
  EXPECT_EQ(files.path_for("Absolute Error | a/b", "r", ".svg"), "d/Absolute Error - a_b.svg");
  EXPECT_EQ(files.path_for("Absolute Error | a_b", "r", ".svg"), "d/Absolute Error - a_b (2).svg");
  EXPECT_EQ(files.path_for("Absolute Error | a/b", "r", ".svg"), "d/Absolute Error - a_b.svg");
  EXPECT_EQ(files.path_for("Absolute Error | a/b", "s", ".svg"), "d/Absolute Error - a_b (3).svg");
  EXPECT_EQ(files.path_for("x\ny\x7F", "r", ".svg"), "d/x_y_.svg");
  EXPECT_EQ(files.path_for("R | x:0: (0,0:2) to <\"*?\\>", "r", ".svg"),
            "d/R - x-0 (0,0-2) to ______.svg");
  const std::string long_name(600, 'n');
  EXPECT_NE(files.path_for(long_name + "1", "r", ".svg"),
            files.path_for(long_name + "2", "r", ".svg"));
  EXPECT_LT(files.path_for(long_name, "r", ".svg").size(), 250u);
}

class HeatmapTest : public testing::Test {
 protected:
  HeatmapTest() {
    folder_ =
        std::filesystem::path(testing::TempDir()) /
        ("heatmaps-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
  }
  ~HeatmapTest() override { std::filesystem::remove_all(folder_); }

  void draw(const Array& errors, bool logarithmic = false) {
    PictureFiles files(folder_);
    ArraySource source(errors);
    draw_heatmaps(source, {"Absolute Error | y", "r0\nr1", logarithmic}, files, log_.log());
  }

  std::filesystem::path folder_;
  LogText log_;
};

TEST_F(HeatmapTest, AFigureIsAFile) {
  draw(Array::of<float>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}));
  const auto path = folder_ / "Absolute Error - y (0,0-2,0-2) to (1,0-2,0-2).svg";
  EXPECT_EQ(log_.take(),
            "[I] Building heatmaps for Absolute Error | y. This may take a while...\n"
            "[I]     Saving 'Absolute Error | y' heatmap to: '" +
                path.string() + "'\n");
  const std::string text = file_text(path);
  EXPECT_TRUE(text.starts_with("<svg "));
  EXPECT_NE(text.find("(1,0:2,0:2)"), std::string::npos);
  EXPECT_EQ(text.find("largest error of"), std::string::npos);
  draw(Array::of<float>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(file_text(path), text) << "the same errors give the same bytes";
}

TEST_F(HeatmapTest, ALogarithmicScaleIsNamed) {
  draw(Array::of<float>({1, 3}, {0, 1e-3f, 1}), true);
  EXPECT_TRUE(std::filesystem::exists(
      folder_ / "Absolute Error - y (Log Scale) (0,0-1,0-3) to (0,0-1,0-3).svg"));
  draw(Array::of<float>({1, 3}, {1, 1, 1}), true);
  EXPECT_TRUE(
      std::filesystem::exists(folder_ / "Absolute Error - y (0,0-1,0-3) to (0,0-1,0-3).svg"))
      << "one value has no logarithmic scale";
}

TEST_F(HeatmapTest, AWideRangeHasALogarithmicScale) {
  draw(Array::of<double>({1, 3}, {1e-6, 1e-3, 1}));
  EXPECT_TRUE(log_.has("Absolute Error | y (Log Scale)"));
}

TEST_F(HeatmapTest, OneFigureHasAllImages) {
  const Array errors = Array::zeros(DataType::kFloat32, {300, 20, 30});
  ArraySource source(errors);
  const std::string svg = heatmap_svg(source, "All of it");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find("All of it"), std::string::npos);
  const Array nothing = Array::zeros(DataType::kFloat32, {0, 2});
  ArraySource none(nothing);
  EXPECT_EQ(heatmap_svg(none, "x"), "");
}

TEST_F(HeatmapTest, LargeTensorsAreReducedAndSaySo) {
  std::vector<float> errors(1500 * 4000);
  errors[777 * 4000 + 3999] = 5;
  draw(Array::of<float>({1500, 4000}, std::span<const float>(errors)));
  const auto path = folder_ / "Absolute Error - y (0,0-1500,0-4000) to (0,0-1500,0-4000).svg";
  EXPECT_NE(file_text(path).find("Each cell is the largest error of 2 x 3 elements"),
            std::string::npos);
  EXPECT_LT(std::filesystem::file_size(path), 100000u);
}

TEST_F(HeatmapTest, EmptyOutputsHaveNone) {
  draw(Array::zeros(DataType::kFloat32, {0, 4}));
  EXPECT_TRUE(log_.has("the output is empty"));
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST(DotGridTest, DotsCount) {
  DotGrid grid({0, 10, false}, {1, 100, true}, 3, 3);
  EXPECT_TRUE(grid.add(0, 1));
  EXPECT_TRUE(grid.add(10, 100));
  EXPECT_TRUE(grid.add(10, 100));
  EXPECT_TRUE(grid.add(5, 10));
  EXPECT_FALSE(grid.add(5, 0));
  EXPECT_FALSE(grid.add(kNan, 10));
  EXPECT_FALSE(grid.add(11, 10));
  EXPECT_EQ(rows_of(grid.png()), std::string("\0\0\0\20\0\0\1\0\0\1\0\0", 12));
}

TEST(PlotAxisTest, TicksAreRound) {
  EXPECT_EQ((PlotAxis{0, 10, false}.ticks(5)), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ((PlotAxis{1e-3, 10, true}.ticks(10)).size(), 5u);
  EXPECT_EQ((PlotAxis{3, 3, false}.ticks(5)), (std::vector<double>{3}));
}

class ErrorPlotTest : public HeatmapTest {};

TEST_F(ErrorPlotTest, ErrorsOverMagnitudes) {
  PictureFiles files(folder_);
  const Array absolute = Array::of<double>({5}, {0, 0.1, 0.2, kNan, 0.4});
  const Array relative = Array::of<double>({5}, {0, 0.1, 0.1, kNan, 0.01});
  const Array reference = Array::of<double>({5}, {-1, 1, -2, kNan, 40});
  ArraySource a(absolute), r(relative);
  draw_error_plot(a, r, reference, {"r0", "y/z", "r1", "w"}, files, log_.log());
  const std::string text = file_text(folder_ / "error_metrics_y_z.svg");
  EXPECT_NE(text.find("output1: r1 | w"), std::string::npos);
  EXPECT_NE(text.find("5 elements; without 1 that are not finite; 1 with a relative error of 0 are "
                      "below its scale"),
            std::string::npos);
  EXPECT_NE(text.find(">Relative error (log scale)<"), std::string::npos);
  EXPECT_NE(text.find(">40<"), std::string::npos) << "the largest magnitude";
}

TEST_F(ErrorPlotTest, ComplexNumbersHaveMagnitudes) {
  PictureFiles files(folder_);
  const std::vector<float> parts = {3, 4, 0, 1};
  const Array reference = Array::view(DataType::kComplex64, {2}, parts.data(), nullptr);
  const Array errors = Array::of<double>({2}, {1, 1});
  ArraySource a(errors), r(errors);
  draw_error_plot(a, r, reference, {"r0", "y", "r1", "y"}, files, log_.log());
  EXPECT_NE(file_text(folder_ / "error_metrics_y.svg").find(">5<"), std::string::npos);
}

TEST_F(HeatmapTest, SimpleSavesWhatIsToBeShown) {
  std::filesystem::create_directories(folder_);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  MetricOptions options;
  options.flags["show_heatmaps"] = options.flags["show_error_metrics_plot"] = true;
  const Array a = Array::of<float>({2, 2}, {1, 2, 3, 4});
  make_function(*find_metric("simple"), options)
      ->compare({"y", "y", "R0", "R1", a, a, nullptr}, log_.log());
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "heatmaps"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "error-metrics/error_metrics_y.svg"));
}

TEST_F(HeatmapTest, SimpleDrawsWhatIsAskedFor) {
  MetricOptions options;
  options.folders["save_heatmaps"] = folder_ / "maps";
  options.folders["save_error_metrics_plot"] = folder_ / "plots";
  const Array a = Array::of<float>({2, 2}, {1, 2, 3, 4}),
              b = Array::of<float>({2, 2}, {1, 2, 3, 5});
  make_function(*find_metric("simple"), options)
      ->compare({"y", "y", "R0", "R1", a, b, nullptr}, log_.log());
  for (const char* name : {"maps/Absolute Error - y (0,0-2,0-2) to (0,0-2,0-2).svg",
                           "maps/Relative Error - y (Log Scale) (0,0-2,0-2) to (0,0-2,0-2).svg",
                           "plots/error_metrics_y.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
  }
}

}  // namespace
}  // namespace polygraphy
