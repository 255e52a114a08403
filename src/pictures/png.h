// PNG files of one byte per pixel with a palette: what an SVG embeds for a map of many cells.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace polygraphy {

using Rgb = std::array<uint8_t, 3>;

// `pixels`: width * height indices into the palette (1 to 256 colours), row by row from the top.
// Throws IoError when there is no memory to compress in.
std::string png_of(int64_t width, int64_t height, std::span<const uint8_t> pixels,
                   std::span<const Rgb> palette);

}  // namespace polygraphy
