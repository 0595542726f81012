// A consumer that collects items whose number is not known in advance.
#pragma once

#include "filch/detail/chain/gathered.hpp"
#include "filch/detail/chain/protocol.hpp"

namespace filch::detail {

/// Can every object of type Item be converted to a T? A floating-point number may be out of the
/// range of T, and a pointer that a filter drops may refer to nothing.
template <class T, class Item>
inline constexpr bool always_converts = std::same_as<T, Item> ||
                                        (std::is_arithmetic_v<T> && std::is_integral_v<Item>) ||
                                        (std::is_floating_point_v<T> &&
                                         std::is_floating_point_v<Item> &&
                                         sizeof(T) >= sizeof(Item));

/// Collects items as objects of type T.
template <class T>
struct pieces_consumer {
  using part = pieces;
  static constexpr plumbing::wanted rule = plumbing::wanted::all;
  static constexpr bool any_cut = true;
  piece_memory& memory;  ///< For items of type T; it outlives all parts.

  class folder {
   public:
    using value = T;
    /// Are items small and trivially copyable, so that an unwanted one may be converted, written
    /// and overwritten?
    template <class Item>
    static constexpr bool writes_twice =
        std::is_trivially_copyable_v<T>&& std::is_trivially_constructible_v<T, Item> &&
        sizeof(T) <= 32 && always_converts<T, std::remove_cvref_t<Item>>;

    explicit folder(piece_memory& from) noexcept : memory_(&from) {}
    folder(folder&& other) noexcept
        : memory_(other.memory_),
          next_(other.next_),
          end_(other.end_),
          opened_(std::exchange(other.opened_, nullptr)) {}
    folder& operator=(folder&&) = delete;
    [[gnu::always_inline]] ~folder() {
      if (opened_ != nullptr) open_pieces::leave(opened_, {bytes(next_), bytes(end_)});
    }

    template <class Item>
    [[gnu::always_inline]] void take(Item&& item) {
      (void)ensure_capacity();
      std::construct_at(next_, static_cast<Item&&>(item));
      ++next_;
    }
    template <class Item>
    requires(writes_twice<Item>) [[gnu::always_inline]] void take_if(bool wanted, Item&& item) {
      (void)ensure_capacity();
      put_if(wanted, T(static_cast<Item&&>(item)));
    }

    /// Gets fresh storage if none is left. Returns the number of items that fit, at least
    /// one.
    [[gnu::always_inline]] std::size_t ensure_capacity() {
      if (next_ == end_) [[unlikely]] {
        if (opened_ == nullptr) opened_ = new open_pieces(*memory_);
        const piece_memory::storage fresh = opened_->go_on(bytes(next_));
        next_ = reinterpret_cast<T*>(fresh.next);
        end_ = reinterpret_cast<T*>(fresh.end);
      }
      return static_cast<std::size_t>(end_ - next_);
    }
    /// Requires storage. It has no branch that depends on the item: the next item overwrites an
    /// unwanted one.
    [[gnu::always_inline]] void put_if(bool wanted, T item) noexcept {
      std::construct_at(next_, item);
      next_ += static_cast<std::ptrdiff_t>(wanted);
    }
    [[gnu::always_inline]] part finish() && {
      return opened_ != nullptr ? opened_->finish(bytes(next_)) : part(kind_of<T>);
    }

   private:
    static std::byte* bytes(T* p) noexcept { return reinterpret_cast<std::byte*>(p); }

    piece_memory* memory_;
    T* next_ = nullptr;
    T* end_ = nullptr;
    /// Owned; made with the first item. It is a separate object, so that the compiler sees that
    /// nothing else refers to next_ and end_ and keeps them in registers.
    open_pieces* opened_ = nullptr;
  };
  folder begin(std::size_t) const { return folder(memory); }
  part merge(part&& left, part&& right) const noexcept {
    left.append(std::move(right));
    return std::move(left);
  }
};

/// The collected objects of type T, to be moved on. Position `i` is item number `i`.
template <class T>
class pieces_source {
 public:
  using item = T&&;
  static constexpr bool exact = true;

  /// The caller owns the items and destroys them.
  explicit pieces_source(const pieces& all) : index_(all) {}
  std::size_t size() const noexcept { return index_.size(); }

  template <class Folder>
  void feed(std::size_t first, std::size_t last, Folder& folder) const {
    each(first, last, [&](std::size_t, T&& x) { folder.take(std::move(x)); });
  }
  /// Calls take(position, item).
  template <class Take>
  void each(std::size_t first, std::size_t last, const Take& take) const {
    index_.for_runs(first, last, [&](std::byte* run, std::size_t count, std::size_t number) {
      T* from = reinterpret_cast<T*>(run);
      for (T* const end = from + count; from != end; ++from) take(number++, std::move(*from));
    });
  }

 private:
  piece_index index_;
};

}  // namespace filch::detail
