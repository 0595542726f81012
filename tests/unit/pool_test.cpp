#include "filch/pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/detail/base/cpu_count.hpp"
#include "filch/detail/base/thread.hpp"
#include "filch/errors.hpp"
#include "filch/scope.hpp"
#include "filch/this_worker.hpp"
#include "support/eventually.hpp"
#include "support/hang_guard.hpp"
#include "support/occupied.hpp"

using filch::future;
using filch::pool;
using filch::pool_options;
using filch::usage_error;
using filch::test::occupied;

namespace {

/// FILCH_NUM_THREADS is `value` while this lives.
class environment {
 public:
  explicit environment(const char* value) { setenv("FILCH_NUM_THREADS", value, 1); }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() { unsetenv("FILCH_NUM_THREADS"); }
};

/// The error message of making a pool with these options; "" if there is none.
std::string complaint(pool_options settings) {
  try {
    const pool p(std::move(settings));
    return "";
  } catch (const usage_error& e) {
    return e.what();
  }
}

/// More than the usual 8 MiB. Not inlined into the test, whose stack is no larger than that.
[[gnu::noinline]] int use_much_stack() {
  std::array<volatile char, 12u << 20> large;
  for (std::size_t i = 0; i < large.size(); i += 4096) large[i] = 1;
  return static_cast<int>(large[0]);
}

/// make(1) to make(count), each made when it is read.
template <class F>
class made_as_read {
 public:
  made_as_read(F make, int count) : make_(make), count_(count) {}

  struct iterator {
    using value_type = std::invoke_result_t<const F&, int>;
    using difference_type = std::ptrdiff_t;
    value_type operator*() const { return (*make)(at); }
    iterator& operator++() {
      ++at;
      return *this;
    }
    void operator++(int) { ++at; }
    friend bool operator==(const iterator& a, const iterator& b) { return a.at == b.at; }
    const F* make = nullptr;
    int at = 0;
  };
  iterator begin() const { return {&make_, 1}; }
  iterator end() const { return {&make_, count_ + 1}; }

 private:
  F make_;
  int count_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(pool, refuses_what_it_cannot_do_yet_instead_of_ignoring_it) {
  EXPECT_THROW(pool({.threads = 1, .max_spares = 100'000}), usage_error);
  EXPECT_THROW(pool({.threads = 1, .steal_threshold = 0}), usage_error);
}

// It would go to the wrong pool unnoticed.
TEST(pool, refuses_options_that_name_another_pool) {
  pool p({.threads = 1, .name = "here"}), other({.threads = 1, .name = "there"});
  try {
    (void)p.submit([] {}, {.on = &other});
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_PRED2(contains, e.what(), "'here'");
    EXPECT_PRED2(contains, e.what(), "'there'");
  }
  EXPECT_THROW(p.detach([] {}, {.on = &other}), usage_error);
  EXPECT_EQ(p.submit([] { return 1; }, {.on = &p}).get(), 1);
}

}  // namespace

// ---- making one ---------------------------------------------------------------------------------

TEST(pool, has_as_many_workers_as_asked_for) {
  for (const std::size_t n : {1u, 2u, 3u, 8u}) {
    EXPECT_EQ(pool(n).size(), n);
    EXPECT_EQ(pool(pool_options{.threads = n}).size(), n);
  }
}

// Pitfall 26.
TEST(pool, no_threads_means_choose) {
  const std::size_t chosen = filch::detail::default_thread_count();
  EXPECT_GE(chosen, 1u);
  EXPECT_EQ(pool(std::size_t{0}).size(), chosen);
  EXPECT_EQ(pool().size(), chosen);
}

TEST(pool, more_threads_than_possible_are_an_error_that_names_the_number) {
  EXPECT_PRED2(contains, complaint({.threads = SIZE_MAX}), std::to_string(SIZE_MAX));
  EXPECT_PRED2(contains, complaint({.threads = 65537}), "65537");
  EXPECT_THROW(pool{SIZE_MAX}, usage_error);
}

TEST(pool, the_environment_chooses_when_the_program_does_not) {
  const environment three("3");
  EXPECT_EQ(pool().size(), 3u);
  EXPECT_EQ(pool(2).size(), 2u) << "what the program says wins";
}

TEST(pool, an_empty_environment_variable_is_none) {
  const std::size_t chosen = filch::detail::default_thread_count();
  const environment empty("");
  EXPECT_EQ(pool().size(), chosen);
}

TEST(pool, a_senseless_environment_is_an_error_that_names_it) {
  for (const char* bad :
       {"0", "-1", "many", "65537", "99999999999999999999", "3 ", "2.5", "0x10"}) {
    const environment set(bad);
    EXPECT_PRED2(contains, complaint({}), std::string("\"").append(bad).append("\""));
    EXPECT_EQ(complaint({.threads = 1}), "") << "the environment was not asked";
  }
}

TEST(pool, a_steal_threshold_of_zero_is_an_error) {
  EXPECT_PRED2(contains, complaint({.threads = 1, .steal_threshold = 0}), "steal_threshold");
}

TEST(pool, any_time_to_look_for_work_will_do) {
  for (const auto spin : {std::chrono::microseconds::max(), std::chrono::microseconds::min()}) {
    pool p({.threads = 2, .spin = spin});
    EXPECT_EQ(p.submit([] { return 1; }).get(), 1);
  }
}

TEST(pool, every_option_that_is_refused_is_refused_in_the_name_of_the_pool) {
  const std::vector<pool_options> refused = {
      {.threads = SIZE_MAX},
      {.threads = 1, .idle = static_cast<filch::idle>(77)},
      {.threads = 1, .steal_threshold = 0},
      {.threads = 1, .stack_size = 1},
      {.threads = 1, .stack_size = SIZE_MAX},
      {.threads = 1, .max_spares = SIZE_MAX},
  };
  for (const pool_options& each : refused)
    EXPECT_EQ(complaint(each).substr(0, 13), "filch::pool: ") << complaint(each);
}

TEST(pool, a_stack_that_is_too_small_is_an_error_that_names_it) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4095}})
    EXPECT_PRED2(contains, complaint({.threads = 2, .stack_size = size}), std::to_string(size));
}

TEST(pool, a_stack_beyond_all_addresses_is_not_called_too_small) {
  const std::string message = complaint({.threads = 2, .stack_size = SIZE_MAX});
  EXPECT_PRED2(contains, message, std::to_string(SIZE_MAX));
  EXPECT_PRED2(contains, message, "at most");
  EXPECT_FALSE(contains(message, "at least")) << message;
}

TEST(pool, a_stack_beyond_the_memory_is_named_by_the_error) {
  constexpr std::size_t size = SIZE_MAX / 4;
  try {
    const pool p({.threads = 2, .stack_size = size});
    FAIL();
  } catch (const std::system_error& e) {
    EXPECT_PRED2(contains, e.what(), std::to_string(size));
  }
}

TEST(pool, an_idle_that_does_not_exist_is_refused_and_named) {
  const std::string message = complaint({.threads = 1, .idle = static_cast<filch::idle>(77)});
  EXPECT_PRED2(contains, message, "77");
  EXPECT_PRED2(contains, message, "balanced");
}

TEST(pool, the_stack_is_as_large_as_asked_for) {
  pool p({.threads = 1, .stack_size = 16u << 20});
  EXPECT_EQ(p.install(use_much_stack), 1);
}

// Pitfall 27. The workers look for victims as soon as the first of them exists.
TEST(pool, can_be_made_and_destroyed_many_times) {
  for (int i = 0; i < 200; ++i) {
    std::atomic<int> ran = 0;
    {
      pool p(4);
      p.detach([&] { ++ran; });
    }
    ASSERT_EQ(ran, 1);
  }
}

TEST(pool, is_neither_copied_nor_moved) {
  EXPECT_FALSE(std::is_copy_constructible_v<pool>);
  EXPECT_FALSE(std::is_move_constructible_v<pool>);
  EXPECT_FALSE((std::is_convertible_v<std::size_t, pool>));
}

// ---- submit and detach --------------------------------------------------------------------------

TEST(pool, submit_gives_what_the_task_returns) {
  pool p(2);
  EXPECT_EQ(p.submit([] { return 42; }).get(), 42);
  EXPECT_EQ(p.submit([] { return std::string("text"); }).get(), "text");
}

TEST(pool, submit_of_a_function_that_returns_nothing) {
  pool p(1);
  int done = 0;
  future<void> f = p.submit([&] { done = 1; });
  f.get();
  EXPECT_EQ(done, 1);
}

TEST(pool, submit_of_a_function_that_returns_a_reference) {
  pool p(1);
  int there = 7;
  future<int&> f = p.submit([&]() -> int& { return there; });
  EXPECT_EQ(&f.get(), &there);
}

TEST(pool, submit_takes_and_gives_what_can_only_be_moved) {
  pool p(1);
  auto f = p.submit([n = std::make_unique<int>(5)]() mutable { return std::move(n); });
  EXPECT_EQ(*f.get(), 5);
}

TEST(pool, get_throws_what_the_submitted_task_threw) {
  pool p(1);
  auto f = p.submit([]() -> int { throw std::out_of_range("seven"); });
  try {
    f.get();
    FAIL();
  } catch (const std::out_of_range& e) {
    EXPECT_STREQ(e.what(), "seven");
  }
  EXPECT_EQ(p.submit([] { return 1; }).get(), 1) << "the worker survives";
}

TEST(pool, submit_accepts_functions_of_every_kind) {
  pool p(1);
  EXPECT_EQ(p.submit(std::function<int()>([] { return 1; })).get(), 1);
  EXPECT_EQ(p.submit(+[] { return 2; }).get(), 2);
  const auto constant = [] { return 3; };
  EXPECT_EQ(p.submit(constant).get(), 3);
  EXPECT_EQ(p.submit([n = 3]() mutable { return ++n; }).get(), 4);
  EXPECT_EQ(p.submit(std::bind([](int n) { return n; }, 5)).get(), 5);
}

TEST(pool, tasks_run_on_its_workers) {
  pool p(3);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(p.submit([] { return filch::this_worker::pool(); }).get(), &p);
    EXPECT_LT(p.submit([] { return filch::this_worker::index(); }).get().value(), 3u);
  }
}

TEST(pool, detached_tasks_run) {
  std::atomic<int> ran = 0;
  pool p(2);
  for (int i = 0; i < 1000; ++i) p.detach([&] { ++ran; });
  p.wait_idle();
  EXPECT_EQ(ran, 1000);
}

TEST(pool, an_empty_function_is_refused_and_not_accepted) {
  pool p(1);
  const std::function<void()> empty;
  void (*const null)() = nullptr;
  EXPECT_THROW((void)p.submit(empty), usage_error);
  EXPECT_THROW(p.detach(empty), usage_error);
  EXPECT_THROW((void)p.submit(null), usage_error);
  EXPECT_THROW(p.detach(null), usage_error);
  EXPECT_THROW(p.broadcast(empty), usage_error);
  EXPECT_THROW(p.broadcast(std::function<void(std::size_t)>()), usage_error);
  EXPECT_THROW(p.submit_batch(std::vector<std::function<void()>>(3)), usage_error);
  p.wait_idle();
  EXPECT_EQ(p.metrics().total().jobs, 0u);
}

// The closure may hold something that its owner needs back: it is destroyed when the task has
// ended.
TEST(pool, the_closure_is_destroyed_when_the_task_ends) {
  pool p(1);
  auto held = std::make_shared<int>(1);
  p.detach([held] {});
  auto f = p.submit([held] {});
  p.wait_idle();
  EXPECT_EQ(held.use_count(), 1);
  f.get();
}

// Pitfall 30: a task that waits for one that it has submitted runs it.
TEST(pool, one_worker_is_enough_for_tasks_that_wait_for_each_other) {
  pool p(1);
  EXPECT_EQ(p.submit([&] {
               return p.submit([&] { return p.submit([] { return 3; }).get() + 1; }).get() + 1;
             }).get(),
            5);
}

TEST(pool, an_outside_producer_is_first_in_first_out) {
  pool p(1);
  std::vector<int> order;
  {
    const occupied busy(p);
    for (int i = 0; i < 500; ++i) p.detach([&order, i] { order.push_back(i); });
  }
  p.wait_idle();
  ASSERT_EQ(order.size(), 500u);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(order[static_cast<std::size_t>(i)], i);
}

// ---- submit_batch -------------------------------------------------------------------------------

TEST(pool, a_batch_runs_as_a_whole) {
  std::atomic<int> sum = 0;
  pool p(2);
  std::vector<std::function<void()>> batch;
  for (int i = 1; i <= 100; ++i) batch.emplace_back([&sum, i] { sum += i; });
  p.submit_batch(batch);
  p.submit_batch(batch);  // copied: still there
  p.wait_idle();
  EXPECT_EQ(sum, 2 * 5050);
}

TEST(pool, an_empty_batch_is_nothing) {
  pool p(1);
  p.submit_batch(std::vector<std::function<void()>>());
  p.wait_idle();
  EXPECT_EQ(p.metrics().total().jobs, 0u);
}

TEST(pool, a_batch_of_what_can_only_be_moved) {
  std::atomic<int> sum = 0;
  pool p(1);
  const auto make = [&sum](int n) { return [&sum, n = std::make_unique<int>(n)] { sum += *n; }; };
  std::vector<decltype(make(1))> batch;
  for (int i = 1; i <= 10; ++i) batch.push_back(make(i));
  p.submit_batch(std::move(batch));
  p.wait_idle();
  EXPECT_EQ(sum, 55);
}

TEST(pool, a_batch_that_is_made_as_it_is_read) {
  std::atomic<int> sum = 0;
  pool p(1);
  const auto make = [&sum](int n) { return [&sum, n = std::make_unique<int>(n)] { sum += *n; }; };
  p.submit_batch(made_as_read(make, 10));
  const made_as_read kept(make, 10);
  p.submit_batch(kept);
  p.wait_idle();
  EXPECT_EQ(sum, 110);
}

TEST(pool, a_batch_that_a_view_shows_is_copied) {
  std::atomic<int> ran = 0;
  pool p(1);
  std::vector<std::function<void()>> kept(3, [&] { ++ran; });
  p.submit_batch(std::span(kept));
  p.wait_idle();
  EXPECT_EQ(ran, 3);
  for (const auto& f : kept) EXPECT_TRUE(f);
}

// Pitfall 34.
TEST(pool, a_batch_with_an_empty_function_is_refused_as_a_whole) {
  pool p(2);
  auto held = std::make_shared<int>(0);
  std::vector<std::function<void()>> batch(10, [held] { ++*held; });
  batch.insert(batch.begin() + 5, std::function<void()>());
  EXPECT_THROW(p.submit_batch(batch), usage_error);
  batch.clear();
  p.wait_idle();
  EXPECT_EQ(*held, 0);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(pool, a_batch_from_a_task_runs) {
  std::atomic<int> ran = 0;
  pool p(2);
  p.install([&] { p.submit_batch(std::vector<std::function<void()>>(50, [&] { ++ran; })); });
  p.wait_idle();
  EXPECT_EQ(ran, 50);
}

// ---- install ------------------------------------------------------------------------------------

TEST(pool, install_gives_what_the_function_returns) {
  pool p(2);
  EXPECT_EQ(p.install([] { return 42; }), 42);
  EXPECT_EQ(*p.install([] { return std::make_unique<int>(3); }), 3);
  bool ran = false;
  static_assert(std::is_void_v<decltype(p.install([&] { ran = true; }))>);
  p.install([&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(pool, install_gives_a_reference_as_a_reference) {
  pool p(1);
  int here = 0;
  static_assert(std::is_same_v<decltype(p.install([&]() -> int& { return here; })), int&>);
  EXPECT_EQ(&p.install([&]() -> int& { return here; }), &here);
}

TEST(pool, install_throws_what_the_function_threw) {
  pool p(1);
  EXPECT_THROW(p.install([] { throw std::out_of_range("x"); }), std::out_of_range);
  EXPECT_THROW(p.install([]() -> int { throw 7; }), int);
  EXPECT_EQ(p.install([] { return 1; }), 1);
}

TEST(pool, install_refuses_an_empty_function) {
  pool p(1);
  EXPECT_THROW(p.install(std::function<void()>()), usage_error);
  EXPECT_THROW(p.install([&] { p.install(std::function<void()>()); }), usage_error);
}

TEST(pool, install_moves_the_call_onto_a_worker) {
  pool p(2);
  EXPECT_NE(p.install([] { return std::this_thread::get_id(); }), std::this_thread::get_id());
  EXPECT_EQ(p.install([] { return filch::this_worker::pool(); }), &p);
}

// A guest helps with everything else, but this task has to wait for a worker.
TEST(pool, install_waits_for_a_worker_although_a_guest_is_idle) {
  std::atomic<bool> on_worker = false, guest_is_there = false;
  pool p(1);
  filch::test::gate leave;
  std::optional<occupied> busy(std::in_place, p);
  std::thread guest([&] {
    filch::scope s({.on = &p});
    s.spawn([&] {
      guest_is_there = true;
      leave.pass();
    });
    s.spawn([] {});  // the guest looks for more when it has one of them
    s.wait();
  });
  filch::test::until([&] { return guest_is_there.load(); });
  std::thread installer(
      [&] { p.install([&] { on_worker = filch::this_worker::index().has_value(); }); });
  leave.open();
  guest.join();
  busy.reset();
  installer.join();
  EXPECT_TRUE(on_worker);
}

// One batch from outside may be too small for a thief with a threshold.
TEST(pool, a_steal_threshold_does_not_strand_what_came_from_outside) {
  pool p({.threads = 2, .steal_threshold = 4});
  filch::test::gate met;
  {
    const occupied busy(p);
    p.detach([&] { met.pass(); });
    p.detach([&] { met.open(); });
  }
  p.wait_idle();
  EXPECT_TRUE(met.is_open());
}

TEST(pool, install_on_an_own_worker_calls_directly) {
  pool p(2);
  p.install([&] {
    const auto here = std::this_thread::get_id();
    EXPECT_EQ(p.install([] { return std::this_thread::get_id(); }), here);
  });
}

TEST(pool, install_calls_the_function_itself_and_not_a_copy) {
  pool p(1);
  struct counter {
    int calls = 0;
    int operator()() { return ++calls; }
    counter() = default;
    counter(const counter&) = delete;
    counter& operator=(const counter&) = delete;
  } count;
  EXPECT_EQ(p.install(count), 1);
  EXPECT_EQ(p.install(count), 2);
  EXPECT_EQ(count.calls, 2);
}

// ---- broadcast ----------------------------------------------------------------------------------

TEST(pool, broadcasts_run_in_the_order_in_which_they_were_made) {
  pool p(1);
  std::vector<int> order;
  {
    const occupied busy(p);
    for (int i = 0; i < 10; ++i) p.broadcast([&order, i] { order.push_back(i); });
  }
  p.wait_idle();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// Pitfall 30.
TEST(pool, broadcast_calls_once_on_every_worker) {
  for (const std::size_t n : {1u, 2u, 3u, 8u}) {
    pool p(n);
    std::vector<std::atomic<int>> calls(n);
    for (int round = 1; round <= 20; ++round) {
      p.broadcast([&](std::size_t index) {
        EXPECT_EQ(filch::this_worker::index(), index);
        ++calls[index];
      });
      p.wait_idle();
      for (const auto& c : calls) ASSERT_EQ(c, round);
    }
  }
}

TEST(pool, broadcast_without_an_index) {
  std::atomic<int> calls = 0;
  pool p(3);
  p.broadcast([&] { ++calls; });
  p.wait_idle();
  EXPECT_EQ(calls, 3);
}

TEST(pool, broadcast_returns_at_once_and_reaches_busy_workers_later) {
  std::atomic<int> calls = 0;
  pool p(2);
  {
    const occupied busy(p);
    for (int i = 0; i < 10; ++i) p.broadcast([&] { ++calls; });
    EXPECT_EQ(calls, 0);
  }
  p.wait_idle();
  EXPECT_EQ(calls, 20);
}

TEST(pool, broadcast_from_a_task_reaches_all_and_the_task_itself) {
  pool p(3);
  std::vector<std::atomic<int>> calls(3);
  p.install([&] { p.broadcast([&](std::size_t index) { ++calls[index]; }); });
  p.wait_idle();
  for (const auto& c : calls) EXPECT_EQ(c, 1);
}

// A worker that waits is reached too, before its wait ends.
TEST(pool, broadcast_reaches_a_worker_that_waits) {
  pool p(1), other(1);
  filch::test::gate reached;
  auto f = other.submit([&] { reached.pass(); });
  auto waiting = p.submit([&] { f.get(); });
  p.broadcast([&] { reached.open(); });
  waiting.get();
}

TEST(pool, broadcast_takes_what_can_only_be_moved) {
  std::atomic<int> sum = 0;
  pool p(2);
  p.broadcast([&sum, n = std::make_unique<int>(4)] { sum += *n; });
  p.wait_idle();
  EXPECT_EQ(sum, 8);
}
