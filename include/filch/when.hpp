// when_all and when_any: several futures as one.
#pragma once

#include "filch/detail/base/config.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/refused.hpp"
#include "filch/detail/sched/gathering.hpp"
#include "filch/detail/sched/outcome.hpp"
#include "filch/detail/sched/when_inputs.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"

namespace filch {

/// Returns a future of the results of all `inputs`, in their order; `nothing` for void.
///
/// How       The future is ready when all inputs are, whether or not some threw. Results are only
///           moved. The thread that brings the last result moves them, as a task of its pool (see
///           future::then()). If all inputs are ready already, the caller moves them, and the
///           returned future is ready at once. No thread waits.
/// Throws    `usage_error` if a future is not valid, or its result never comes (see future, Fork);
///           the message names its index. `std::bad_alloc`. Then the inputs are dropped, as by
///           their destructors.
/// Errors    If several tasks threw, get() throws what the one with the lowest index threw, and
///           `suppressed()` has the others, in their order. Then all values are destroyed.
/// Threads   Any. Dropping the returned future neither waits nor cancels.
/// Memory    The thread that gets the result sees what the tasks did.
/// Cost      One allocation, and three read-modify-writes for each input.
///
///     auto [width, text] = filch::when_all(pool.submit(measure), pool.submit(read)).get();
template <class... Ts>
auto when_all(future<Ts>... inputs) -> future<std::tuple<detail::value_of<Ts>...>> {
  [[maybe_unused]] std::size_t index = 0;
  (detail::require_input(inputs, index++, "when_all"), ...);
  auto* const all = new detail::all_of<Ts...>;
  future<std::tuple<detail::value_of<Ts>...>> result(*all);
  all->begin(*inputs.release()...);
  return result;
}

/// Does the same for a vector of any length. The result is a vector of values; `nothing` for void.
/// For an empty vector the future is ready at once. The vector of results is allocated in the call.
///
///     std::vector<filch::future<int>> parts = ...;
///     std::vector<int> results = filch::when_all(std::move(parts)).get();
template <class T>
auto when_all(std::vector<future<T>> inputs) -> future<detail::all_values<T>> {
  static_assert(!std::is_reference_v<T>,
                "a vector cannot hold references: let the tasks return "
                "pointers, or give the futures one by one");
  detail::require_inputs(inputs, "when_all");
  auto* const all = new detail::all_of_many<T>(inputs.size());
  future<detail::all_values<T>> result(*all);
  for (future<T>& f : inputs) all->add(*f.release());
  all->begin();
  return result;
}

/// Returns a future of the first result of `inputs` and its index; `nothing` for void.
///
/// How       The first input to be ready counts, with a value or an exception. If several are ready
///           already, the one with the lowest index counts. The other tasks go on, and their
///           results are discarded. The thread that brings the result moves it, as a task of its
///           pool (see future::then()). If there is a result already, the caller moves it, and the
///           returned future is ready at once.
/// Throws    `usage_error` if there are no inputs, because then no result would ever come; or if a
///           future is not valid, or its result never comes (see future, Fork), and the message
///           names its index. `std::bad_alloc`. Then the inputs are dropped.
/// Errors    If the first to be ready threw, get() throws that exception, and does not give its
///           index.
/// Threads   Any. Dropping the returned future neither waits nor cancels.
/// Memory    The thread that gets the result sees what the first task did.
/// Cost      Two allocations, which are kept until the last of the tasks has ended, and up to four
///           read-modify-writes for each input.
///
///     auto [index, answer] = filch::when_any(std::move(attempts)).get();
template <class T>
auto when_any(std::vector<future<T>> inputs)
    -> future<std::pair<std::size_t, detail::value_of<T>>> {
  if (inputs.empty())
    throw usage_error("filch::when_any() was given no futures: give it at least one");
  detail::require_inputs(inputs, "when_any");
  auto* const any = new detail::any_of<T>(inputs.size());
  future<std::pair<std::size_t, detail::value_of<T>>> result(*any);
  for (std::size_t i = 0; i < inputs.size(); ++i) any->add(i, *inputs[i].release());
  any->begin();
  return result;
}

/// Does the same for one or more futures of one type, each an argument.
///
///     auto [index, page] = filch::when_any(pool.submit(ask_a), pool.submit(ask_b)).get();
template <class T, std::same_as<future<T>>... Others>
auto when_any(future<T> first, Others... others)
    -> future<std::pair<std::size_t, detail::value_of<T>>> {
  std::size_t index = 0;
  detail::require_input(first, index++, "when_any");
  (detail::require_input(others, index++, "when_any"), ...);
  auto* const any = new detail::any_of<T>(index);
  future<std::pair<std::size_t, detail::value_of<T>>> result(*any);
  index = 0;
  any->add(index++, *first.release());
  (any->add(index++, *others.release()), ...);
  any->begin();
  return result;
}
template <class T, class... Others>
requires(!std::same_as<future<T>, future<Others>> || ...) FILCH_REFUSED(
    "filch: when_any(futures...): all futures must have one type, which is the type of the result: "
    "let then() convert the results, or use when_all()",
    when_any(future<T>, future<Others>...));

}  // namespace filch
