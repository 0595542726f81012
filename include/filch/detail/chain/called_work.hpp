// Work whose leaves are indirect calls, so that the code that divides it is compiled once.
#pragma once

#include "filch/detail/chain/boxed.hpp"
#include "filch/detail/loop/fork.hpp"
#include "filch/detail/loop/reduce_blocks.hpp"

namespace filch::detail {

class made_items;
class pieces;

/// The type in which the result of a part is passed on. It is the result itself if the library
/// knows that type, and otherwise a box. So the loops are compiled for few types.
template <class Result>
using called_result = std::conditional_t<std::same_as<Result, nothing> ||
                                             std::same_as<Result, std::optional<made_items>> ||
                                             std::same_as<Result, std::optional<pieces>>,
                                         Result, boxed>;
template <class Result>
called_result<Result> boxed_if_unknown(Result&& r) {
  if constexpr (std::same_as<called_result<Result>, Result>)
    return static_cast<Result&&>(r);
  else
    return boxed::holding(static_cast<Result&&>(r));
}
template <class Result>
Result unboxed(called_result<Result>&& r) {
  if constexpr (std::same_as<called_result<Result>, Result>)
    return std::move(r);
  else
    return std::move(r).template take<Result>();
}

/// Refers to work of any type.
template <class Result>
class called_work {
 public:
  using result = Result;

  template <split_work Work>
  requires std::same_as<called_result<typename Work::result>, Result>
  explicit called_work(Work& work) noexcept
      : work_(std::addressof(work)),
        leaf_([](void* what, std::size_t first, std::size_t last) {
          return detail::boxed_if_unknown(static_cast<Work*>(what)->leaf(first, last));
        }),
        combine_([](void* what, result&& a, result&& b) {
          using own = typename Work::result;
          return detail::boxed_if_unknown(static_cast<Work*>(what)->combine(
              detail::unboxed<own>(std::move(a)), detail::unboxed<own>(std::move(b))));
        }),
        cost_history_(cost_history_of<Work>) {}

  result leaf(std::size_t first, std::size_t last) { return leaf_(work_, first, last); }
  result combine(result&& a, result&& b) { return combine_(work_, std::move(a), std::move(b)); }
  static result skipped() noexcept { return result{}; }
  /// The calling thread's cost history for the work that this refers to.
  cost_history& own_cost_history() const noexcept { return cost_history_; }

 private:
  void* work_;
  result (*leaf_)(void*, std::size_t, std::size_t);
  result (*combine_)(void*, result&&, result&&);
  cost_history& cost_history_;
};
template <split_work Work>
called_work(Work&) -> called_work<called_result<typename Work::result>>;

/// Runs such work on positions [0, n).
///
/// `Fork` is a fork_policy. The declarations do not say so, because the library defines these
/// functions (tools/check_symbols.py has the reason).
template <class Fork, class Result>
[[gnu::noinline]] Result run_called(const Fork& fork, called_work<Result> work, loop_state& state,
                                    std::size_t grain, std::size_t n) {
  return splitter<Fork, called_work<Result>>(fork, work, state, grain).run(n);
}
/// The same for a search that any hit ends, with `ahead` of its positions at the middle early (see
/// splitter::run_ahead()).
template <class Fork, class Result>
[[gnu::noinline]] Result run_called_ahead(const Fork& fork, called_work<Result> work,
                                          loop_state& state, std::size_t grain, std::size_t n,
                                          std::size_t seen, std::size_t ahead) {
  return splitter<Fork, called_work<Result>>(fork, work, state, grain).run_ahead(n, seen, ahead);
}
/// Runs such work on the blocks of a tree, each as one leaf. The same neighbours are always
/// combined. The loop counts blocks. `positions` counts positions: the work may have found its
/// result at one of them. `Fork` is as above.
template <class Fork, class Result>
[[gnu::noinline]] Result run_called_in_fixed_order(const Fork& fork, const fixed_tree& tree,
                                                   const options& in_blocks, loop_state& state,
                                                   loop_state& positions,
                                                   called_work<Result> work) {
  auto all = detail::reduce_blocks_in_fixed_order(
      fork, tree, in_blocks, state,
      [&](std::size_t first, std::size_t last) {
        return positions.may_start(first) ? work.leaf(first, last) : work.skipped();
      },
      [&](Result&& a, Result&& b) { return work.combine(std::move(a), std::move(b)); });
  return all ? *std::move(all) : work.skipped();
}

#if !FILCH_TSAN
/// For the real fork they are compiled in the library.
extern template nothing run_called(const parallel_fork&, called_work<nothing>, loop_state&,
                                   std::size_t, std::size_t);
extern template boxed run_called(const parallel_fork&, called_work<boxed>, loop_state&, std::size_t,
                                 std::size_t);
extern template std::optional<made_items> run_called(const parallel_fork&,
                                                     called_work<std::optional<made_items>>,
                                                     loop_state&, std::size_t, std::size_t);
extern template std::optional<pieces> run_called(const parallel_fork&,
                                                 called_work<std::optional<pieces>>, loop_state&,
                                                 std::size_t, std::size_t);
extern template boxed run_called_ahead(const parallel_fork&, called_work<boxed>, loop_state&,
                                       std::size_t, std::size_t, std::size_t, std::size_t);
extern template boxed run_called_in_fixed_order(const parallel_fork&, const fixed_tree&,
                                                const options&, loop_state&, loop_state&,
                                                called_work<boxed>);
extern template std::optional<pieces> run_called_in_fixed_order(const parallel_fork&,
                                                                const fixed_tree&, const options&,
                                                                loop_state&, loop_state&,
                                                                called_work<std::optional<pieces>>);
#endif

}  // namespace filch::detail
