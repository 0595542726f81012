// Consumers that search for one item.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/detail/chain/filter.hpp"
#include "filch/detail/chain/fold.hpp"
#include "filch/detail/chain/function.hpp"
#include "filch/detail/kernel/scanners.hpp"
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

/// Looks for an item for which a predicate is `Wanted`, among get(first), ..., get(last - 1).
/// Returns its position, or `last`.
template <plumbing::wanted Which, bool Wanted, class Pred, class Get>
[[gnu::always_inline]] inline std::size_t scan_items(Pred& pred, const Get& get, std::size_t first,
                                                     std::size_t last) {
  using item = std::invoke_result_t<const Get&, std::size_t>;
  const auto hit = [&](std::size_t i) {
    auto&& x = get(i);  // named, so that an item that get() makes lives as long as the call
    return static_cast<bool>(pred(static_cast<seen_as<item>>(x))) == Wanted;
  };
  if constexpr (Which == plumbing::wanted::last)
    return detail::scan_back(first, last, hit);
  else
    return detail::scan<item>(first, last, hit);
}

/// The first, the last or any item for which a predicate is true, as a T.
template <class T, plumbing::wanted Which, class Pred, class Item>
class find_consumer : public finding_consumer<T, Which> {
 public:
  explicit find_consumer(const Pred& pred) noexcept : pred_(pred) {}

  class folder : public finding_folder<T, Which> {
   public:
    explicit folder(const Pred& pred) : pred_(pred) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (static_cast<bool>(pred_(static_cast<seen_as<I>>(item))))
        this->found_.emplace(static_cast<I&&>(item));
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if constexpr (gets_elements<Get>) {
        const std::size_t i = detail::scan_items<Which, true>(pred_, get, first, last);
        if (i != last) this->found_.emplace(get(i));
      } else {
        for (; first != last; ++first) {
          take(get(first));
          if (plumbing::is_full(*this)) return;
        }
      }
    }

   private:
    function_for<Pred, seen_as<Item>> pred_;
  };
  folder begin(std::size_t) const { return folder(pred_); }

 private:
  const Pred& pred_;
};

/// A predicate that is true for every item.
struct any_item {
  template <class Item>
  constexpr bool operator()(const Item&) const noexcept {
    return true;
  }
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
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      const std::size_t i = detail::scan_items<Which, true>(pred_, get, first, last);
      if (i != last) this->found_ = next_ + (i - first);
      next_ += last - first;
    }

   private:
    function_for<Pred, seen_as<Item>> pred_;
    std::size_t next_;
  };
  folder begin(std::size_t position) const { return folder(pred_, position); }

 private:
  const Pred& pred_;
};

/// Is there an item for which a predicate is `Wanted`?
template <bool Wanted, class Pred, class Item>
class exists_consumer {
 public:
  using part = bool;
  static constexpr plumbing::wanted rule = plumbing::wanted::any;

  explicit exists_consumer(const Pred& pred) noexcept : pred_(pred) {}

  class folder {
   public:
    explicit folder(const Pred& pred) : pred_(pred) {}
    template <class I>
    [[gnu::always_inline]] void take(I&& item) {
      if (static_cast<bool>(pred_(static_cast<seen_as<I>>(item))) == Wanted) found_ = true;
    }
    template <class Get>
    [[gnu::always_inline]] void take_all(const Get& get, std::size_t first, std::size_t last) {
      if (detail::scan_items<rule, Wanted>(pred_, get, first, last) != last) found_ = true;
    }
    bool full() const noexcept { return found_; }
    bool finish() && noexcept { return found_; }

   private:
    function_for<Pred, seen_as<Item>> pred_;
    bool found_ = false;
  };
  folder begin(std::size_t) const { return folder(pred_); }
  bool enough(bool p) const noexcept { return p; }
  bool merge(bool left, bool right) const noexcept { return left || right; }

 private:
  const Pred& pred_;
};

}  // namespace filch::detail
