// join on a participant's own stack: one branch is called, the others wait in its deque.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

/// The branch of a join that others may steal. It lives on the stack of the join that waits for it.
/// Its result exists only once somebody has run it here: on the fast path it is never touched.
template <class G>
class branch final : public job {
 public:
  explicit branch(G& g) noexcept : job(&branch::entry), g_(g) {}

  latch done;

  /// Runs it where its owner would have waited for it. Afterwards there is a result.
  void run_here() noexcept { std::construct_at(std::addressof(result_))->run(g_); }

  /// What came of it, once it was run. A branch_result destroys it.
  outcome<result_of<G>>& result() noexcept { return result_; }

 private:
  static void entry(job& self) noexcept {
    auto& b = static_cast<branch&>(self);
    b.run_here();
    latch::set(b.done);  // `b` may be gone
  }

  G& g_;
  union {
    outcome<result_of<G>> result_;
  };

 public:
  ~branch() {}  // NOLINT(modernize-use-equals-default): whoever reads the result destroys it
};

/// The result of a branch that was run, for as long as this lives.
template <class G>
class branch_result {
 public:
  explicit branch_result(branch<G>& b) noexcept : result_(b.result()) {}
  branch_result(const branch_result&) = delete;
  branch_result& operator=(const branch_result&) = delete;
  ~branch_result() { std::destroy_at(&result_); }
  outcome<result_of<G>>* operator->() const noexcept { return &result_; }

 private:
  outcome<result_of<G>>& result_;
};

/// Is `mine`, pushed earlier, still there? Then it is the caller's to run. What was spawned above
/// it meanwhile, and not waited for, is run on the way. If it was taken, by a thief or by a wait
/// further up this stack, it is done when this returns.
inline bool take_back_or_wait(worker& w, job& mine, latch& done) noexcept {
  for (job* j = nullptr; !done.probe() && w.pop(j); w.run(j))
    if (j == &mine) return true;
  w.wait(done);
  return false;
}

/// The first branch has thrown. The second runs all the same, here or where it was stolen to.
template <class G>
[[noreturn, gnu::cold, gnu::noinline]] void finish_and_rethrow(worker& w, branch<G>& second) {
  caught error = caught::current();
  if (take_back_or_wait(w, second, second.done)) second.run_here();
  {
    const branch_result<G> result(second);
    if (result->failed()) error.outrun(std::move(result->error()));
  }
  error.rethrow();
}

template <class F, class G>
inline result_of<F> call_first(worker& w, F& f, branch<G>& second) {
  try {
    return call(f);
  } catch (...) {
    finish_and_rethrow(w, second);
  }
}

/// The second branch is not where it was pushed: something newer lies above it, or it was stolen.
template <class G>
[[gnu::cold, gnu::noinline]] result_of<G> finish_second(worker& w, G& g, branch<G>& second) {
  if (take_back_or_wait(w, second, second.done)) return call(g);
  const branch_result<G> result(second);
  return result->take();
}

template <class G>
inline result_of<G> call_second(worker& w, G& g, branch<G>& second, std::uint64_t place) {
  if (w.take_back(place, &second)) [[likely]]
    return call(g);
  return finish_second(w, g, second);
}

/// Both on the caller, one after the other: without workers, or without memory for a longer deque.
template <class F, class G>
[[gnu::cold, gnu::noinline]] std::pair<result_of<F>, result_of<G>> join_in_sequence(F& f, G& g) {
  outcome<result_of<F>> first;
  first.run(f);
  outcome<result_of<G>> second;
  second.run(g);
  if (first.failed()) {
    if (second.failed()) first.error().outrun(std::move(second.error()));
    first.error().rethrow();
  }
  if (second.failed()) second.error().rethrow();
  return {first.take(), second.take()};
}

constexpr std::uint64_t not_pushed = ~std::uint64_t{0};

[[gnu::always_inline]] inline std::uint64_t push_or_not(worker& w, job& j) noexcept {
  try {
    return w.push(&j);
  } catch (const std::bad_alloc&) {
    return not_pushed;
  }
}

template <class F, class G>
inline std::pair<result_of<F>, result_of<G>> join_on(worker& w, F& f, G& g) {
  branch<G> second(g);
  const std::uint64_t place = push_or_not(w, second);
  if (place == not_pushed) [[unlikely]]
    return join_in_sequence(f, g);
  // Both results are built in place, left to right.
  return {call_first(w, f, second), call_second(w, g, second, place)};
}

/// The caller has no place in a pool: it becomes a guest of the default one, or, without memory for
/// that, does both itself.
template <class F, class G>
[[gnu::cold, gnu::noinline]] std::pair<result_of<F>, result_of<G>> join_from_outside(F& f, G& g) {
  const std::shared_ptr<registry> home = current_registry();
  if (home->retired()) return join_in_sequence(f, g);
  std::optional<guest_pass> pass;
  try {
    pass.emplace(home);
  } catch (const std::bad_alloc&) {
    return join_in_sequence(f, g);
  }
  return join_on(pass->place(), f, g);
}

template <class F, class G>
std::pair<result_of<F>, result_of<G>> join_two(F& f, G& g) {
  if (worker* const w = worker::current()) [[likely]]
    return join_on(*w, f, g);
  return join_from_outside(f, g);
}

/// More than two: the first against all the rest.
template <class F, class... Rest>
std::tuple<result_of<F>, result_of<Rest>...> join_many(F& f, Rest&... rest) {
  if constexpr (sizeof...(Rest) == 1) {
    auto [a, b] = join_two(f, rest...);
    return {static_cast<result_of<F>&&>(a), static_cast<result_of<Rest>&&>(b)...};
  } else {
    auto others = [&] { return join_many(rest...); };
    auto [a, b] = join_two(f, others);
    return std::tuple_cat(std::tuple<result_of<F>>(static_cast<result_of<F>&&>(a)), std::move(b));
  }
}

}  // namespace filch::detail
