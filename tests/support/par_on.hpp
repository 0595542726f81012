// Parallel ranges on any fork policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "filch/ranges/par_range.hpp"

namespace filch::test {

/// A reference to a fork policy that outlives this object.
template <filch::detail::fork_policy Fork>
class borrowed_fork {
 public:
  class tasks : public Fork::tasks {
   public:
    explicit tasks(const borrowed_fork& fork) : Fork::tasks(*fork.fork_) {}
  };

  explicit borrowed_fork(const Fork& fork) noexcept : fork_(&fork) {}
  template <class F, class G>
  auto operator()(F&& f, G&& g) const {
    return (*fork_)(static_cast<F&&>(f), static_cast<G&&>(g));
  }
  std::size_t workers() const { return fork_->workers(); }
  std::uintptr_t here() const noexcept { return fork_->here(); }
  bool hungry() const noexcept { return fork_->hungry(); }
  filch::detail::ticks now() const noexcept { return fork_->now(); }

 private:
  const Fork* fork_;
};

/// Does what par() does, with another fork policy, which outlives the range.
template <filch::detail::fork_policy Fork, filch::detail::parallel R>
auto par_on(const Fork& fork, R&& range, const options& o = {}) {
  auto source = filch::detail::source_for(std::forward<R>(range));
  return par_range<decltype(source), borrowed_fork<Fork>>(std::move(source), o,
                                                          borrowed_fork<Fork>(fork));
}

}  // namespace filch::test
