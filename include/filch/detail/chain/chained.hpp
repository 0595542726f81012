// One source after another.
#pragma once

#include <algorithm>

#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/running.hpp"
#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

/// The common type of the items of two sources: a reference if both sources give lvalues.
template <class A, class B>
using either_item = std::conditional_t<
    std::same_as<A, B>, A,
    std::conditional_t<std::is_lvalue_reference_v<A> && std::is_lvalue_reference_v<B>,
                       std::common_reference_t<A, B>, std::common_type_t<A, B>>>;

/// Would items of A or B become views of objects that end at once?
template <class A, class B>
inline constexpr bool joins_as_dead_views =
    views_what_ends<typename A::item, either_item<typename A::item, typename B::item>> ||
    views_what_ends<typename B::item, either_item<typename A::item, typename B::item>>;

/// For sources with positions. The positions of the second follow those of the first.
template <plumbing::indexed_source A, plumbing::indexed_source B>
class chained_source {
 public:
  using item = either_item<typename A::item, typename B::item>;
  static constexpr bool gives_away = plumbing::gives_away<A> || plumbing::gives_away<B>;

  /// Throws `usage_error` if the number of items of both overflows.
  chained_source(A a, B b) : a_(std::move(a)), b_(std::move(b)), middle_(a_.size()) {
    (void)detail::sum_of_sizes(middle_, b_.size(), "chain()");
  }
  std::size_t size() const { return middle_ + b_.size(); }
  item get(std::size_t i) const {
    if (i < middle_) return static_cast<item>(a_.get(i));
    return static_cast<item>(b_.get(i - middle_));
  }

  template <class Folder>
  [[gnu::always_inline]] void feed(std::size_t first, std::size_t last, Folder& folder) const {
    if (first < middle_) feed_half(a_, first, std::min(last, middle_), folder);
    if (first < middle_ && plumbing::is_full(folder)) return;
    if (last > middle_) feed_half(b_, std::max(first, middle_) - middle_, last - middle_, folder);
  }

 private:
  template <class Half, class Folder>
  [[gnu::always_inline]] static void feed_half(const Half& half, std::size_t first,
                                               std::size_t last, Folder& folder) {
    if constexpr (std::same_as<typename Half::item, item>) {
      plumbing::feed(half, first, last, folder);
    } else {
      step_folder<converting_step<item>, Folder&> convert{{folder}, {}};
      plumbing::feed(half, first, last, convert);
    }
  }

  A a_;
  B b_;
  std::size_t middle_;
};

/// For sources of which one has no positions. It runs all of the first, then all of the second. If
/// the first ends early, the second is left out.
template <plumbing::source A, plumbing::source B>
struct sequence_source {
  using item = either_item<typename A::item, typename B::item>;
  static constexpr bool gives_away = plumbing::gives_away<A> || plumbing::gives_away<B>;
  A a;
  B b;

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    // Progress counts the items of both halves. The total is that of the halves that have begun.
    std::size_t before = 0, so_far = 0;
    options counted;
    if (run.o.progress) {
      counted = run.o;
      counted.progress = [&](std::size_t done, std::size_t total) {
        so_far = before + done;
        run.o.progress(so_far, before + total);
      };
    }
    const plumbing::run<Fork> half{run.fork, run.o.progress ? counted : run.o, run.above};
    running_part<Consumer> all(consumer, 0, run.above);
    if constexpr (Consumer::rule == wanted::last) {
      auto right = drive_one(half, b, consumer);
      if (right && consumer.enough(*right)) return right;
      before = so_far;
      all.add(drive_one(half, a, consumer));
      all.add(std::move(right));
    } else {
      all.add(drive_one(half, a, consumer));
      before = so_far;
      if (!all.full()) all.add(drive_one(half, b, consumer));
    }
    return std::move(all).finish();
  }
  template <class Fork, class Source, class Consumer>
  static auto drive_one(const plumbing::run<Fork>& run, const Source& source,
                        const Consumer& consumer) {
    if constexpr (std::same_as<typename Source::item, item>) {
      return plumbing::drive(run, source, consumer);
    } else {
      using stage = converting_stage<item>;
      const stage before;
      return plumbing::drive(
          run, source, staged_consumer<stage, typename Source::item, Consumer>{{consumer}, before});
    }
  }
};

}  // namespace filch::detail
