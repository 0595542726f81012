// The results of several tasks as one result: all of them, or the first.
#pragma once

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/atomic.hpp"
#include "filch/detail/base/var.hpp"
#include "filch/detail/sched/caught.hpp"
#include "filch/detail/sched/chosen_pool.hpp"
#include "filch/detail/sched/continuation.hpp"
#include "filch/detail/sched/followed_latch.hpp"
#include "filch/detail/sched/future_state.hpp"
#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// Starts when the last of several results is there. The thread that sets this up holds a share of
/// the count, so that it does not start before it follows every input.
///
/// Edge
///   [gather]  the setter of each input subtracts -> the thread that brings it to zero   sees all
///             results
class gathering : public continuation {
 public:
  void notified(const chosen_pool* where) noexcept final {
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) start(where);  // [gather]
  }

 protected:
  explicit gathering(std::size_t inputs) noexcept : missing_(inputs + 1) {}
  ~gathering() = default;

  /// The thread that sets this up has followed all inputs except `ready` of them, which it found
  /// ready. If no input is missing, this runs here: nothing can follow it yet, so it does not nest
  /// further.
  void all_followed(std::size_t ready) noexcept {
    const std::size_t share = ready + 1;
    if (missing_.fetch_sub(share, std::memory_order_acq_rel) == share) run_here();  // [gather]
  }

 private:
  atomic<std::size_t> missing_;  // results, and the share
};

/// The exceptions of several tasks: the one with the lowest index is thrown, and suppresses the
/// others.
class gathered_errors {
 public:
  template <class T>
  void look_at(future_state<T>& from) noexcept {
    if (!from.result.failed()) return;
    if (first_)
      first_->suppress(std::move(from.result.error()));
    else
      first_.emplace(std::move(from.result.error()));
  }
  /// Null if there were none.
  caught* first() noexcept { return first_ ? &*first_ : nullptr; }

 private:
  std::optional<caught> first_;
};

/// The continuation that when_all() of several futures makes.
template <class... Ts>
class all_of : public gathering, public future_state<std::tuple<value_of<Ts>...>> {
 public:
  all_of() noexcept : gathering(sizeof...(Ts)) {}

  /// Takes over the shares of the inputs' futures.
  void begin(future_state<Ts>&... from) noexcept {
    from_ = std::make_tuple(&from...);
    all_followed((std::size_t{0} + ... + (from.try_follow(*this) ? 0u : 1u)));
  }

  void run_here() noexcept override {
    std::apply([this](auto*... from) { take(*from...); }, from_);
    this->deliver();
    this->let_go();
  }

 private:
  void take(future_state<Ts>&... from) noexcept {
    gathered_errors errors;
    (errors.look_at(from), ...);
    if (caught* const first = errors.first()) {
      this->result.fail(std::move(*first));
    } else {
      const auto all = [&] { return std::tuple<value_of<Ts>...>{from.result.take()...}; };
      this->result.run(all);
    }
    (from.let_go(), ...);
  }

  std::tuple<future_state<Ts>*...> from_;
};

/// The result of when_all() of a vector: a vector of values, or nothing.
template <class T>
using all_values = std::conditional_t<std::is_void_v<T>, void, std::vector<value_of<T>>>;

/// The continuation that when_all() of a vector makes.
template <class T>
class all_of_many : public gathering, public future_state<all_values<T>> {
 public:
  explicit all_of_many(std::size_t count) : gathering(count) {
    from_.reserve(count);
    values_.reserve(count);
  }

  /// Adds an input, and takes over the share of its future. Called `count` times.
  void add(future_state<T>& from) noexcept { from_.push_back(&from); }
  void begin() noexcept {
    std::size_t ready = 0;
    for (future_state<T>* const from : from_)
      if (!from->try_follow(*this)) ++ready;
    all_followed(ready);
  }

  void run_here() noexcept override {
    gathered_errors errors;
    for (future_state<T>* const from : from_) errors.look_at(*from);
    if (caught* const first = errors.first()) {
      this->result.fail(std::move(*first));
    } else {
      const auto all = [&]() -> all_values<T> {
        if constexpr (!std::is_void_v<T>) {
          for (future_state<T>* const from : from_) values_.push_back(from->result.take());
          return std::move(values_);
        }
      };
      this->result.run(all);
    }
    for (future_state<T>* const from : from_) from->let_go();
    this->deliver();
    this->let_go();
  }

 private:
  std::vector<future_state<T>*> from_;
  std::vector<value_of<T>> values_;  // made before there are any, since later it could fail
};

/// The continuation that when_any() makes. Each of its inputs holds a share until it is ready. The
/// share of the first one becomes the task's.
template <class T>
class any_of : public continuation, public future_state<std::pair<std::size_t, value_of<T>>> {
 public:
  explicit any_of(std::size_t count)
      : future_state<std::pair<std::size_t, value_of<T>>>(count + 1), entrants_(count) {}

  /// Adds an input, and takes over the share of its future. Once for each index.
  void add(std::size_t index, future_state<T>& from) noexcept {
    entrants_[index].race.set(this);
    entrants_[index].from.set(&from);
  }

  /// If an input is ready already, this runs here: nothing can follow it yet, so it does not nest
  /// further. The caller holds the future's share.
  void begin() noexcept {
    std::size_t i = 0;
    while (i < entrants_.size() && entrants_[i].from.get()->try_follow(entrants_[i])) ++i;
    if (i == entrants_.size()) return;
    const bool won = wins(entrants_[i]);
    for (std::size_t n = won ? i + 1 : i; n < entrants_.size(); ++n) entrants_[n].leave();
    if (won) run_here();
  }

  void run_here() noexcept override {
    const entrant& first = *winner_.get();
    future_state<T>& from = *first.from.get();
    if (from.result.failed()) {
      this->result.fail(std::move(from.result.error()));
    } else {
      const auto both = [&] {
        return std::pair<std::size_t, value_of<T>>(
            static_cast<std::size_t>(&first - entrants_.data()), from.result.take());
      };
      this->result.run(both);
    }
    from.let_go();
    this->deliver();
    this->let_go();
  }

 private:
  struct entrant final : follower {
    var<any_of*> race{nullptr};  // these two are written before it follows
    var<future_state<T>*> from{nullptr};

    void notified(const chosen_pool* where) noexcept override {
      any_of& all = *race.get();
      if (all.wins(*this))
        all.start(where);
      else
        leave();
    }
    /// This input came too late, or is not needed any more. It may be gone afterwards.
    void leave() noexcept {
      from.get()->let_go();
      race.get()->let_go();
    }
  };

  bool wins(entrant& e) noexcept {
    if (decided_.exchange(true, std::memory_order_relaxed))  // orders nothing: it only decides
      return false;
    winner_.set(&e);
    return true;
  }

  std::vector<entrant> entrants_;
  atomic<bool> decided_{false};
  var<entrant*> winner_{nullptr};  // the input that was first; written before this is started
};

}  // namespace filch::detail
