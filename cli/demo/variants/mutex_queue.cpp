// Every item, or every branch, is a task in one queue behind one mutex.
#include "runtime/mutex_queue.hpp"

#include "demo/variant.hpp"

namespace filch::cli {
namespace {

class mutex_queue final : public variant {
 public:
  explicit mutex_queue(std::size_t workers) : queue_(static_cast<int>(workers)) {}
  std::string_view name() const override { return "mutex queue"; }
  void run(load& l) override {
    if (tree* const t = l.as_tree()) {
      t->set_sum(queue_.run([&] { return sum_of(*t, t->root()); }));
      return;
    }
    for (std::size_t i = 0; i < l.items(); ++i) queue_.submit([&l, i] { l.run(i); });
    queue_.wait_idle();
  }

 private:
  std::uint64_t sum_of(const tree& t, tree::node n) {
    const std::uint64_t own = t.visit(n);
    const auto two = t.branches(n);
    if (!two) return own;
    const auto [a, b] =
        queue_.join([&] { return sum_of(t, two->first); }, [&] { return sum_of(t, two->second); });
    return own + a + b;
  }

  bench::on_mutex_queue queue_;
};

}  // namespace

std::unique_ptr<variant> make_mutex_queue(std::size_t workers) {
  return std::make_unique<mutex_queue>(workers);
}

}  // namespace filch::cli
