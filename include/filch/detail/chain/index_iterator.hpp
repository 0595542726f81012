// Iterators over a source with positions.
#pragma once

#include <compare>
#include <span>
#include <variant>

#include "filch/detail/base/public_types.hpp"
#include "filch/detail/chain/decayed.hpp"
#include "filch/detail/chain/positions.hpp"

namespace filch::detail {

/// The position of an item of a source. The source outlives it. Each dereference calls the source.
template <plumbing::indexed_source Source>
class index_iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using reference = typename Source::item;
  using value_type = std::remove_cvref_t<reference>;
  using difference_type = std::ptrdiff_t;

  index_iterator() = default;
  index_iterator(const Source& source, std::size_t position) noexcept
      : source_(&source), position_(position) {}

  reference operator*() const { return source_->get(position_); }
  reference operator[](difference_type n) const { return *(*this + n); }

  index_iterator& operator+=(difference_type n) noexcept {
    position_ += static_cast<std::size_t>(n);
    return *this;
  }
  index_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  index_iterator& operator++() noexcept { return *this += 1; }
  index_iterator& operator--() noexcept { return *this -= 1; }
  index_iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
  index_iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
  friend index_iterator operator+(index_iterator i, difference_type n) noexcept { return i += n; }
  friend index_iterator operator+(difference_type n, index_iterator i) noexcept { return i += n; }
  friend index_iterator operator-(index_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const index_iterator& a, const index_iterator& b) noexcept {
    return static_cast<difference_type>(a.position_ - b.position_);
  }
  friend bool operator==(const index_iterator& a, const index_iterator& b) noexcept {
    return a.position_ == b.position_;
  }
  friend auto operator<=>(const index_iterator& a, const index_iterator& b) noexcept {
    return a.position_ <=> b.position_;
  }

 private:
  const Source* source_ = nullptr;
  std::size_t position_ = 0;
};

/// Does an item refer to the chain that it comes from, so that it must not outlive the chain?
/// Groups of neighbours do, if the chain owns the container or computes the items. So do pairs and
/// tuples with such groups. A reference within a pair or tuple counts too, because it is not known
/// what it refers to.
template <class Value>
inline constexpr bool is_lent_value = false;
template <class Item>
inline constexpr bool is_lent = is_lent_value<std::remove_cvref_t<Item>>;
template <class Half>
inline constexpr bool is_lent_half = std::is_reference_v<Half> || is_lent<Half>;
template <class Source>
inline constexpr bool is_lent_value<subrange<index_iterator<Source>>> = true;
template <class A, class B>
inline constexpr bool is_lent_value<std::pair<A, B>> = is_lent_half<A> || is_lent_half<B>;
template <class... T>
inline constexpr bool is_lent_value<std::tuple<T...>> = (is_lent_half<T> || ...);
template <class... T>
inline constexpr bool is_lent_value<std::variant<T...>> = (is_lent<T> || ...);
template <class T>
inline constexpr bool is_lent_value<std::optional<T>> = is_lent<T>;
template <class T, class E>
inline constexpr bool is_lent_value<expected<T, E>> = is_lent<T> || is_lent<E>;

/// Checks the type of what a consumer keeps after the chain has ended.
template <class T>
constexpr void require_lasting() {
  static_assert(
      !is_lent<T>,
      "filch: what is kept of this range (chunks, windows, chunk_by, a pair or tuple with "
      "references) refers to what the chain owns or computes, and must not outlive it. "
      "Let it borrow the container, par(v) instead of par(std::move(v)), or map each "
      "item to a value");
}

/// Requires, with a message, that items can be stored as values: with references decayed.
template <class Item>
constexpr void require_keepable() {
  detail::require_lasting<decayed<Item>>();
  static_assert(std::constructible_from<decayed<Item>, Item>,
                "filch: the items of this range cannot be copied. Move the container in, "
                "par(std::move(v)), or map each item to a pointer to it");
}

/// A group of neighbours: a span if they are contiguous in memory, otherwise a subrange. It refers
/// to the range that the source borrows, or to the source itself.
template <plumbing::indexed_source Source>
auto neighbours(const Source& source, std::size_t first, std::size_t count) {
  if constexpr (!plumbing::iterable_source<Source>) {
    using iterator = index_iterator<Source>;
    return subrange<iterator>(iterator(source, first), iterator(source, first + count));
  } else if constexpr (std::contiguous_iterator<plumbing::iterator_of<Source>>) {
    return std::span(std::to_address(source.at(first)), count);
  } else {
    return subrange<plumbing::iterator_of<Source>>(source.at(first), source.at(first + count));
  }
}

template <class Source>
using neighbours_of =
    decltype(detail::neighbours(std::declval<const Source&>(), std::size_t{}, std::size_t{}));

}  // namespace filch::detail
