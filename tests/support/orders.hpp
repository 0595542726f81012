// Orders of elements for sorting tests, and elements that check how they are used.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/detail/base/rng.hpp"

namespace filch::test {

enum class order {
  random,
  sorted,
  reversed,
  equal,
  few_values,
  nearly_sorted,
  organ_pipe,
  sawtooth,
  sorted_then_random,
  median_of_three_killer,
  small_numbers,
};
inline constexpr order every_order[] = {order::random,
                                        order::sorted,
                                        order::reversed,
                                        order::equal,
                                        order::few_values,
                                        order::nearly_sorted,
                                        order::organ_pipe,
                                        order::sawtooth,
                                        order::sorted_then_random,
                                        order::median_of_three_killer,
                                        order::small_numbers};

/// Elements with possibly equal keys that can still be told apart: trivially copyable, and not.
struct numbered {
  std::uint64_t key;
  std::size_t number;
  bool operator==(const numbered&) const = default;
};
struct named {
  std::uint64_t key;
  std::string number;
  bool operator==(const named&) const = default;
};

/// `n` numbers in such an order.
inline std::vector<std::uint64_t> numbers_in(order how, std::size_t n, detail::rng& random) {
  const auto any = [&] { return (std::uint64_t{random()} << 32) | random(); };
  std::vector<std::uint64_t> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    switch (how) {
      case order::random:
        v[i] = any();
        break;
      case order::sorted:
      case order::nearly_sorted:
        v[i] = 3 * i;
        break;
      case order::reversed:
        v[i] = n - i;
        break;
      case order::equal:
        v[i] = 42;
        break;
      case order::few_values:
        v[i] = random.bounded(5) * 1'000'000'007u;
        break;
      case order::organ_pipe:
        v[i] = std::min(i, n - i);
        break;
      case order::sawtooth:
        v[i] = i % 97;
        break;
      case order::sorted_then_random:
        v[i] = i < n / 2 ? i : random.bounded(1000);
        break;
      case order::median_of_three_killer:  // after Musser
        v[i] = i < n / 2 ? (i % 2 == 0 ? i + 1 : n / 2 + i + 1) : 2 * (i - n / 2 + 1);
        break;
      case order::small_numbers:
        v[i] = random.bounded(1 << 12);
        break;
    }
  }
  if (how == order::nearly_sorted && n > 1)
    for (std::size_t i = 0; i < 1 + n / 100; ++i)
      std::swap(v[random.bounded(static_cast<std::uint32_t>(n))],
                v[random.bounded(static_cast<std::uint32_t>(n))]);
  return v;
}

/// An element that cannot be copied and has no default constructor. It counts its instances, knows
/// whether it has been moved from, and notices when it is used while it is not alive. If it is
/// lost, a leak checker finds the memory that it owns.
template <bool MovesThrow>
class watched {
 public:
  struct failure : std::runtime_error {
    failure() : std::runtime_error("made to fail") {}
  };

  explicit watched(std::uint64_t number) : number_(new std::uint64_t(number)) { ++live_; }
  watched(watched&& other) noexcept(!MovesThrow) : number_(nullptr) {
    fail_perhaps();
    other.check();
    number_ = std::exchange(other.number_, nullptr);
    ++live_;
  }
  watched& operator=(watched&& other) noexcept(!MovesThrow) {
    fail_perhaps();
    check();
    other.check();
    if (this != &other) delete std::exchange(number_, std::exchange(other.number_, nullptr));
    return *this;
  }
  ~watched() {
    check();
    self_ = nullptr;
    delete number_;
    --live_;
  }

  /// The number, or 0 if it was moved from.
  std::uint64_t number() const {
    check();
    return number_ == nullptr ? 0 : *number_;
  }

  static int live() { return live_; }
  /// Uses of objects that were not alive.
  static int errors() { return errors_; }
  /// Makes the n-th move from now throw (if moves may throw); 0 for none.
  static void fail_at_move(int n) { until_failure_ = n; }

 private:
  void check() const {
    if (self_ != this) ++errors_;
  }
  static void fail_perhaps() {
    if constexpr (MovesThrow)
      if (until_failure_ > 0 && --until_failure_ == 0) throw failure();
  }

  static inline std::atomic<int> live_ = 0, errors_ = 0, until_failure_ = 0;
  std::uint64_t* number_;
  const watched* volatile self_ = this;  // volatile: the write in the destructor must stay
};

template <class W>
std::vector<W> watched_numbers(const std::vector<std::uint64_t>& numbers) {
  std::vector<W> v;
  v.reserve(numbers.size());
  for (const std::uint64_t n : numbers) v.emplace_back(n);
  return v;
}

template <class W>
std::vector<std::uint64_t> sorted_numbers_of(const std::vector<W>& v) {
  std::vector<std::uint64_t> numbers;
  for (const W& w : v) numbers.push_back(w.number());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace filch::test
