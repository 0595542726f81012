// Does the explorer see exactly what the C++ memory model allows? These are small programs with
// known answers. Each test lists every outcome that must be found, and no other outcome may be
// found.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "explorer/seam.hpp"

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

using outcomes = std::set<std::string>;

/// Two atomics, a plain variable and four results.
struct world {
  filch::detail::atomic<int> x{0};
  filch::detail::atomic<int> y{0};
  filch::detail::var<int> plain{0};
  std::array<int, 4> r{-1, -1, -1, -1};
};
using body = std::function<void(world&)>;

class litmus : public model::game {
 public:
  litmus(const std::vector<body>& bodies, outcomes& found) : bodies_(bodies), found_(found) {}
  void thread(int id) override { bodies_[static_cast<std::size_t>(id)](world_); }
  void finish() override {
    std::string result;
    for (const int r : world_.r)
      if (r >= 0) result += std::to_string(r);
    found_.insert(result);
  }

 private:
  const std::vector<body>& bodies_;
  outcomes& found_;
  world world_;
};

model::outcome run(const std::vector<body>& bodies, outcomes& found, int preemptions = 4) {
  model::engine e({"litmus", static_cast<int>(bodies.size()), preemptions,
                   [&] { return std::make_unique<litmus>(bodies, found); }});
  return e.explore(10'000'000);
}

outcomes explore(const std::vector<body>& bodies) {
  outcomes found;
  const model::outcome o = run(bodies, found);
  EXPECT_FALSE(o.failed) << o.message;
  EXPECT_TRUE(o.exhausted);
  return found;
}

std::string complaint(const std::vector<body>& bodies) {
  outcomes found;
  return run(bodies, found).message;
}

// ---- store buffering: each thread writes one variable and reads the other ----------------------

outcomes store_buffering(std::memory_order store, std::memory_order load, bool fence0,
                         bool fence1) {
  return explore({[=](world& w) {
                    w.x.store(1, store);
                    if (fence0) filch::detail::full_fence();
                    w.r[0] = w.y.load(load);
                  },
                  [=](world& w) {
                    w.y.store(1, store);
                    if (fence1) filch::detail::full_fence();
                    w.r[1] = w.x.load(load);
                  }});
}
const outcomes all_four{"00", "01", "10", "11"};
const outcomes not_both_zero{"01", "10", "11"};

TEST(store_buffering, release_and_acquire_allow_both_zero) {
  EXPECT_EQ(store_buffering(release, acquire, false, false), all_four);
}
TEST(store_buffering, seq_cst_store_and_relaxed_load_allow_both_zero) {
  EXPECT_EQ(store_buffering(seq_cst, relaxed, false, false), all_four);
}
TEST(store_buffering, release_store_and_seq_cst_load_allow_both_zero) {
  EXPECT_EQ(store_buffering(release, seq_cst, false, false), all_four);
}
TEST(store_buffering, one_fence_is_not_enough) {
  EXPECT_EQ(store_buffering(relaxed, relaxed, true, false), all_four);
}
TEST(store_buffering, two_fences_forbid_both_zero) {
  EXPECT_EQ(store_buffering(relaxed, relaxed, true, true), not_both_zero);
}
TEST(store_buffering, seq_cst_everywhere_forbids_both_zero) {
  EXPECT_EQ(store_buffering(seq_cst, seq_cst, false, false), not_both_zero);
}
TEST(store_buffering, a_seq_cst_thread_against_a_fenced_one_forbids_both_zero) {
  EXPECT_EQ(explore({[](world& w) {
                       w.x.store(1, seq_cst);
                       w.r[0] = w.y.load(seq_cst);
                     },
                     [](world& w) {
                       w.y.store(1, relaxed);
                       filch::detail::full_fence();
                       w.r[1] = w.x.load(relaxed);
                     }}),
            not_both_zero);
}
TEST(store_buffering, a_heavy_fence_serves_both_sides) {
  EXPECT_EQ(explore({[](world& w) {
                       w.x.store(1, relaxed);
                       filch::detail::light_fence();
                       w.r[0] = w.y.load(relaxed);
                     },
                     [](world& w) {
                       w.y.store(1, relaxed);
                       filch::detail::heavy_fence();
                       w.r[1] = w.x.load(relaxed);
                     }}),
            not_both_zero);
}
TEST(store_buffering, two_light_fences_order_nothing) {
  const body one = [](world& w) {
    w.x.store(1, relaxed);
    filch::detail::light_fence();
    w.r[0] = w.y.load(relaxed);
  };
  const body two = [](world& w) {
    w.y.store(1, relaxed);
    filch::detail::light_fence();
    w.r[1] = w.x.load(relaxed);
  };
  EXPECT_EQ(explore({one, two}), all_four);
}

// ---- message passing: data, then a flag ---------------------------------------------------------

outcomes message_passing(std::memory_order store, std::memory_order load) {
  return explore({[=](world& w) {
                    w.x.store(1, relaxed);
                    w.y.store(1, store);
                  },
                  [=](world& w) {
                    w.r[0] = w.y.load(load);
                    w.r[1] = w.x.load(relaxed);
                  }});
}
TEST(message_passing, release_and_acquire_pass_the_data) {
  EXPECT_EQ(message_passing(release, acquire), (outcomes{"00", "01", "11"}));
}
TEST(message_passing, a_relaxed_store_does_not) {
  EXPECT_EQ(message_passing(relaxed, acquire), all_four);
}
TEST(message_passing, a_relaxed_load_does_not) {
  EXPECT_EQ(message_passing(release, relaxed), all_four);
}
TEST(message_passing, fences_around_relaxed_accesses_do) {
  EXPECT_EQ(explore({[](world& w) {
                       w.x.store(1, relaxed);
                       filch::detail::full_fence();
                       w.y.store(1, relaxed);
                     },
                     [](world& w) {
                       w.r[0] = w.y.load(relaxed);
                       filch::detail::full_fence();
                       w.r[1] = w.x.load(relaxed);
                     }}),
            (outcomes{"00", "01", "11"}));
}
TEST(message_passing, plain_data_without_an_edge_is_a_race) {
  const body writer = [](world& w) {
    w.plain.set(1);
    w.y.store(1, relaxed);
  };
  const body reader = [](world& w) {
    if (w.y.load(acquire) == 1) w.r[0] = w.plain.get();
  };
  EXPECT_NE(complaint({writer, reader}).find("data race"), std::string::npos);
}
TEST(message_passing, plain_data_under_an_edge_is_not) {
  const body writer = [](world& w) {
    w.plain.set(1);
    w.y.store(1, release);
  };
  const body reader = [](world& w) {
    if (w.y.load(acquire) == 1) w.r[0] = w.plain.get();
  };
  EXPECT_EQ(explore({writer, reader}), (outcomes{"", "1"}));
}

// ---- independent reads of independent writes ----------------------------------------------------

bool disagree(std::memory_order store, std::memory_order load) {
  return explore({[=](world& w) { w.x.store(1, store); }, [=](world& w) { w.y.store(1, store); },
                  [=](world& w) {
                    w.r[0] = w.x.load(load);
                    w.r[1] = w.y.load(load);
                  },
                  [=](world& w) {
                    w.r[2] = w.y.load(load);
                    w.r[3] = w.x.load(load);
                  }})
             .count("1010") == 1;
}
TEST(independent_reads, acquire_lets_readers_disagree_on_the_order) {
  EXPECT_TRUE(disagree(release, acquire));
}
TEST(independent_reads, seq_cst_does_not) { EXPECT_FALSE(disagree(seq_cst, seq_cst)); }

/// Two seq_cst writes and, between them, a reader whose first load is `first`. That load sees the
/// second write. May the other load, which is seq_cst, still miss the first write?
bool first_load_may_run_ahead(std::memory_order first) {
  return explore({[](world& w) {
                    w.x.store(1, seq_cst);
                    w.r[0] = w.y.load(seq_cst);
                  },
                  [](world& w) { w.y.store(1, seq_cst); },
                  [=](world& w) {
                    w.r[1] = w.y.load(first);
                    w.r[2] = w.x.load(seq_cst);
                  }})
             .count("010") == 1;
}
TEST(independent_reads, only_seq_cst_keeps_a_load_from_running_ahead_of_a_seq_cst_load) {
  EXPECT_FALSE(first_load_may_run_ahead(seq_cst));
  EXPECT_TRUE(first_load_may_run_ahead(acquire));  // [atomics.order]: no strong happens-before
  EXPECT_TRUE(first_load_may_run_ahead(relaxed));
}

// ---- release sequences --------------------------------------------------------------------------

outcomes sequence(const body& second_write, const body& by_another_thread) {
  return explore({[=](world& w) {
                    w.x.store(1, relaxed);
                    w.y.store(1, release);
                    second_write(w);
                  },
                  by_another_thread,
                  [](world& w) {
                    w.r[0] = w.y.load(acquire);
                    w.r[1] = w.x.load(relaxed);
                  }});
}
TEST(release_sequence, a_relaxed_read_modify_write_by_any_thread_continues_it) {
  const body nothing = [](world&) {};
  const body add = [](world& w) {
    int one = 1;
    w.y.compare_exchange_strong(one, 2, relaxed, relaxed);
  };
  EXPECT_EQ(sequence(nothing, add).count("20"), 0U);
  EXPECT_EQ(sequence(nothing, add).count("21"), 1U);
}
TEST(release_sequence, a_relaxed_store_by_the_same_thread_does_not) {
  const body again = [](world& w) { w.y.store(2, relaxed); };
  EXPECT_EQ(sequence(again, [](world&) {}).count("20"), 1U);
}

// ---- coherence and atomicity --------------------------------------------------------------------

TEST(coherence, a_thread_never_reads_backwards) {
  const outcomes found = explore({[](world& w) {
                                    w.x.store(1, relaxed);
                                    w.x.store(2, relaxed);
                                  },
                                  [](world& w) {
                                    w.r[0] = w.x.load(relaxed);
                                    w.r[1] = w.x.load(relaxed);
                                  }});
  EXPECT_EQ(found, (outcomes{"00", "01", "02", "11", "12", "22"}));
}
TEST(atomicity, two_increments_are_never_one) {
  const body add = [](world& w) { w.x.fetch_add(1, relaxed); };
  const body look = [](world& w) { w.r[0] = w.x.load(relaxed); };
  EXPECT_EQ(explore({add, add, look}), (outcomes{"0", "1", "2"}));
  const body add_and_keep = [](world& w) { w.r[0] = w.x.fetch_add(1, relaxed); };
  const body add_and_keep_too = [](world& w) { w.r[1] = w.x.fetch_add(1, relaxed); };
  EXPECT_EQ(explore({add_and_keep, add_and_keep_too}), (outcomes{"01", "10"}));
}
TEST(atomicity, one_of_two_compare_exchanges_wins) {
  const auto claim = [](int id) {
    return [id](world& w) {
      int zero = 0;
      w.r[static_cast<std::size_t>(id)] = w.x.compare_exchange_strong(zero, 1, acq_rel, relaxed);
    };
  };
  EXPECT_EQ(explore({claim(0), claim(1)}), (outcomes{"01", "10"}));
}

// ---- objects, sleep and loops ------------------------------------------------------------------

struct node {
  filch::detail::atomic<int> value{7};
  static node* make() { return ::new (filch::detail::allocate(sizeof(node), alignof(node))) node; }
  static void destroy(node* n) {
    n->~node();
    filch::detail::deallocate(n, sizeof(node), alignof(node));
  }
};

class handover : public model::game {
 public:
  handover(std::memory_order store, bool free_early) : store_(store), free_early_(free_early) {}
  void thread(int id) override {
    if (id == 0) {
      made_ = node::make();
      shared_.store(made_, store_);
      if (free_early_) node::destroy(made_);
    } else if (node* n = shared_.load(acquire)) {
      n->value.load(relaxed);
    }
  }
  void finish() override {
    if (!free_early_) node::destroy(made_);
  }

 private:
  std::memory_order store_;
  bool free_early_;
  node* made_ = nullptr;
  filch::detail::atomic<node*> shared_{nullptr};
};

std::string handover_complaint(std::memory_order store, bool free_early) {
  model::engine e(
      {"handover", 2, 3, [=] { return std::make_unique<handover>(store, free_early); }});
  return e.explore(100'000).message;
}
TEST(objects, published_with_release_are_fine) {
  EXPECT_EQ(handover_complaint(release, false), "");
}
TEST(objects, published_relaxed_are_seen_unconstructed) {
  EXPECT_NE(handover_complaint(relaxed, false).find("construction"), std::string::npos);
}
TEST(objects, freed_while_another_thread_has_them_are_reported) {
  EXPECT_NE(handover_complaint(release, true).find("free"), std::string::npos);
}

class leak : public model::game {
 public:
  void thread(int) override { (void)filch::detail::allocate(8, 8); }
};
TEST(objects, never_freed_are_reported) {
  model::engine e({"leak", 1, 0, [] { return std::make_unique<leak>(); }});
  EXPECT_NE(e.explore(10).message.find("leaked"), std::string::npos);
}

class sleeper : public model::game {
 public:
  sleeper(bool store_first, bool wake) : store_first_(store_first), wake_(wake) {}
  void thread(int id) override {
    if (id == 0) {
      while (word_.load(acquire) == 0) filch::detail::futex_wait(word_, 0);
    } else {
      if (store_first_) word_.store(1, release);
      if (wake_) filch::detail::futex_wake_one(word_);
      if (!store_first_) word_.store(1, release);
    }
  }

 private:
  bool store_first_;
  bool wake_;
  filch::detail::atomic<std::uint32_t> word_{0};
};
std::string sleeper_complaint(bool store_first, bool wake) {
  model::engine e({"sleeper", 2, 3, [=] { return std::make_unique<sleeper>(store_first, wake); }});
  return e.explore(100'000).message;
}
TEST(sleep, store_then_wake_is_never_missed) { EXPECT_EQ(sleeper_complaint(true, true), ""); }
TEST(sleep, wake_then_store_is_a_lost_wakeup) {
  EXPECT_NE(sleeper_complaint(false, true).find("deadlock"), std::string::npos);
}
TEST(sleep, without_a_wake_is_a_deadlock) {
  EXPECT_NE(sleeper_complaint(true, false).find("deadlock"), std::string::npos);
}

TEST(loops, that_yield_end_when_the_value_arrives) {
  EXPECT_EQ(explore({[](world& w) { w.x.store(1, relaxed); },
                     [](world& w) {
                       while (w.x.load(relaxed) == 0) filch::detail::yield();
                       w.r[0] = 1;
                     }}),
            (outcomes{"1"}));
}
TEST(loops, that_no_thread_ends_are_reported) {
  EXPECT_NE(complaint({[](world&) {},
                       [](world& w) {
                         while (w.x.load(relaxed) == 0) filch::detail::yield();
                       }})
                .find("no end"),
            std::string::npos);
}

// ---- failures can be repeated ------------------------------------------------------------------

TEST(replay, a_failure_is_repeated_by_its_number_with_a_trace) {
  const auto make = [] { return std::make_unique<handover>(relaxed, false); };
  model::engine e({"handover", 2, 3, make});
  const model::outcome first = e.explore(100'000);
  ASSERT_TRUE(first.failed);
  const model::outcome again = e.replay(first.schedule);
  EXPECT_TRUE(again.failed);
  EXPECT_NE(again.message.find("thread 1: FAILS"), std::string::npos) << again.message;
}
TEST(replay, a_random_failure_is_repeated_too) {
  const auto make = [] { return std::make_unique<handover>(relaxed, false); };
  model::engine e({"handover", 2, 3, make});
  const model::outcome first = e.explore_random(100'000, 1);
  ASSERT_TRUE(first.failed);
  EXPECT_TRUE(e.replay(first.schedule).failed);
}
TEST(replay, another_seed_gives_another_order_of_schedules) {
  const auto make = [] { return std::make_unique<handover>(relaxed, false); };
  std::set<std::string> schedules;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    model::engine e({"handover", 2, 3, make});
    schedules.insert(e.explore_random(100'000, seed * 1000).schedule);
  }
  EXPECT_GT(schedules.size(), 1U);
}

}  // namespace
