// Adaptors that make one item of another, and keep its position.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/drive.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// Calls a function before the folder behind it, `Next` or a reference to it.
template <class Function, class Next>
class map_folder {
 public:
  map_folder(Function f, Next next) : f_(std::move(f)), next_(static_cast<Next&&>(next)) {}
  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    next_.take(f_(static_cast<Item&&>(item)));
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  Function f_;
  Next next_;
};

/// f(item) of a source with positions, if the threads can share the function.
template <plumbing::indexed_source Base, class F>
class mapped_source {
  using function = function_for<F, typename Base::item>;

 public:
  using item = function_result<F, typename Base::item>;
  static constexpr bool gives_away = detail::gives_away<Base>;

  mapped_source(Base base, F f) : base_(std::move(base)), f_(std::move(f)) {}
  std::size_t size() const { return base_.size(); }
  item get(std::size_t i) const { return std::invoke(f_, base_.get(i)); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last,
            Folder& folder) const requires plumbing::feeding_source<Base> {
    map_folder<function, Folder&> mine(function(f_), folder);
    base_.feed(first, last, mine);
  }

 private:
  Base base_;
  [[no_unique_address]] F f_;
};

/// f(item) of any source; every stretch of items has a copy of the function if calls change it.
template <class F>
class map_stage {
 public:
  template <class Item>
  using item = function_result<F, Item>;
  static constexpr bool keeps_positions = true;
  template <class Item>
  static constexpr bool keeps_nothing = shareable<F, Item>;

  explicit map_stage(F f) : f_(std::move(f)) {}
  template <class Item, class Next>
  auto before(Next next) const {
    using function = function_for<F, Item>;
    return map_folder<function, Next>(function(f_), std::move(next));
  }

 private:
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
