#include "filch/algorithm/bridge.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "filch/algorithm/parallel_for.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/any_fork_policy.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/sizes.hpp"

using filch::detail::bridge_depth;
using filch::detail::bridge_with;

namespace {

class bridge_on : public filch::test::on_any_fork {};
FILCH_TEST_ON_EVERY_FORK(bridge_on);

TEST_P(bridge_on, hands_out_every_item_once_and_has_one_reader_at_a_time) {
  for (const std::size_t n : filch::test::sizes(10'000)) {
    std::vector<std::atomic<int>> calls(n);
    run([&](const auto& fork) {
      std::size_t read = 0;  // not atomic
      std::atomic<int> readers = 0;
      auto next = [&]() -> std::optional<std::unique_ptr<std::size_t>> {
        EXPECT_EQ(readers.exchange(1), 0);
        const std::unique_ptr<std::atomic<int>, void (*)(std::atomic<int>*)> leave(
            &readers, [](std::atomic<int>* r) { *r = 0; });
        if (read == n) return std::nullopt;
        return std::make_unique<std::size_t>(read++);
      };
      auto f = [&](std::unique_ptr<std::size_t> i) { ++calls[*i]; };
      EXPECT_EQ((bridge_with<std::unique_ptr<std::size_t>>(fork, next, f, {})), n);
    });
    for (const auto& c : calls) ASSERT_EQ(c, 1);
  }
}

TEST_P(bridge_on, has_no_more_than_a_few_items_in_hand) {
  std::atomic<std::size_t> done = 0;
  std::size_t read = 0;
  run([&](const auto& fork) {
    auto next = [&]() -> std::optional<int> {
      EXPECT_LE(read - std::min(done.load(), read), bridge_depth + 1);
      if (read == 20'000) return std::nullopt;
      ++read;
      return 1;
    };
    auto f = [&](int) { ++done; };
    bridge_with<int>(fork, next, f, {});
  });
  EXPECT_EQ(done, 20'000u);
}

TEST_P(bridge_on, an_exception_of_the_work_or_of_the_source_ends_it) {
  for (int round = 0; round < 60; ++round) {
    const bool in_source = round % 2 == 0;
    const std::uint32_t bad = random().bounded(5000);
    std::uint32_t read = 0;
    std::atomic<std::uint32_t> calls = 0;
    run([&](const auto& fork) {
      auto next = [&]() -> std::optional<std::uint32_t> {
        if (in_source && read == bad) throw std::runtime_error("source");
        return read++;  // without end
      };
      auto f = [&](std::uint32_t i) {
        ++calls;
        if (!in_source && i == bad) throw std::runtime_error("work");
      };
      EXPECT_THROW(bridge_with<std::uint32_t>(fork, next, f, {}), std::runtime_error);
    });
    EXPECT_LE(calls, read);
  }
}

TEST_P(bridge_on, a_stop_ends_a_source_without_end) {
  for (int round = 0; round < 30; ++round) {
    const std::uint32_t when = random().bounded(5000);
    const bool in_source = round % 2 == 0;
    std::stop_source source;
    std::uint32_t read = 0;
    run([&](const auto& fork) {
      auto next = [&]() -> std::optional<std::uint32_t> {
        if (in_source && read == when) source.request_stop();
        return read++;
      };
      auto f = [&](std::uint32_t i) {
        if (!in_source && i == when) source.request_stop();
      };
      EXPECT_THROW(bridge_with<std::uint32_t>(fork, next, f, {.stop = source.get_token()}),
                   filch::cancelled);
    });
  }
}

/// A source that gives the next item only when all earlier ones have been processed. So the work on
/// an item must not depend on another thread taking it.
TEST(bridge, changes_the_elements_of_a_list_and_of_a_map_if_the_function_takes_a_reference) {
  std::list<int> list(1000, 1);
  EXPECT_EQ(filch::bridge(list, [](int& n) { n += 2; }), 1000u);
  for (const int n : list) ASSERT_EQ(n, 3);
  std::map<int, std::string> map;
  for (int i = 0; i < 500; ++i) map[i] = "x";
  EXPECT_EQ(filch::bridge(map.begin(), map.end(), [](auto& entry) { entry.second += "y"; }), 500u);
  for (const auto& [key, text] : map) ASSERT_EQ(text, "xy");
  filch::bridge(list, [](int n) { EXPECT_EQ(n, 3); });  // gets copies
  EXPECT_EQ(list.front(), 3);
}

TEST(bridge, a_slow_source_does_not_hold_back_what_it_has_given) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    filch::pool p(workers);
    filch::test::watch(p);
    std::atomic<int> done = 0;
    int given = 0;
    const auto next = [&]() -> std::optional<int> {
      filch::test::until([&] { return done == given; });
      if (given == 500) return std::nullopt;
      return ++given;
    };
    p.install([&] { EXPECT_EQ(filch::bridge(next, [&](int) { ++done; }), 500u); });
    EXPECT_EQ(done, 500);
  }
}

/// The same with work that waits for parts of its own: the wait must not call the source.
TEST(bridge, a_wait_in_the_work_does_not_read) {
  filch::pool p(3);
  filch::test::watch(p);
  std::atomic<int> done = 0;
  int given = 0;
  const auto next = [&]() -> std::optional<int> {
    filch::test::until([&] { return done == given; });
    if (given == 300) return std::nullopt;
    return ++given;
  };
  p.install([&] {
    filch::bridge(next, [&](int) {
      std::atomic<int> parts = 0;
      filch::parallel_for(0, 20, [&](int) {
        for (int i = 0; i < 200; ++i) ++parts;
      });
      if (parts == 4000) ++done;
    });
  });
  EXPECT_EQ(done, 300);
}

/// Also among items so quick that no other thread reads on: a task that is submitted meanwhile may
/// want a lock that the work holds.
TEST(bridge, a_wait_in_the_work_runs_nothing_foreign_however_quick_items_are) {
  filch::pool p(2);
  filch::test::watch(p);
  std::atomic<bool> released = false;
  std::atomic<bool> foreign = false;
  std::thread other;
  p.install([&] {
    int given = 0;
    const auto next = [&]() -> std::optional<int> {
      if (given == 3000) return std::nullopt;
      return given++;
    };
    filch::bridge(next, [&](int i) {
      if (i != 2000) return;
      const auto waiting = std::this_thread::get_id();
      std::atomic<bool> begun = false;
      filch::scope parts;
      parts.spawn([&] {
        begun = true;
        filch::test::until([&] { return released.load(); });
      });
      filch::test::until([&] { return begun.load(); });
      other = std::thread([&p, &foreign, &released, waiting] {
        // Both workers are busy, one of them only waits.
        filch::future<void> task =
            p.submit([&] { foreign = std::this_thread::get_id() == waiting; });
        task.wait_for(std::chrono::milliseconds(20));
        released = true;
        task.wait();
      });
      parts.wait();
    });
  });
  other.join();
  EXPECT_FALSE(foreign);
}

/// Takes so long that another thread goes on reading. For quick items none does.
void be_slow() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

/// The source is slower than the work, so that each item is taken one fork further down. Each item
/// is done only when another thread reads on.
TEST(bridge, a_thread_reads_on_however_many_items_came_one_by_one) {
  filch::pool p(2);
  filch::test::watch(p);
  constexpr int items = 3 * static_cast<int>(bridge_depth);
  std::atomic<int> asked = 0;
  std::atomic<int> done = 0;
  int given = 0;
  const auto next = [&]() -> std::optional<int> {
    ++asked;
    filch::test::until([&] { return done == given; });
    if (given == items) return std::nullopt;
    return given++;
  };
  p.install([&] {
    filch::bridge(next, [&](int i) {
      be_slow();
      filch::test::until([&] { return asked > i + 1; });
      ++done;
    });
  });
  EXPECT_EQ(done, items);
}

/// Gives back the only slot when it is destroyed.
class slot_holder {
 public:
  explicit slot_holder(std::atomic<int>& slots) : slots_(&slots) { --slots; }
  slot_holder(slot_holder&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
  slot_holder& operator=(slot_holder&&) = delete;
  ~slot_holder() {
    if (slots_ != nullptr) ++*slots_;
  }

 private:
  std::atomic<int>* slots_;
};

TEST(bridge, an_item_lives_no_longer_than_the_work_on_it) {
  filch::pool p(2);
  filch::test::watch(p);
  std::atomic<int> slots = 1;
  std::atomic<int> asked = 0;
  int given = 0;
  const auto next = [&]() -> std::optional<slot_holder> {
    ++asked;
    filch::test::until([&] { return slots == 1; });
    if (given == 50) return std::nullopt;
    ++given;
    return std::optional<slot_holder>(std::in_place, slots);
  };
  p.install([&] {
    filch::bridge(next, [&, i = std::atomic<int>(0)](const slot_holder&) mutable {
      const int mine = ++i;
      be_slow();
      filch::test::until([&] { return asked > mine; });  // another thread is in the source
    });
  });
  EXPECT_EQ(given, 50);
}

/// Each item waits for the others, so all of them must run at once.
TEST(bridge, items_that_take_long_run_on_all_workers) {
  filch::pool p(4);
  filch::test::watch(p);
  std::atomic<int> begun = 0;
  int given = 0;
  const auto next = [&]() -> std::optional<int> {
    if (given == 4) return std::nullopt;
    return ++given;
  };
  p.install([&] {
    filch::bridge(next, [&](int) {
      ++begun;
      filch::test::until([&] { return begun == 4; });
    });
  });
  EXPECT_EQ(begun, 4);
}

/// A step ends when the item before it has been processed: question and answer.
class conversation {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;

  explicit conversation(const std::atomic<int>& answers) : answers_(&answers) {}
  int operator*() const { return number_; }
  conversation& operator++() {
    ++number_;
    filch::test::until([this] { return *answers_ == number_; });
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const conversation& c, std::default_sentinel_t) {
    return c.number_ == 300;
  }

 private:
  const std::atomic<int>* answers_;
  int number_ = 0;
};

TEST(bridge, an_item_of_an_iterator_does_not_wait_for_the_next_one) {
  for (const unsigned workers : {1u, 2u}) {
    filch::pool p(workers);
    filch::test::watch(p);
    std::atomic<int> answers = 0;
    p.install([&] {
      EXPECT_EQ(
          filch::bridge(conversation(answers), std::default_sentinel, [&](int) { ++answers; }),
          300u);
    });
    EXPECT_EQ(answers, 300);
  }
}

/// All workers but one are busy until all other items are done, however many these are.
TEST(bridge, any_number_of_items_pass_those_that_take_long) {
  constexpr int items = 20'000;
  for (const unsigned workers : {2u, 4u}) {
    filch::pool p(workers);
    filch::test::watch(p);
    const int slow = static_cast<int>(workers) - 1;
    std::atomic<int> done = 0;
    int given = 0;
    const auto next = [&]() -> std::optional<int> {
      if (given == slow + items) return std::nullopt;
      return given++;
    };
    p.install([&] {
      filch::bridge(next, [&](int i) {
        if (i < slow)
          filch::test::until([&] { return done == items; });
        else
          ++done;
      });
    });
    EXPECT_EQ(done, items);
  }
}

TEST(bridge, of_what_cannot_be_assigned) {
  const std::map<int, int> map = {{1, 10}, {2, 20}, {3, 30}};
  std::atomic<int> sum = 0;
  EXPECT_EQ(filch::bridge(map, [&](const auto& pair) { sum += pair.first * pair.second; }), 3u);
  EXPECT_EQ(sum, 140);
  struct fixed {
    const int value;
  };
  const std::list<fixed> list = {{4}, {5}};
  EXPECT_EQ(filch::bridge(list, [&](fixed f) { sum += f.value; }), 2u);
  EXPECT_EQ(sum, 149);
}

TEST(bridge, from_lists_streams_and_iterators) {
  const std::list<int> list = {1, 2, 3};
  std::atomic<int> sum = 0;
  const auto add = [&](int i) { sum += i; };
  EXPECT_EQ(filch::bridge(list, add), 3u);
  std::istringstream in("4 5 6");
  EXPECT_EQ(filch::bridge(std::istream_iterator<int>(in), std::istream_iterator<int>(), add,
                          {.grain = 2}),
            3u);
  EXPECT_EQ(filch::bridge(std::vector<int>(), add), 0u);
  EXPECT_EQ(sum, 21);
}

TEST(bridge, from_a_source_that_gives_references) {
  std::optional<int> next_one = 5;
  std::atomic<int> sum = 0;
  const auto next = [&]() -> std::optional<int>& {
    if (*next_one == 0)
      next_one.reset();
    else
      --*next_one;
    return next_one;
  };
  EXPECT_EQ(filch::bridge(next, [&](int i) { sum += i; }), 5u);
  EXPECT_EQ(sum, 10);
}

TEST(bridge, tells_how_much_is_done_of_what_has_been_read) {
  const std::vector<int> items(5000, 1);
  std::size_t last = 0;
  filch::bridge(items, [](int) {}, {.progress = [&](std::size_t done, std::size_t total) {
                  EXPECT_LE(last, done);
                  EXPECT_LE(done, total);
                  last = done;
                }});
  EXPECT_EQ(last, items.size());
}

}  // namespace
