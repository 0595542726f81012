// OpenMP's loops: static, which is the default, and dynamic, which deals out the items one by one.
#include "demo/variant.hpp"

namespace filch::cli {
namespace {

/// The threads of the team spin for some milliseconds before they sleep.
class openmp : public variant {
 public:
  explicit openmp(std::size_t workers) : workers_(static_cast<int>(workers)) {}
  bool lingers() const override { return true; }

 protected:
  int workers_;
};

class openmp_static final : public openmp {
 public:
  using openmp::openmp;
  std::string_view name() const override { return "OpenMP static"; }
  void run(load& l) override {
    const auto items = static_cast<long>(l.items());
#pragma omp parallel for num_threads(workers_) schedule(static)
    for (long i = 0; i < items; ++i) l.run(static_cast<std::size_t>(i));
  }
};

class openmp_dynamic final : public openmp {
 public:
  using openmp::openmp;
  std::string_view name() const override { return "OpenMP dynamic"; }
  void run(load& l) override {
    const auto items = static_cast<long>(l.items());
#pragma omp parallel for num_threads(workers_) schedule(dynamic)
    for (long i = 0; i < items; ++i) l.run(static_cast<std::size_t>(i));
  }
};

}  // namespace

std::unique_ptr<variant> make_openmp_static(std::size_t workers) {
  return std::make_unique<openmp_static>(workers);
}
std::unique_ptr<variant> make_openmp_dynamic(std::size_t workers) {
  return std::make_unique<openmp_dynamic>(workers);
}

}  // namespace filch::cli
