// Lists of very different lengths, each to be sorted. As in an index, few words have long lists,
// and these come first. Elements are compared by a digest: that loads the core, of which each
// worker has one, and not the memory, which the workers share.
#include <algorithm>
#include <cmath>

#include "demo/load.hpp"

namespace filch::cli {
namespace {

constexpr std::size_t lists = 4096;
constexpr double all_elements = 1'000'000;

/// Different numbers have different digests.
std::uint64_t digest(std::uint64_t x) {
  for (int i = 0; i < 8; ++i) x = step(x);
  return x;
}

class sort_load final : public load {
 public:
  explicit sort_load(double scale) {
    // The lengths fall like a power of the rank. The powers sum up to lists^0.4 / 0.4.
    const double longest = all_elements * scale * 0.4 / std::pow(lists, 0.4);
    starts_.push_back(0);
    for (std::size_t i = 0; i < lists; ++i) {
      const double length = longest * std::pow(static_cast<double>(i + 1), -0.6);
      starts_.push_back(starts_.back() + 1 + static_cast<std::size_t>(length));
    }
    std::uint64_t x = 1;
    unsorted_.resize(starts_.back());
    for (std::uint64_t& e : unsorted_) e = x = step(x + 1);
    prepare();
  }

  std::string_view name() const override { return "sort"; }
  std::string about(std::size_t /*workers*/) const override {
    return "4096 lists to be sorted by a digest, the longest first: the longer half has three "
           "quarters of the elements";
  }
  std::size_t items() const override { return lists; }
  void prepare() override { elements_ = unsorted_; }
  void run(std::size_t item) override {
    const auto at = [&](std::size_t i) {
      return elements_.begin() + static_cast<long>(starts_[i]);
    };
    std::sort(at(item), at(item + 1),
              [](std::uint64_t a, std::uint64_t b) { return digest(a) < digest(b); });
  }
  std::uint64_t answer() const override { return checksum(elements_); }

 private:
  std::vector<std::size_t> starts_;
  std::vector<std::uint64_t> unsorted_;
  std::vector<std::uint64_t> elements_;
};

}  // namespace

std::unique_ptr<load> make_sort(double scale) { return std::make_unique<sort_load>(scale); }

}  // namespace filch::cli
