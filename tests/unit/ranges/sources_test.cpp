#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/fork_policies.hpp"
#include "support/par_on.hpp"

using filch::test::par_on;

namespace yard {

/// A container of another library: rows of three.
struct field {
  std::vector<int> cells;
};
struct rows {
  using item = std::array<int, 3>;
  const field* all;
  std::size_t size() const { return all->cells.size() / 3; }
  item get(std::size_t i) const {
    return {all->cells[3 * i], all->cells[3 * i + 1], all->cells[3 * i + 2]};
  }
};
rows par_source(const field& f) { return {&f}; }

}  // namespace yard

namespace {

class sources_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(sources_on);

TEST_P(sources_on, containers_are_borrowed_or_owned) {
  run([&](const auto& fork) {
    const std::array<int, 4> a = {1, 2, 3, 4};
    EXPECT_EQ(par_on(fork, a).sum(), 10);
    std::deque<std::string> d(2000, "deque");
    EXPECT_EQ(par_on(fork, d).map(&std::string::size).sum(), 10'000u);
    EXPECT_EQ(d[7], "deque");
    const auto moved = par_on(fork, std::move(d)).to_vector();
    EXPECT_EQ(moved, std::vector<std::string>(2000, "deque"));
    EXPECT_EQ(
        par_on(fork, std::string_view("a-b-c")).filter([](char c) { return c == '-'; }).count(),
        2u);
    EXPECT_EQ(par_on(fork, std::string("abc")).to_vector(), (std::vector<char>{'a', 'b', 'c'}));
    EXPECT_EQ(par_on(fork, std::array<int, 3>{1, 2, 3}).sum(), 6);
  });
}

TEST_P(sources_on, indices_have_the_common_type) {
  run([&](const auto& fork) {
    const auto some = par_on(fork, filch::par_indices(-3, 4L)).to_vector();
    static_assert(std::is_same_v<decltype(some), const std::vector<long>>);
    EXPECT_EQ(some, (std::vector<long>{-3, -2, -1, 0, 1, 2, 3}));
    EXPECT_EQ(par_on(fork, filch::par_indices(5, 5)).count(), 0u);
    EXPECT_EQ(par_on(fork, filch::par_indices(5, 4)).count(), 0u);
    constexpr auto top = std::numeric_limits<std::uint8_t>::max();
    EXPECT_EQ(par_on(fork, filch::par_indices(std::uint8_t{0}, top)).count(), 255u);
    const auto all_bytes = par_on(fork, filch::par_indices(std::int8_t{-128}, std::int8_t{127}))
                               .map([](std::int8_t i) { return int{i}; })
                               .filter([](int) { return true; })
                               .to_vector();
    std::vector<int> bytes(255);
    std::iota(bytes.begin(), bytes.end(), -128);
    EXPECT_EQ(all_bytes, bytes);
    EXPECT_EQ(par_on(fork, filch::par_indices(std::numeric_limits<int>::max() - 9,
                                              std::numeric_limits<int>::max()))
                  .find_last([](int) { return true; }),
              std::numeric_limits<int>::max() - 1);
    EXPECT_EQ(par_on(fork, filch::par_indices(0, 100'000)).map([](int i) { return long{i}; }).sum(),
              4'999'950'000);
  });
}

TEST_P(sources_on, values_are_repeated_or_given_once_or_not_at_all) {
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, filch::par_repeat(std::string("x"), 1000)).to_vector(),
              std::vector<std::string>(1000, "x"));
    auto once = par_on(fork, filch::par_once(std::make_unique<int>(7)));
    const auto all = once.to_vector();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(*all[0], 7);
    EXPECT_THROW((void)once.to_vector(), filch::usage_error);
    EXPECT_TRUE(par_on(fork, filch::par_empty<int>()).to_vector().empty());
  });
}

TEST_P(sources_on, a_container_with_a_hook_is_parallel) {
  yard::field f{std::vector<int>(3000, 1)};
  run([&](const auto& fork) {
    const auto sum = par_on(fork, f).map([](const auto& row) { return row[0] + row[2]; }).sum();
    EXPECT_EQ(sum, 2000);
    EXPECT_EQ(par_on(fork, yard::rows{&f}).count(), 1000u);
  });
}

/// Elements side by side, as a program of its own gives them.
struct cells {
  using item = const int&;
  const std::vector<int>* all;
  std::size_t size() const { return all->size(); }
  item get(std::size_t i) const { return (*all)[i]; }
  const int* at(std::size_t i) const { return all->data() + i; }
};

TEST_P(sources_on,
       a_filter_of_elements_side_by_side_is_packed_also_if_the_source_is_of_the_program) {
  constexpr auto is_third = [](int x) { return x % 3 == 0; };
  using kept = decltype(filch::par(std::declval<cells>()).filter(is_third))::source_type;
  static_assert(filch::detail::packs<kept, std::vector<int>>);
  static_assert(!filch::detail::packs<kept, std::vector<long>>);
  for (const std::size_t n : {0u, 1u, 1000u, 100'000u}) {
    std::vector<int> v(n), thirds;
    std::iota(v.begin(), v.end(), 0);
    std::copy_if(v.begin(), v.end(), std::back_inserter(thirds), is_third);
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, cells{&v}).filter(is_third).to_vector(), thirds);
    });
  }
}

/// Node i has the children i * width + 1 to i * width + width, below n.
struct tree {
  std::size_t n;
  std::size_t width;
  std::vector<std::size_t> operator()(std::size_t i) const {
    std::vector<std::size_t> all;
    for (std::size_t k = 1; k <= width && i * width + k < n; ++k) all.push_back(i * width + k);
    return all;
  }
  void collect(std::size_t i, bool prefix, std::vector<std::size_t>& into) const {
    if (prefix) into.push_back(i);
    for (const std::size_t child : (*this)(i)) collect(child, prefix, into);
    if (!prefix) into.push_back(i);
  }
};

TEST_P(sources_on, walks_give_the_nodes_in_the_order_of_a_recursion) {
  for (const tree t : {tree{1, 2}, tree{2, 2}, tree{5000, 2}, tree{1000, 1}, tree{5000, 100}}) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> after;
    t.collect(0, true, before);
    t.collect(0, false, after);
    run([&](const auto& fork) {
      ASSERT_EQ(par_on(fork, filch::par_walk_prefix(std::size_t{0}, t)).to_vector(), before);
      ASSERT_EQ(par_on(fork, filch::par_walk_postfix(std::size_t{0}, t)).to_vector(), after);
      const auto large = [&](std::size_t i) { return 2 * i + 1 >= t.n; };
      ASSERT_EQ(par_on(fork, filch::par_walk_prefix(std::size_t{0}, t)).filter(large).find_first(),
                *std::find_if(before.begin(), before.end(), large));
      ASSERT_EQ(par_on(fork, filch::par_walk_postfix(std::size_t{0}, t)).filter(large).find_first(),
                *std::find_if(after.begin(), after.end(), large));
      ASSERT_EQ(par_on(fork, filch::par_walk_postfix(std::size_t{0}, t)).take_any(1).count(), 1u);
    });
  }
}

TEST(sources, in_a_walk_that_looks_for_any_node_nothing_is_visited_once_a_thief_has_one) {
  auto root = filch::par_walk_postfix(0u, [](unsigned i) {
    std::vector<unsigned> below(i == 0 ? 1000 : 0);
    std::iota(below.begin(), below.end(), 1u);
    return below;
  });
  const filch::test::stealing_fork fork(filch::test::stealing_fork::when::before);
  int seen = 0;
  const auto see = [&](unsigned) { return ++seen != 0; };
  EXPECT_EQ(par_on(fork, std::move(root)).find_any(see), 1000u);
  EXPECT_EQ(seen, 1);
}

TEST_P(sources_on, a_bridge_gives_every_item_once) {
  run([&](const auto& fork) {
    std::istringstream in("1 2 3 4 5 6 7 8 9 10");
    EXPECT_EQ(par_on(fork, filch::par_bridge(std::istream_iterator<int>(in),
                                             std::istream_iterator<int>()))
                  .map([](int x) { return 2 * x; })
                  .sum(),
              110);
    std::list<int> list(1000);
    std::iota(list.begin(), list.end(), 0);
    auto all = par_on(fork, filch::par_bridge(list)).to_vector();
    std::sort(all.begin(), all.end());
    EXPECT_TRUE(std::equal(all.begin(), all.end(), list.begin(), list.end()));
    std::list<std::unique_ptr<int>> pointers;
    for (int i = 0; i != 100; ++i) pointers.push_back(std::make_unique<int>(i));
    auto once = par_on(fork, filch::par_bridge(std::move(pointers)));
    EXPECT_EQ(once.to_vector().size(), 100u);
    EXPECT_THROW((void)once.to_vector(), filch::usage_error);
  });
}

TEST_P(sources_on, a_bridge_reads_no_more_than_is_wanted) {
  run([&](const auto& fork) {
    int next = 0;
    const auto endless = [&]() -> std::optional<int> { return next++; };
    const auto found = par_on(fork, filch::par_bridge(std::ref(endless)))
                           .filter([](int x) { return x >= 500; })
                           .find_first();
    ASSERT_TRUE(found.has_value());
    EXPECT_GE(*found, 500);
    EXPECT_EQ(par_on(fork, filch::par_bridge(std::ref(endless))).take_any(100).count(), 100u);
  });
}

/// The numbers in a text, one by one. (clang 14 cannot compile libstdc++'s views.)
struct numbers_of {
  std::istream* in;
  std::istream_iterator<int> begin() const { return {*in}; }
  std::istream_iterator<int> end() const { return {}; }
};

TEST(sources, a_bridge_from_a_range_does_not_advance_to_an_item_that_is_not_wanted) {
  const filch::test::sequential_fork fork;
  const auto any = [](int) { return true; };
  std::istringstream in("1 2 3");
  EXPECT_EQ(par_on(fork, filch::par_bridge(numbers_of{&in})).find_any(any), 1);
  int left = 0;
  EXPECT_TRUE(in >> left);
  EXPECT_EQ(left, 2);
}

TEST(sources, a_deterministic_bridge_tells_how_far_it_is_once_for_each_block) {
  using pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  pairs reported;
  const filch::options o{.deterministic = true, .progress = [&](std::size_t done, std::size_t all) {
                           reported.emplace_back(done, all);
                         }};
  EXPECT_EQ(filch::par_bridge(std::list<int>(), o).count(), 0u);
  EXPECT_EQ(reported, pairs());
  EXPECT_EQ(filch::par_bridge(std::list<int>(1024), o).count(), 1024u);
  EXPECT_EQ(reported, (pairs{{1024, 1024}}));
  reported.clear();
  const std::list<int> three(3), two(2);
  EXPECT_EQ(filch::par_bridge(three).chain(filch::par_bridge(two)).with(o).count(), 5u);
  EXPECT_EQ(reported, (pairs{{3, 3}, {5, 5}}));
}

TEST(sources, items_that_a_bridge_has_read_before_one_was_enough_are_skipped) {
  // The thief of every fork reads on before the owner works on its item.
  const filch::test::stealing_fork fork(filch::test::stealing_fork::when::before);
  int read = 0;
  const auto endless = [&]() -> std::optional<int> { return read++; };
  int seen = 0;
  const auto see = [&](int) { return ++seen != 0; };
  EXPECT_TRUE(par_on(fork, filch::par_bridge(std::ref(endless))).find_any(see).has_value());
  EXPECT_EQ(seen, 1);
  EXPECT_GT(read, 1);
}

TEST_P(sources_on, what_a_bridged_chain_throws_is_thrown) {
  run([&](const auto& fork) {
    const std::list<int> list(1000, 1);
    const auto f = [](int) -> int { throw std::runtime_error("bad"); };
    EXPECT_THROW((void)par_on(fork, filch::par_bridge(list)).map(f).sum(), std::runtime_error);
  });
}

/// A view of strings that another object owns. It does not declare that its iterators outlive it.
struct strings_of : std::ranges::view_base {
  std::vector<std::string>* all;
  explicit strings_of(std::vector<std::string>& strings) : all(&strings) {}
  auto begin() const { return all->begin(); }
  auto end() const { return all->end(); }
};

TEST_P(sources_on, nothing_is_moved_out_of_what_a_view_refers_to) {
  const std::vector<std::string> before(2000, "a string that is on the heap");
  run([&](const auto& fork) {
    std::vector<std::string> v = before;
    EXPECT_EQ(par_on(fork, strings_of(v)).to_vector(), before);
    EXPECT_EQ(par_on(fork, filch::par_indices(0, 1))
                  .flat_map([&](int) { return strings_of(v); })
                  .to_vector(),
              before);
    EXPECT_EQ(par_on(fork, filch::par_bridge(strings_of(v))).to_vector(), before);
    EXPECT_EQ(par_on(fork, filch::par_bridge(std::span(v))).to_vector(), before);
    EXPECT_EQ(v, before);
  });
}

/// The same, which does not declare that it is a view.
struct two_pointers {
  std::string* first;
  std::string* last;
  std::string* begin() const { return first; }
  std::string* end() const { return last; }
};

TEST_P(sources_on, nothing_is_moved_out_of_what_is_like_a_view) {
  const std::vector<std::string> before(2000, "a string that is on the heap");
  run([&](const auto& fork) {
    std::vector<std::string> v = before;
    const auto all = [&] { return two_pointers{v.data(), v.data() + v.size()}; };
    EXPECT_EQ(par_on(fork, all()).to_vector(), before);
    EXPECT_EQ(
        par_on(fork, filch::par_indices(0, 1)).flat_map([&](int) { return all(); }).to_vector(),
        before);
    EXPECT_EQ(par_on(fork, filch::par_bridge(all())).to_vector(), before);
    EXPECT_EQ(v, before);
  });
}

TEST_P(sources_on, bits_are_read_as_values) {
  std::vector<bool> bits(5000);
  for (std::size_t i = 0; i != bits.size(); ++i) bits[i] = i % 3 == 0;
  run([&](const auto& fork) {
    const std::vector<bool> copied = par_on(fork, bits).to_vector();
    EXPECT_EQ(copied, bits);
    const std::vector<bool> moved = par_on(fork, std::vector(bits)).to_vector();
    EXPECT_EQ(moved, bits);
    const std::optional<bool> least = par_on(fork, bits).min();
    EXPECT_EQ(least, false);
    par_on(fork, bits).for_each([](auto bit) { bit = !bit; });
    EXPECT_EQ(copied, bits);
  });
}

TEST_P(sources_on, constant_containers_and_arrays_without_a_name_are_owned) {
  run([&](const auto& fork) {
    const std::vector<std::string> constant(1000, "x");
    EXPECT_EQ(par_on(fork, std::move(constant)).to_vector(), constant);  // NOLINT: that is the case
    std::string three[3] = {"a", "b", "c"};
    EXPECT_EQ(par_on(fork, std::move(three)).sum(), "abc");
  });
}

TEST_P(sources_on, inner_ranges_without_random_access_give_their_elements_away) {
  run([&](const auto& fork) {
    const auto boxes = [](int n) {
      std::list<std::unique_ptr<int>> all;
      for (int i = 0; i < n; ++i) all.push_back(std::make_unique<int>(i));
      return all;
    };
    const auto all = par_on(fork, filch::par_indices(0, 50)).flat_map(boxes).to_vector();
    ASSERT_EQ(all.size(), 1225u);
    EXPECT_EQ(*all.back(), 48);
  });
}

}  // namespace
