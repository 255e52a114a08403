#include "pictures/svg.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "base/visible_text.h"
#include "formats/base64.h"

namespace polygraphy {
namespace {

// Characters of XML 1.0.
bool in_xml(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
}

// Hundredths of a pixel are enough, and keep files small.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string base64(std::string_view bytes) {
  Base64Encoder encoder;
  std::string text(Base64Encoder::text_limit(bytes.size()) + 4, '\0');
  size_t size = encoder.encode(std::as_bytes(std::span(bytes)), text.data());
  size += encoder.finish(text.data() + size);
  text.resize(size);
  return text;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (!in_xml(c.value)) {
      out += "\xEF\xBF\xBD";
    } else if (turns_text_around(c.value)) {
      out += fmt::format("\\u{:04x}", static_cast<uint32_t>(c.value));
    } else if (c.value == '<') {
      out += "&lt;";
    } else if (c.value == '>') {
      out += "&gt;";
    } else if (c.value == '&') {
      out += "&amp;";
    } else if (c.value == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, c.length);
    }
    text.remove_prefix(c.length);
  }
  return out;
}

Svg::Svg(double width, double height) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\">\n",
      number(width), number(height));
  rect(0, 0, width, height, "#ffffff");
}

void Svg::text(double x, double y, double size, std::string_view text, Anchor anchor,
               double rotation) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  fmt::format_to(std::back_inserter(out_), "<text x=\"{}\" y=\"{}\" font-size=\"{}\"", number(x),
                 number(y), number(size));
  if (anchor != Anchor::kStart) {
    fmt::format_to(std::back_inserter(out_), " text-anchor=\"{}\"",
                   kAnchors[static_cast<int>(anchor)]);
  }
  if (rotation != 0) {
    fmt::format_to(std::back_inserter(out_), " transform=\"rotate({} {} {})\"", number(rotation),
                   number(x), number(y));
  }
  fmt::format_to(std::back_inserter(out_), ">{}</text>\n", xml_escaped(text));
}

void Svg::line(double x0, double y0, double x1, double y1, std::string_view color, bool dashed) {
  fmt::format_to(std::back_inserter(out_),
                 "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\"{}/>\n", number(x0),
                 number(y0), number(x1), number(y1), color,
                 dashed ? " stroke-dasharray=\"3 3\"" : "");
}

void Svg::rect(double x, double y, double width, double height, std::string_view fill,
               std::string_view stroke) {
  fmt::format_to(std::back_inserter(out_),
                 "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n",
                 number(x), number(y), number(width), number(height), fill, stroke);
}

void Svg::polyline(std::span<const std::pair<double, double>> points, std::string_view color) {
  out_ += "<polyline points=\"";
  for (const auto& [x, y] : points) out_ += number(x) + "," + number(y) + " ";
  if (out_.back() == ' ') out_.pop_back();
  fmt::format_to(std::back_inserter(out_), "\" fill=\"none\" stroke=\"{}\"/>\n", color);
}

void Svg::image(double x, double y, double width, double height, std::string_view png) {
  fmt::format_to(std::back_inserter(out_),
                 "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
                 "preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                 "href=\"data:image/png;base64,{}\"/>\n",
                 number(x), number(y), number(width), number(height), base64(png));
}

std::string Svg::finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace polygraphy
