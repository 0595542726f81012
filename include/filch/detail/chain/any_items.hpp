// take_any and skip_any: a given number of items, whichever come first.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "filch/detail/chain/sources.hpp"
#include "filch/detail/chain/staged.hpp"
#include "filch/plumbing.hpp"

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
class take_any_folder : public step_folder<quota_step<true>, Next> {
 public:
  take_any_folder(quota& left, Next next)
      : step_folder<quota_step<true>, Next>({left}, std::move(next)), left_(left) {}
  bool full() const {
    if constexpr (plumbing::fillable<Next>)
      if (step_folder<quota_step<true>, Next>::full()) return true;
    return left_.is_used_up();
  }

 private:
  quota& left_;
};

struct take_any_stage {
  quota& left;
  template <class Item, class Next>
  auto before(Next next) const {
    return take_any_folder<Next>(left, std::move(next));
  }
};

/// A consumer that ends the loop when it has taken the given number of items.
template <class Item, class Next>
class take_any_consumer : public staged_consumer<take_any_stage, Item, Next> {
 public:
  static constexpr plumbing::wanted rule =
      Next::rule == plumbing::wanted::all ? plumbing::wanted::any : Next::rule;
  static constexpr bool any_cut = true;  // any items will do

  take_any_consumer(const take_any_stage& stage, const Next& next) noexcept
      : staged_consumer<take_any_stage, Item, Next>(stage, next), stage_(stage), next_(next) {}
  bool enough(const typename Next::part& p) const {
    return plumbing::is_enough(next_, p) || stage_.left.is_used_up();
  }

 private:
  const take_any_stage& stage_;
  const Next& next_;
};

template <plumbing::source Base>
class take_any_source {
 public:
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  take_any_source(Base base, std::size_t n) : base_(std::move(base)), n_(n) {}

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    if (n_ == 0) return std::nullopt;
    quota left(n_);
    const take_any_stage stage{left};
    return plumbing::drive(run, base_, take_any_consumer<item, Consumer>(stage, consumer));
  }

 private:
  Base base_;
  std::size_t n_;
};

class skip_any_stage {
 public:
  template <class Item>
  using item = Item;

  explicit skip_any_stage(std::size_t n) noexcept : n_(n) {}

  struct one_run {
    mutable quota left;
    template <class Item, class Next>
    auto before(Next next) const {
      return step_folder<quota_step<false>, Next>({left}, std::move(next));
    }
  };
  one_run for_run() const noexcept { return {quota(n_)}; }

 private:
  std::size_t n_;
};

}  // namespace filch::detail
