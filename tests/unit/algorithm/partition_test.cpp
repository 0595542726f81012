#include "filch/algorithm/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "filch/algorithm/remove.hpp"
#include "filch/algorithm/unique.hpp"
#include "support/any_fork_policy.hpp"
#include "support/sanitizers.hpp"
#include "support/sizes.hpp"

using namespace filch::detail;

namespace {

/// Not all large ones: the second pass is divided from about 16'000 on.
std::vector<std::size_t> some_sizes() {
  auto all = filch::test::sizes(4100);
  all.insert(all.end(), {20'001, filch::test::size_for_build(70'000u, 33'000u)});
  return all;
}

class partition_on : public filch::test::on_any_fork {
 protected:
  std::vector<std::uint32_t> numbers(std::size_t n, std::uint32_t below) {
    std::vector<std::uint32_t> all(n);
    for (auto& x : all) x = random().bounded(below);
    return all;
  }
};
FILCH_TEST_ON_EVERY_FORK(partition_on);

TEST_P(partition_on, divides_as_std_does) {
  for (const std::size_t n : some_sizes())
    for (const std::uint32_t limit : {0u, 3u, 500u, 997u, 1000u}) {
      const auto in = numbers(n, 1000);
      std::atomic<std::size_t> calls = 0;
      auto pred = [&](std::uint32_t x) {
        ++calls;
        return x < limit;
      };
      std::identity self;
      auto stable = in;
      const auto border =
          std::stable_partition(stable.begin(), stable.end(), pred) - stable.begin();
      const auto first_no = static_cast<std::size_t>(border);
      calls = 0;
      auto plain = in;
      auto kept = in;
      std::vector<std::uint32_t> yes(n), no(n);
      run([&](const auto& fork) {
        EXPECT_EQ(partition_with(fork, plain.begin(), n, pred, self, {}), first_no);
        EXPECT_EQ(stable_partition_with(fork, kept.begin(), n, pred, self, {}), first_no);
        const auto ends =
            partition_copy_with(fork, in.begin(), n, yes.begin(), no.begin(), pred, self, {});
        EXPECT_EQ(ends.out1 - yes.begin(), border);
        EXPECT_EQ(ends.out2 - no.begin(), static_cast<std::ptrdiff_t>(n) - border);
        EXPECT_EQ(ends.in, in.end());
      });
      EXPECT_EQ(calls, 3 * n);
      EXPECT_EQ(kept, stable);
      EXPECT_TRUE(std::equal(stable.begin(), stable.begin() + border, yes.begin()));
      EXPECT_TRUE(std::equal(stable.begin() + border, stable.end(), no.begin()));
      EXPECT_TRUE(std::is_partitioned(plain.begin(), plain.end(), pred));
      std::sort(plain.begin(), plain.end());
      std::sort(stable.begin(), stable.end());
      ASSERT_EQ(plain, stable);
    }
}

TEST_P(partition_on, removes_what_std_removes) {
  for (const std::size_t n : some_sizes())
    for (const std::uint32_t limit : {0u, 3u, 500u, 997u, 1000u}) {
      auto in = numbers(n, 1000);
      if (n > 0 && limit == 997) std::fill_n(in.begin(), n / 2, 999u);  // a part that stays
      auto expected = in;
      auto pred = [&](std::uint32_t x) { return x < limit; };
      std::erase_if(expected, pred);
      run([&](const auto& fork) {
        std::identity self;
        const auto rest = remove_if_with(fork, in.begin(), n, pred, self, {});
        EXPECT_EQ(rest.end(), in.end());
        in.erase(rest.begin(), rest.end());
      });
      ASSERT_EQ(in, expected);
    }
}

TEST_P(partition_on, keeps_the_first_of_equal_neighbours_as_std_does) {
  for (const std::size_t n : some_sizes())
    for (const std::uint32_t kinds : {1u, 2u, 20u, 100'000u}) {
      // Pairs, compared by the first element only, so that it shows which one was kept.
      std::vector<std::pair<std::uint32_t, std::size_t>> in(n);
      for (std::size_t i = 0; i < n; ++i) in[i] = {random().bounded(kinds), i};
      auto expected = in;
      const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
      expected.erase(std::unique(expected.begin(), expected.end(), same), expected.end());
      std::vector<std::pair<std::uint32_t, std::size_t>> copied(n);
      run([&](const auto& fork) {
        std::equal_to<> equal;
        auto proj = &std::pair<std::uint32_t, std::size_t>::first;
        const auto end = unique_copy_with(fork, in.begin(), n, copied.begin(), equal, proj, {});
        copied.erase(end, copied.end());
        const auto rest = unique_with(fork, in.begin(), n, equal, proj, {});
        in.erase(rest.begin(), rest.end());
      });
      ASSERT_EQ(in, expected);
      ASSERT_EQ(copied, expected);
    }
}

TEST_P(partition_on, elements_that_only_move_in_a_deque) {
  constexpr std::size_t n = 10'000;
  std::deque<std::unique_ptr<std::size_t>> in;
  for (std::size_t i = 0; i < n; ++i) in.push_back(std::make_unique<std::size_t>(i));
  auto third = [](const std::unique_ptr<std::size_t>& p) { return *p % 3 == 0; };
  std::identity self;
  run([&](const auto& fork) {
    EXPECT_EQ(stable_partition_with(fork, in.begin(), n, third, self, {}), 3334u);
    EXPECT_EQ(*in[1], 3u);
    EXPECT_EQ(*in[3334], 1u);
    EXPECT_EQ(*in[3335], 2u);
    EXPECT_EQ(partition_with(fork, in.begin(), n, third, self, {}), 3334u);
    auto odd = [](const std::unique_ptr<std::size_t>& p) { return *p % 2 == 1; };
    const auto rest = remove_if_with(fork, in.begin(), n, odd, self, {});
    EXPECT_EQ(rest.size(), n / 2);
    in.erase(rest.begin(), rest.end());
  });
  std::size_t sum = 0;
  for (const auto& p : in) sum += *p;
  EXPECT_EQ(sum, n / 2 * (n / 2 - 1));
}

/// Its moves may throw, and do sometimes. It knows whether it has been moved from.
struct touchy {
  int number;
  static inline std::atomic<int> until_throw = 0;
  explicit touchy(int n) : number(n) {}
  static void may_throw() {
    if (until_throw > 0 && --until_throw == 0) throw std::runtime_error("a move");
  }
  touchy(touchy&& other) : number(other.number) { may_throw(); }
  touchy& operator=(touchy&& other) {
    may_throw();
    number = other.number;
    return *this;
  }
};
static_assert(!safely_moved<std::vector<touchy>::iterator>);

TEST_P(partition_on, with_moves_that_may_throw_it_works_in_place) {
  constexpr int n = 9000;
  for (const int fail : {0, 1, 10, 1000, 5000}) {
    std::vector<touchy> in;
    in.reserve(n);
    touchy::until_throw = 0;
    for (int i = 0; i < n; ++i) in.emplace_back(i);
    auto odd = [](const touchy& t) { return t.number % 2 == 1; };
    std::identity self;
    run([&](const auto& fork) {
      touchy::until_throw = fail;
      try {
        const std::size_t border = stable_partition_with(fork, in.begin(), n, odd, self, {});
        EXPECT_EQ(fail, 0);
        EXPECT_EQ(border, static_cast<std::size_t>(n / 2));
        for (int i = 0; i < n; ++i)
          ASSERT_EQ(in[static_cast<std::size_t>(i)].number, i < n / 2 ? 2 * i + 1 : 2 * i - n);
        const auto rest = remove_if_with(fork, in.begin(), n, odd, self, {});
        EXPECT_EQ(rest.size(), static_cast<std::size_t>(n / 2));
        EXPECT_EQ(in[3].number, 6);
      } catch (const std::runtime_error&) {
        EXPECT_GT(fail, 0);
      }
    });
    touchy::until_throw = 0;
    for (const touchy& t : in) EXPECT_TRUE(t.number >= 0 && t.number < n);
  }
}

TEST_P(partition_on, if_the_predicate_throws_the_range_is_as_it_was) {
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 1 + random().bounded(20'000);
    const auto bad = random().bounded(static_cast<std::uint32_t>(n));
    std::vector<std::uint32_t> in(n);
    std::iota(in.begin(), in.end(), 0u);
    const auto before = in;
    auto pred = [&](std::uint32_t x) {
      if (x == bad) throw std::runtime_error("bad");
      return x % 3 == 0;
    };
    auto equal = [&](std::uint32_t, std::uint32_t b) { return pred(b); };
    std::identity self;
    run([&](const auto& fork) {
      EXPECT_THROW(partition_with(fork, in.begin(), n, pred, self, {}), std::runtime_error);
      EXPECT_THROW(stable_partition_with(fork, in.begin(), n, pred, self, {}), std::runtime_error);
      EXPECT_THROW(remove_if_with(fork, in.begin(), n, pred, self, {}), std::runtime_error);
      if (bad != 0) {
        EXPECT_THROW(unique_with(fork, in.begin(), n, equal, self, {}), std::runtime_error);
      }
    });
    EXPECT_EQ(in, before);
  }
}

TEST(partition, of_ranges_with_projections_options_and_sentinels) {
  std::vector<std::string> v = {"a", "bb", "c", "dd"};
  const auto two = [](std::size_t n) { return n == 2; };
  auto rest = filch::stable_partition(v, two, &std::string::size);
  EXPECT_EQ(rest.begin(), v.begin() + 2);
  EXPECT_EQ(v, (std::vector<std::string>{"bb", "dd", "a", "c"}));
  EXPECT_EQ(filch::partition(v, two, &std::string::size, {.grain = 2}).size(), 2u);
  EXPECT_EQ(filch::partition(v, [](const std::string&) { return true; }, {.grain = 2}).size(), 0u);
  EXPECT_EQ(filch::stable_partition(v.begin(), v.end(), two, &std::string::size).end(), v.end());
  std::vector<std::string> yes(2), no(2);
  EXPECT_EQ(filch::partition_copy(v, yes.begin(), no.begin(), two, &std::string::size).out2,
            no.end());
  EXPECT_EQ(no[1], "c");
  static_assert(std::is_same_v<decltype(filch::partition(std::vector<int>(), std::identity())),
                               std::ranges::dangling>);
}

TEST(remove, of_values_and_by_projection) {
  std::vector<int> v = {1, 2, 3, 2};
  auto rest = filch::remove(v, 2);
  EXPECT_EQ(rest.size(), 2u);
  EXPECT_EQ(v[1], 3);
  std::vector<std::string> words = {"a", "bb", "c"};
  EXPECT_EQ(filch::remove(words, std::size_t{1}, &std::string::size).size(), 2u);
  EXPECT_EQ(words[0], "bb");
  EXPECT_EQ(filch::remove_if(v.begin(), v.end(), [](int) { return false; }).size(), 0u);
}

TEST(unique, of_ranges_with_projections_options_and_sentinels) {
  std::vector<int> v = {1, 1, -1, 2, 2};
  EXPECT_EQ(filch::unique(v, {.grain = 2}).size(), 2u);
  const auto magnitude = [](int x) { return x < 0 ? -x : x; };
  std::vector<int> w = {1, -1, 2};
  EXPECT_EQ(filch::unique(w, std::ranges::equal_to(), magnitude).size(), 1u);
  EXPECT_EQ(filch::unique(w.begin(), w.begin() + 2).size(), 0u);
  std::vector<int> out(3);
  EXPECT_EQ(filch::unique_copy(std::vector<int>{4, 4, 5}, out.begin()).out, out.begin() + 2);
  EXPECT_EQ(out[1], 5);
}

TEST(remove, gives_what_can_be_taken_apart) {
  std::vector<int> v = {1, 2, 3, 4, 5};
  const auto [first, last] = filch::remove_if(v, [](int x) { return x % 2 == 0; });
  v.erase(first, last);
  EXPECT_EQ(v, (std::vector{1, 3, 5}));
}

/// A fork that fails to enter its pool the `bad`-th time, as for lack of memory. Inside a branch
/// every fork succeeds.
class entering_fork : public filch::test::sequential_fork {
 public:
  explicit entering_fork(int bad) : left_(bad) {}

  template <class F, class G>
  auto operator()(F&& f, G&& g) const
      -> std::pair<filch::detail::result_of<F>, filch::detail::result_of<G>> {
    if (depth_ == 0 && --left_ == 0) throw std::bad_alloc();
    ++depth_;
    const std::unique_ptr<int, void (*)(int*)> leave(&depth_, [](int* depth) { --*depth; });
    return filch::test::sequential_fork::operator()(f, g);
  }
  bool failed() const { return left_ == 0; }

 private:
  mutable int left_;
  mutable int depth_ = 0;
};

TEST(entering_a_pool, that_fails_loses_no_element) {
  std::size_t failures = 0;
  for (const bool partition : {true, false})
    for (int bad = 1; bad < 200; ++bad) {
      std::vector<std::unique_ptr<int>> v;
      for (int i = 0; i < 5000; ++i) v.push_back(std::make_unique<int>(i));
      const entering_fork fork(bad);
      auto odd = [](const std::unique_ptr<int>& p) { return *p % 2 != 0; };
      std::identity self;
      try {
        if (partition)
          filch::detail::stable_partition_with(fork, v.begin(), v.size(), odd, self, {});
        else
          filch::detail::remove_if_with(fork, v.begin(), v.size(), odd, self, {});
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      const auto there =
          std::count_if(v.begin(), v.end(), [](const auto& p) { return p != nullptr; });
      if (partition || fork.failed()) {
        ASSERT_EQ(there, 5000) << bad;
      }
      if (!fork.failed()) break;
    }
  EXPECT_GT(failures, 2u);
}

}  // namespace
