// A random chain of numbers, run once and compared with plain loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/rng.hpp"
#include "filch/expected.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/chain_numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

namespace filch::test::numeric {

struct failure : std::runtime_error {
  failure() : std::runtime_error("a number failed") {}
};

template <class T>
struct looking {
  T bad;
  void operator()(T x) const {
    if (x == bad) throw failure();
  }
};

template <unsigned Chain, class T>
class one_chain {
  static constexpr plan p = numeric::draw(Chain, std::is_floating_point_v<T>);
  static constexpr bool in_order = p.from != origin::bridge;
  using numbers = std::vector<T>;
  using attempt = filch::expected<T, T>;

 public:
  one_chain(filch::detail::rng& random, std::size_t n) : n_(n) {
    for (unsigned& a : args_) a = random.bounded(60);
    const std::uint32_t throws = random.bounded(3);
    bad_value_ = static_cast<T>(throws == 0 ? random.bounded(4096) : 9999);
    grain_ = random.bounded(3) == 0 ? 1 + random.bounded(50) : 0;
    for (std::size_t i = 0; i < n; ++i) first_.push_back(static_cast<T>(i * 37 % 4096));
    for (std::size_t i = 0; i < others_size; ++i) others_.push_back(static_cast<T>(i * 11 % 4096));
    expect();
  }

  template <class Fork>
  void test(const Fork& fork) {
    auto r = after<0>(looked_at(begin(fork)));
    if constexpr (p.to == outcome::fixed_sum)
      consume(std::move(r).with({.deterministic = true}));
    else
      consume(std::move(r).with_grain(grain_));
  }
  std::string described() const {
    std::string text = "from " + std::to_string(static_cast<int>(p.from));
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.depth); ++i)
      text += ", step " + std::to_string(static_cast<int>(p.steps[i])) + "(" +
              std::to_string(args_[i]) + ")";
    return text + " to " + std::to_string(static_cast<int>(p.to)) + ", of " + std::to_string(n_);
  }

 private:
  void expect() {
    for (std::size_t i = 0; i < n_; ++i) {
      const T x = p.from == origin::indices  ? static_cast<T>(i)
                  : p.from == origin::repeat ? T{5}
                                             : first_[i];
      expected_.push_back({x, p.looks && x == bad_value_});
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.depth); ++i)
      expected_ = numeric::expected_step(p.steps[i], expected_, others_, args_[i]);
    for (const auto& x : expected_) {
      values_.push_back(x.value);
      bad_ = bad_ || x.bad;
    }
  }

  template <class Fork>
  auto begin(const Fork& fork) {
    using enum origin;
    using filch::test::par_on;
    if constexpr (p.from == vector) return par_on(fork, first_);
    if constexpr (p.from == span) return par_on(fork, std::span<const T>(first_));
    if constexpr (p.from == owned) return par_on(fork, numbers(first_));
    if constexpr (p.from == deque) {
      deque_.assign(first_.begin(), first_.end());
      return par_on(fork, deque_);
    }
    if constexpr (p.from == indices)
      return par_on(fork, filch::par_indices(std::size_t{0}, n_)).map([](std::size_t i) {
        return static_cast<T>(i);
      });
    if constexpr (p.from == repeat) return par_on(fork, filch::par_repeat(T{5}, n_));
    if constexpr (p.from == bridge)
      return par_on(fork, filch::par_bridge(std::list<T>(first_.begin(), first_.end())));
  }
  template <class R>
  auto looked_at(R r) {
    if constexpr (p.looks)
      return std::move(r).inspect(looking<T>{bad_value_});
    else
      return r;
  }
  template <std::size_t I, class R>
  auto after(R r) {
    if constexpr (I == static_cast<std::size_t>(p.depth))
      return r;
    else
      return after<I + 1>(numeric::stepped<p.steps[I], T>(std::move(r), others_, args_[I]));
  }

  template <class R>
  void consume(R r) {
    if constexpr (p.to <= outcome::unzip)
      complete([&] { consume_all(std::move(r)); });
    else
      search(std::move(r));
  }

  template <class R>
  void consume_all(R r) {
    using enum outcome;
    const T total = std::accumulate(values_.begin(), values_.end(), T{});
    if constexpr (p.to == to_vector) expect_all(r.to_vector());
    if constexpr (p.to == into) {
      numbers out(values_.size() + 1, T{77});
      EXPECT_EQ(r.into(out), values_.size());
      EXPECT_EQ(out.back(), T{77});
      out.pop_back();
      expect_all(out);
    }
    if constexpr (p.to == partition) {
      numbers yes, no;
      for (const T x : values_) (is_chosen(x) ? yes : no).push_back(x);
      const auto sides = r.partition(is_chosen);
      EXPECT_EQ(ordered(sides.first), ordered(yes));
      EXPECT_EQ(ordered(sides.second), ordered(no));
    }
    if constexpr (p.to == sum || p.to == fixed_sum) {
      EXPECT_EQ(r.sum(), total);
    }
    if constexpr (p.to == product) {
      const auto factor = [](T x) -> T {
        if constexpr (std::is_integral_v<T>)
          return x | 1u;
        else
          return rules<T>::whole(x) % 997 == 0 ? 2 : 1;
      };
      T all{1};
      for (const T x : values_) all *= factor(x);
      EXPECT_EQ(std::move(r).map(factor).product(), all);
    }
    if constexpr (p.to == reduce) {
      EXPECT_EQ(r.reduce(std::plus<T>()), values_.empty() ? std::nullopt : std::optional(total));
    }
    if constexpr (p.to == min)
      expect_found(r.min(), std::min_element(values_.begin(), values_.end()));
    if constexpr (p.to == max)
      expect_found(r.max(), std::max_element(values_.begin(), values_.end()));
    if constexpr (p.to == minmax) {
      const auto got = r.minmax();
      ASSERT_EQ(got.has_value(), !values_.empty());
      if (!got) return;
      EXPECT_EQ(got->min, *std::min_element(values_.begin(), values_.end()));
      EXPECT_EQ(got->max, *std::max_element(values_.begin(), values_.end()));
    }
    if constexpr (p.to == max_by_key) {
      const auto key = [](T x) { return rules<T>::whole(x) % 97; };
      const auto by_key = [&](T x, T y) { return key(x) < key(y); };
      expect_found(r.max_by_key(key), std::max_element(values_.begin(), values_.end(), by_key));
    }
    if constexpr (p.to == count) {
      EXPECT_EQ(r.count(), values_.size());
    }
    if constexpr (p.to == unzip) {
      const auto [at, got] = std::move(r).enumerate().unzip();
      EXPECT_EQ(got, values_);
      for (std::size_t i = 0; i < at.size(); ++i) ASSERT_EQ(at[i], i);
    }
  }

  template <class R>
  void search(R r) {
    using enum outcome;
    const auto attempted = [](T x) -> attempt {
      if (is_wanted(x)) return filch::unexpected(x);
      return x;
    };
    const auto error_of = [&](const attempt& all) -> std::optional<T> {
      if (!all) return all.error();
      EXPECT_EQ(*all, std::accumulate(values_.begin(), values_.end(), T{}));
      return std::nullopt;
    };
    const auto try_add = [](T a, T x) -> attempt { return a + x; };
    searched([&]() -> std::optional<T> {
      if constexpr (p.to == find_first) return r.find_first(is_wanted);
      if constexpr (p.to == find_last) return r.find_last(is_wanted);
      if constexpr (p.to == any) {
        if (!r.any(is_wanted)) return std::nullopt;
        const auto one = std::find_if(values_.begin(), values_.end(), is_wanted);
        return one == values_.end() ? T{} : *one;  // which is wrong
      }
      if constexpr (p.to == try_for_each) {
        const auto done = r.try_for_each(attempted);
        return done ? std::nullopt : std::optional<T>(done.error());
      }
      if constexpr (p.to == try_reduce)
        return error_of(std::move(r).map(attempted).try_reduce(T{}, try_add));
      if constexpr (p.to == try_fold) {
        const auto add = [](T a, T x) -> attempt {
          if (is_wanted(x)) return filch::unexpected(x);
          return a + x;
        };
        return error_of(r.try_fold(T{}, add, std::plus<T>()));
      }
      if constexpr (p.to == try_to) {
        const auto all = std::move(r).map(attempted).template try_to<std::vector>();
        if (!all) return all.error();
        expect_all(*all);
        return std::nullopt;
      }
    });
  }

  static bool is_chosen(T x) { return rules<T>::whole(x) % 5 < 2; }
  static bool is_wanted(T x) { return rules<T>::whole(x) % 1013 == 7; }

  numbers ordered(numbers v) const {
    if (!in_order) std::sort(v.begin(), v.end());
    return v;
  }
  void expect_all(const numbers& got) const { EXPECT_EQ(ordered(got), ordered(values_)); }
  void expect_found(std::optional<T> got, typename numbers::const_iterator at) const {
    EXPECT_EQ(got, at == values_.end() ? std::nullopt : std::optional(*at));
  }

  /// A consumer of all items throws if one of them does.
  template <class F>
  void complete(F f) {
    if (bad_)
      EXPECT_THROW(f(), failure);
    else
      f();
  }
  /// A search may end before it reaches an item behind its hit that throws, or in spite of it.
  /// Without an order, any hit is right, whichever comes first.
  template <class F>
  void searched(F f) {
    auto all = expected_;
    if (p.to == outcome::find_last) std::reverse(all.begin(), all.end());
    const auto first = std::find_if(all.begin(), all.end(),
                                    [](const auto& x) { return x.bad || is_wanted(x.value); });
    const bool throws = first != all.end() && first->bad;
    const auto hit = first == all.end() || throws ? std::nullopt : std::optional(first->value);
    try {
      const std::optional<T> got = f();
      if (in_order && p.to != outcome::any) {
        EXPECT_EQ(got, hit);
        EXPECT_FALSE(throws);
      } else if (got) {
        EXPECT_TRUE(is_wanted(*got));
        EXPECT_NE(std::count(values_.begin(), values_.end(), *got), 0);
      } else {
        EXPECT_TRUE(first == all.end());
      }
    } catch (const failure&) {
      EXPECT_TRUE(bad_);
    }
  }

  std::size_t n_;
  std::array<unsigned, deepest> args_{};
  T bad_value_{};
  std::size_t grain_ = 0;
  numbers first_ = {}, others_ = {};
  std::deque<T> deque_ = {};
  model<T> expected_ = {};
  numbers values_ = {};
  bool bad_ = false;
};

/// Runs all chains on any fork, at many sizes, each time with new arguments.
class chains_on : public on_any_fork {
 protected:
  template <class T>
  void every_chain() {
    run([&](const auto& fork) {
      all<T>(fork, std::make_integer_sequence<unsigned, chain_count>());
    });
  }

 private:
  template <class T, class Fork, unsigned... Chain>
  void all(const Fork& fork, std::integer_sequence<unsigned, Chain...>) {
    const auto if_drawn = [&]<unsigned C>() {
      if constexpr (is_drawn(C, std::is_floating_point_v<T>)) one<C, T>(fork);
    };
    (if_drawn.template operator()<Chain>(), ...);
  }
  template <unsigned Chain, class T, class Fork>
  void one(const Fork& fork) {
    for (const std::size_t n : sizes(4200)) {
      if (n > 3 && random().bounded(3) != 0) continue;
      one_chain<Chain, T> chain(random(), n);
      SCOPED_TRACE("chain " + std::to_string(Chain) + " " + chain.described());
      chain.test(fork);
      if (testing::Test::HasFailure()) return;
    }
  }
};

}  // namespace filch::test::numeric
