// Objects that stretches of a chain use one after the other, instead of one for each.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/plain_optional.hpp"

namespace filch::detail {

/// What is used instead of an object of somebody else's, until it is written back: the object.
template <class T>
class at_hand {
 public:
  explicit at_hand(T&) noexcept {}
  static T& get(T& object) noexcept { return object; }
  static void write_to(T&) noexcept {}
};
/// A copy.
template <class T>
requires(is_bytes<T> && sizeof(T) <= 64) class at_hand<T> {
 public:
  explicit at_hand(T& object) noexcept : copy_(object) {}
  T& get(T&) noexcept { return copy_; }
  void write_to(T& object) const noexcept { std::construct_at(std::addressof(object), copy_); }

 private:
  T copy_;
};

/// What make() gives, made when nobody has left one, and lent to one stretch at a time: there are
/// never more of them than stretches that run at once, about one for each worker. A task that a
/// worker runs while it waits within its stretch gets another object than that stretch has.
///
/// Threads  Any, all at once. `make` is called by several at once; if calls change it, each has a
///          copy.
template <chain_function<> Make>
class lending {
 public:
  using state = std::remove_cvref_t<function_result<Make>>;

  explicit lending(const Make& make) noexcept : make_(make) {}
  lending(const lending&) = delete;
  lending& operator=(const lending&) = delete;

  /// An object on loan; it goes back with this. A small one that is nothing but its bytes is in
  /// here meanwhile, where the compiler sees that nobody else uses it: a counter is in a register.
  class lease {
   public:
    lease(lending& from, std::unique_ptr<state> object) noexcept
        : from_(&from), object_(std::move(object)), here_(*object_) {}
    lease(lease&&) noexcept = default;
    lease& operator=(lease&&) = delete;
    ~lease() {
      if (!object_) return;
      here_.write_to(*object_);
      from_->take_back(std::move(object_));
    }
    state& operator*() const noexcept { return here_.get(*object_); }
    state* operator->() const noexcept { return std::addressof(**this); }

   private:
    lending* from_;
    std::unique_ptr<state> object_;
    [[no_unique_address]] mutable at_hand<state> here_;
  };

  /// Throws what `make` throws; `std::bad_alloc`.
  lease lend() {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        lease known(*this, std::move(free_.back()));
        free_.pop_back();
        return known;
      }
      free_.reserve(++made_);  // so that taking back cannot fail
    }
    function_for<Make> make(make_);
    return lease(*this, std::unique_ptr<state>(new state(make())));
  }

  /// Calls f(object) for all of them. When none is on loan.
  template <class F>
  void for_each(F f) {
    for (const auto& object : free_) f(*object);
  }

 private:
  void take_back(std::unique_ptr<state> object) noexcept {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(object));
  }

  const Make& make_;
  std::mutex mutex_;  // what follows
  std::vector<std::unique_ptr<state>> free_;
  std::size_t made_ = 0;
};

}  // namespace filch::detail
