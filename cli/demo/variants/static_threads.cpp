// Every thread gets a range of the items before it is known what they cost.
#include "demo/variant.hpp"
#include "runtime/threads.hpp"

namespace filch::cli {
namespace {

class static_threads final : public variant {
 public:
  explicit static_threads(std::size_t workers) : threads_(static_cast<int>(workers)) {}
  std::string_view name() const override { return "static"; }
  void run(load& l) override {
    const auto workers = static_cast<std::size_t>(threads_.workers());
    threads_.each([&](int worker) {
      const auto w = static_cast<std::size_t>(worker);
      for (std::size_t i = l.items() * w / workers; i < l.items() * (w + 1) / workers; ++i)
        l.run(i);
    });
  }

 private:
  bench::on_threads threads_;
};

}  // namespace

std::unique_ptr<variant> make_static_threads(std::size_t workers) {
  return std::make_unique<static_threads>(workers);
}

}  // namespace filch::cli
