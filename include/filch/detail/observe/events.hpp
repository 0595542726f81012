// What a thread records: events of a fixed size. The newest are kept.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "filch/detail/base/ticks.hpp"

namespace filch::detail {

enum class event_kind : std::uint8_t {
  text,        ///< More of the name of the event before it.
  job,         ///< written at its end, as are the next two; data: the end time
  guest,       ///< a: its index in the pool; b: that pool
  idle,        ///< of a guest: found nothing to do
  span_begin,  ///< a: length of the name; b: its number on this thread; data: first eight bytes
  span_end,    ///< b: its number; data: the thread that it began on (thread_record::number)
  sleep_begin,
  sleep_end,
  steal,    ///< a: how many jobs; b: the victim's index; data: its pool
  inject,   ///< b: how many jobs
  wake,     ///< b: the sleeper's index; data: its pool
  counter,  ///< a: length of the name, which follows; data: the value
  sample,   ///< a: active workers; b: waiting jobs; data: the pool
};

/// 24 bytes: two and a half events fit in a cache line, and all data of an event fit into it.
struct event {
  ticks time;
  std::uint64_t head;  ///< kind, a (24 bits), b (32 bits); of text: kind, and seven bytes
  std::uint64_t data;

  static std::uint64_t head_of(event_kind kind, std::uint64_t a, std::uint64_t b) noexcept {
    return static_cast<std::uint64_t>(kind) | std::min(a, most_a) << 8 | std::min(b, most_b) << 32;
  }
  event_kind kind() const noexcept { return static_cast<event_kind>(head & 0xFF); }
  std::uint32_t a() const noexcept { return static_cast<std::uint32_t>(head >> 8 & most_a); }
  std::uint32_t b() const noexcept { return static_cast<std::uint32_t>(head >> 32); }

  static constexpr std::uint64_t most_a = 0xFFFFFF;
  static constexpr std::uint64_t most_b = 0xFFFFFFFF;
  static constexpr std::size_t longest_name = 100;
  static constexpr std::size_t text_size = 23;  ///< bytes of a name in an event of kind text
};

/// The newest events of one thread. Only the thread that holds it uses it.
class event_ring {
 public:
  /// Removes all events. Without memory for `capacity` events it keeps none, but counts them.
  void clear(std::size_t capacity) noexcept {
    events_.reset(new (std::nothrow) event[capacity]);
    capacity_ = events_ == nullptr ? 0 : capacity;
    next_ = 0;
    written_ = 0;
    recorded_ = 0;
  }

  void add(ticks time, event_kind kind, std::uint64_t a = 0, std::uint64_t b = 0,
           std::uint64_t data = 0) noexcept {
    ++recorded_;
    put({time, event::head_of(kind, a, b), data});
  }

  /// Adds an event with a name. With `in_data` the name begins in `data`.
  void add_named(ticks time, event_kind kind, std::string_view name, std::uint64_t b,
                 std::uint64_t data, bool in_data) noexcept {
    std::size_t length = std::min(name.size(), event::longest_name);
    // Does not cut inside a UTF-8 character, which has at most three more bytes.
    for (int i = 0; i < 3 && length < name.size() && (name[length] & 0xC0) == 0x80; ++i) --length;
    name = name.substr(0, length);
    if (in_data) {
      const std::size_t first = std::min(length, sizeof data);
      std::memcpy(&data, name.data(), first);
      name.remove_prefix(first);
    }
    add(time, kind, length, b, data);
    while (!name.empty()) {
      std::array<char, 24> bytes{};  // the memory layout of an event, with its kind in front
      const std::size_t part = std::min(name.size(), event::text_size);
      bytes[0] = static_cast<char>(event_kind::text);
      std::memcpy(bytes.data() + 1, name.data(), part);
      name.remove_prefix(part);
      event e{};
      std::memcpy(&e.head, bytes.data(), 8);
      std::memcpy(&e.time, bytes.data() + 8, 8);
      std::memcpy(&e.data, bytes.data() + 16, 8);
      put(e);
    }
  }

  /// Counts an event that cannot be kept.
  void lose() noexcept { ++recorded_; }

  /// How many events there were, not counting those that only hold more of a name.
  std::uint64_t recorded() const noexcept { return recorded_; }

  /// Calls f(event, name) for the kept events, oldest first. Leaves out text whose event has been
  /// overwritten.
  template <class F>
  void for_each(F f) const {
    std::string name;
    for (std::uint64_t i = written_ - std::min<std::uint64_t>(written_, capacity_); i < written_;) {
      const event& e = at(i++);
      if (e.kind() == event_kind::text) continue;
      name.clear();
      if (e.kind() == event_kind::span_begin || e.kind() == event_kind::counter) {
        const std::size_t length = std::min<std::size_t>(e.a(), event::longest_name);
        if (e.kind() == event_kind::span_begin)
          name.append(reinterpret_cast<const char*>(&e.data), std::min<std::size_t>(length, 8));
        for (; i < written_ && at(i).kind() == event_kind::text; ++i) {
          std::array<char, 24> bytes;
          std::memcpy(bytes.data(), &at(i).head, 8);
          std::memcpy(bytes.data() + 8, &at(i).time, 8);
          std::memcpy(bytes.data() + 16, &at(i).data, 8);
          name.append(bytes.data() + 1, std::min(length - name.size(), event::text_size));
        }
      }
      f(e, name);
    }
  }

 private:
  const event& at(std::uint64_t i) const noexcept { return events_[i % capacity_]; }

  void put(const event& e) noexcept {
    if (capacity_ == 0) return;
    events_[next_] = e;
    next_ = next_ + 1 == capacity_ ? 0 : next_ + 1;
    ++written_;
  }

  std::unique_ptr<event[]> events_;
  std::size_t capacity_ = 0;
  std::size_t next_ = 0;        // the next index: written_ % capacity_, without a division
  std::uint64_t written_ = 0;   // events put in, text included
  std::uint64_t recorded_ = 0;  // without text
};

}  // namespace filch::detail
