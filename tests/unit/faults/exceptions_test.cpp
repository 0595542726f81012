// Exceptions in every place: each branch of a join, stolen or not, several at once, in results that
// are moved and destroyed, in hooks and handlers. All branches run, the first exception in order
// arrives, the others are not forgotten, and the pool works afterwards.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/filch.hpp"
#include "support/tracked.hpp"

using filch::pool;
using filch::test::tracked;

namespace {

struct branch_failed : std::runtime_error {
  explicit branch_failed(std::size_t which)
      : std::runtime_error("branch " + std::to_string(which)), branch(which) {}
  std::size_t branch;
};

/// Makes sure that branch 1 of a join is stolen: branch 0 waits until it has begun. On a pool of
/// one worker branch 0 does not wait, and nothing is stolen.
class rendezvous {
 public:
  explicit rendezvous(bool wanted) : wanted_(wanted) {}
  void wait_for_other() const {
    while (wanted_ && !begun_) std::this_thread::yield();
  }
  void begin() { begun_ = true; }

 private:
  bool wanted_;
  std::atomic<bool> begun_ = false;
};

/// A join of N branches, of which those in the set `failing` throw. All of them must run. Branch 0
/// waits until the next one has been stolen, if it is to be stolen.
template <std::size_t N>
class play {
 public:
  play(unsigned failing, bool stolen) : failing_(failing), stolen_(stolen) {}

  void run() {
    bool thrown = false;
    try {
      call(std::make_index_sequence<N>());
    } catch (const branch_failed& e) {
      thrown = true;
      std::vector<std::size_t> all{e.branch};
      for (const std::exception_ptr& other : filch::suppressed()) all.push_back(number(other));
      EXPECT_EQ(all, expected());
    }
    EXPECT_EQ(thrown, failing_ != 0);
    for (const std::atomic<int>& n : runs_) EXPECT_EQ(n.load(), 1);
  }

 private:
  template <std::size_t... I>
  void call(std::index_sequence<I...>) {
    const auto result = filch::join(branch<I>()...);
    EXPECT_TRUE(((std::get<I>(result).number() == static_cast<int>(I)) && ...));
  }
  template <std::size_t I>
  auto branch() {
    return [this] {
      ++runs_[I];
      if (I == 0) stolen_.wait_for_other();
      if (I == 1) stolen_.begin();
      if ((failing_ >> I & 1) != 0) throw branch_failed(I);
      return tracked(static_cast<int>(I));
    };
  }
  static std::size_t number(const std::exception_ptr& e) {
    try {
      std::rethrow_exception(e);
    } catch (const branch_failed& b) {
      return b.branch;
    }
  }
  std::vector<std::size_t> expected() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < N; ++i)
      if ((failing_ >> i & 1) != 0) all.push_back(i);
    return all;
  }

  unsigned failing_;
  rendezvous stolen_;
  std::array<std::atomic<int>, N> runs_{};
};

/// Every set of failing branches, three times each.
template <std::size_t N>
void try_all_sets(bool stolen) {
  pool p(stolen ? 3 : 1);
  for (unsigned failing = 0; failing < 1u << N; ++failing) {
    for (int n = 0; n < 3; ++n) p.install([&] { play<N>(failing, stolen).run(); });
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << N << " branches, failing: " << failing << (stolen ? ", stolen" : "");
      return;
    }
  }
  EXPECT_EQ(tracked::live(), 0);
  if (stolen) {
    EXPECT_GE(p.metrics().total().steals_taken, 3u << N);
  }
}

}  // namespace

TEST(exceptions, of_every_set_of_branches_none_stolen) {
  try_all_sets<2>(false);
  try_all_sets<3>(false);
  try_all_sets<4>(false);
  try_all_sets<5>(false);
}

TEST(exceptions, of_every_set_of_branches_stolen) {
  try_all_sets<2>(true);
  try_all_sets<3>(true);
  try_all_sets<4>(true);
  try_all_sets<5>(true);
}

TEST(exceptions, of_every_set_of_branches_from_outside) {
  filch::configure_default_pool({.threads = 2});
  for (unsigned failing = 0; failing < 4; ++failing)
    for (const bool stolen : {false, true}) play<2>(failing, stolen).run();
  EXPECT_EQ(tracked::live(), 0);
  filch::shutdown_default_pool();
  filch::configure_default_pool({});
}

TEST(exceptions, of_nested_joins_keep_their_order) {
  pool p(3);
  for (int n = 0; n < 50; ++n)
    p.install([] {
      const auto fail = [](std::size_t which) { return [which] { throw branch_failed(which); }; };
      try {
        (void)filch::join([&] { (void)filch::join(fail(0), fail(1)); },
                          [&] {
                            (void)filch::join(
                                fail(2), [] {}, fail(4));
                          });
        ADD_FAILURE() << "no exception";
      } catch (const branch_failed& e) {
        EXPECT_EQ(e.branch, 0u);
        std::vector<std::size_t> others;
        for (const std::exception_ptr& other : filch::suppressed()) {
          try {
            std::rethrow_exception(other);
          } catch (const branch_failed& b) {
            others.push_back(b.branch);
          }
        }
        EXPECT_EQ(others, (std::vector<std::size_t>{1, 2, 4}));
      }
    });
}

// An exception that no join has handled must not carry the suppressed ones of an earlier exception.
TEST(exceptions, that_are_alone_have_suppressed_nothing) {
  pool p(1);
  p.install([] {
    try {
      (void)filch::join([] { throw 1; }, [] { throw 2; });
    } catch (int) {
      EXPECT_EQ(filch::suppressed().size(), 1u);
    }
    try {
      (void)filch::join([] {}, [] { throw 2; });
    } catch (int) {
      EXPECT_EQ(filch::suppressed().size(), 0u);
    }
  });
}

// The k-th move throws, for every k: no result is destroyed twice or forgotten.
TEST(exceptions, in_the_move_of_a_result) {
  for (const bool stolen : {false, true}) {
    pool p(stolen ? 2 : 1);
    bool thrown = true;
    for (int k = 1; thrown && k < 100; ++k) {
      tracked::reset_counts();
      thrown = false;
      rendezvous meet(stolen);
      tracked::throw_at_move(k);
      try {
        p.install([&] {
          const auto [a, b] = filch::join(
              [&] {
                meet.wait_for_other();
                return tracked(1);
              },
              [&] {
                meet.begin();
                return tracked(2);
              });
          EXPECT_EQ(a.number() + b.number(), 3);
        });
      } catch (const tracked::move_failed&) {
        thrown = true;
      }
      tracked::throw_at_move(0);
      EXPECT_EQ(tracked::live(), 0) << "move number " << k;
      EXPECT_EQ(tracked::wrong_destructions(), 0) << "move number " << k;
    }
    EXPECT_FALSE(thrown);
  }
}

TEST(exceptions, in_the_move_of_a_futures_result) {
  pool p(1);
  tracked::reset_counts();
  for (int k = 1; k <= 2; ++k) {
    auto f = p.submit([] { return tracked(1); });
    f.wait();
    tracked::throw_at_move(1);
    EXPECT_THROW((void)f.get(), tracked::move_failed);
    tracked::throw_at_move(0);
    p.wait_idle();
    EXPECT_EQ(tracked::live(), 0);
    EXPECT_EQ(tracked::wrong_destructions(), 0);
    EXPECT_THROW((void)f.get(), filch::usage_error);
  }
}

namespace {

/// Throws when it is destroyed, once armed.
class fragile {
 public:
  fragile() = default;
  fragile(fragile&& other) noexcept : armed(std::exchange(other.armed, false)) { ++live; }
  ~fragile() noexcept(false) {
    --live;
    if (armed) throw branch_failed(7);
  }
  bool armed = (++live, false);
  static inline std::atomic<int> live = 0;
};

}  // namespace

// A result that throws when its receiver destroys it affects only the receiver.
TEST(exceptions, in_the_destructor_of_a_result_that_was_received) {
  pool p(2);
  for (const bool stolen : {false, true}) {
    rendezvous meet(stolen);
    try {
      p.install([&] {
        auto both = filch::join(
            [&] {
              meet.wait_for_other();
              return fragile();
            },
            [&] {
              meet.begin();
              return fragile();
            });
        both.first.armed = true;
      });
      ADD_FAILURE() << "no exception";
    } catch (const branch_failed& e) {
      EXPECT_EQ(e.branch, 7u);
    }
    EXPECT_EQ(fragile::live.load(), 0);
  }
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
}

TEST(exceptions, of_scope_tasks_all_arrive) {
  pool p(3);
  for (const bool inside : {false, true}) {
    std::atomic<int> ran = 0;
    const auto body = [&] {
      filch::scope s({.on = &p});
      for (int n = 0; n < 20; ++n)
        s.spawn([&, n] {
          ++ran;
          if (n % 4 == 0) throw branch_failed(static_cast<std::size_t>(n));
        });
      auto f = s.async([]() -> int { throw branch_failed(99); });
      try {
        s.wait();
        ADD_FAILURE() << "no exception";
      } catch (const branch_failed& e) {
        EXPECT_EQ(e.branch % 4, 0u);
        EXPECT_EQ(filch::suppressed().size(), 4u);
      }
      EXPECT_THROW((void)f.get(), branch_failed);
      s.spawn([&] { ++ran; });
      s.wait();  // nothing is left of the first exception
    };
    inside ? p.install(body) : body();
    EXPECT_EQ(ran.load(), 21);
  }
}

TEST(exceptions, that_pass_a_scope_wait_for_its_tasks) {
  pool p(2);
  for (int n = 0; n < 50; ++n) {
    std::atomic<int> running = 0;
    EXPECT_THROW(p.install([&] {
      filch::scope s;
      for (int i = 0; i < 10; ++i)
        s.spawn([&] {
          ++running;
          std::this_thread::yield();
          --running;
        });
      throw branch_failed(0);
    }),
                 branch_failed);
    EXPECT_EQ(running.load(), 0);
  }
}

TEST(exceptions, of_detached_tasks_and_hooks_go_to_on_exception) {
  std::atomic<int> got = 0;
  std::atomic<int> ran = 0;
  {
    pool p({.threads = 2,
            .on_start = [](std::size_t) { throw branch_failed(1); },
            .on_stop = [](std::size_t) { throw branch_failed(2); },
            .on_exception =
                [&](const std::exception_ptr& e) {
                  EXPECT_THROW(std::rethrow_exception(e), branch_failed);
                  ++got;
                }});
    for (int n = 0; n < 10; ++n)
      p.detach([&] {
        ++ran;
        filch::detach([] { throw branch_failed(3); });
        throw branch_failed(4);
      });
    p.broadcast([] { throw branch_failed(5); });
    p.wait_idle();
    EXPECT_EQ(ran.load(), 10);
    EXPECT_EQ(p.submit([] { return 1; }).get(), 1) << "workers survive";
  }
  EXPECT_EQ(got.load(), 2 + 20 + 2 + 2);
}

TEST(exceptions_death, of_a_detached_task_without_a_handler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .name = "blue"});
        p.detach([] { throw std::runtime_error("the reason"); });
        p.wait_idle();
      },
      "'blue'.*the reason");
}

TEST(exceptions_death, of_the_handler_itself) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        pool p({.threads = 1, .on_exception = [](const std::exception_ptr&) {
                  throw std::runtime_error("from the handler");
                }});
        p.detach([] { throw 1; });
        p.wait_idle();
      },
      "terminate");
}

TEST(exceptions_death, of_a_hook_without_a_handler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        pool p({.threads = 1,
                .on_start = [](std::size_t) { throw std::runtime_error("no licence"); }});
        p.wait_idle();
        std::this_thread::sleep_for(std::chrono::seconds(5));
      },
      "no licence");
}
