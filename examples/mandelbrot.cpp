// A loop over two dimensions: the Mandelbrot set, to an image file.
//
// usage: example_mandelbrot [FILE]      writes a grey picture (PGM), by default none
//
// Points inside of the set take a thousand times as long as those outside. The loop finds out by
// itself how finely to split: there is nothing to tune.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"

namespace {

constexpr int width = 480;
constexpr int height = 320;

/// How many steps it takes to leave the circle of radius 2; at most 255.
unsigned char steps(int x, int y) {
  const std::complex<float> c(3.0F * static_cast<float>(x) / width - 2.0F,
                              2.0F * static_cast<float>(y) / height - 1.0F);
  std::complex<float> z;
  int n = 0;
  while (n < 255 && std::norm(z) <= 4.0F) {
    z = {z.real() * z.real() - z.imag() * z.imag() + c.real(), 2 * z.real() * z.imag() + c.imag()};
    ++n;
  }
  return static_cast<unsigned char>(n);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<unsigned char> image(std::size_t{width} * height);
  const auto pixel = [](int x, int y) {
    return static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
  };
  filch::parallel_for(0, height, 0, width, [&](int y, int x) { image[pixel(x, y)] = steps(x, y); });

  const auto inside = std::count(image.begin(), image.end(), 255);
  std::printf("%td of %zu points never left\n", inside, image.size());
  if (argc > 1) {
    std::ofstream file(argv[1], std::ios::binary);
    file << "P5 " << width << " " << height << " 255\n";
    file.write(reinterpret_cast<const char*>(image.data()),
               static_cast<std::streamsize>(image.size()));
    if (!file) return 1;
  }
  // The middle of the set is in it, the corner is not; and a serial loop says the same.
  bool right = image[pixel(width / 2, height / 2)] == 255 && image[pixel(0, 0)] < 5;
  for (int y = 0; y < height; y += 7)
    for (int x = 0; x < width; ++x) right = right && image[pixel(x, y)] == steps(x, y);
  return right ? 0 : 1;
}
