// Adaptors that stand before a consumer: they pass what they make of an item to the folder behind
// them.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/sources.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// Passes each item to step(item, next), which hands on what it makes of the item to the folder
/// `next`. `Next` is that folder, or a reference to it.
template <class Step, class Next>
class step_folder {
 public:
  step_folder(Step step, Next next) : step_(std::move(step)), next_(static_cast<Next&&>(next)) {}
  template <class Item>
  [[gnu::always_inline]] void take(Item&& item) {
    step_(static_cast<Item&&>(item), next_);
  }
  bool full() const requires plumbing::fillable<Next> { return next_.full(); }
  auto finish() && { return std::move(next_).finish(); }

 private:
  [[no_unique_address]] Step step_;
  Next next_;
};

/// The consumer `Next` with a stage before it.
template <class Stage, class Item, class Next>
class staged_consumer {
 public:
  using part = typename Next::part;
  static constexpr plumbing::wanted rule = Next::rule;
  static constexpr std::size_t lanes =
      plumbing::keeps_nothing<Stage, Item> ? plumbing::lanes_of<Next> : 1;
  static constexpr bool any_cut = plumbing::fits_any_cut<Next> && !plumbing::by_leaf<Stage>;
  static constexpr bool long_items = plumbing::has_long_items<Next>;

  staged_consumer(const Stage& stage, const Next& next) noexcept : stage_(stage), next_(next) {}
  [[gnu::always_inline]] auto begin(std::size_t position) const {
    return stage_.template before<Item>(next_.begin(position));
  }
  [[gnu::always_inline]] auto begin(
      std::size_t position, const plumbing::leaf& where) const requires plumbing::knows_leaf<Next> {
    return stage_.template before<Item>(next_.begin(position, where));
  }
  part merge(part&& left, part&& right) const {
    return next_.merge(std::move(left), std::move(right));
  }
  bool enough(const part& p) const requires(rule != plumbing::wanted::all) {
    return next_.enough(p);
  }

 private:
  const Stage& stage_;
  const Next& next_;
};

/// A source with a stage behind it.
template <plumbing::source Base, class Stage>
class staged_source {
 public:
  using item = typename Stage::template item<typename Base::item>;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  static constexpr bool exact = plumbing::exact_source<Base> && plumbing::keeps_positions<Stage>;

  staged_source(Base base, Stage stage) : base_(std::move(base)), stage_(std::move(stage)) {}
  std::size_t size() const requires exact { return base_.size(); }
  const Base& base() const noexcept { return base_; }
  const Stage& stage() const noexcept { return stage_; }

  template <class Fork, plumbing::consumer Consumer>
  [[gnu::always_inline]] auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    const auto& stage = plumbing::for_run(stage_);
    using before = std::remove_cvref_t<decltype(stage)>;
    return plumbing::drive(run, base_,
                           staged_consumer<before, typename Base::item, Consumer>(stage, consumer));
  }

 private:
  Base base_;
  Stage stage_;
};

}  // namespace filch::detail
