// The textbook example: a loop in four parts of 100, 100, 200 and 350 units. Divided among four
// workers it takes 350 units, though 187.5 would be enough; divided between two, 550 and 375.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "demo/load.hpp"

namespace filch::cli {
namespace {

constexpr std::array<double, 4> units{100, 100, 200, 350};
constexpr double all_units = 750;
constexpr std::size_t items_per_part = 512;
constexpr std::size_t all_items = items_per_part * units.size();
constexpr double steps_per_unit = 300'000;

class imbalance final : public load {
 public:
  explicit imbalance(double scale) : scale_(scale), results_(all_items) {}

  std::string_view name() const override { return "imbalance"; }
  std::string about(std::size_t workers) const override {
    return fmt::format(
        "a loop in parts of 100, 100, 200 and 350 units: divided evenly among {} it takes {:.4g}, "
        "ideal {:.4g}"
        "{}",
        workers == 1 ? "1 worker" : fmt::format("{} workers", workers), dealt_to(workers),
        all_units / static_cast<double>(workers),
        workers == 4
            ? ""
            : fmt::format(" (among 4 workers: {:.4g}, ideal {:.4g})", dealt_to(4), all_units / 4));
  }
  std::size_t items() const override { return all_items; }
  void prepare() override { std::fill(results_.begin(), results_.end(), 0); }
  void run(std::size_t item) override {
    const double own_units = units[item / items_per_part] / items_per_part;
    std::uint64_t x = item + 1;
    for (auto n = std::llround(own_units * steps_per_unit * scale_); n > 0; --n) x = step(x);
    results_[item] = x;
  }
  std::uint64_t answer() const override { return checksum(results_); }

 private:
  /// The units of the worker with the most work, if each gets a range of the same length.
  static double dealt_to(std::size_t workers) {
    double most = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      double own = 0;
      for (std::size_t i = all_items * w / workers; i < all_items * (w + 1) / workers; ++i)
        own += units[i / items_per_part] / items_per_part;
      most = std::max(most, own);
    }
    return most;
  }

  double scale_;
  std::vector<std::uint64_t> results_;
};

}  // namespace

std::unique_ptr<load> make_imbalance(double scale) { return std::make_unique<imbalance>(scale); }

}  // namespace filch::cli
