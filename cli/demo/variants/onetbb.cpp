#include "runtime/onetbb.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>

#include "demo/variant.hpp"

namespace filch::cli {
namespace {

std::uint64_t sum_of(const tree& t, tree::node n) {
  const std::uint64_t own = t.visit(n);
  const auto two = t.branches(n);
  if (!two) return own;
  std::uint64_t a = 0, b = 0;
  tbb::parallel_invoke([&] { a = sum_of(t, two->first); }, [&] { b = sum_of(t, two->second); });
  return own + a + b;
}

class onetbb final : public variant {
 public:
  explicit onetbb(std::size_t workers) : tbb_(static_cast<int>(workers)) {}
  std::string_view name() const override { return "oneTBB"; }
  void run(load& l) override {
    tbb_.run([&] {
      if (tree* const t = l.as_tree())
        t->set_sum(sum_of(*t, t->root()));
      else
        tbb::parallel_for(std::size_t{0}, l.items(), [&](std::size_t i) { l.run(i); });
    });
  }
  bool lingers() const override { return true; }

 private:
  bench::on_onetbb tbb_;
};

}  // namespace

std::unique_ptr<variant> make_onetbb(std::size_t workers) {
  return std::make_unique<onetbb>(workers);
}

}  // namespace filch::cli
