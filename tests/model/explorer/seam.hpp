// Replaces filch/detail/base under the model checker: the same names, forwarded to the explorer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "explorer/engine.hpp"

namespace filch::detail {

/// The interface of std::atomic, as far as filch uses it. The file and line identify the operation
/// of the header, so that a mutant can weaken it.
template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  using order = std::memory_order;

 public:
  static constexpr bool is_always_lock_free = true;

  atomic() : atomic(T{}) {}
  explicit atomic(T value) {
    state_.initial = bits(value);
    model::engine::running().born(state_);
  }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  ~atomic() { model::engine::running().died(state_); }

  T load(order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
    return value(model::engine::running().load(state_, o, {file, line}));
  }
  void store(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    model::engine::running().store(state_, bits(v), o, {file, line});
  }
  T exchange(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return modify([v](T) { return v; }, o, {file, line});
  }
  T fetch_add(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return modify([v](T old) { return static_cast<T>(old + v); }, o, {file, line});
  }
  T fetch_sub(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return modify([v](T old) { return static_cast<T>(old - v); }, o, {file, line});
  }
  T fetch_or(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return modify([v](T old) { return static_cast<T>(old | v); }, o, {file, line});
  }
  T fetch_and(T v, order o, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return modify([v](T old) { return static_cast<T>(old & v); }, o, {file, line});
  }
  bool compare_exchange_strong(T& expected, T desired, order success, order failure,
                               const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    std::uint64_t found = bits(expected);
    const bool won = model::engine::running().compare_exchange(state_, found, bits(desired),
                                                               success, failure, {file, line});
    expected = value(found);
    return won;
  }
  bool compare_exchange_weak(T& expected, T desired, order success, order failure,
                             const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return compare_exchange_strong(expected, desired, success, failure, file, line);
  }

  model::tracked& state() const noexcept { return state_; }

 private:
  template <class F>
  T modify(F change, order o, model::site at) {
    return value(model::engine::running().modify(
        state_, [change](std::uint64_t old) { return bits(change(value(old))); }, o, at));
  }
  static std::uint64_t bits(T v) {
    std::uint64_t b = 0;
    std::memcpy(&b, &v, sizeof(T));
    return b;
  }
  static T value(std::uint64_t b) {
    T v;
    std::memcpy(&v, &b, sizeof(T));
    return v;
  }

  mutable model::tracked state_;
};

/// Plain data. Every access is checked for a race.
template <class T>
class var {
 public:
  var() : var(T{}) {}
  explicit var(T value) : value_(std::move(value)) { model::engine::running().born(state_); }
  var(const var&) = delete;
  var& operator=(const var&) = delete;
  ~var() { model::engine::running().died(state_); }

  const T& get() const {
    model::engine::running().variable_read(state_);
    return value_;
  }
  void set(T value) {
    model::engine::running().variable_written(state_);
    value_ = std::move(value);
  }

 private:
  T value_;
  mutable model::tracked state_;
};

inline void full_fence() { model::engine::running().fence_sc(); }
inline void light_fence() { model::engine::running().fence_light(); }
inline void asymmetric_light_fence() {}  // also without membarrier: its callers have checked
inline void heavy_fence() { model::engine::running().fence_heavy(); }
inline bool asymmetric_fences_available() { return !model::engine::running().full_fences(); }

inline void* allocate(std::size_t bytes, std::size_t alignment) {
  return model::engine::running().allocate(bytes, alignment);
}
inline void deallocate(void* memory, std::size_t, std::size_t) {
  model::engine::running().deallocate(memory);
}

inline void futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected) {
  model::engine::running().futex_wait(word.state(), expected);
}
inline unsigned futex_wake_one(const atomic<std::uint32_t>& word) {
  return model::engine::running().futex_wake(&word.state(), 1);
}
inline unsigned futex_wake_all(const atomic<std::uint32_t>& word) {
  return model::engine::running().futex_wake(&word.state(), model::max_threads);
}

inline void cpu_relax() { model::engine::running().yield(); }
inline void yield() { model::engine::running().yield(); }

}  // namespace filch::detail
