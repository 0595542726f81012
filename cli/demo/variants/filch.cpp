#include "demo/variant.hpp"
#include "filch/algorithm/parallel_for.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"

namespace filch::cli {
namespace {

std::uint64_t sum_of(const tree& t, tree::node n) {
  const std::uint64_t own = t.visit(n);
  const auto two = t.branches(n);
  if (!two) return own;
  const auto [a, b] =
      filch::join([&] { return sum_of(t, two->first); }, [&] { return sum_of(t, two->second); });
  return own + a + b;
}

class on_filch final : public variant {
 public:
  explicit on_filch(filch::pool& pool) : pool_(pool) {}
  std::string_view name() const override { return "filch"; }
  void run(load& l) override {
    pool_.install([&] {
      if (tree* const t = l.as_tree())
        t->set_sum(sum_of(*t, t->root()));
      else
        filch::parallel_for(std::size_t{0}, l.items(), [&](std::size_t i) { l.run(i); });
    });
  }

 private:
  filch::pool& pool_;
};

}  // namespace

std::unique_ptr<variant> make_filch(filch::pool& pool) { return std::make_unique<on_filch>(pool); }

}  // namespace filch::cli
