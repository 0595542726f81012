// Adaptors that make several items of one: the items of ranges within a range.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/drive.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/running.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// What flat_map and flatten take apart: something parallel, or any range.
template <class R>
concept flattenable = parallel<R> || std::ranges::input_range<R>;

template <class R>
struct item_of_inner {
  using type = std::ranges::range_reference_t<R>;
};
template <gives_elements R>
requires(!parallel<R>) struct item_of_inner<R> {
  using type = std::ranges::range_rvalue_reference_t<R>;
};
template <parallel R>
struct item_of_inner<R> {
  using type = typename source_type<R>::item;
};

/// A source from some position on. The source outlives it.
template <class Source>
class rest_source {
 public:
  using item = typename Source::item;
  static constexpr bool exact = plumbing::exact_source<Source>;

  rest_source(const Source& source, std::size_t first) noexcept : source_(source), first_(first) {}
  std::size_t size() const { return source_.size() - first_; }
  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    detail::feed(source_, first_ + first, first_ + last, folder);
  }

 private:
  const Source& source_;
  std::size_t first_;
};

/// How many items of inner ranges are run before somebody looks whether others are hungry: at first
/// few, then so many that looking costs nothing.
template <class Fork>
class inner_pace {
 public:
  explicit inner_pace(const Fork& fork) noexcept : fork_(fork), since_(fork.now()) {}
  std::size_t left() const noexcept { return left_; }
  /// So many have been run. Returns true when it is time to look.
  bool ran(std::size_t items) noexcept {
    left_ -= items;
    if (left_ != 0) return false;
    const ticks now = fork_.now();
    const ticks took = now - std::exchange(since_, now);
    if (took < ticks_of_a_leaf / 2)
      step_ = std::min<std::size_t>(2 * step_, longest);
    else
      step_ = std::max<std::size_t>(step_ / 2, 1);
    left_ = step_;
    return true;
  }

 private:
  static constexpr std::size_t longest = 4096;
  const Fork& fork_;
  ticks since_;
  std::size_t step_ = 1;
  std::size_t left_ = 1;
};

/// Items go in, of which `f` makes ranges; their items go on to the consumer `Next`. An inner range
/// runs on the thread of its outer item. If others are hungry meanwhile, the rest of it is divided
/// among them.
template <class Fork, class F, class Item, class Next>
class flat_consumer {
 public:
  using part = typename Next::part;
  static constexpr wanted rule = Next::rule;
  static constexpr bool any_cut = detail::fits_any_cut<Next>();

  /// `inner` are the options of inner loops. All outlive it.
  flat_consumer(const plumbing::run<Fork>& run, const options& inner, const F& f,
                const Next& next) noexcept
      : run_(run), inner_(inner), f_(f), next_(next) {}

  class folder {
    using running = running_part<Next>;

   public:
    folder(const flat_consumer& all, std::size_t position, const plumbing::stretch* where)
        : all_(all),
          where_(where),
          f_(all.f_),
          part_(all.next_, position, where),
          pace_(all.run_.fork) {}

    template <class I>
    void take(I&& item) {
      using inner = decltype(f_(static_cast<I&&>(item)));
      if constexpr (parallel<inner>) {
        take_source(detail::source_for(f_(static_cast<I&&>(item))));
      } else {
        auto&& range = f_(static_cast<I&&>(item));
        const auto last = std::ranges::end(range);
        for (auto i = std::ranges::begin(range); i != last; ++i) {
          if constexpr (gives_elements<inner>)
            part_.folder().take(std::ranges::iter_move(i));
          else
            part_.folder().take(*i);
          if (part_.full()) return;
        }
      }
    }
    bool full() const requires(plumbing::fillable<typename running::folder_type> ||
                               rule == wanted::first || rule == wanted::any) {
      return part_.full();
    }
    part finish() && { return std::move(part_).finish_stretch(); }

   private:
    template <class Source>
    void take_source(const Source& source) {
      if constexpr (plumbing::driving_source<Source>) {
        part_.add(detail::drive(inner_run(), source, all_.next_));
      } else {
        const std::size_t n = source.size();
        if constexpr (rule == wanted::all && !any_cut) {
          // Whether others are hungry must not decide which neighbours are combined.
          if (all_.inner_.deterministic) {
            if (n > fixed_block<Next, Source>)
              part_.add(detail::drive(inner_run(), source, all_.next_));
            else
              run_here(source, 0, n);
            return;
          }
        }
        for (std::size_t i = 0; i != n;) {
          const std::size_t end = i + std::min(n - i, pace_.left());
          run_here(source, i, end);
          if (part_.full()) return;
          const bool look = pace_.ran(end - i);
          i = end;
          if (!look) continue;
          if (where_ != nullptr && !where_->goes_on()) return;
          if (n - i > 1 && all_.run_.fork.hungry()) {
            part_.add(detail::drive(inner_run(), rest_source<Source>(source, i), all_.next_));
            return;
          }
        }
      }
    }

    /// A folder that is nothing but its bytes is on the stack meanwhile, so that its sums can be in
    /// registers.
    template <class Source>
    void run_here(const Source& source, std::size_t first, std::size_t last) {
      using next_folder = typename running::folder_type;
      next_folder& next = part_.folder();
      if constexpr (std::is_trivially_copyable_v<next_folder> &&
                    std::is_move_assignable_v<next_folder> && sizeof(next_folder) <= 64) {
        next_folder mine = next;
        in_frame<Source> from = source;
        detail::feed(from, first, last, mine);
        next = mine;
      } else {
        detail::feed(source, first, last, next);
      }
    }

    plumbing::run<Fork> inner_run() const noexcept {
      return {all_.run_.fork, all_.inner_, where_ != nullptr ? where_ : all_.run_.above};
    }

    const flat_consumer& all_;
    const plumbing::stretch* where_;
    function_for<F, Item> f_;
    running part_;
    inner_pace<Fork> pace_;
  };

  folder begin(std::size_t position) const { return folder(*this, position, nullptr); }
  folder begin(std::size_t position, const plumbing::stretch& where) const {
    return folder(*this, position, &where);
  }
  part merge(part&& left, part&& right) const {
    return next_.merge(std::move(left), std::move(right));
  }
  bool enough(const part& p) const requires(rule != wanted::all) { return next_.enough(p); }

 private:
  const plumbing::run<Fork>& run_;
  const options& inner_;
  const F& f_;
  const Next& next_;
};

/// The items of f(item) for each item.
template <plumbing::source Base, class F>
class flat_source {
  using inner = function_result<F, typename Base::item>;

 public:
  using item = typename item_of_inner<inner>::type;
  static constexpr bool gives_away = detail::gives_away<Base>;

  flat_source(Base base, F f) : base_(std::move(base)), f_(std::move(f)) {}

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    // Positions, of which grain and progress speak, are those of the outer range.
    options o = run.o;
    o.grain = 0;
    o.progress = {};
    return detail::drive(
        run, base_, flat_consumer<Fork, F, typename Base::item, Consumer>(run, o, f_, consumer));
  }

 private:
  Base base_;
  [[no_unique_address]] F f_;
};

}  // namespace filch::detail
