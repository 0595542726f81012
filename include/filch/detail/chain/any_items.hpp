// take_any and skip_any: a given number of items, whichever come first.
#pragma once

#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

/// A quota shared by all threads: take() succeeds `n` times, then fails.
class quota {
 public:
  explicit quota(std::size_t n) noexcept : left_(n) {}
  bool take() noexcept {
    std::size_t left = left_.load(std::memory_order_relaxed);  // orders nothing: a counter
    while (left != 0 &&
           !left_.compare_exchange_weak(left, left - 1,
                                        std::memory_order_relaxed)) {  // orders nothing: a counter
    }
    return left != 0;
  }
  bool is_used_up() const noexcept {
    return left_.load(std::memory_order_relaxed) == 0;  // orders nothing: a counter
  }

 private:
  std::atomic<std::size_t> left_;
};

/// Hands on an item if taking from the quota succeeds (`Wanted`) or fails.
template <bool Wanted>
struct quota_step {
  quota& left;
  template <class Item, class Next>
  void operator()(Item&& item, Next& next) {
    if (left.take() == Wanted) next.take(static_cast<Item&&>(item));
  }
};

template <class Next>
struct take_any_folder : step_folder<quota_step<true>, Next> {
  bool full() const { return plumbing::is_full(this->next) || this->step.left.is_used_up(); }
};

struct take_any_stage {
  quota& left;
  template <class Item, class Next>
  auto before(Next next) const {
    return take_any_folder<Next>{{{std::move(next)}, {left}}};
  }
};

/// A consumer that ends the loop when it has taken the given number of items.
template <class Item, class Next>
struct take_any_consumer : staged_consumer<take_any_stage, Item, Next> {
  static constexpr wanted rule = Next::rule == wanted::all ? wanted::any : Next::rule;
  static constexpr bool any_cut = true;  // any items will do

  bool enough(const typename Next::part& p) const {
    return plumbing::is_enough(this->next, p) || this->stage.left.is_used_up();
  }
};

template <plumbing::source Base>
struct take_any_source {
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  std::size_t n;

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    if (n == 0) return std::nullopt;
    quota left(n);
    const take_any_stage stage{left};
    return plumbing::drive(run, base, take_any_consumer<item, Consumer>{{{consumer}, stage}});
  }
};

struct skip_any_stage {
  template <class Item>
  using item = Item;
  std::size_t n;

  struct one_run {
    mutable quota left;
    template <class Item, class Next>
    auto before(Next next) const {
      return step_folder<quota_step<false>, Next>{{std::move(next)}, {left}};
    }
  };
  one_run for_run() const noexcept { return {quota(n)}; }
};

}  // namespace filch::detail
