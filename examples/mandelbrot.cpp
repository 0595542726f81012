// A loop over two dimensions: the Mandelbrot set, to an image file.
//
// usage: example_mandelbrot [FILE]      writes a grey picture (PGM), by default none
//
// Points inside the set take a thousand times as long as those outside. The loop finds out by
// itself how finely to split: there is nothing to tune.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"

namespace {

constexpr int width = 480;
constexpr int height = 320;

/// Returns how many steps of z = z * z + c it takes to leave the circle of radius 2; at most 255.
unsigned char steps(int pixel_x, int pixel_y) {
  const float cx = 3.0F * static_cast<float>(pixel_x) / width - 2.0F;
  const float cy = 2.0F * static_cast<float>(pixel_y) / height - 1.0F;
  float x = 0;
  float y = 0;
  int n = 0;
  for (; n < 255 && x * x + y * y <= 4.0F; ++n) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
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
    file.close();
    if (!file) {
      std::fprintf(stderr, "mandelbrot: cannot write '%s'\n", argv[1]);
      return 1;
    }
  }
  // The middle is in the set, the corner is not; and a serial loop gives the same picture.
  bool right = image[pixel(width / 2, height / 2)] == 255 && image[pixel(0, 0)] < 5;
  for (int y = 0; y < height; y += 7)
    for (int x = 0; x < width; ++x) right = right && image[pixel(x, y)] == steps(x, y);
  return right ? 0 : 1;
}
