// Blurs a picture: every pixel becomes the mean of the pixels around it.
//
//     example_image_blur IN OUT [RADIUS]      colour (PPM) or grey (PGM) pictures of 8 bits
//
// The picture is blurred along its rows, then along its columns. Both are the same loop over rows,
// because each writes its result transposed. Without arguments the program checks itself.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"

namespace {

struct picture {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t colours = 1;  // 1: grey, 3: red, green, blue
  std::vector<std::uint8_t> bytes = {};

  std::uint8_t* pixel(std::size_t x, std::size_t y) { return &bytes[(y * width + x) * colours]; }
  const std::uint8_t* pixel(std::size_t x, std::size_t y) const {
    return &bytes[(y * width + x) * colours];
  }
};

/// Writes the means along one row to a column of `out`. It keeps a moving sum: a pixel that enters
/// is added, a pixel that leaves is subtracted. So the cost does not depend on the radius.
void blur_row(const picture& in, picture& out, std::size_t y, std::size_t radius) {
  for (std::size_t colour = 0; colour < in.colours; ++colour) {
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
    std::size_t end = 0;
    for (std::size_t x = 0; x < in.width; ++x) {
      for (; end < in.width && end <= x + radius; ++end, ++count) sum += in.pixel(end, y)[colour];
      if (x > radius) {
        sum -= in.pixel(x - radius - 1, y)[colour];
        --count;
      }
      out.pixel(y, x)[colour] = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
}

picture blur_rows(const picture& in, std::size_t radius) {
  picture out{in.height, in.width, in.colours, std::vector<std::uint8_t>(in.bytes.size())};
  filch::parallel_for(std::size_t{0}, in.height,
                      [&](std::size_t y) { blur_row(in, out, y, radius); });
  return out;
}

picture blur(const picture& in, std::size_t radius) {
  return blur_rows(blur_rows(in, radius), radius);
}

/// Reads "P5" or "P6", width, height, 255, one white space, then the bytes. No comments.
picture read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + std::string(path) + "'");
  std::string kind;
  picture p;
  int most = 0;
  file >> kind >> p.width >> p.height >> most;
  file.get();
  if (!file || (kind != "P5" && kind != "P6") || most != 255 || p.width - 1 >= 100'000 ||
      p.height - 1 >= 100'000)
    throw std::runtime_error("'" + std::string(path) + "' is not a PPM or PGM picture of 8 bits");
  p.colours = kind == "P6" ? 3 : 1;
  p.bytes.resize(p.width * p.height * p.colours);
  file.read(reinterpret_cast<char*>(p.bytes.data()), static_cast<std::streamsize>(p.bytes.size()));
  if (!file) throw std::runtime_error("'" + std::string(path) + "' ends too early");
  return p;
}

void write(const picture& p, const char* path) {
  std::ofstream file(path, std::ios::binary);
  file << (p.colours == 3 ? "P6 " : "P5 ") << p.width << " " << p.height << " 255\n";
  file.write(reinterpret_cast<const char*>(p.bytes.data()),
             static_cast<std::streamsize>(p.bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write '" + std::string(path) + "'");
}

/// Checks that a single white pixel becomes a square that is fainter by as much as it is larger,
/// and that a picture of one colour stays as it is.
int check() {
  picture p{101, 67, 3, std::vector<std::uint8_t>(std::size_t{101} * 67 * 3)};
  p.pixel(50, 30)[1] = 250;
  const picture square = blur(p, 2);
  bool right = true;
  for (std::size_t y = 0; y < p.height; ++y)
    for (std::size_t x = 0; x < p.width; ++x) {
      const bool inside = x >= 48 && x <= 52 && y >= 28 && y <= 32;
      right =
          right && square.pixel(x, y)[1] == (inside ? 250 / 25 : 0) && square.pixel(x, y)[0] == 0;
    }
  std::fill(p.bytes.begin(), p.bytes.end(), 99);
  right = right && blur(p, 500).bytes == p.bytes;
  std::printf("the blurred picture is %s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) return check();
  std::size_t radius = 5;
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: %s IN OUT [RADIUS]\n", argv[0]);
    return 2;
  }
  if (argc == 4) {
    const char* const end = argv[3] + std::strlen(argv[3]);
    const auto [rest, error] = std::from_chars(argv[3], end, radius);
    if (error != std::errc() || rest != end || radius > 100'000) {
      std::fprintf(stderr, "image_blur: '%s' is not a radius from 0 to 100000\n", argv[3]);
      return 2;
    }
  }
  const picture in = read(argv[1]);
  write(blur(in, radius), argv[2]);
  std::printf("%zu x %zu pixels blurred\n", in.width, in.height);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "image_blur: %s\n", e.what());
  return 1;
}
