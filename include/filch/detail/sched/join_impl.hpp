// join on a participant's own stack: one branch is called, the others wait in its deque.
#pragma once

#include <new>
#include <tuple>
#include <utility>

#include "filch/detail/sched/job.hpp"
#include "filch/detail/sched/latch.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

/// The branch of a join that others may steal. It lives on the stack of the join that waits for it.
template <class G>
class branch final : public job {
 public:
  explicit branch(G& g) noexcept : job(&branch::entry), g_(g) {}

  latch done;
  outcome<result_of<G>> result;

  /// Runs it here, where its owner would have waited for it.
  void run_here() noexcept { result.run(g_); }

 private:
  static void entry(job& self) noexcept {
    auto& b = static_cast<branch&>(self);
    b.run_here();
    latch::set(b.done);  // `b` may be gone
  }

  G& g_;
};

/// Is `mine`, pushed earlier, still there? Then it is the caller's to run. What was spawned above
/// it meanwhile, and not waited for, is run on the way.
inline bool take_back(worker& w, job& mine) noexcept {
  for (job* j = nullptr; w.pop(j); w.run(j))
    if (j == &mine) return true;
  return false;  // stolen
}

/// The first branch has thrown. The second runs all the same, here or where it was stolen to.
template <class G>
[[noreturn, gnu::cold, gnu::noinline]] void finish_and_rethrow(worker& w, branch<G>& second) {
  caught error = caught::current();
  if (take_back(w, second))
    second.run_here();
  else
    w.wait(second.done);
  if (second.result.failed()) error.outrun(std::move(second.result.error()));
  error.rethrow();
}

template <class F, class G>
result_of<F> call_first(worker& w, F& f, branch<G>& second) {
  try {
    return call(f);
  } catch (...) {
    finish_and_rethrow(w, second);
  }
}

/// Both on the caller, one after the other: without workers, or without memory for a longer deque.
template <class F, class G>
std::pair<result_of<F>, result_of<G>> join_in_sequence(F& f, G& g) {
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

inline bool try_push(worker& w, job& j) noexcept {
  try {
    w.push(&j);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

template <class F, class G>
std::pair<result_of<F>, result_of<G>> join_on(worker& w, F& f, G& g) {
  branch<G> second(g);
  if (!try_push(w, second)) return join_in_sequence(f, g);
  result_of<F> first = call_first(w, f, second);
  if (take_back(w, second)) return {static_cast<result_of<F>&&>(first), call(g)};
  w.wait(second.done);
  return {static_cast<result_of<F>&&>(first), second.result.take()};
}

/// The caller has no place in a pool: it becomes a guest of the default one.
template <class F, class G>
[[gnu::cold, gnu::noinline]] std::pair<result_of<F>, result_of<G>> join_from_outside(F& f, G& g) {
  const std::shared_ptr<registry> home = current_registry();
  if (home->retired()) return join_in_sequence(f, g);
  const guest_pass pass(home);
  return join_on(pass.place(), f, g);
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
