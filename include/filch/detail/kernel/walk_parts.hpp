// The results of the parts of a walk over a tree, in order.
#pragma once

#include <atomic>
#include <optional>

#include "filch/detail/sched/outcome.hpp"

namespace filch::detail {

/// A list of parts, in order. All parts stay until the end. Links are sequentially consistent: a
/// thread that follows a link sees the part. There is one link for each steal, so a weaker order
/// would gain nothing.
template <class Result>
class walk_parts {
 public:
  class part {
   public:
    /// False if an earlier part has found enough. A hint.
    bool is_wanted() const noexcept {
      return is_wanted_.load(std::memory_order_relaxed);  // orders nothing: a hint
    }
    void keep(Result&& made) { made_.emplace(std::move(made)); }

   private:
    friend walk_parts;
    std::optional<Result> made_;
    std::atomic<part*> next_{nullptr};
    std::atomic<bool> is_wanted_{true};
  };

  walk_parts() = default;
  walk_parts(const walk_parts&) = delete;
  walk_parts& operator=(const walk_parts&) = delete;
  ~walk_parts() {
    for (part* p = next(first_); p != nullptr;) delete std::exchange(p, next(*p));
  }

  part& first() noexcept { return first_; }

  /// Inserts a part behind `one`. For each `one`, only one thread at a time may call it.
  static part& insert_behind(part& one) {
    auto* const added = new part;
    added->next_ = next(one);
    added->is_wanted_.store(one.is_wanted(), std::memory_order_relaxed);  // no other thread yet
    one.next_ = added;
    return *added;
  }

  /// The parts behind `one` are no longer needed. Any thread.
  static void make_unwanted_behind(const part& one) noexcept {
    for (part* p = next(one); p != nullptr; p = next(*p))
      p->is_wanted_.store(false, std::memory_order_relaxed);  // orders nothing: a hint
  }

  /// Combines the results of all parts by `visits`. All parts have ended. A part without a result
  /// never began, because there was no memory for its task.
  template <class Visits>
  Result joined(const Visits& visits) {
    if (next(first_) == nullptr) return *std::move(first_.made_);
    auto all = visits.begin();
    for (part* p = &first_; p != nullptr; p = next(*p))
      if (p->made_) all.add(*std::move(p->made_));
    return std::move(all).finish();
  }

 private:
  static part* next(const part& one) noexcept { return one.next_; }

  part first_;
};

/// Parts without results need no list.
template <>
class walk_parts<nothing> {
 public:
  struct part {
    static bool is_wanted() noexcept { return true; }
    static void keep(nothing) noexcept {}
  };

  part& first() noexcept { return all_; }
  static part& insert_behind(part& one) noexcept { return one; }
  static void make_unwanted_behind(const part&) noexcept {}
  template <class Visits>
  static nothing joined(const Visits&) noexcept {
    return {};
  }

 private:
  part all_;
};

}  // namespace filch::detail
