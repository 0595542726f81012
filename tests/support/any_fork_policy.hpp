// The fork policies of support/fork_policies.hpp as one type, so that tests with many kinds of
// elements are compiled once instead of three times.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <type_traits>
#include <utility>

#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/tasks.hpp"
#include "filch/pool.hpp"
#include "support/fork_policies.hpp"
#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"
#include "support/seed.hpp"

namespace filch::test {

/// Passes both branches to another fork.
class any_fork {
 public:
  /// For the real fork these are the real tasks.
  class tasks {
   public:
    explicit tasks(const any_fork& fork) {
      if (fork.is_real())
        real_.emplace(detail::parallel_fork{});
      else
        branches_.emplace(fork);
    }
    template <class F>
    void run(F&& f) {
      real_ ? real_->run(f) : branches_->run(f);
    }
    template <class F>
    void spawn(F f) {
      real_ ? real_->spawn(std::move(f)) : branches_->spawn(std::move(f));
    }

   private:
    std::optional<detail::scope_tasks> real_;
    std::optional<branch_tasks<any_fork>> branches_;
  };

  virtual ~any_fork() = default;

  template <class F, class G>
  auto operator()(F&& f, G&& g) const -> std::pair<detail::result_of<F>, detail::result_of<G>> {
    std::optional<detail::result_of<F>> first;
    std::optional<detail::result_of<G>> second;
    const auto call_f = [&] { store(first, f); };
    const auto call_g = [&] { store(second, g); };
    both(branch(call_f), branch(call_g));
    return {std::move(*first), std::move(*second)};
  }
  virtual std::size_t workers() const = 0;
  virtual std::uintptr_t here() const noexcept = 0;
  virtual bool hungry() const noexcept = 0;
  virtual detail::ticks now() const noexcept = 0;
  virtual bool is_real() const noexcept = 0;

 protected:
  /// Refers to a function without arguments and result.
  class branch {
   public:
    template <class F>
    explicit branch(const F& f)
        : what_(&f), how_([](const void* what) { (*static_cast<const F*>(what))(); }) {}
    void operator()() const { how_(what_); }

   private:
    const void* what_;
    void (*how_)(const void*);
  };
  virtual void both(branch f, branch g) const = 0;

 private:
  template <class R, class F>
  static void store(std::optional<R>& result, F& f) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
      f();
      result.emplace();
    } else {
      result.emplace(f());
    }
  }
};
static_assert(detail::fork_policy<any_fork>);

template <class Fork>
class any_fork_of final : public any_fork {
 public:
  std::size_t workers() const override { return fork_.workers(); }
  std::uintptr_t here() const noexcept override { return fork_.here(); }
  bool hungry() const noexcept override { return fork_.hungry(); }
  detail::ticks now() const noexcept override { return fork_.now(); }
  bool is_real() const noexcept override { return std::is_same_v<Fork, detail::parallel_fork>; }

 private:
  void both(branch f, branch g) const override { fork_(f, g); }

  Fork fork_;
};

enum class fork_kind { sequential, shuffling, parallel };

/// How GoogleTest prints it.
inline void PrintTo(fork_kind kind, std::ostream* out) {
  constexpr const char* names[] = {"sequential", "shuffling", "parallel"};
  *out << names[static_cast<int>(kind)];
}

/// A fixture: run(f) calls f(fork) where a fork of that kind works. For the real fork that is a
/// pool of one to four workers.
///
///     class sort_on : public filch::test::on_any_fork {};
///     FILCH_TEST_ON_EVERY_FORK(sort_on);
///     TEST_P(sort_on, sorts) { run([](const auto& fork) { ... }); }
class on_any_fork : public testing::TestWithParam<fork_kind> {
 protected:
  on_any_fork() {
    if (GetParam() == fork_kind::sequential)
      fork_ = std::make_unique<any_fork_of<sequential_fork>>();
    else if (GetParam() == fork_kind::shuffling)
      fork_ = std::make_unique<any_fork_of<shuffling_fork>>();
    else
      fork_ = std::make_unique<any_fork_of<detail::parallel_fork>>();
  }

  template <class F>
  void run(F f) {
    if (GetParam() != fork_kind::parallel) return f(*fork_);
    if (!pool_) watch(pool_.emplace(1 + random_.bounded(4)));
    pool_->install([&] { f(*fork_); });
  }
  /// The random numbers of this test.
  detail::rng& random() { return random_; }

 private:
  detail::rng random_ = seeded_rng(1);
  std::unique_ptr<const any_fork> fork_;
  std::optional<pool> pool_;
};

/// With ThreadSanitizer only the real fork runs: the others run nearly everything sequentially.
/// With AddressSanitizer the shuffling fork stands for the sequential one, whose order it has half
/// of the time.
inline auto every_fork() {
#if FILCH_TSAN
  return testing::Values(fork_kind::parallel);
#elif FILCH_ASAN
  return testing::Values(fork_kind::shuffling, fork_kind::parallel);
#else
  return testing::Values(fork_kind::sequential, fork_kind::shuffling, fork_kind::parallel);
#endif
}

#define FILCH_TEST_ON_EVERY_FORK(fixture)                                  \
  INSTANTIATE_TEST_SUITE_P(every_fork, fixture, filch::test::every_fork(), \
                           testing::PrintToStringParamName())

}  // namespace filch::test
