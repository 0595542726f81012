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

template <class Next>
class take_any_folder {
 public:
  take_any_folder(quota& left, Next next) : left_(left), next_(std::move(next)) {}
  template <class Item>
  void take(Item&& item) {
    if (left_.take()) next_.take(static_cast<Item&&>(item));
  }
  bool full() const { return plumbing::is_full(next_) || left_.is_used_up(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  quota& left_;
  Next next_;
};

/// A consumer that ends the loop when it has taken the given number of items.
template <class Next>
class take_any_consumer {
 public:
  using part = typename Next::part;
  static constexpr plumbing::wanted rule =
      Next::rule == plumbing::wanted::all ? plumbing::wanted::any : Next::rule;
  static constexpr bool any_cut = true;  // any items will do

  take_any_consumer(quota& left, const Next& next) noexcept : left_(left), next_(next) {}
  auto begin(std::size_t position) const { return before(next_.begin(position)); }
  auto begin(std::size_t position,
             const plumbing::leaf& where) const requires plumbing::knows_leaf<Next> {
    return before(next_.begin(position, where));
  }
  part merge(part&& left, part&& right) const {
    return next_.merge(std::move(left), std::move(right));
  }
  bool enough(const part& p) const { return plumbing::is_enough(next_, p) || left_.is_used_up(); }

 private:
  template <class Folder>
  auto before(Folder next) const {
    return take_any_folder<Folder>(left_, std::move(next));
  }
  quota& left_;
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
    return plumbing::drive(run, base_, take_any_consumer<Consumer>(left, consumer));
  }

 private:
  Base base_;
  std::size_t n_;
};

template <class Next>
class skip_any_folder {
 public:
  skip_any_folder(quota& left, Next next) : left_(left), next_(std::move(next)) {}
  template <class Item>
  void take(Item&& item) {
    if (!left_.take()) next_.take(static_cast<Item&&>(item));
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  quota& left_;
  Next next_;
};

/// The state of one run of a chain.
class skip_any_stage {
 public:
  explicit skip_any_stage(std::size_t n) noexcept : left_(n) {}
  template <class Item, class Next>
  auto before(Next next) const {
    return skip_any_folder<Next>(left_, std::move(next));
  }

 private:
  mutable quota left_;
};

template <plumbing::source Base>
class skip_any_source {
 public:
  using item = typename Base::item;
  static constexpr bool gives_away = plumbing::gives_away<Base>;

  skip_any_source(Base base, std::size_t n) : base_(std::move(base)), n_(n) {}

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    const skip_any_stage stage(n_);
    return plumbing::drive(run, base_,
                           staged_consumer<skip_any_stage, item, Consumer>(stage, consumer));
  }

 private:
  Base base_;
  std::size_t n_;
};

}  // namespace filch::detail
