// A small writer of SVG pictures that need nothing but a browser: no scripts, fonts or further
// files. The same calls give the same bytes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polygraphy {

class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  // A white picture of width x height pixels.
  Svg(double width, double height);

  // Any text: XML's own characters are escaped, characters that XML lacks become U+FFFD,
  // those that turn text around visible.
  void text(double x, double y, double size, std::string_view text, Anchor anchor = Anchor::kStart,
            double rotation = 0);
  void line(double x0, double y0, double x1, double y1, std::string_view color,
            bool dashed = false);
  void rect(double x, double y, double width, double height, std::string_view fill,
            std::string_view stroke = "none");
  void polyline(std::span<const std::pair<double, double>> points, std::string_view color);
  // A PNG file, stretched over the box without smoothing.
  void image(double x, double y, double width, double height, std::string_view png);

  // The finished file. Nothing may be added afterwards.
  std::string finish();

 private:
  std::string out_;
};

// Text as it stands in XML, in content and in attributes.
std::string xml_escaped(std::string_view text);

}  // namespace polygraphy
