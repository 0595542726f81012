// Adaptors that make several items of one: the items of ranges within a range.
#pragma once

#include "filch/detail/chain/drive.hpp"
#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/source_of.hpp"
#include "filch/detail/chain/staged.hpp"

namespace filch::detail {

/// What flat_map and flatten accept as an inner range: something parallel, or any range.
template <class R>
concept flattenable = parallel<R> || std::ranges::input_range<R>;

/// A function that makes such a range of an item.
template <class F, class Item>
concept flat_function = chain_function<F, Item> && flattenable<function_result<F, Item>>;

template <class R>
struct item_of_inner : std::conditional<gives_elements<R>, std::ranges::range_rvalue_reference_t<R>,
                                        std::ranges::range_reference_t<R>> {};
template <parallel R>
struct item_of_inner<R> : std::type_identity<typename source_type<R>::item> {};

/// The rest of a source, from some position on. The source outlives it.
template <class Source>
struct rest_source {
  using item = typename Source::item;
  static constexpr bool exact = plumbing::exact_source<Source>;
  static constexpr bool long_items = true;  // it is divided because it is long
  const Source& source;
  std::size_t begin;

  std::size_t size() const { return source.size() - begin; }
  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    plumbing::feed(source, begin + first, begin + last, folder);
  }
};

/// Decides how many items of inner ranges are run before the thread checks whether others are
/// hungry: few at first, then so many that the check costs nothing.
class inner_grain_controller {
 public:
  explicit inner_grain_controller(ticks now) noexcept : since_(now) {}
  std::size_t left() const noexcept { return left_; }
  /// `items` items have been run, at most as many as were left.
  void ran_quickly(std::size_t items) noexcept { left_ -= items; }
  /// `items` items have been run. Returns true when it is time to check.
  template <class Fork>
  bool ran(const Fork& fork, std::size_t items) noexcept {
    left_ -= items;
    if (left_ != 0) return false;
    const ticks now = fork.now();
    const ticks took = now - std::exchange(since_, now);
    step_ = took < ticks_of_a_leaf / 2 ? std::min<std::size_t>(2 * step_, longest)
                                       : std::max<std::size_t>(step_ / 2, 1);
    left_ = step_;
    return true;
  }

 private:
  static constexpr std::size_t longest = 4096;
  ticks since_;
  std::size_t step_ = 1;
  std::size_t left_ = 1;
};

/// For each item, `f` makes a range, whose items go to the consumer `Next`. The thread of the outer
/// item runs the inner range. If other threads are hungry meanwhile, the rest of the inner range is
/// divided among them.
template <class Fork, class F, class Item, class Next>
struct flat_consumer : consumer_before<Next> {
  static constexpr bool long_items = true;
  const plumbing::run<Fork>& run;
  const options& inner_options;
  const F& f;

  class folder {
    using running = running_part<Next>;
    using next_folder = typename running::folder_type;
    /// The result so far of a leaf of outer items, and how many inner items it may run before the
    /// next check.
    struct progress {
      running part;
      inner_grain_controller control;
    };
    static constexpr bool has_sources = parallel<function_result<F, Item>>;
    /// Trivially copyable: it is copied before its address is taken, so that its state stays in
    /// registers from one inner range to the next.
    static constexpr bool in_registers =
        is_bytes<progress> && is_bytes<next_folder> && sizeof(next_folder) <= 64;

   public:
    folder(const flat_consumer& all, std::size_t position, const plumbing::leaf* where)
        : all_(all),
          where_(where),
          f_{all.f},
          progress_{running(all.next, position, where),
                    inner_grain_controller(all.run.fork.now())} {
      if constexpr (!has_sources) progress_.part.folder();  // no parts will be added
    }

    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if constexpr (has_sources)
        take_source(inner_source(static_cast<I&&>(item)));
      else
        take_range(f_(static_cast<I&&>(item)));
    }
    bool full() const requires(plumbing::fillable<next_folder> || ends_at_front<Next>) {
      return progress_.part.full();
    }
    typename Next::part finish() && {
      if constexpr (in_registers) {
        running last = progress_.part;
        return std::move(last).finish_leaf();
      } else {
        return std::move(progress_.part).finish_leaf();
      }
    }

   private:
    /// The other members of a parallel range, such as its options, are gone before the source is
    /// used.
    template <class I>
    [[gnu::always_inline]] auto inner_source(I&& item) {
      return detail::source_for(f_(static_cast<I&&>(item)));
    }

    /// Runs a short source as a plain loop, if the folder is open and it is not yet time to check.
    template <class Source>
    [[gnu::always_inline]] void take_source(const Source& source) {
      if constexpr (!plumbing::driving_source<Source>) {
        const std::size_t n = source.size();
        if (n == 0) return;
        // A source of numbers may be so long that the difference below wraps to a non-negative
        // number.
        const bool countable = plain_elements<Source> || static_cast<std::ptrdiff_t>(n) >= 0;
        quick_ -= n;
        if (countable && static_cast<std::ptrdiff_t>(quick_) >= 0) [[likely]] {
          run_here(progress_.part.open_folder(), source, 0, n);
          return;
        }
      }
      if constexpr (in_registers) {
        progress now = progress_;
        in_frame<Source> inner = source;
        quick_ = take_slowly(all_, where_, now, quick_, inner);
        std::construct_at(&progress_, now);
      } else {
        quick_ = take_slowly(all_, where_, progress_, quick_, source);
      }
    }

    /// `quick` is quick_ minus the size of this source. Returns the new quick_.
    template <class Source>
    [[gnu::noinline]] static std::size_t take_slowly(const flat_consumer& all,
                                                     const plumbing::leaf* where, progress& mine,
                                                     std::size_t quick, const Source& source) {
      auto& [part, control] = mine;
      const plumbing::run<Fork> inner{all.run.fork, all.inner_options,
                                      where != nullptr ? where : all.run.above};
      if constexpr (plumbing::driving_source<Source>) {
        add_loop(all, where, part, inner, source);
        return 0;
      } else {
        const std::size_t n = source.size();
        if constexpr (minds_order<flat_consumer>) {
          // Hungry threads must not decide which neighbours are combined.
          if (all.inner_options.deterministic) {
            if (n > fixed_block(plumbing::least_of<Next, Source>))
              add_loop(all, where, part, inner, rest_source<Source>{source, 0});
            else
              run_here(part.folder(), source, 0, n);
            return 0;
          }
        }
        if (part.is_open()) control.ran_quickly(control.left() - (quick + n));
        for (std::size_t i = 0; i != n;) {
          const std::size_t end = i + std::min(n - i, control.left());
          run_here(part.folder(), source, i, end);
          if (part.full()) break;
          const bool look = control.ran(all.run.fork, end - i);
          i = end;
          if (!look) continue;
          if (where != nullptr && !where->goes_on()) break;
          if (n - i > 1 && all.run.fork.hungry()) {
            add_loop(all, where, part, inner, rest_source<Source>{source, i});
            break;
          }
        }
        return part.is_open() ? control.left() : 0;
      }
    }

    /// Adds what an inner loop makes of `source`. If that loop is stopped, the outer loop is, too.
    /// The outer loop then throws `cancelled`, but only if the user's code has thrown nothing.
    template <class Source>
    static void add_loop(const flat_consumer& all, const plumbing::leaf* where, running& part,
                         const plumbing::run<Fork>& inner, const Source& source) {
      try {
        part.add(plumbing::drive(inner, source, all.next));
      } catch (const cancelled&) {
        if (where == nullptr || !is_to_end(all.inner_options) || where->goes_on()) throw;
      }
    }

    /// Calls feed(folder) with the folder behind this one. If that folder is trivially copyable, it
    /// passes a copy, because the compiler knows that nothing else refers to the copy.
    template <class Feed>
    [[gnu::always_inline]] static void with_next(next_folder& next, const Feed& feed) {
      if constexpr (in_registers) {
        next_folder mine = next;
        feed(mine);
        std::construct_at(&next, mine);
      } else {
        feed(next);
      }
    }
    template <class Source>
    [[gnu::always_inline]] static void run_here(next_folder& to, const Source& source,
                                                std::size_t first, std::size_t last) {
      with_next(
          to, [&](next_folder & next) __attribute__((always_inline)) {
            in_frame<Source> from = source;
            plumbing::feed_each(from, first, last, next);  // few, or none
          });
    }
    template <class Range>
    [[gnu::always_inline]] void take_range(Range&& range) {
      with_next(
          progress_.part.open_folder(), [&](next_folder & next) __attribute__((always_inline)) {
            const auto last = std::ranges::end(range);
            for (auto i = std::ranges::begin(range); i != last; ++i) {
              if constexpr (gives_elements<Range>)
                next.take(std::ranges::iter_move(i));
              else
                next.take(*i);
              if (plumbing::is_full(next)) return;
            }
          });
    }

    const flat_consumer& all_;
    const plumbing::leaf* where_;
    function_for<F, Item> f_;
    progress progress_;
    /// The number of items of inner ranges that are run without any check. It is 0 if no folder is
    /// open.
    std::size_t quick_ = 0;
  };

  folder begin(std::size_t position) const { return folder(*this, position, nullptr); }
  folder begin(std::size_t position, const plumbing::leaf& where) const {
    return folder(*this, position, &where);
  }
};

/// The items of f(item), for each item.
template <plumbing::source Base, class F>
struct flat_source {
  using item = typename item_of_inner<function_result<F, typename Base::item>>::type;
  static constexpr bool gives_away = plumbing::gives_away<Base>;
  Base base;
  [[no_unique_address]] F f;

  template <class Fork, plumbing::consumer Consumer>
  auto drive(const plumbing::run<Fork>& run, const Consumer& consumer) const
      -> std::optional<typename Consumer::part> {
    // `grain` and `progress` count positions of the outer range.
    options o = run.o;
    o.grain = 0;
    o.progress = {};
    return plumbing::drive(
        run, base, flat_consumer<Fork, F, typename Base::item, Consumer>{{consumer}, run, o, f});
  }
};

}  // namespace filch::detail
