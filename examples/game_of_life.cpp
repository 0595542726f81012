// Conway's game of life on a torus: every generation is one parallel loop.
//
//     example_game_of_life [GENERATIONS [WIDTH HEIGHT]]
//
// The torus has a glider and a random corner. The program shows the last generation if it is small.
// Without arguments it checks that a glider returns to its shape, one cell further.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"

namespace {

class world {
 public:
  world(std::size_t width, std::size_t height)
      : width_(width), height_(height), cells_(width * height), next_(width * height) {}

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  bool alive(std::size_t x, std::size_t y) const { return cells_[y * width_ + x] != 0; }
  void set(std::size_t x, std::size_t y, bool alive) {
    cells_[y % height_ * width_ + x % width_] = alive ? 1 : 0;
  }
  std::size_t population() const {
    return static_cast<std::size_t>(std::count(cells_.begin(), cells_.end(), 1));
  }

  /// Computes one generation. A row needs three rows of the old generation, to which no thread
  /// writes.
  void step() {
    filch::parallel_for(std::size_t{0}, height_, [this](std::size_t y) { step_row(y); });
    cells_.swap(next_);
  }

 private:
  void step_row(std::size_t y) {
    const std::uint8_t* const above = &cells_[(y + height_ - 1) % height_ * width_];
    const std::uint8_t* const here = &cells_[y * width_];
    const std::uint8_t* const below = &cells_[(y + 1) % height_ * width_];
    std::uint8_t* const out = &next_[y * width_];
    const auto cell = [&](std::size_t left, std::size_t x, std::size_t right) {
      const int neighbours = above[left] + above[x] + above[right] + here[left] + here[right] +
                             below[left] + below[x] + below[right];
      out[x] = neighbours == 3 || (neighbours == 2 && here[x] != 0) ? 1 : 0;
    };
    // The edges are separate, so that compilers can vectorise the loop between them.
    cell(width_ - 1, 0, 1 % width_);
    for (std::size_t x = 1; x + 1 < width_; ++x) cell(x - 1, x, x + 1);
    if (width_ > 1) cell(width_ - 2, width_ - 1, 0);
  }

  std::size_t width_;
  std::size_t height_;
  std::vector<std::uint8_t> cells_;
  std::vector<std::uint8_t> next_;
};

constexpr std::pair<std::size_t, std::size_t> glider[] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};

/// Checks that a glider moves by one cell to the right and down in four generations.
int check() {
  world w(70, 50);
  for (const auto& [x, y] : glider) w.set(x, y, true);
  for (int i = 0; i < 4 * 120; ++i) w.step();
  bool right = w.population() == std::size(glider);
  for (const auto& [x, y] : glider)
    right = right && w.alive((x + 120) % w.width(), (y + 120) % w.height());
  std::printf("after 480 generations the glider is %s\n", right ? "where it should be" : "LOST");
  return right ? 0 : 1;
}

std::optional<std::size_t> number(const char* text) {
  std::size_t n = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, n);
  if (error != std::errc() || rest != end) return std::nullopt;
  return n;
}

void show(const world& w) {
  for (std::size_t y = 0; y < w.height(); ++y) {
    std::string line;
    for (std::size_t x = 0; x < w.width(); ++x) line += w.alive(x, y) ? '#' : '.';
    std::printf("%s\n", line.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) return check();
  if (argc != 2 && argc != 4) {
    std::fprintf(stderr, "usage: %s [GENERATIONS [WIDTH HEIGHT]]\n", argv[0]);
    return 2;
  }
  std::size_t numbers[3] = {0, 64, 32};
  for (int i = 1; i < argc; ++i) {
    const auto n = number(argv[i]);
    if (!n || *n > 1'000'000 || (i > 1 && *n == 0)) {
      std::fprintf(stderr, "game_of_life: '%s' is not a number from %d to 1000000\n", argv[i],
                   i > 1 ? 1 : 0);
      return 2;
    }
    numbers[i - 1] = *n;
  }
  world w(numbers[1], numbers[2]);
  for (const auto& [x, y] : glider) w.set(x, y, true);
  std::uint32_t random = 1;
  for (std::size_t y = w.height() / 2; y < w.height(); ++y)
    for (std::size_t x = w.width() / 2; x < w.width(); ++x) {
      random = random * 1664525u + 1013904223u;
      w.set(x, y, random >> 31 != 0);
    }
  for (std::size_t i = 0; i < numbers[0]; ++i) w.step();
  if (w.width() <= 150 && w.height() <= 60) show(w);
  std::printf("%zu cells live after %zu generations\n", w.population(), numbers[0]);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "game_of_life: %s\n", e.what());
  return 1;
}
