// join on the caller's stack of branches: the caller calls one branch, the others wait there.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/detail/base/expect.hpp"
#include "filch/detail/base/sanitizer.hpp"
#include "filch/detail/sched/branches.hpp"
#include "filch/detail/sched/outcome.hpp"

// How this is written matters as much as what it does: on the fast path a join costs a few
// nanoseconds, and that depends on the code that the compiler makes of it. docs/investigations has
// the figures.
// - Code that rarely runs is out of line, and is given the slot only: a local variable whose
//   address is taken would keep g++ from turning the last call into a jump.
// - The handler has a function of its own, since g++ does not split functions with landing pads.

namespace filch::detail {

constexpr bool storage_suffices(std::size_t size, std::size_t alignment) {
  return size <= branch_slot::storage_size && alignment <= alignof(std::max_align_t);
}
template <class T>
struct fits_storage : std::bool_constant<storage_suffices(sizeof(T), alignof(T))> {};

/// How the second branch of a join is stored in its slot. A small closure that was made for this
/// call is copied into the slot. Any other stays where it is, and its result is beside it on the
/// stack.
template <class G, bool Temporary>
class branch {
  using result_type = outcome<result_of<G>>;

 public:
  // conjunction stops at the first false: sizeof of a plain function would be an error.
  static constexpr bool copied =
      std::conjunction_v<std::bool_constant<Temporary>, std::is_trivially_copyable<G>,
                         std::is_copy_constructible<G>, fits_storage<G>, fits_storage<result_type>>;

  /// Where the branch lives if it is not copied.
  struct aside {
    explicit aside(G& which) noexcept : g(&which) {}
    aside(const aside&) = delete;
    aside& operator=(const aside&) = delete;
    ~aside() {}  // NOLINT(modernize-use-equals-default): the thread that reads it destroys it
    G* g;
    union {
      result_type result;
    };
  };
  struct nowhere {
    explicit nowhere(G&) noexcept {}
  };
  using home = std::conditional_t<copied, nowhere, aside>;

  static void put(branch_slot* h, G& g, home& at) noexcept {
    h->taken();  // by a guest, from the guest that had the slot before
    h->become(&entry);
    if constexpr (copied)
      ::new (h->storage()) G(g);
    else
      ::new (h->storage()) aside*(&at);
    h->given();
  }

  /// The closure, for a call by the thread that has the slot.
  static auto closure(branch_slot* h) noexcept -> std::conditional_t<copied, G, G&> {
    if constexpr (copied)
      return *in_storage<G>(h);
    else
      return *(*in_storage<aside*>(h))->g;
  }

  static result_type& result(branch_slot* h) noexcept {
    if constexpr (copied)
      return *in_storage<result_type>(h);
    else
      return (*in_storage<aside*>(h))->result;
  }

 private:
  template <class T>
  static T* in_storage(branch_slot* h) noexcept {
    return std::launder(static_cast<T*>(h->storage()));
  }

  /// Run by a thief.
  static void entry(job& self) noexcept {
    const sanitizer_seen seen;
    auto* const h = static_cast<branch_slot*>(&self);
    h->taken();
    {
      auto&& g = closure(h);
      if constexpr (copied)
        ::new (h->storage()) result_type;
      else
        std::construct_at(std::addressof(result(h)));
      result(h).run(g);
    }
    latch::set(h->done);  // the frame it belongs to may be gone
  }
};

/// The result of a branch that a thief ran, for as long as this lives.
template <class B>
class taken_branch {
 public:
  explicit taken_branch(branch_slot* h) noexcept : h_(h) { tsan_acquire(&h->done); }
  taken_branch(const taken_branch&) = delete;
  taken_branch& operator=(const taken_branch&) = delete;
  ~taken_branch() {
    std::destroy_at(std::addressof(B::result(h_)));
    h_->given();  // to the guest that has the slot next
    call_hidden<&branch_is_over>(h_);
  }
  auto* operator->() const noexcept { return std::addressof(B::result(h_)); }

 private:
  branch_slot* h_;
};

/// A guest leaves when this ends, if the branch was its last.
class departure {
 public:
  explicit departure(branch_fate fate) noexcept : fate_(fate) {}
  departure(const departure&) = delete;
  departure& operator=(const departure&) = delete;
  ~departure() {
    if (fate_ == branch_fate::last) call_hidden<&leave_after_join>();
  }

 private:
  branch_fate fate_;
};

/// An earlier branch has thrown `error`. This one runs all the same, here or on the thief that took
/// it.
template <class B>
[[gnu::cold, gnu::noinline]] void finish_after(caught& error, branch_slot* h) noexcept {
  if (const branch_fate fate = call_hidden<&reclaim_branch>(h); fate == branch_fate::taken) {
    const taken_branch<B> result(h);
    if (result->failed()) error.suppress(std::move(result->error()));
  } else {
    const departure after(fate);
    auto&& g = B::closure(h);
    h->given();  // as above
    outcome<result_of<std::remove_reference_t<decltype(g)>>> late;
    late.run(g);
    if (late.failed()) error.suppress(std::move(late.error()));
  }
}

/// In a handler: a branch has thrown. The slots of `B...` go down from `newest`; the branches from
/// number `Next` on have not been finished.
template <std::size_t Next, class... B>
[[noreturn, gnu::cold, gnu::noinline]] void finish_and_rethrow(branch_slot* newest) {
  caught error = caught::current();
  std::size_t number = 0;
  const auto finish = [&]<class One>() {
    if (number >= Next) finish_after<One>(error, newest - number);
    ++number;
  };
  (finish.template operator()<B>(), ...);
  error.rethrow();
}

template <class... B, class F>
inline result_of<F> call_first(branch_slot* newest, F& f) {
  try {
    return call(f);
  } catch (...) {
    finish_and_rethrow<0, B...>(newest);
  }
}

/// A thief took the second branch; or none did, but the caller is a guest that leaves after it.
template <class B, class G>
[[gnu::cold, gnu::noinline]] result_of<G> finish_elsewhere(branch_slot* h) {
  if (const branch_fate fate = call_hidden<&fate_of_branch>(h); fate != branch_fate::taken) {
    const departure after(fate);
    auto&& g = B::closure(h);
    h->given();  // as above
    return call(g);
  }
  const taken_branch<B> result(h);
  return result->take();
}

/// How `G`, an argument of join, is stored for thieves.
template <class G>
using branch_of = branch<std::remove_reference_t<G>, !std::is_lvalue_reference_v<G>>;

template <class B, class G>
[[gnu::always_inline]] inline result_of<G> call_second(branch_slot* h, G& g) {
  if (usually(my_branches.pop(h)) || take_branch_back(h)) return call(g);
  return finish_elsewhere<B, G>(h);
}

/// Both results, built in place from left to right. (The constructor of std::pair would have to be
/// given objects.)
template <class A, class B>
struct two_results {
  A first;
  B second;
};

template <bool Temporary, class F, class G>
[[gnu::always_inline]] inline auto join_two(F& f, G& g) -> two_results<result_of<F>, result_of<G>> {
  using second = branch<G, Temporary>;
  [[maybe_unused]] typename second::home aside(g);
  branch_slot* h = my_branches.next();
  if (rarely(h == nullptr)) h = call_hidden<&enter_for_join>();
  second::put(h, g, aside);
  if (rarely(!my_branches.push(h))) call_hidden<&answer_thieves>(h);
  return {call_first<second>(h, f), call_second<second>(h, g)};
}

#ifdef __clang__
// clang does not split functions: with join inlined, the user's function saves registers for it
// even where it returns at once. So closures that fit in registers are passed to a function that is
// not inlined.
template <class F>
struct fits_registers : std::bool_constant<sizeof(F) <= 2 * sizeof(void*)> {};

template <class F>
inline constexpr bool travels_in_registers =
    std::conjunction_v<std::is_trivially_copyable<F>, std::is_copy_constructible<F>,
                       fits_registers<F>>;

template <class F, class G>
[[gnu::noinline]] auto join_copies(F f, G g) -> two_results<result_of<F>, result_of<G>> {
  return join_two<true>(f, g);
}
#else
template <class F>
inline constexpr bool travels_in_registers = false;

template <class F, class G>
auto join_copies(F f, G g) -> two_results<result_of<F>, result_of<G>>;
#endif

/// join_two() in the form that is fastest with this compiler.
template <class F, class G>
[[gnu::always_inline]] inline auto join_both(F&& f, G&& g)
    -> two_results<result_of<F>, result_of<G>> {
  constexpr bool temporary = !std::is_lvalue_reference_v<F> && !std::is_lvalue_reference_v<G>;
  if constexpr (temporary && travels_in_registers<F> && travels_in_registers<G>)
    return join_copies(f, g);
  else
    return join_two<!std::is_lvalue_reference_v<G>>(f, g);
}

/// More than two, one by one: a join of the first and of a join of the rest.
template <class F, class... Rest>
[[gnu::cold, gnu::noinline]] std::tuple<result_of<F>, result_of<Rest>...> join_one_by_one(
    F& f, Rest&... rest) {
  if constexpr (sizeof...(Rest) == 1) {
    auto [a, b] = join_two<false>(f, rest...);
    return {static_cast<result_of<F>&&>(a), static_cast<result_of<Rest>&&>(b)...};
  } else {
    auto others = [&] { return join_one_by_one(rest...); };
    auto [a, b] = join_two<true>(f, others);
    return std::tuple_cat(std::tuple<result_of<F>>(static_cast<result_of<F>&&>(a)), std::move(b));
  }
}

/// The same with copies. A closure whose address is taken on one path, even a rare one, lies in
/// memory on all paths.
template <class... F>
[[gnu::cold, gnu::noinline]] std::tuple<result_of<F>...> join_copies_one_by_one(F... f) {
  return join_one_by_one(f...);
}

template <std::size_t Number, class... B, class G>
inline result_of<G> call_next(branch_slot* newest, G& g) {
  using this_one = std::tuple_element_t<Number, std::tuple<B...>>;
  try {
    return call_second<this_one>(newest - Number, g);
  } catch (...) {
    finish_and_rethrow<Number + 1, B...>(newest);
  }
}

/// More than two, all at once: `g...` are pushed in reverse order, so that the caller pops them
/// from left to right and thieves steal them from right to left.
template <std::size_t... Number, class F, class... G>
[[gnu::always_inline]] inline std::tuple<result_of<F>, result_of<G>...> join_many(
    std::index_sequence<Number...>, F&& f, G&&... g) {
  constexpr std::size_t count = sizeof...(G);
  branch_slot* const oldest = my_branches.next();
  if (rarely(!my_branches.has_capacity(oldest, count))) {
    if constexpr ((branch_of<F>::copied && ... && branch_of<G>::copied))
      return join_copies_one_by_one(f, g...);
    else
      return join_one_by_one(f, g...);
  }
  [[maybe_unused]] std::tuple<typename branch_of<G>::home...> asides(g...);
  branch_slot* const newest = oldest + (count - 1);
  (branch_of<G>::put(newest - Number, g, std::get<Number>(asides)), ...);
  if (rarely(!my_branches.push(oldest, count))) call_hidden<&answer_thieves>(newest);
  return {call_first<branch_of<G>...>(newest, f), call_next<Number, branch_of<G>...>(newest, g)...};
}

}  // namespace filch::detail
