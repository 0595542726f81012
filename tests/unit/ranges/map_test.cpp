#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filch/ranges.hpp"
#include "support/any_fork_policy.hpp"
#include "support/numbers.hpp"
#include "support/par_on.hpp"
#include "support/sizes.hpp"

using filch::test::numbers;
using filch::test::par_on;

namespace {

class map_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(map_on);

TEST_P(map_on, gives_the_result_for_each_item_at_its_position) {
  for (const std::size_t n : filch::test::sizes()) {
    const std::vector<int> v = numbers(n);
    run([&](const auto& fork) {
      const auto twice = par_on(fork, v).map([](int x) { return 2 * x + 1; }).to_vector();
      ASSERT_EQ(twice.size(), n);
      for (std::size_t i = 0; i != n; ++i) ASSERT_EQ(twice[i], 2 * v[i] + 1);
    });
  }
}

TEST_P(map_on, takes_member_pointers_and_functions_that_cannot_be_copied) {
  const std::vector<std::string> words(1000, "four");
  run([&](const auto& fork) {
    EXPECT_EQ(par_on(fork, words).map(&std::string::size).sum(), 4000u);
    auto factor = std::make_unique<std::size_t>(3);
    auto f = [factor = std::move(factor)](const std::string& s) { return s.size() * *factor; };
    EXPECT_EQ(par_on(fork, words).map(std::move(f)).sum(), 12'000u);
  });
}

TEST_P(map_on, gives_every_leaf_its_own_copy_of_a_mutable_function) {
  const std::vector<int> v = numbers(10'000);
  run([&](const auto& fork) {
    const auto same = par_on(fork, v)
                          .map([calls = 0](int x) mutable {
                            ++calls;
                            return x + (calls < 1 ? 1 : 0);
                          })
                          .to_vector();
    EXPECT_EQ(same, v);
  });
}

TEST_P(map_on, moves_elements_out_of_a_container_that_it_owns) {
  run([&](const auto& fork) {
    std::vector<std::unique_ptr<int>> v;
    for (int i = 0; i < 3000; ++i) v.push_back(std::make_unique<int>(i));
    auto moved =
        par_on(fork, std::move(v)).map([](std::unique_ptr<int>&& p) { return std::move(p); });
    const auto all = moved.to_vector();
    ASSERT_EQ(all.size(), 3000u);
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(*all[static_cast<std::size_t>(i)], i);
    EXPECT_THROW((void)moved.to_vector(), filch::usage_error);
  });
}

TEST_P(map_on, throws_what_the_function_throws) {
  const std::vector<int> v = numbers(5000);
  for (int round = 0; round < 20; ++round) {
    const int bad = static_cast<int>(random().bounded(5000));
    run([&](const auto& fork) {
      const auto f = [&](int x) {
        if (x == bad) throw std::runtime_error("bad");
        return std::to_string(x);
      };
      EXPECT_THROW((void)par_on(fork, v).map(f).to_vector(), std::runtime_error);
    });
  }
}

struct person {
  std::string name;
  std::size_t age;
  const std::string& known_as() const { return name; }
};
person nth(std::size_t i) { return {"a name that is on the heap " + std::to_string(i), i}; }

TEST_P(map_on, what_is_in_an_item_that_was_made_on_the_way_outlives_it) {
  run([&](const auto& fork) {
    const auto people = [&] { return par_on(fork, filch::par_indices(0u, 2000u)).map(nth); };
    const auto names = people().map(&person::name).to_vector();
    const auto called = people().map(&person::known_as).to_vector();
    const auto last = people().map(std::identity()).map(&person::name).rev().find_first();
    ASSERT_EQ(names.size(), 2000u);
    for (std::size_t i = 0; i != 2000; ++i) ASSERT_EQ(names[i], nth(i).name);
    EXPECT_EQ(called, names);
    EXPECT_EQ(last, names.back());
  });
}

TEST_P(map_on, to_a_reference_to_a_number_that_was_made_on_the_way_does_not_outlive_it) {
  const auto doubled = [](const int& x) { return 2 * x; };
  const auto same = [](const int& x) -> const int& { return x; };
  const std::vector<long> table(2000, 7);
  run([&](const auto& fork) {
    const auto got = par_on(fork, filch::par_indices(0, 2000)).map(same).map(doubled).to_vector();
    ASSERT_EQ(got.size(), 2000u);
    for (int i = 0; i != 2000; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], 2 * i);
    // The result cannot be a reference to the number itself, so it keeps its position.
    const auto in_table = [&](int i) -> const long& { return table[static_cast<std::size_t>(i)]; };
    EXPECT_EQ(par_on(fork, filch::par_indices(0, 2000)).map(in_table).rev().sum(), 14000);
  });
}

TEST_P(map_on, views_of_an_item_that_was_made_on_the_way_do_not_outlive_it) {
  const auto name = [](const person& p) { return std::string_view(p.name); };
  const auto self = [](const person& p) { return std::cref(p); };
  const auto with_age = [](const person& p) { return std::pair<std::string_view, int>(p.name, 1); };
  const auto length = [](std::string_view s) { return s.size(); };
  const auto length_of_name = [](const person& p) { return p.name.size(); };
  const auto length_of_first = [](const auto& p) { return p.first.size(); };
  std::size_t expected = 0;
  for (std::size_t i = 0; i != 2000; ++i) expected += nth(i).name.size();
  run([&](const auto& fork) {
    const auto people = [&] { return par_on(fork, filch::par_indices(0u, 2000u)).map(nth); };
    EXPECT_EQ(people().map(name).map(length).sum(), expected);
    EXPECT_EQ(people().map(self).map(length_of_name).sum(), expected);
    EXPECT_EQ(people().map(with_age).map(length_of_first).sum(), expected);
  });
}

TEST_P(map_on, pairs_that_refer_to_an_item_that_was_made_on_the_way_do_not_outlive_it) {
  const std::vector<std::string> others(2000, std::string(40, 'o'));
  run([&](const auto& fork) {
    const auto people = [&] { return par_on(fork, filch::par_indices(0u, 2000u)).map(nth); };
    const auto both = people()
                          .map([](const person& p) { return std::tie(p.name, p.known_as()); })
                          .map([](const auto& names) { return std::get<0>(names); })
                          .to_vector();
    const auto half = people()
                          .map([](person p) { return p.name; })
                          .zip(others)
                          .map([](const auto& two) -> const std::string& { return two.first; })
                          .to_vector();
    const auto whole = par_on(fork, others)
                           .enumerate()
                           .map([](const auto& at) -> const auto& { return at; })
                           .map([](const auto& at) { return at.first; })
                           .to_vector();
    ASSERT_EQ(whole.size(), 2000u);
    for (std::size_t i = 0; i != 2000; ++i) {
      ASSERT_EQ(both[i], nth(i).name);
      ASSERT_EQ(half[i], nth(i).name);
      ASSERT_EQ(whole[i], i);
    }
  });
  // A result that cannot refer into the item keeps its position.
  const auto at = [&](unsigned i) { return std::tie(others[i], others[0]); };
  EXPECT_EQ(std::get<0>(*filch::par_indices(0u, 9u).map(at).rev().find_first()), others[8]);
  const auto look_up = [&](const auto& two) -> const std::string& { return two.second; };
  EXPECT_EQ(filch::par(others).enumerate().map(look_up).rev().count(), 2000u);
}

TEST_P(map_on, pairs_of_what_the_chain_owns_are_kept_as_values) {
  using row = std::pair<std::size_t, std::string>;
  std::vector<std::string> names;
  std::vector<row> expected;
  for (std::size_t i = 0; i != 2000; ++i) {
    names.push_back(nth(i).name);
    expected.emplace_back(i, names.back());
  }
  const std::string between(60, '-');
  run([&](const auto& fork) {
    const auto owned = [&] { return par_on(fork, std::vector(names)).enumerate(); };
    const auto all = [](const auto&) { return true; };
    EXPECT_EQ(owned().to_vector(), expected);
    EXPECT_EQ(owned().filter(all).to_vector(), expected);
    EXPECT_EQ(owned().find_last(), expected.back());
    EXPECT_EQ(owned().partition(all).first, expected);
    EXPECT_EQ(owned().group_by([](const auto& at) { return at.first % 2; })[1].second[0],
              expected[1]);
    const auto [positions, same] = owned().unzip();
    EXPECT_EQ(same, names);
    EXPECT_EQ(positions.back(), 1999u);
    const auto zipped =
        par_on(fork, names).zip(filch::par_repeat(between, names.size())).to_vector();
    const auto dashed = par_on(fork, names).intersperse(between).enumerate().to_vector();
    EXPECT_EQ(zipped.back(), std::pair(names.back(), between));
    EXPECT_EQ(dashed[1].second, between);
    EXPECT_EQ(dashed[2].second, names[1]);
    EXPECT_EQ(par_on(fork, names).zip(std::vector(names)).unzip(), std::pair(names, names));
  });
}

TEST_P(map_on, a_view_that_was_looked_up_by_an_owned_item_is_kept) {
  const auto parity = [](const std::string& s) -> std::string_view {
    return s.size() % 2 == 0 ? "even" : "odd";
  };
  run([&](const auto& fork) {
    const std::vector<std::string_view> all =
        par_on(fork, std::vector<std::string>{"one", "four"}).map(parity).to_vector();
    EXPECT_EQ(all, (std::vector<std::string_view>{"odd", "even"}));
  });
}

}  // namespace
