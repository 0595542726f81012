// A hash table that keeps its keys in the order of insertion.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "filch/detail/base/to_size.hpp"

namespace filch::detail {

/// Spreads a hash over all bits. std::hash of a number is often the number itself.
inline std::uint64_t spread(std::size_t hash) noexcept {
  std::uint64_t x = hash;
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

/// Values by key, in the order in which the keys were added. One thread at a time.
template <class K, class V, class Equal>
class key_table {
 public:
  struct entry {
    K key;
    V value;
    std::uint64_t hash;
    std::size_t first;  ///< The position of the first item with this key.
  };

  key_table() = default;
  key_table(key_table&& other) noexcept
      : entries_(std::move(other.entries_)),
        slots_(std::move(other.slots_)),
        slot_count_(std::exchange(other.slot_count_, 0)) {}
  key_table& operator=(key_table&&) = delete;

  /// The value of `key`, or null if there is none. `hash` is the spread hash of `key`.
  template <class Key>
  V* find(std::uint64_t hash, const Key& key, Equal& equal) {
    if (slot_count_ == 0) return nullptr;
    for (std::size_t s = home(hash);; s = (s + 1) & (slot_count_ - 1)) {
      const slot& here = slots_[s];
      if (here.number == 0) return nullptr;
      if (here.tag != tag_of(hash)) continue;
      entry& e = entries_[here.number - 1];
      if (static_cast<bool>(std::invoke(equal, e.key, key))) return &e.value;
    }
  }

  /// Adds a key that is not in the table.
  template <class Key>
  void add(std::uint64_t hash, Key&& key, std::size_t first, V&& value) {
    if (entries_.size() >= slot_count_ / 2) grow();
    entries_.push_back({K(std::forward<Key>(key)), std::move(value), hash, first});
    link(hash, entries_.size());
  }

  std::vector<entry>& entries() noexcept { return entries_; }

 private:
  /// `number` counts from 1; 0 marks a free slot. `tag` makes most comparisons of keys unnecessary.
  struct slot {
    std::uint32_t tag = 0;
    std::size_t number = 0;
  };

  static std::uint32_t tag_of(std::uint64_t hash) noexcept {
    return static_cast<std::uint32_t>(hash);
  }
  std::size_t home(std::uint64_t hash) const noexcept {
    return to_size(hash >> 20) & (slot_count_ - 1);
  }
  void link(std::uint64_t hash, std::size_t number) noexcept {
    std::size_t s = home(hash);
    while (slots_[s].number != 0) s = (s + 1) & (slot_count_ - 1);
    slots_[s] = {tag_of(hash), number};
  }
  void grow() {
    const std::size_t count = slot_count_ == 0 ? 16 : 2 * slot_count_;
    slots_ = std::make_unique<slot[]>(count);
    slot_count_ = count;
    for (std::size_t i = 0; i != entries_.size(); ++i) link(entries_[i].hash, i + 1);
  }

  std::vector<entry> entries_;
  std::unique_ptr<slot[]> slots_;
  std::size_t slot_count_ = 0;  // a power of two, or 0
};

}  // namespace filch::detail
