// par_range and par(): parallel ranges.
#pragma once

#include "filch/ranges/adaptors.hpp"
#include "filch/ranges/consumers.hpp"
#include "filch/ranges/positions.hpp"
#include "filch/ranges/settings.hpp"

namespace filch {

// The attribute stands here and not at the definition: clang-format cannot read it there.
template <plumbing::source Source, detail::fork_policy Fork>
class [[nodiscard(
    "filch: a parallel range runs when a consumer is called: end the chain with "
    "for_each(f), sum(), to_vector() or another")]] par_range;

/// A range whose items are processed by several threads: lazily, in one pass, without a container
/// in between.
///
/// It has the adaptors of range_adaptors and range_positions, the options of range_settings, and
/// the consumers of range_consumers. A consumer at the end runs the chain.
template <plumbing::source Source, detail::fork_policy Fork = detail::parallel_fork>
class par_range : public range_adaptors<Source, Fork>,
                  public range_positions<Source, Fork>,
                  public range_settings<Source, Fork>,
                  public range_consumers<Source, Fork> {
 public:
  using item = typename Source::item;
  using source_type = Source;
  using range_adaptors<Source, Fork>::fold;  // a consumer has a function of that name for itself

  /// Copies no options if there are none: flat_map makes many short ranges.
  explicit par_range(Source source) : source_(std::move(source)) {}
  explicit par_range(Source source, options o, Fork fork = {})
      : source_(std::move(source)), options_(std::move(o)), fork_(std::move(fork)) {}

  // ---- plumbing: for adaptors and consumers, also those of users --------------------------------

  const Source& source() const noexcept { return source_; }
  const options& settings() const noexcept { return options_; }
  const Fork& fork() const noexcept { return fork_; }

  /// Returns a range of make(source), with the same options.
  template <class Make>
  auto with_source(Make make) && {
    require_unused();
    auto other = make(std::move(source_));
    return par_range<decltype(other), Fork>(std::move(other), std::move(options_),
                                            std::move(fork_));
  }
  /// Returns a range with a stage behind this one (plumbing::stage), with the same options.
  template <plumbing::stage<item> Stage>
  auto with_stage(Stage stage) && {
    return std::move(*this).with_source([&](Source&& s) {
      return detail::staged_source<Source, Stage>{std::move(s), std::move(stage)};
    });
  }
  Source take_source() && {
    require_unused();
    return std::move(source_);
  }
  /// Calls change(options).
  template <class Change>
  void change_settings(Change change) {
    change(options_);
  }

  /// Calls f(run) on the pool of the options. A consumer drives the chain in `f`, with that run. It
  /// can be called only once if the chain gives its elements away.
  template <class F>
  auto run(F&& f) {
    require_unused();
    used_ = plumbing::gives_away<Source>;
    return detail::launch(options_, [&] { return f(plumbing::run<Fork>{fork_, options_}); });
  }

  /// Runs the chain into a consumer. Returns its part, or nullopt if there were no positions.
  template <plumbing::consumer Consumer>
  auto drive(const Consumer& consumer) -> std::optional<typename Consumer::part> {
    return run([&](const auto& r) { return plumbing::drive(r, source_, consumer); });
  }

 private:
  void require_unused() const {
    if constexpr (plumbing::gives_away<Source>)
      if (used_)
        throw usage_error(
            "filch: this parallel range owned its elements, and has given them away already; make "
            "a new one, or let it borrow them: par(v) instead of par(std::move(v))");
  }

  Source source_;
  options options_{};
  [[no_unique_address]] Fork fork_{};
  bool used_ = false;
};

/// Makes a parallel range of the elements of `range`.
///
/// How      `range` has random access and a size: vector, array, span, deque, string, string_view.
///          An lvalue is borrowed: it must exist until the chain has run, and the items are
///          references to its elements. The chain owns an rvalue container: the items are rvalues,
///          moved out of it, and it can be run once. An rvalue view (span, string_view) does not
///          own its elements: they must exist until the chain has run, and are not moved out.
///          `range` may also be a plumbing::source, or anything for which par_source(range), found
///          in the namespace of its type, returns a source. That makes containers of your own
///          parallel.
/// Options  They apply to the whole chain: grain (in positions of the source), stop, priority, on,
///          isolate, max_workers, deadline, progress (counts positions), deterministic. With
///          deterministic, the leaves are the same for any pool, number of workers and grain, and
///          the same neighbours are combined. So sums of floating-point numbers have the same bits,
///          also by try_reduce() and try_fold(), and so have the items of fold(). For that, trees
///          are listed first, and a bridge reads some items at a time: see there. Not deterministic
///          are the functions with `any` in their name, and a mutable function that counts its
///          calls.
/// Throws   What moving the range throws. The chain runs only when a consumer is called.
///
///     const double total = filch::par(v).map(f).filter(p).sum();
template <detail::parallel R>
auto par(R&& range) {
  auto source = detail::source_for(std::forward<R>(range));
  return par_range<decltype(source)>(std::move(source));
}
template <detail::parallel R>
auto par(R&& range, const options& o) {
  auto source = detail::source_for(std::forward<R>(range));
  return par_range<decltype(source)>(std::move(source), o);
}

template <class R>
requires(!detail::parallel<R>) FILCH_REFUSED(
    "filch: par(range): the range must have random access and a size, as a vector, an array, "
    "a span, a deque and a string have. Of any other range (a list, a set, a stream) "
    "par_bridge(range) makes a parallel one, whose items come in any order; of numbers "
    "par_indices(first, last)",
    par(R&&, const options& = {}));

FILCH_REFUSED_OPTIONS_FIRST(par, "options come last: par(range, options)");

}  // namespace filch
