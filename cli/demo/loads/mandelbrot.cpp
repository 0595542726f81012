// The upper half of the Mandelbrot set and the area above it: a point of the set takes the largest
// number of steps, a point outside takes a few.
#include <algorithm>
#include <cmath>

#include "demo/load.hpp"

namespace filch::cli {
namespace {

constexpr std::size_t width = 512;
constexpr std::size_t height = 320;
constexpr std::size_t strip = 128;  // points of an item
constexpr std::size_t strips_per_row = width / strip;
constexpr double most_steps = 1250;

class mandelbrot final : public load {
 public:
  explicit mandelbrot(double scale)
      : most_(std::max(16L, std::lround(most_steps * scale))), results_(width * height) {}

  std::string_view name() const override { return "mandelbrot"; }
  std::string about(std::size_t /*workers*/) const override {
    return "a picture of the Mandelbrot set below an empty sky, in strips of 128 points";
  }
  std::size_t items() const override { return height * strips_per_row; }
  void prepare() override { std::fill(results_.begin(), results_.end(), 0); }
  void run(std::size_t item) override {
    const std::size_t y = item / strips_per_row, first = item % strips_per_row * strip;
    for (std::size_t x = first; x < first + strip; ++x)
      results_[y * width + x] = static_cast<std::uint64_t>(steps(x, y));
  }
  std::uint64_t answer() const override { return checksum(results_); }

 private:
  /// The number of steps of z = z * z + c until z leaves the circle of radius 2.
  long steps(std::size_t pixel_x, std::size_t pixel_y) const {
    const double cx = 3.0 * static_cast<double>(pixel_x) / width - 2.0;
    const double cy = 1.6 * (1 - static_cast<double>(pixel_y) / height);
    double x = 0, y = 0;
    long n = 0;
    for (; n < most_ && x * x + y * y <= 4.0; ++n) {
      const double next = x * x - y * y + cx;
      y = 2 * x * y + cy;
      x = next;
    }
    return n;
  }

  long most_;
  std::vector<std::uint64_t> results_;
};

}  // namespace

std::unique_ptr<load> make_mandelbrot(double scale) { return std::make_unique<mandelbrot>(scale); }

}  // namespace filch::cli
