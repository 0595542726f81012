#include "filch/join.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/suppressed.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/sanitizers.hpp"

using filch::join;
using filch::nothing;
using filch::pool;
using filch::test::gate;

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = join([&] { return fib(n - 1); }, [&] { return fib(n - 2); });
  return a + b;
}

/// The numbers that std::exception_ptrs to int hold.
std::vector<int> numbers(const std::vector<std::exception_ptr>& errors) {
  std::vector<int> all;
  for (const std::exception_ptr& e : errors) {
    try {
      std::rethrow_exception(e);
    } catch (int n) {
      all.push_back(n);
    }
  }
  return all;
}

using list = std::vector<int>;

/// Runs `both(first, second)` so that the second branch is certainly stolen: the first waits until
/// another thread has begun it. If not `stolen`, nothing is stolen.
template <class F>
void with_or_without_theft(bool stolen, F both) {
  pool p(stolen ? 2 : 1);
  p.install([&] {
    gate begun;
    const auto here = std::this_thread::get_id();
    both(
        [&] {
          if (stolen) begun.pass();
        },
        [&, here] {
          EXPECT_EQ(std::this_thread::get_id() != here, stolen);
          begun.open();
        });
  });
}

}  // namespace

// ---- results ------------------------------------------------------------------------------------

TEST(join, gives_both_results_as_a_pair) {
  pool p(1);
  p.install([] {
    const auto both = join([] { return 1; }, [] { return std::string("two"); });
    static_assert(std::is_same_v<decltype(both), const std::pair<int, std::string>>);
    EXPECT_EQ(both.first, 1);
    EXPECT_EQ(both.second, "two");
  });
}

TEST(join, gives_nothing_for_void) {
  pool p(1);
  p.install([] {
    int calls = 0;
    const std::pair<nothing, int> one = join([&] { ++calls; }, [] { return 2; });
    EXPECT_EQ(one.second, 2);
    const std::pair<nothing, nothing> none = join([&] { ++calls; }, [&] { ++calls; });
    EXPECT_EQ(none.first, nothing{});
    EXPECT_EQ(calls, 3);
  });
}

TEST(join, of_three_to_five_gives_a_tuple) {
  pool p(2);
  p.install([] {
    const auto one = [] { return 1; };
    const auto text = [] { return std::string("two"); };
    const auto empty = [] {};
    EXPECT_EQ(join(one, text, empty), (std::tuple(1, std::string("two"), nothing{})));
    EXPECT_EQ(join(one, one, text, one), (std::tuple(1, 1, std::string("two"), 1)));
    EXPECT_EQ(join(empty, one, text, one, text),
              (std::tuple(nothing{}, 1, std::string("two"), 1, std::string("two"))));
  });
}

TEST(join, gives_what_can_only_be_moved) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      const auto [a, b] = join(
          [&] {
            first();
            return std::make_unique<int>(1);
          },
          [&] {
            second();
            return std::make_unique<int>(2);
          });
      EXPECT_EQ(*a + *b, 3);
    });
  pool p(2);
  p.install([] {
    const auto make = [] { return std::make_unique<int>(4); };
    const auto [a, b, c, d] = join(make, make, make, make);
    EXPECT_EQ(*a + *b + *c + *d, 16);
  });
}

TEST(join, gives_references_as_references) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      int x = 1, y = 2;
      const auto both = join(
          [&]() -> int& {
            first();
            return x;
          },
          [&]() -> const int& {
            second();
            return y;
          });
      static_assert(std::is_same_v<decltype(both), const std::pair<int&, const int&>>);
      EXPECT_EQ(&both.first, &x);
      EXPECT_EQ(&both.second, &y);
    });
  pool p(1);
  p.install([] {
    int x = 1;
    const auto three = join([&]() -> int& { return x; }, [] { return 2; }, [] {});
    EXPECT_EQ(&std::get<0>(three), &x);
  });
}

namespace {

int one() { return 1; }
int two() { return 2; }

/// Its bytes may be copied, but it has no copy constructor.
struct only_moved {
  explicit only_moved(int n) : number(n) {}
  only_moved(only_moved&&) = default;
  int operator()() const { return number; }
  int number;
};
static_assert(std::is_trivially_copyable_v<only_moved> &&
              !std::is_copy_constructible_v<only_moved>);

}  // namespace

TEST(join, takes_plain_functions_and_what_can_only_be_moved) {
  pool p(2);
  p.install([] {
    EXPECT_EQ(join(one, two), (std::pair(1, 2)));
    EXPECT_EQ(join(one, &two, one), (std::tuple(1, 2, 1)));
    EXPECT_EQ(join(only_moved(1), only_moved(2)), (std::pair(1, 2)));
    EXPECT_EQ(join(only_moved(1), only_moved(2), only_moved(3)), (std::tuple(1, 2, 3)));
  });
}

TEST(join, calls_the_functions_themselves_and_not_copies) {
  pool p(1);
  p.install([] {
    struct counter {
      int calls = 0;
      counter() = default;
      counter(const counter&) = delete;
      counter& operator=(const counter&) = delete;
      void operator()() { ++calls; }
    } f, g;
    join(f, g);
    join(f, g, f);
    EXPECT_EQ(f.calls, 3);
    EXPECT_EQ(g.calls, 2);
  });
}

// ---- where branches run -------------------------------------------------------------------------

TEST(join, on_one_worker_runs_both_in_order) {
  pool p(1);
  p.install([] {
    list order;
    join([&] { order.push_back(1); }, [&] { order.push_back(2); });
    join([&] { order.push_back(3); }, [&] { order.push_back(4); }, [&] { order.push_back(5); },
         [&] { order.push_back(6); });
    EXPECT_EQ(order, (list{1, 2, 3, 4, 5, 6}));
  });
}

TEST(join, nests) {
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    pool p(threads);
    EXPECT_EQ(p.install([] { return fib(18); }), 2584);
  }
}

// Both branches wait for each other, so two threads must run them.
TEST(join, branches_run_at_once_if_a_worker_is_free) {
  pool p(2);
  p.install([] {
    gate first, second;
    join(
        [&] {
          first.open();
          second.pass();
        },
        [&] {
          second.open();
          first.pass();
        });
  });
}

// Pitfall 31: the thief's request reaches an owner that forks no more.
TEST(join, a_worker_that_becomes_free_later_gets_the_oldest_branch) {
  gate busy, leave;
  pool p(2);
  p.detach([&] {
    busy.open();
    leave.pass();
  });
  busy.pass();
  p.install([&] {
    gate stolen;
    join(
        [&] {
          join(
              [&] {
                leave.open();
                stolen.pass();
              },
              [] {});
        },
        [&] { stolen.open(); });
  });
}

TEST(join, from_outside_takes_part_in_the_default_pool) {
  EXPECT_EQ(fib(15), 610);
  EXPECT_EQ(join([] { return 1; }, [] { return 2; }, [] { return 3; }), (std::tuple(1, 2, 3)));
}

// It keeps the same slot to the end of the second branch, however many joins that contains.
TEST(join, from_outside_is_a_guest_until_both_branches_have_ended) {
  for (int round = 0; round < 200; ++round) {
    const auto here = [] { return filch::detail::worker::current(); };
    const auto nested = [&] {
      filch::detail::worker* const before = here();
      for (int i = 0; i < 3; ++i) (void)join([] { return 1; }, [] { return 2; });
      return before != nullptr && before == here();
    };
    const auto [a, b] = join([&] { return nested(); }, [&] { return nested(); });
    EXPECT_TRUE(a);
    EXPECT_TRUE(b);
    EXPECT_THROW(join([&]() -> int { throw nested(); }, [&] { return nested(); }), bool);
    ASSERT_EQ(here(), nullptr);
  }
}

// A wait inside the first branch also runs the second one, if no other thread can.
TEST(join, a_wait_in_the_first_branch_runs_the_second) {
  std::atomic<bool> second_ran = false;
  pool p(1), other(1);
  p.install([&] {
    join(
        [&] { other.submit([&] { filch::test::until([&] { return second_ran.load(); }); }).get(); },
        [&] { second_ran = true; });
  });
  EXPECT_TRUE(second_ran);
}

TEST(join, runs_what_its_branch_submitted_and_left_behind) {
  for (const std::size_t threads : {1u, 2u}) {
    std::atomic<int> ran = 0;
    pool p(threads);
    p.install([&] { join([&] { p.detach([&] { ++ran; }); }, [&] { p.detach([&] { ++ran; }); }); });
    p.wait_idle();
    EXPECT_EQ(ran, 2);
  }
}

TEST(join, has_no_fixed_depth) {
  pool p({.threads = 2, .stack_size = 256u << 20});
  std::function<int(int)> deep = [&](int n) -> int {
    if (n == 0) return 0;
    return join([&] { return deep(n - 1); }, [] { return 1; }).first + 1;
  };
  // ThreadSanitizer has a stack of 65536 calls, and each join takes about ten.
  const int depth = filch::test::size_for_build(20'000, 2'000);
  EXPECT_EQ(p.install([&] { return deep(depth); }), depth);
}

// Plain variables: TSan notices a missing edge.
TEST(join, sees_what_the_branches_did) {
  pool p(3);
  p.install([] {
    for (int round = 0; round < 2000; ++round) {
      int a = 0, b = 0, c = 0;
      join([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; });
      ASSERT_EQ(a + b + c, 6);
    }
  });
}

// ---- exceptions ---------------------------------------------------------------------------------

TEST(join, throws_what_the_first_branch_threw_after_both_have_ended) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      bool ran = false;
      try {
        join(
            [&] {
              first();
              throw std::out_of_range("first");
            },
            [&] {
              second();
              std::this_thread::yield();
              ran = true;
            });
        FAIL();
      } catch (const std::out_of_range& e) {
        EXPECT_STREQ(e.what(), "first");
        EXPECT_TRUE(ran) << "pitfall 40: its frame is still in use";
        EXPECT_TRUE(filch::suppressed().empty());
      }
    });
}

TEST(join, throws_what_the_second_branch_threw) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      bool ran = false;
      EXPECT_THROW(join(
                       [&] {
                         first();
                         ran = true;
                         return std::make_unique<int>(1);  // destroyed, not leaked
                       },
                       [&] {
                         second();
                         throw std::out_of_range("second");
                       }),
                   std::out_of_range);
      EXPECT_TRUE(ran);
    });
}

TEST(join, of_two_that_throw_the_first_is_thrown_and_the_other_suppressed) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      try {
        join(
            [&] {
              first();
              throw 1;
            },
            [&] {
              second();
              throw 2;
            });
        FAIL();
      } catch (int n) {
        EXPECT_EQ(n, 1);
        EXPECT_EQ(numbers(filch::suppressed()), (list{2}));
      }
    });
}

// Every subset of five branches, stolen or not: all run, the lowest throws, the others follow.
TEST(join, every_combination_of_branches_that_throw) {
  for (const std::size_t threads : {1u, 3u}) {
    pool p(threads);
    p.install([] {
      for (unsigned throwing = 0; throwing < 32; ++throwing) {
        std::array<std::atomic<int>, 5> ran{};
        const auto branch = [&](int n) {
          return [&ran, throwing, n] {
            ++ran[static_cast<std::size_t>(n)];
            if (((throwing >> n) & 1) != 0) throw n;
            return n;
          };
        };
        list expected;
        for (int n = 0; n < 5; ++n)
          if (((throwing >> n) & 1) != 0) expected.push_back(n);
        list thrown;
        try {
          const auto all = join(branch(0), branch(1), branch(2), branch(3), branch(4));
          EXPECT_EQ(all, (std::tuple(0, 1, 2, 3, 4)));
        } catch (int n) {
          thrown = numbers(filch::suppressed());
          thrown.insert(thrown.begin(), n);
        }
        EXPECT_EQ(thrown, expected) << throwing;
        for (const auto& times : ran) EXPECT_EQ(times, 1) << throwing;
      }
    });
  }
}

TEST(join, from_outside_handles_exceptions_alike) {
  try {
    join([] { throw 1; }, [] { throw 2; }, [] { throw 3; });
    FAIL();
  } catch (int n) {
    EXPECT_EQ(n, 1);
    EXPECT_EQ(numbers(filch::suppressed()), (list{2, 3}));
  }
}

TEST(join, from_outside_of_many_handles_every_combination_of_exceptions) {
  for (unsigned throwing = 1; throwing < 16; ++throwing) {
    std::atomic<int> ran = 0;
    const auto branch = [&](int n) {
      return [&ran, throwing, n] {
        ++ran;
        if (((throwing >> n) & 1) != 0) throw n;
      };
    };
    list thrown;
    try {
      join(branch(0), branch(1), branch(2), branch(3));
    } catch (int n) {
      thrown = numbers(filch::suppressed());
      thrown.insert(thrown.begin(), n);
    }
    list expected;
    for (int n = 0; n < 4; ++n)
      if (((throwing >> n) & 1) != 0) expected.push_back(n);
    EXPECT_EQ(thrown, expected);
    EXPECT_EQ(ran, 4);
  }
}

TEST(join, exceptions_of_nested_joins_keep_what_they_suppressed) {
  pool p(1);
  p.install([] {
    try {
      join([] { join([] { throw 1; }, [] { throw 2; }); },
           [] { join([] { throw 3; }, [] { throw 4; }); });
      FAIL();
    } catch (int n) {
      EXPECT_EQ(n, 1);
      EXPECT_EQ(numbers(filch::suppressed()), (list{2, 3, 4}));
    }
  });
}

TEST(suppressed, is_empty_before_anything_was_thrown) { EXPECT_TRUE(filch::suppressed().empty()); }

// Whatever path the exception took, the list belongs to it and not to an earlier one.
TEST(suppressed, does_not_outlive_the_next_exception) {
  for (const bool stolen : {false, true})
    with_or_without_theft(stolen, [](auto first, auto second) {
      EXPECT_THROW(join([] { throw 1; }, [] { throw 2; }), int);
      try {
        join([&] { first(); },
             [&] {
               second();
               throw 3;
             });
        FAIL();
      } catch (int n) {
        EXPECT_EQ(n, 3);
        EXPECT_TRUE(filch::suppressed().empty());
      }
    });
}

// Such an exception may hold something large, or something that is waited for.
TEST(suppressed, does_not_keep_an_exception_that_suppressed_none) {
  struct error {
    std::shared_ptr<int> held;
  };
  const auto held = std::make_shared<int>(0);
  EXPECT_THROW(filch::join([&] { throw error{held}; }, [] {}), error);
  EXPECT_THROW(filch::default_pool().install([&] { throw error{held}; }), error);
  filch::default_pool().wait_idle();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(suppressed, travels_with_the_exception_through_install_and_futures) {
  pool p(2);
  const auto both = [] { join([] { throw 1; }, [] { throw 2; }); };
  try {
    p.install(both);
    FAIL();
  } catch (int n) {
    EXPECT_EQ(n, 1);
    EXPECT_EQ(numbers(filch::suppressed()), (list{2}));
  }
  try {
    p.submit(both).get();
    FAIL();
  } catch (int n) {
    EXPECT_EQ(n, 1);
    EXPECT_EQ(numbers(filch::suppressed()), (list{2}));
  }
}
