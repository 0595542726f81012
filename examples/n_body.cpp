// Stars that attract each other: every step is one parallel loop over all stars.
//
//     example_n_body [STEPS [STARS]]
//
// The program shows how far the energy has drifted; in nature it does not. Without arguments it
// also checks that drift, and that one worker alone computes exactly the same bits.
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/algorithm/reduce.hpp"
#include "filch/pool.hpp"

namespace {

struct vec {
  double x = 0;
  double y = 0;
  double z = 0;
  friend vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend vec operator-(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vec operator*(double f, vec a) { return {f * a.x, f * a.y, f * a.z}; }
  friend double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend bool operator==(const vec&, const vec&) = default;
};

struct star {
  vec position;
  vec velocity;
  vec pull;
  double mass = 0;
};

class galaxy {
 public:
  explicit galaxy(std::size_t stars) : stars_(stars) {
    std::uint32_t random = 1;
    const auto next = [&] {  // from -1 to 1
      random = random * 1664525u + 1013904223u;
      return static_cast<double>(random >> 8) / (1 << 23) - 1;
    };
    for (star& s : stars_) {
      s.position = {next(), next(), next()};
      s.velocity = 0.2 * vec{next(), next(), next()};
      s.mass = (1.5 + next()) / static_cast<double>(stars);
    }
    pull();
  }

  /// Half a push, a move, the other half: the error of the energy stays small and does not grow.
  void step(double dt) {
    filch::parallel_for(std::size_t{0}, stars_.size(), [&](std::size_t i) {
      stars_[i].velocity = stars_[i].velocity + dt / 2 * stars_[i].pull;
      stars_[i].position = stars_[i].position + dt * stars_[i].velocity;
    });
    pull();
    filch::parallel_for(std::size_t{0}, stars_.size(), [&](std::size_t i) {
      stars_[i].velocity = stars_[i].velocity + dt / 2 * stars_[i].pull;
    });
  }

  /// Returns the energy. Deterministic: the same bits for any number of workers.
  double energy() const {
    return filch::transform_reduce(stars_, 0.0, std::plus{},
                                   [this](const star& s) {
                                     double potential = 0;
                                     for (const star& other : stars_)
                                       if (&other != &s)
                                         potential -= other.mass / distance(s, other);
                                     return s.mass * (dot(s.velocity, s.velocity) + potential) / 2;
                                   },
                                   {.deterministic = true});
  }
  const std::vector<star>& stars() const { return stars_; }

 private:
  /// Returns the distance, softened: stars that meet do not throw each other to infinity.
  static double distance(const star& a, const star& b) {
    const vec way = b.position - a.position;
    return std::sqrt(dot(way, way) + 0.01);
  }
  /// Each star sums the forces of all others on it, and writes only to itself: no locks.
  void pull() {
    filch::parallel_for(std::size_t{0}, stars_.size(), [this](std::size_t i) {
      vec sum;
      for (const star& other : stars_) {
        const double d = distance(stars_[i], other);
        sum = sum + other.mass / (d * d * d) * (other.position - stars_[i].position);
      }
      stars_[i].pull = sum;
    });
  }

  std::vector<star> stars_;
};

/// Returns the relative change of the energy.
double simulate(galaxy& g, std::size_t steps) {
  const double before = g.energy();
  for (std::size_t i = 0; i < steps; ++i) g.step(0.01);
  const double moved = std::abs((g.energy() - before) / before);
  std::printf("%zu stars, %zu steps: the energy has moved by %.5f %%\n", g.stars().size(), steps,
              100 * moved);
  return moved;
}

int check() {
  galaxy g(100);
  galaxy same(100);
  const double moved = simulate(g, 40);
  filch::pool one(1);
  const double moved_alone = one.install([&] { return simulate(same, 40); });
  bool right = moved < 0.001 && moved == moved_alone;
  for (std::size_t i = 0; i < g.stars().size(); ++i)
    right = right && g.stars()[i].position == same.stars()[i].position;
  if (!right) std::fprintf(stderr, "n_body: this is WRONG\n");
  return right ? 0 : 1;
}

std::optional<std::size_t> number(const char* text) {
  std::size_t n = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, n);
  if (error != std::errc() || rest != end || n < 1 || n > 1'000'000) return std::nullopt;
  return n;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) return check();
  if (argc > 3) {
    std::fprintf(stderr, "usage: %s [STEPS [STARS]]\n", argv[0]);
    return 2;
  }
  std::size_t numbers[2] = {100, 1000};
  for (int i = 1; i < argc; ++i) {
    const auto n = number(argv[i]);
    if (!n) {
      std::fprintf(stderr, "n_body: '%s' is not a number from 1 to 1000000\n", argv[i]);
      return 2;
    }
    numbers[i - 1] = *n;
  }
  galaxy g(numbers[1]);
  simulate(g, numbers[0]);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "n_body: %s\n", e.what());
  return 1;
}
