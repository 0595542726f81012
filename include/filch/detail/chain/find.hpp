// Consumers that search for one item.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/plumbing.hpp"

namespace filch::detail {

/// The base of these consumers: what they do with the T that was found.
template <class T, plumbing::wanted Which>
class finding_consumer {
 public:
  using part = std::optional<T>;
  static constexpr plumbing::wanted rule = Which;
  static constexpr bool any_cut = true;

  bool enough(const part& p) const noexcept { return p.has_value(); }
  part merge(part&& left, part&& right) const {
    if constexpr (Which == plumbing::wanted::last)
      return right ? std::move(right) : std::move(left);
    else
      return left ? std::move(left) : std::move(right);
  }
};

/// The base of their folders. A search for the last item has to go through the whole leaf.
template <class T, plumbing::wanted Which>
class finding_folder {
 public:
  bool full() const noexcept requires(Which != plumbing::wanted::last) {
    return found_.has_value();
  }
  std::optional<T> finish() && { return std::move(found_); }

 protected:
  std::optional<T> found_;
};

/// The first, the last or any item, as a T.
template <class T, plumbing::wanted Which>
class find_consumer : public finding_consumer<T, Which> {
 public:
  class folder : public finding_folder<T, Which> {
   public:
    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      this->found_.emplace(static_cast<Item&&>(item));
    }
  };
  folder begin(std::size_t) const noexcept { return {}; }
};

/// The value in f(item) of the first, the last or any item for which f(item) holds one. f(item) is
/// an optional, or any type that converts to bool and can be dereferenced.
template <class T, plumbing::wanted Which, class F, class Item>
class find_map_consumer : public finding_consumer<T, Which> {
 public:
  explicit find_map_consumer(const F& f) noexcept : f_(f) {}

  class folder : public finding_folder<T, Which> {
   public:
    explicit folder(const F& f) : f_(f) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      auto&& held = f_(static_cast<I&&>(item));
      if (static_cast<bool>(held)) this->found_.emplace(*static_cast<decltype(held)>(held));
    }

   private:
    function_for<F, Item> f_;
  };
  folder begin(std::size_t) const { return folder(f_); }

 private:
  const F& f_;
};

/// The position of the first, the last or any item for which a predicate is true, in a chain with
/// one item at each position.
template <plumbing::wanted Which, class Pred, class Item>
class position_consumer : public finding_consumer<std::size_t, Which> {
 public:
  explicit position_consumer(const Pred& pred) noexcept : pred_(pred) {}

  class folder : public finding_folder<std::size_t, Which> {
   public:
    folder(const Pred& pred, std::size_t position) : pred_(pred), next_(position) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (static_cast<bool>(pred_(static_cast<seen_as<I>>(item)))) this->found_ = next_;
      ++next_;
    }

   private:
    function_for<Pred, seen_as<Item>> pred_;
    std::size_t next_;
  };
  folder begin(std::size_t position) const { return folder(pred_, position); }

 private:
  const Pred& pred_;
};

/// Is there an item?
class exists_consumer {
 public:
  using part = bool;
  static constexpr plumbing::wanted rule = plumbing::wanted::any;

  class folder {
   public:
    template <class Item>
    [[gnu::always_inline]] void take(Item&&) noexcept {
      found_ = true;
    }
    bool full() const noexcept { return found_; }
    bool finish() && noexcept { return found_; }

   private:
    bool found_ = false;
  };
  folder begin(std::size_t) const noexcept { return {}; }
  bool enough(bool p) const noexcept { return p; }
  bool merge(bool left, bool right) const noexcept { return left || right; }
};

}  // namespace filch::detail
