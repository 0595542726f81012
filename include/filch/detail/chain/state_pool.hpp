// Objects that the leaves of a chain use one after the other, instead of one for each.
#pragma once

#include <mutex>
#include <vector>

#include "filch/detail/chain/function.hpp"
#include "filch/detail/chain/plain_optional.hpp"

namespace filch::detail {

/// Gives the results of make() to one leaf at a time. It makes a new object only if none is
/// free. So there are never more objects than leaves that run at once, about one for each
/// worker. If a worker runs a task while it waits within a leaf, that task gets another object
/// than the leaf has.
///
/// Threads  Any, all at once. Several call `make` at once; if calls change it, each has a copy.
template <chain_function<> Make>
class state_pool {
 public:
  using state = made_by<Make>;

  explicit state_pool(const Make& make) noexcept : make_(make) {}
  state_pool(const state_pool&) = delete;
  state_pool& operator=(const state_pool&) = delete;

  /// A borrowed object. Its destructor gives the object back. A small trivially copyable object is
  /// copied in here meanwhile, where the compiler sees that nothing else uses it: then a counter is
  /// in a register.
  class lease {
   public:
    lease(state_pool& from, std::unique_ptr<state> object) noexcept
        : from_(&from), object_(std::move(object)), here_(copy_of(*object_)) {}
    lease(lease&&) noexcept = default;
    lease& operator=(lease&&) = delete;
    ~lease() {
      if (!object_) return;
      if constexpr (copies) std::construct_at(object_.get(), here_);
      from_->take_back(std::move(object_));
    }
    state& operator*() const noexcept {
      if constexpr (copies)
        return here_;
      else
        return *object_;
    }
    state* operator->() const noexcept { return std::addressof(**this); }

   private:
    static constexpr bool copies = is_bytes<state> && sizeof(state) <= 64;
    using copy = std::conditional_t<copies, state, nothing>;
    static copy copy_of([[maybe_unused]] const state& object) noexcept {
      if constexpr (copies)
        return object;
      else
        return {};
    }

    state_pool* from_;
    std::unique_ptr<state> object_;
    [[no_unique_address]] mutable copy here_;
  };

  /// Throws what `make` throws, and `std::bad_alloc`.
  lease borrow() {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        lease known(*this, std::move(free_.back()));
        free_.pop_back();
        return known;
      }
      free_.reserve(++made_);  // so that taking back cannot fail
    }
    function_for<Make> make{make_};
    return lease(*this, std::unique_ptr<state>(new state(make())));
  }

  /// Calls f(object) for all objects. None may be borrowed.
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
  std::mutex mutex_;  // guards what follows
  std::vector<std::unique_ptr<state>> free_;
  std::size_t made_ = 0;
};

/// f(state, item), for one leaf, which borrows a state.
template <class Make, class F, class Item>
struct leasing_function {
  typename state_pool<Make>::lease state;
  function_for<F, typename state_pool<Make>::state&, Item> f;

  template <class I>
  [[gnu::always_inline]] decltype(auto) operator()(I&& item) {
    return f(*state, static_cast<I&&>(item));
  }
};

}  // namespace filch::detail
