// Stops and exceptions at random points, in algorithms of several passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "filch/algorithm/flatten.hpp"
#include "filch/algorithm/group_by_key.hpp"
#include "filch/algorithm/histogram.hpp"
#include "filch/algorithm/merge.hpp"
#include "filch/algorithm/nth_element.hpp"
#include "filch/algorithm/partial_sort.hpp"
#include "filch/algorithm/partition.hpp"
#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/segmented_scan.hpp"
#include "filch/algorithm/set_operations.hpp"
#include "filch/algorithm/unique.hpp"
#include "filch/errors.hpp"
#include "support/any_fork_policy.hpp"
#include "support/hang_guard.hpp"

namespace {

using namespace filch::detail;

struct boom {};

struct item {
  std::uint32_t key = 0;
  std::size_t number = 0;
  friend bool operator==(const item&, const item&) = default;
};

class interrupted_on : public filch::test::on_any_fork {
 public:
  /// A call of the user's function. One of these calls is interrupted.
  void ask() {
    if (left_.fetch_sub(1) != 1) return;
    if (throws_) throw boom();
    source_.request_stop();
  }

 protected:
  /// Calls body(fork, options, items) repeatedly, each time with an interruption at another of the
  /// first `most` calls, and then check(items, done). `done` is true if neither `boom` nor
  /// `cancelled` was thrown. `boom` may come only from where it was thrown.
  template <class Body, class Check>
  void each_time(std::uint32_t most, Body body, Check check) {
    for (const std::size_t n : {300u, 5000u})
      for (int round = 0; round < 8; ++round) {
        SCOPED_TRACE(testing::Message() << n << " items, round " << round);
        const std::vector<item> given = items(n);
        std::vector<item> v = given;
        throws_ = round % 2 == 0;
        source_ = std::stop_source();
        left_ = 1 + random().bounded(most * static_cast<std::uint32_t>(n));
        bool done = false, threw = false;
        const filch::options o{.grain = round % 3 == 0 ? 50u : 0u, .stop = source_.get_token()};
        run([&](const auto& fork) {
          try {
            body(fork, o, v);
            done = true;
          } catch (const boom&) {
            threw = true;
          } catch (const filch::cancelled&) {
            EXPECT_TRUE(source_.stop_requested());
          }
        });
        EXPECT_EQ(threw, throws_ && left_ <= 0);
        check(given, v, done);
        if (HasFatalFailure()) return;
      }
  }

  std::vector<item> items(std::size_t n) {
    std::vector<item> v(n);
    for (std::size_t i = 0; i < n; ++i)
      v[i] = {random().bounded(static_cast<std::uint32_t>(n / 4)), i};
    return v;
  }
  /// Sorts both halves.
  static void sort_halves(std::vector<item>& v) {
    const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::ranges::sort(v.begin(), middle, {}, &item::key);
    std::ranges::sort(middle, v.end(), {}, &item::key);
  }
  /// Does `v` have the given items, in any order? The given items are numbered.
  static void same_items(const std::vector<item>& given, const std::vector<item>& v) {
    std::vector<item> in_order(given.size(), item{0, given.size()});
    ASSERT_EQ(v.size(), given.size());
    for (const item& e : v) in_order.at(e.number) = e;
    ASSERT_EQ(in_order, given);
  }

  std::function<bool(const item&, const item&)> less = [this](const item& a, const item& b) {
    ask();
    return a.key < b.key;
  };
  std::function<bool(const item&, const item&)> same = [this](const item& a, const item& b) {
    ask();
    return a.key == b.key;
  };
  std::function<bool(const item&)> odd = [this](const item& e) {
    ask();
    return e.key % 2 != 0;
  };
  std::function<std::uint32_t(const item&)> key = [this](const item& e) {
    ask();
    return e.key;
  };
  std::identity self;

 private:
  std::atomic<std::int64_t> left_{0};
  bool throws_ = false;
  std::stop_source source_;
};
FILCH_TEST_ON_EVERY_FORK(interrupted_on);

TEST_P(interrupted_on, merges_keep_all_items) {
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        sort_halves(v);
        const std::size_t half = v.size() / 2;
        order_with(fork, v.size(), o, [&](const auto& f) {
          with_order(v.begin(), less, self, [&](auto begin, auto before) {
            merge_in_place(f, begin, half, v.size(), before, 100);
          });
        });
        EXPECT_TRUE(std::ranges::is_sorted(v, {}, &item::key));
      },
      [](const auto& given, const auto& v, bool) { same_items(given, v); });
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        std::vector<item> in = v, out(v.size());
        sort_halves(in);
        const std::size_t half = in.size() / 2;
        order_with(fork, v.size(), o, [&](const auto& f) {
          merge_copies(f, in.begin(), half, at(in.begin(), half), in.size() - half, out.begin(),
                       less, 100);
        });
        v = out;
        EXPECT_TRUE(std::ranges::is_sorted(v, {}, &item::key));
      },
      [](const auto& given, const auto& v, bool) { same_items(given, v); });
}

TEST_P(interrupted_on, selections_keep_all_items) {
  each_time(
      4,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        order_with(fork, v.size(), o, [&](const auto& f) {
          nth_element_with(f, v.begin(), v.size() / 3, v.size(), less, self, o);
        });
      },
      [](const auto& given, const auto& v, bool) { same_items(given, v); });
  each_time(
      6,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        order_with(fork, v.size(), o, [&](const auto& f) {
          partial_sort_with(f, v.begin(), v.size() / 3, v.size(), less, self, o);
        });
        EXPECT_TRUE(
            std::ranges::is_sorted(v.begin(), v.begin() + std::ssize(v) / 3, {}, &item::key));
      },
      [](const auto& given, const auto& v, bool) { same_items(given, v); });
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        order_with(fork, v.size(), o, [&](const auto& f) {
          const auto found = first_positions_with(f, v.begin(), v.size(), 20, less, self, o);
          if (f.may_start()) {
            EXPECT_EQ(found.size(), 20u);
          }
        });
      },
      [](const auto& given, const auto& v, bool) { ASSERT_EQ(given, v); });
}

TEST_P(interrupted_on, what_rearranges_has_not_begun) {
  const auto check = [](const auto& given, const auto& v, bool done) {
    if (!done) {
      ASSERT_EQ(given, v);
    }
  };
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        partition_with(fork, v.begin(), v.size(), odd, self, o);
        EXPECT_TRUE(std::ranges::is_partitioned(v, [](const item& e) { return e.key % 2 != 0; }));
      },
      check);
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        stable_partition_with(fork, v.begin(), v.size(), odd, self, o);
        EXPECT_TRUE(std::ranges::is_partitioned(v, [](const item& e) { return e.key % 2 != 0; }));
      },
      check);
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        remove_if_with(fork, v.begin(), v.size(), odd, self, o);
      },
      check);
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        unique_with(fork, v.begin(), v.size(), same, self, o);
      },
      check);
}

TEST_P(interrupted_on, scans_of_segments_are_whole_or_end) {
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        const std::size_t n = v.size();
        std::vector<std::size_t> ones(n, 1), out(n);
        auto op = [&](std::size_t a, std::size_t b) {
          ask();
          return a + b;
        };
        auto starts = [](std::size_t i) { return i % 100 == 0; };
        segmented_with(fork, starts, ones.begin(), n, out.begin(), std::optional<std::size_t>(), op,
                       o);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], i % 100 + 1);
      },
      [](const auto&, const auto&, bool) {});
}

TEST_P(interrupted_on, set_operations_and_keys_are_whole_or_end) {
  const auto check = [](const auto& given, const auto& v, bool) { ASSERT_EQ(given, v); };
  each_time(
      4,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        std::vector<item> in = v, out(2 * v.size());
        std::ranges::sort(in, {}, &item::key);
        const auto p =
            sorted_pair_of(in.begin(), in.size(), in.begin(), in.size(), less, self, self);
        const auto end = set_operation_with<union_operation>(fork, p, out.begin(), o);
        EXPECT_EQ(end - out.begin(), std::ssize(in));
        EXPECT_TRUE(includes_with(fork, p, o));
      },
      check);
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        const auto counts = histogram_with(fork, v.begin(), v.size(), v.size(), key, o);
        EXPECT_EQ(std::reduce(counts.begin(), counts.end()), v.size());
      },
      check);
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        std::size_t all = 0;
        for (const auto& [k, group] : group_by_key_with(fork, v.begin(), v.size(), key, self, o))
          all += group.size();
        EXPECT_EQ(all, v.size());
      },
      check);
}

TEST_P(interrupted_on, flattening_is_whole_or_ends) {
  struct asked : item {
    asked() = default;
    asked(const item& e, interrupted_on* test_) : item(e), test(test_) {}
    asked(const asked& other) : item(other), test(other.test) {
      if (test != nullptr) test->ask();
    }
    asked& operator=(const asked& other) {
      if (other.test != nullptr) other.test->ask();
      item::operator=(other);
      return *this;
    }
    interrupted_on* test = nullptr;
  };
  each_time(
      2,
      [&](const auto& fork, const filch::options& o, std::vector<item>& v) {
        std::vector<std::vector<asked>> rows(10);
        for (std::size_t i = 0; i < v.size(); ++i) rows[i % 10].emplace_back(v[i], nullptr);
        for (auto& row : rows)
          for (asked& e : row) e.test = this;
        EXPECT_EQ(flatten_with<asked>(fork, rows.begin(), rows.size(), o).size(), v.size());
        std::vector<asked> out(v.size());
        flatten_with(fork, rows.begin(), rows.size(), out.begin(), o);
      },
      [](const auto& given, const auto& v, bool) { ASSERT_EQ(given, v); });
}

}  // namespace
