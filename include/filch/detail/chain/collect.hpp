// Makes containers of the items of a chain.
#pragma once

#include <new>

#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/index_iterator.hpp"
#include "filch/detail/chain/pieces.hpp"
#include "filch/detail/chain/staged.hpp"
#include "filch/detail/kernel/pack.hpp"
#include "filch/detail/loop/fork.hpp"

namespace filch::detail {

/// Constructs get(i) as a T at `slot`. If it is a T, the function that returns it constructs it
/// there, and it is never moved.
template <class T, class Get>
[[gnu::always_inline]] inline void make_item(T* slot, const Get& get, std::size_t i) {
  if constexpr (std::same_as<std::invoke_result_t<const Get&, std::size_t>, T>)
    ::new (static_cast<void*>(slot)) T(get(i));
  else
    std::construct_at(slot, get(i));
}

/// Constructs the items as objects of type T, each where it stays.
template <class T>
struct in_place_consumer {
  using part = made_items;
  static constexpr wanted rule = wanted::all;
  static constexpr bool any_cut = true;
  template <class Source>
  static constexpr std::size_t least = std::is_trivially_copyable_v<T> ? least_of_cheap<Source> : 1;
  T* first;  ///< There is memory for all items from here on.

  struct folder {
    made_items made;

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      made.add<T>([&](T* slot) { std::construct_at(slot, static_cast<Item&&>(item)); });
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t from, std::size_t to) {
      if constexpr (std::is_trivially_destructible_v<T>) {
        // If a function of the chain throws, these need no destructor, so the loop need not count
        // them.
        made.add_many<T>(
            to - from, [&](T* slot, std::size_t k) { detail::make_item(slot + k, get, from + k); });
      } else {
        for (std::size_t i = from; i != to; ++i)
          made.add<T>([&](T* slot) { detail::make_item(slot, get, i); });
      }
    }
    made_items finish() && noexcept { return std::move(made); }
  };
  folder begin(std::size_t position) const noexcept { return {made_items(first + position)}; }
  part merge(part&& left, part&& right) const noexcept {
    left.append(std::move(right));
    return std::move(left);
  }
};

/// Assigns the items to existing objects.
template <std::random_access_iterator O>
struct assign_consumer : no_result {
  O first;  ///< There are as many objects from here on as there are items.

  struct folder {
    O to;

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      *to = static_cast<Item&&>(item);
      ++to;
    }
    template <class Get>
    requires std::contiguous_iterator<O>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t from, std::size_t end) {
      auto* const slots = std::to_address(to);
      const std::size_t n = end - from;
      for (std::size_t k = 0; k != n; ++k) slots[k] = get(from + k);
      to = detail::at(to, n);
    }
    nothing finish() && noexcept { return {}; }
  };
  folder begin(std::size_t position) const { return {detail::at(first, position)}; }
};

template <class C, class T>
concept appendable = requires(C& c, T&& x) {
  c.push_back(std::move(x));
};
template <class C, class T>
concept insertable = requires(C& c, T&& x) {
  c.insert(c.end(), std::move(x));
};

/// The type in which items are kept until a container takes them. It is the container's element
/// type, but not for maps: the keys of their elements cannot be moved.
template <class C>
concept maps_keys = requires {
  typename C::mapped_type;
};
template <class C, class Item>
using gathered_as = std::conditional_t<maps_keys<C>, decayed<Item>, typename C::value_type>;

/// Can a container of type C be made of such items?
template <class C, class Item>
concept collects = requires {
  typename C::value_type;
  requires std::default_initializable<C> && std::movable<C>;
  requires std::constructible_from<gathered_as<C, Item>, Item>;
  requires appendable<C, gathered_as<C, Item>> || insertable<C, gathered_as<C, Item>>;
};

/// Checks that a container of type C can be made of such items.
template <class C, class Item>
constexpr void require_collectable() {
  if constexpr (requires { typename C::value_type; })
    detail::require_lasting<typename C::value_type>();
  static_assert(
      collects<C, Item>,
      "filch: to<Container>(), and others that make containers: the container must be "
      "default constructible, its elements constructible from the items of this range, or "
      "from the parts of them that go into it (items that cannot be copied: "
      "par(std::move(v)) moves them), and it must take them by push_back(x) or "
      "insert(end(), x)");
  detail::require_living_elements<Item, typename C::value_type>();
}

/// Makes a container of items with positions, each of which is made where it stays.
template <class C>
class filling_collector {
 public:
  /// For as many items as a source or another range of them has.
  template <class Items>
  explicit filling_collector(const Items& all) : made_(all.size(), "to()") {}
  auto* first_slot() noexcept { return made_.first_slot(); }
  in_place_consumer<typename C::value_type> consumer() noexcept { return {first_slot()}; }
  template <class Fork>
  C finish(const plumbing::run<Fork>&, std::optional<made_items>&& all) {
    return made_.finish(all ? all->release() : 0);
  }

 private:
  filled_container<C> made_;
};

/// Makes any container of any items. All threads gather the items. Then all threads move them into
/// a vector or another contiguous container; a single thread moves them into any other.
template <class C, class Item>
class gathering_collector {
  using T = gathered_as<C, Item>;

 public:
  template <class... Items>
  explicit gathering_collector(const Items&...) noexcept {}
  pieces_consumer<T> consumer() noexcept { return {memory_}; }
  template <class Fork>
  C finish(const plumbing::run<Fork>& run, std::optional<pieces>&& all) {
    if (!all || all->size() == 0) return C();
    if constexpr (fillable_container<C>) {
      return move_to(run, *all);
    } else {
      const pieces_source<T> gathered(*all);
      C made;
      if constexpr (requires { made.reserve(gathered.size()); }) made.reserve(gathered.size());
      gathered.each(0, gathered.size(), [&](std::size_t, T&& item) {
        if constexpr (appendable<C, T>)
          made.push_back(std::move(item));
        else
          made.insert(made.end(), std::move(item));
      });
      return made;
    }
  }

 private:
  template <class Fork>
  static C move_to(const plumbing::run<Fork>& run, const pieces& all) {
    filling_collector<C> to(all);
    const options o = second_pass(run.o);
    const plumbing::run<Fork> rest{run.fork, o};
    if constexpr (std::is_trivially_copyable_v<T> && std::same_as<Fork, parallel_fork> &&
                  !tells_tsan) {
      detail::copy_pieces(all, to.first_slot(), o);
      return to.finish(rest, made_items(to.first_slot(), all.size()));
    } else {
      return to.finish(rest, plumbing::drive(rest, pieces_source<T>(all), to.consumer()));
    }
  }

  piece_memory memory_{kind_of<T>};
};

/// The collector for a C. With `Exact` the number of items is known.
template <class C, class Item, bool Exact>
using collector_for = std::conditional_t<Exact && fillable_container<C>, filling_collector<C>,
                                         gathering_collector<C, Item>>;

/// Are the items small trivially copyable elements of a contiguous range that pass a predicate, and
/// is the container a vector of them? Then it is cheaper to keep the answers as bits and to read
/// the range twice than to gather the items elsewhere first: the memory for that would be fresh
/// from the system, as the vector's is.
template <class Source, class C>
inline constexpr bool packs = false;
template <plain_elements Source, class Stage, class T, class Allocator>
inline constexpr bool packs<staged_source<Source, Stage>, std::vector<T, Allocator>> =
    std::same_as<std::iter_value_t<plumbing::iterator_of<Source>>, T>&&
        std::is_trivially_copyable_v<T>&& std::is_copy_assignable_v<T> &&
    sizeof(T) <= 16 && fills_in_place<T, Allocator>&& plumbing::selecting_stage<Stage, const T&>;

/// Makes such a vector.
template <class Source, class Fork>
auto pack_source(const plumbing::run<Fork>& run, const Source& source) {
  const auto first = source.base.at(0);
  const auto test = [&](const std::iter_value_t<decltype(first)>& x) {
    return source.stage.passes(x);
  };
  std::identity self;
  return detail::pack_with(run.fork, first, source.base.size(), test, self, run.o);
}

/// The container that a template makes of values, deduced as its constructor from a range would.
/// This is a struct because clang 19 crashes if it has to put the decltype into a symbol.
template <template <class...> class C, class T>
requires requires(T* values) { C(values, values); }
struct deduced_container {
  using type = decltype(C(std::declval<T*>(), std::declval<T*>()));
};
template <template <class...> class C, class T>
using container_of = typename deduced_container<C, T>::type;

}  // namespace filch::detail
