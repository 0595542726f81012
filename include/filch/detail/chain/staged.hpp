// Adaptors that stand before a consumer: they pass what they make of an item to the folder behind
// them.
#pragma once

#include "filch/detail/chain/sources.hpp"

namespace filch::detail {

/// The base of folders before another one. `Next` is that folder, or a reference to it.
template <class Next>
struct folder_before {
  Next next;

  bool full() const requires plumbing::fillable<Next> { return next.full(); }
  auto finish() && { return std::move(next).finish(); }
};

/// Passes each item to step(item, next), which hands on what it makes of the item to the folder
/// `next`.
template <class Step, class Next>
struct step_folder : folder_before<Next> {
  [[no_unique_address]] Step step;

  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    step(static_cast<Item&&>(item), this->next);
  }
};

/// Converts items to another type.
template <class To>
struct converting_step {
  template <class Item, class Next>
  [[gnu::always_inline]] void operator()(Item&& item, Next& next) const {
    next.take(static_cast<To>(static_cast<Item&&>(item)));
  }
};

template <class To>
struct converting_stage {
  template <class Item, class Next>
  auto before(Next next) const {
    return step_folder<converting_step<To>, Next>{{std::move(next)}, {}};
  }
};

/// The base of consumers before another one, which makes their parts.
template <class Next>
struct consumer_before {
  using part = typename Next::part;
  static constexpr wanted rule = Next::rule;
  static constexpr bool any_cut = plumbing::fits_any_cut<Next>;
  const Next& next;

  part merge(part&& left, part&& right) const {
    return next.merge(std::move(left), std::move(right));
  }
  bool enough(const part& p) const requires(rule != wanted::all) { return next.enough(p); }
};

/// The consumer `Next` with a stage before it.
template <class Stage, class Item, class Next>
struct staged_consumer : consumer_before<Next> {
  static constexpr std::size_t lanes =
      plumbing::keeps_nothing<Stage, Item> ? plumbing::lanes_of<Next> : 1;
  static constexpr bool any_cut = plumbing::fits_any_cut<Next> && !plumbing::by_leaf<Stage>;
  static constexpr bool long_items = plumbing::has_long_items<Next>;
  const Stage& stage;

  [[gnu::always_inline]] auto begin(std::size_t position) const {
    return stage.template before<Item>(this->next.begin(position));
  }
  [[gnu::always_inline]] auto begin(
      std::size_t position, const plumbing::leaf& where) const requires plumbing::knows_leaf<Next> {
    return stage.template before<Item>(this->next.begin(position, where));
  }
};

/// A source with a stage behind it.
template <plumbing::source Base, class Stage>
struct staged_source {
  using item = typename Stage::template item<typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  static constexpr bool exact = plumbing::exact_source<Base> && plumbing::keeps_positions<Stage>;
  Base base;
  Stage stage;

  std::size_t size() const requires exact { return base.size(); }
  template <class Fork, plumbing::consumer Consumer>
  [[gnu::always_inline]] auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    const auto& before = plumbing::for_run(stage);
    using staged =
        staged_consumer<std::remove_cvref_t<decltype(before)>, typename Base::item, Consumer>;
    return plumbing::drive(run, base, staged{{consumer}, before});
  }
};

}  // namespace filch::detail
