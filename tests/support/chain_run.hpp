// A chain that was drawn at random, run once.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "filch/errors.hpp"
#include "filch/expected.hpp"
#include "filch/ranges.hpp"
#include "support/any_fork.hpp"
#include "support/chain_model.hpp"
#include "support/chain_plan.hpp"
#include "support/sizes.hpp"
#include "support/tracked.hpp"

namespace filch::test {

struct failure : std::runtime_error {
  failure() : std::runtime_error("an item failed") {}
};

inline constexpr number nowhere = -1;
inline constexpr unsigned consumers = 12;  // as many as there are chains for them

/// The items of a run, of which one may throw, or ask to stop. Elements are their own positions.
struct run_of_chain {
  std::size_t size;
  arguments args{};
  number throws_at = nowhere;
  number stops_at = nowhere;
  std::stop_source stop = {};

  run_of_chain(filch::detail::rng& random, std::size_t n) : size(n) {
    for (number& a : args) a = static_cast<number>(random.bounded(60));
    const auto somewhere = [&] {
      return static_cast<number>(random.bounded(static_cast<std::uint32_t>(n)));
    };
    const auto how = random.bounded(4);
    if (n != 0 && how == 0) throws_at = somewhere();
    if (n != 0 && how == 1) stops_at = somewhere();
  }
  number checked(number x) {
    if (x == throws_at) throw failure();
    if (x == stops_at) stop.request_stop();
    return x;
  }
  items expected(const plan& p) const {
    items v;
    for (std::size_t i = 0; i < size; ++i)
      v.push_back({static_cast<number>(i), static_cast<number>(i) == throws_at});
    return expected_chain(p, std::move(v), args);
  }
};

template <unsigned Chain>
class one_chain {
 public:
  explicit one_chain(run_of_chain& r) : run_(r), expected_(r.expected(draw(Chain))) {
    bad_ = std::any_of(expected_.begin(), expected_.end(), [](const item& i) { return i.bad; });
    for (const item& i : expected_) values_.push_back(i.value);
  }

  /// All items in a vector.
  template <class Fork>
  void collected(const Fork& fork) {
    const auto v = elements();
    complete([&] { EXPECT_EQ(borrowed(fork, v).to_vector(), values_); });
  }

  /// Something else of them, another thing for every chain.
  template <class Fork>
  void consumed(const Fork& fork) {
    const auto v = elements();
    const auto wanted = [a = run_.args[0]](number x) { return (x + a) % 101 == 0; };
    if constexpr (Chain % consumers == 0) {
      number sum = 0;
      for (const number x : values_) sum += x;
      complete([&] { EXPECT_EQ(borrowed(fork, v).sum(), sum); });
    } else if constexpr (Chain % consumers == 1) {
      complete([&] { EXPECT_EQ(borrowed(fork, v).count(), values_.size()); });
    } else if constexpr (Chain % consumers == 2) {
      const auto largest = std::max_element(values_.begin(), values_.end());
      const auto most = values_.empty() ? std::nullopt : std::optional(*largest);
      complete([&] { EXPECT_EQ(borrowed(fork, v).max(), most); });
    } else if constexpr (Chain % consumers == 3) {
      const auto last = values_.empty() ? std::nullopt : std::optional(values_.back());
      const auto second = [](number, number b) { return b; };
      complete([&] { EXPECT_EQ(borrowed(fork, v).reduce(second), last); });
    } else if constexpr (Chain % consumers == 4) {
      const auto hit = first_of(expected_, wanted);
      searched(hit, [&] { return borrowed(fork, v).find_first(wanted); });
    } else if constexpr (Chain % consumers == 5) {
      const auto hit = first_of(items(expected_.rbegin(), expected_.rend()), wanted);
      searched(hit, [&] { return borrowed(fork, v).find_last(wanted); });
    } else if constexpr (Chain % consumers == 6) {
      const bool any = std::any_of(values_.begin(), values_.end(), wanted);
      const search_result hit{any ? std::optional(number{1}) : std::nullopt, bad_ && !any};
      searched(hit, [&] {
        return borrowed(fork, v).any(wanted) ? std::optional(number{1}) : std::nullopt;
      });
    } else if constexpr (Chain % consumers == 7) {
      std::vector<number> room(values_.size() + 1);
      complete([&] {
        EXPECT_EQ(borrowed(fork, v).into(room), values_.size());
        EXPECT_TRUE(std::equal(values_.begin(), values_.end(), room.begin()));
      });
    } else if constexpr (Chain % consumers == 8) {
      const auto odd = [](number x) { return x % 2 != 0; };
      std::pair<std::vector<number>, std::vector<number>> sides;
      for (const number x : values_) (odd(x) ? sides.first : sides.second).push_back(x);
      complete([&] { EXPECT_EQ(borrowed(fork, v).partition(odd), sides); });
    } else if constexpr (Chain % consumers == 9) {
      const auto key = [](number x) { return x % 7; };
      complete([&] { EXPECT_EQ(borrowed(fork, v).group_by(key), grouped(key)); });
    } else if constexpr (Chain % consumers == 10) {
      const auto attempt = [&](number x) -> filch::expected<number, number> {
        if (wanted(x)) return filch::unexpected(x);
        return x;
      };
      const auto hit = first_of(expected_, wanted);
      searched(hit, [&] {
        const auto all = borrowed(fork, v).map(attempt).template try_to<std::vector>();
        if (!all) return std::optional(all.error());
        EXPECT_EQ(*all, values_);
        return std::optional<number>();
      });
    } else {
      const std::size_t most = size_of(run_.args[1]) * 5;
      // Any of them, and so any that throws or none.
      try {
        std::vector<number> some = borrowed(fork, v).take_any(most).to_vector();
        EXPECT_EQ(some.size(), std::min(most, values_.size()));
        std::vector<number> all = values_;
        std::sort(some.begin(), some.end());
        std::sort(all.begin(), all.end());
        EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
      } catch (const failure&) {
        EXPECT_TRUE(bad_);
      } catch (const filch::cancelled&) {
        EXPECT_NE(run_.stops_at, nowhere);
      }
    }
  }

  /// From elements that the chain owns to elements that it makes, each once.
  template <class Fork>
  void owned(const Fork& fork) {
    std::atomic<std::size_t> made = 0;
    complete([&] {
      std::vector<tracked> v;
      for (std::size_t i = 0; i < run_.size; ++i) v.emplace_back(static_cast<int>(i));
      auto source = filch::detail::par_on(fork, std::move(v), {.stop = run_.stop.get_token()})
                        .map([&](const tracked& t) { return run_.checked(t.number()); });
      const auto all = chained<Chain>(std::move(source), run_.args)
                           .map([&](number x) {
                             ++made;
                             return tracked(static_cast<int>(x));
                           })
                           .to_vector();
      EXPECT_EQ(made, values_.size());
      ASSERT_EQ(all.size(), values_.size());
      for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].number(), values_[i]);
    });
    EXPECT_EQ(tracked::live(), 0);
    EXPECT_EQ(tracked::wrong_destructions(), 0);
  }

 private:
  struct search_result {
    std::optional<number> hit;
    bool throws;  ///< something throws before the hit, in the order of the search
  };
  template <class Pred>
  static search_result first_of(const items& all, Pred pred) {
    for (const item& i : all) {
      if (i.bad) return {std::nullopt, true};
      if (pred(i.value)) return {i.value, false};
    }
    return {std::nullopt, false};
  }

  /// The values by their keys, in the order of first appearance.
  template <class Key>
  std::vector<std::pair<number, std::vector<number>>> grouped(Key key) const {
    std::vector<std::pair<number, std::vector<number>>> groups;
    for (const number x : values_) {
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto& g) { return g.first == key(x); });
      if (group == groups.end()) group = groups.insert(group, {key(x), {}});
      group->second.push_back(x);
    }
    return groups;
  }

  std::vector<number> elements() const {
    std::vector<number> v(run_.size);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<number>(i);
    return v;
  }
  template <class Fork>
  auto borrowed(const Fork& fork, const std::vector<number>& v) {
    auto source =
        filch::detail::par_on(fork, v, {.stop = run_.stop.get_token()}).map([this](number x) {
          return run_.checked(x);
        });
    return chained<Chain>(std::move(source), run_.args);
  }

  /// What goes through all items throws if one of them does, and may be stopped.
  template <class F>
  void complete(F f) {
    if (bad_) {
      EXPECT_THROW(f(), failure);
      return;
    }
    try {
      f();
    } catch (const filch::cancelled&) {
      EXPECT_NE(run_.stops_at, nowhere);
    }
  }
  /// What ends early may end before, or in spite of, what throws behind its hit.
  template <class F>
  void searched(const search_result& wanted, F f) {
    try {
      EXPECT_EQ(f(), wanted.hit);
      EXPECT_FALSE(wanted.throws);
    } catch (const failure&) {
      EXPECT_TRUE(bad_);
    } catch (const filch::cancelled&) {
      EXPECT_NE(run_.stops_at, nowhere);
    }
  }

  run_of_chain& run_;
  items expected_;
  std::vector<number> values_ = {};
  bool bad_ = false;
};

/// Runs chains on any fork.
class chains_on : public on_any_fork {
 protected:
  chains_on() { tracked::reset_counts(); }

  /// Calls f(chain, fork) for the chains from First up to Last, with new arguments, at many sizes.
  template <unsigned First, unsigned Last, class F>
  void every_chain(F f) {
    run([&](const auto& fork) {
      for (const std::size_t n : sizes(1100))
        several<First>(fork, n, f, std::make_integer_sequence<unsigned, Last - First>());
    });
  }

 private:
  template <unsigned First, class Fork, class F, unsigned... I>
  void several(const Fork& fork, std::size_t n, F& f, std::integer_sequence<unsigned, I...>) {
    (one<First + I>(fork, n, f), ...);
  }
  template <unsigned Chain, class Fork, class F>
  void one(const Fork& fork, std::size_t n, F& f) {
    run_of_chain r(random(), n);
    SCOPED_TRACE("chain " + std::to_string(Chain) + ": " + described(draw(Chain), r.args) + " of " +
                 std::to_string(n) + ", throws at " + std::to_string(r.throws_at) + ", stops at " +
                 std::to_string(r.stops_at));
    one_chain<Chain> chain(r);
    f(chain, fork);
  }
};

}  // namespace filch::test
