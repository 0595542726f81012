// A lopsided tree: at every node, one branch is several times as large as the other. A variant that
// cannot fork cuts the tree into parts beforehand, without knowing how large they are.
#include <algorithm>
#include <cmath>

#include "demo/load.hpp"

namespace filch::cli {
namespace {

constexpr double all_nodes = 160'000;
constexpr std::uint64_t steps_per_node = 1000;
constexpr std::size_t part_count = 64;  // items, for variants that cannot fork

class lopsided final : public load, public tree {
 public:
  explicit lopsided(double scale)
      : root_{1, std::max<std::uint64_t>(1000, static_cast<std::uint64_t>(all_nodes * scale))} {
    // Level by level, as if all parts of a level were alike. Leaves stay as they are.
    parts_ = {root_};
    while (parts_.size() < part_count) {
      std::vector<node> next;
      for (const node& n : parts_) {
        const auto two = branches(n);
        if (!two) {
          next.push_back(n);
          continue;
        }
        next.push_back(two->first);
        next.push_back(two->second);
        above_.push_back(n);
      }
      if (next.size() == parts_.size()) break;
      parts_ = std::move(next);
    }
    prepare();
  }

  std::string_view name() const override { return "tree"; }
  std::string about(std::size_t /*workers*/) const override {
    return "a lopsided tree: filch, oneTBB and the queue fork at every node, the others get 64 "
           "subtrees";
  }
  std::size_t items() const override { return parts_.size() + 1; }
  void prepare() override { sums_.assign(items(), 0); }
  /// The last item is the part of the tree above all other items.
  void run(std::size_t item) override {
    if (item < parts_.size()) {
      sums_[item] = sum_of(parts_[item]);
      return;
    }
    std::uint64_t sum = 0;
    for (const node& n : above_) sum += visit(n);
    sums_[item] = sum;
  }
  std::uint64_t answer() const override {
    std::uint64_t sum = 0;
    for (const std::uint64_t s : sums_) sum += s;
    return sum;
  }
  tree* as_tree() override { return this; }

  node root() const override { return root_; }
  std::uint64_t visit(node n) const override {
    std::uint64_t x = n.seed;
    for (std::uint64_t i = 0; i < steps_per_node; ++i) x = step(x);
    return x;
  }
  std::optional<std::pair<node, node>> branches(node n) const override {
    if (n.size < 3) return std::nullopt;
    const std::uint64_t below = n.size - 1;
    // The small branch has an eighth to a quarter of the nodes, and at least one.
    const std::uint64_t share = 8 + (n.seed >> 32) % 9;
    const std::uint64_t small = std::max<std::uint64_t>(1, below * share / 64);
    const node a{step(n.seed + 1), below - small}, b{step(n.seed + 2), small};
    return (n.seed >> 24) % 4 == 0 ? std::pair(b, a) : std::pair(a, b);
  }
  void set_sum(std::uint64_t sum) override {
    sums_.assign(items(), 0);
    sums_[0] = sum;
  }

 private:
  std::uint64_t sum_of(node n) const {
    std::uint64_t sum = visit(n);
    if (const auto two = branches(n)) sum += sum_of(two->first) + sum_of(two->second);
    return sum;
  }

  node root_;
  std::vector<node> parts_;
  std::vector<node> above_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace

std::unique_ptr<load> make_tree(double scale) { return std::make_unique<lopsided>(scale); }

}  // namespace filch::cli
