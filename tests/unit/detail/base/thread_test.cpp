#include "filch/detail/base/thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "filch/detail/base/config.hpp"

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/thread_id.hpp"
#include "filch/errors.hpp"

using filch::detail::minimum_stack_size;
using filch::detail::os_thread;
using filch::detail::set_thread_name;
using filch::detail::thread_settings;
using cpu_list = std::vector<std::size_t>;

namespace {

/// Runs `body` on its own os_thread, to the end.
template <class Body>
void run_on_thread(Body body, const thread_settings& settings = {}) {
  os_thread::start([](void* raw) { (*static_cast<Body*>(raw))(); }, &body, settings).join();
}

void nothing(void*) {}

std::string own_name() {
  return filch::detail::thread_name(filch::detail::this_thread_id()).data();
}

std::string name_inside(const std::string& wanted) {
  std::string name;
  run_on_thread([&] { name = own_name(); }, {.name = wanted});
  return name;
}

/// The message of the usage_error that starting with these settings throws.
std::string refusal(const thread_settings& settings) {
  try {
    os_thread::start(nothing, nullptr, settings).join();
  } catch (const filch::usage_error& error) {
    return error.what();
  }
  return "it was started";
}

}  // namespace

TEST(os_thread, runs_its_function_once_with_its_argument) {
  std::atomic<int> value = 1;
  os_thread thread = os_thread::start(
      [](void* raw) { static_cast<std::atomic<int>*>(raw)->fetch_add(41); }, &value);
  EXPECT_TRUE(thread.joinable());
  thread.join();
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(value.load(), 42);
}

// Plain data in both directions: ThreadSanitizer watches.
TEST(os_thread, start_and_join_hand_memory_over) {
  std::vector<int> data{1, 2, 3};
  std::thread::id id;
  run_on_thread([&] {
    data.push_back(4);
    id = std::this_thread::get_id();
  });
  EXPECT_EQ(data, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_NE(id, std::this_thread::get_id());
}

TEST(os_thread, moves_and_does_not_copy) {
  EXPECT_FALSE(std::is_copy_constructible_v<os_thread>);
  EXPECT_FALSE(std::is_copy_assignable_v<os_thread>);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<os_thread>);
  os_thread first = os_thread::start(nothing, nullptr);
  os_thread second(std::move(first));
  EXPECT_FALSE(first.joinable());
  EXPECT_TRUE(second.joinable());
  os_thread third;
  third = std::move(second);
  EXPECT_FALSE(second.joinable());
  os_thread& itself = third;
  third = std::move(itself);
  EXPECT_TRUE(third.joinable());
  third.join();
  third = os_thread::start(nothing, nullptr);  // what was joined may be replaced
  third.join();
}

TEST(os_thread, may_end_by_pthread_exit) {
  bool before = false, after = false;
  run_on_thread([&] {
    before = true;
    pthread_exit(nullptr);
    after = true;
  });
  EXPECT_TRUE(before);
  EXPECT_FALSE(after);
}

TEST(os_thread_death, a_thread_is_never_lost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH({ static_cast<void>(os_thread::start(nothing, nullptr)); },
               "destroyed before its thread was joined; call join\\(\\) first");
  EXPECT_DEATH(
      {
        os_thread thread = os_thread::start(nothing, nullptr);
        thread = os_thread();
      },
      "assigned to before its thread was joined; call join\\(\\) first");
}

TEST(os_thread_death, joining_and_detaching_need_a_thread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(os_thread().join(), "there is no thread to join");
  EXPECT_DEATH(os_thread().detach(), "there is no thread: it was moved away or was joined");
}

TEST(os_thread, that_is_detached_goes_on_alone) {
  static std::atomic<bool> ran = false;
  {
    os_thread thread = os_thread::start([](void*) { ran = true; }, nullptr);
    thread.detach();
    EXPECT_FALSE(thread.joinable());
  }
  while (!ran) std::this_thread::yield();
}

TEST(os_thread_death, an_exception_that_is_not_caught_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(run_on_thread([] { throw std::runtime_error("not caught"); }), "not caught");
}

TEST(os_thread, has_the_name_it_was_given) {
  EXPECT_EQ(name_inside("filch-7"), "filch-7");
  EXPECT_EQ(name_inside("exactly15bytes!"), "exactly15bytes!");
}

TEST(os_thread, a_name_that_is_too_long_loses_its_end) {
  EXPECT_EQ(name_inside("sixteen bytes 16"), "sixteen bytes 1");
  EXPECT_EQ(name_inside(std::string(10'000, 'x')), std::string(15, 'x'));
}

TEST(os_thread, a_name_is_not_cut_inside_a_character) {
  EXPECT_EQ(name_inside("fourteen 14 b \xc3\xa9"), "fourteen 14 b ");
  EXPECT_EQ(name_inside("thirteen 13 b\xc3\xa9z"), "thirteen 13 b\xc3\xa9");
  EXPECT_EQ(name_inside("\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a"),
            "\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a\xf0\x9f\xa6\x8a");
}

TEST(os_thread, without_a_name_it_has_its_creators) {
  std::string name;
  run_on_thread([&] { run_on_thread([&] { name = own_name(); }); }, {.name = "parent"});
  EXPECT_EQ(name, "parent");
}

TEST(set_thread_name, renames_the_caller_and_ignores_the_empty_name) {
  run_on_thread([] {
    set_thread_name("first");
    EXPECT_EQ(own_name(), "first");
    set_thread_name("");
    EXPECT_EQ(own_name(), "first");
    set_thread_name(std::string_view("second\0hidden", 13));
    EXPECT_EQ(own_name(), "second");
    set_thread_name(std::string(20, '\x80'));  // no character begins here
    EXPECT_EQ(own_name(), "second");
  });
}

TEST(os_thread, has_the_stack_it_was_given) {
  const auto stack_inside = [](std::size_t wanted) {
    std::size_t size = 0;
    run_on_thread(
        [&] {
          pthread_attr_t attributes;
          pthread_getattr_np(pthread_self(), &attributes);
          pthread_attr_getstacksize(&attributes, &size);
          pthread_attr_destroy(&attributes);
        },
        {.stack_size = wanted});
    return size;
  };
  for (const std::size_t wanted : {std::size_t{1} << 20, std::size_t{16} << 20}) {
    EXPECT_GE(stack_inside(wanted), wanted);
    EXPECT_LT(stack_inside(wanted), wanted * 2);
  }
  EXPECT_GE(stack_inside(1'234'567), 1'230'000u);  // need not be a multiple of anything
}

TEST(os_thread, runs_on_the_smallest_stack) {
  EXPECT_GE(minimum_stack_size(), 16'384u);
  EXPECT_NO_THROW(os_thread::start(nothing, nullptr, {.stack_size = minimum_stack_size()}).join());
}

TEST(os_thread, a_stack_that_is_too_small_is_a_usage_error_that_names_it_and_the_minimum) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}, minimum_stack_size() - 1}) {
    const std::string message = refusal({.stack_size = size});
    EXPECT_NE(message.find("stack_size is " + std::to_string(size) + " "), std::string::npos)
        << message;
    EXPECT_NE(message.find("at least " + std::to_string(minimum_stack_size())), std::string::npos)
        << message;
  }
}

#if !FILCH_TSAN  // which rounds it up to 0 bytes, and stops
TEST(os_thread, a_stack_as_large_as_memory_is_refused_by_name) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {all, all / 2, std::size_t{1} << 60}) {
    try {
      os_thread::start(nothing, nullptr, {.stack_size = size}).join();
      ADD_FAILURE() << "started with " << size;
    } catch (const filch::usage_error& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(size)), std::string::npos);
    } catch (const std::system_error& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(size)), std::string::npos);
    }
  }
}
#endif

TEST(os_thread, has_all_signals_blocked_but_those_its_own_code_raises) {
  sigset_t inside;
  run_on_thread([&] { pthread_sigmask(SIG_SETMASK, nullptr, &inside); });
  for (const int open : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    EXPECT_EQ(sigismember(&inside, open), 0) << open;
  for (const int blocked : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD,
                            SIGPIPE, SIGPROF, SIGVTALRM, SIGIO, SIGWINCH, SIGTSTP, SIGURG})
    EXPECT_EQ(sigismember(&inside, blocked), 1) << blocked;
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
    EXPECT_EQ(sigismember(&inside, signal), 1) << signal;
}

TEST(os_thread, has_its_own_faults_open_even_if_its_creator_has_not) {
  sigset_t inside, all, before, after;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  run_on_thread([&] { pthread_sigmask(SIG_SETMASK, nullptr, &inside); });
  pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&inside, SIGSEGV), 0);
  EXPECT_EQ(sigismember(&inside, SIGUSR1), 1);
  EXPECT_EQ(sigismember(&after, SIGSEGV), 1);  // the creator's mask is as it was
}

TEST(os_thread, leaves_its_creators_signals_alone) {
  sigset_t usr1, before, after;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  run_on_thread([] {});
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
  pthread_sigmask(SIG_UNBLOCK, &usr1, nullptr);
}

namespace {
std::atomic<std::uint64_t> handler_ran_on{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
}  // namespace

TEST(os_thread, a_signal_to_the_process_is_handled_by_the_programs_own_threads) {
  static_cast<void>(filch::detail::this_thread_id());  // so that the handler only reads it
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { handler_ran_on.store(filch::detail::this_thread_id()); };
  sigaction(SIGUSR1, &action, &before);
  for (int i = 0; i < 100; ++i) {
    handler_ran_on.store(0);
    // Sent by the new thread, which the kernel prefers if possible.
    run_on_thread([] { kill(getpid(), SIGUSR1); });
    // ThreadSanitizer delivers signals only in some calls, and has a thread of its own that may
    // swallow one. So the test sleeps, and sends the signal again.
    for (int naps = 1; handler_ran_on.load() == 0; ++naps) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      if (naps % 1000 == 0) kill(getpid(), SIGUSR1);
    }
    EXPECT_EQ(handler_ran_on.load(), filch::detail::this_thread_id());
  }
  sigaction(SIGUSR1, &before, nullptr);
}

namespace {
std::atomic<long> storm_creator{0};
std::atomic<long> storm_handled{0}, storm_handled_elsewhere{0};
}  // namespace

// It would be too late for a thread to block signals as its first action. The creator is the only
// thread that may handle these signals, so a new thread caught any signal that is handled
// elsewhere.
TEST(os_thread, has_no_moment_in_which_a_signal_could_interrupt_it) {
  struct sigaction action {};
  struct sigaction before {};
  storm_handled.store(0);
  storm_handled_elsewhere.store(0);
  action.sa_handler = [](int) {
    const bool elsewhere = syscall(SYS_gettid) != storm_creator.load();
    (elsewhere ? storm_handled_elsewhere : storm_handled).fetch_add(1);
  };
  sigaction(SIGUSR2, &action, &before);
  sigset_t usr2;
  sigemptyset(&usr2);
  sigaddset(&usr2, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &usr2, nullptr);  // in this thread, and in the one that sends
  std::atomic<bool> over = false;
  std::thread sender([&] {
    while (!over.load()) kill(getpid(), SIGUSR2);
  });
  std::thread([&] {
    storm_creator.store(syscall(SYS_gettid));
    pthread_sigmask(SIG_UNBLOCK, &usr2, nullptr);
    for (int i = 0; i < 100 || storm_handled.load() + storm_handled_elsewhere.load() < 1000; ++i)
      run_on_thread([] {});
    over.store(true);
    sender.join();  // before this thread ends: a late signal needs a thread to go to
  }).join();
  action.sa_handler = SIG_IGN;  // discards a signal that came too late
  sigaction(SIGUSR2, &action, nullptr);
  sigaction(SIGUSR2, &before, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &usr2, nullptr);
  EXPECT_EQ(storm_handled_elsewhere.load(), 0);
}

TEST(os_thread, runs_where_the_process_may_although_its_creator_may_not) {
  const cpu_list all = filch::detail::process_cpus();
  if (all.size() < 2) GTEST_SKIP() << "there is one CPU";
  cpu_list inside, creators;
  std::thread([&] {
    ASSERT_TRUE(filch::detail::set_this_thread_cpus(cpu_list{all.back()}));
    run_on_thread([&] { inside = filch::detail::this_thread_cpus(); });
    creators = filch::detail::this_thread_cpus();
  }).join();
  EXPECT_EQ(inside, all);
  EXPECT_EQ(creators, cpu_list{all.back()});
}

TEST(os_thread, has_the_cpus_of_the_process_after_that_was_confined) {
  const cpu_list all = filch::detail::process_cpus();
  ASSERT_TRUE(filch::detail::set_this_thread_cpus(cpu_list{all.front()}));
  cpu_list inside;
  run_on_thread([&] { inside = filch::detail::this_thread_cpus(); });
  EXPECT_TRUE(filch::detail::set_this_thread_cpus(all));
  EXPECT_EQ(inside, cpu_list{all.front()});
}

TEST(os_thread, a_pinned_thread_runs_on_its_cpu) {
  for (const std::size_t cpu : filch::detail::process_cpus()) {
    run_on_thread(
        [cpu] {
          EXPECT_EQ(static_cast<std::size_t>(sched_getcpu()), cpu);
          EXPECT_EQ(filch::detail::this_thread_cpus(), cpu_list{cpu});
        },
        {.cpu = cpu});
  }
}

TEST(os_thread, pinning_to_a_cpu_that_the_process_may_not_use_is_a_usage_error_that_names_it) {
  for (const std::size_t cpu :
       {filch::detail::process_cpus().back() + 1, std::numeric_limits<std::size_t>::max()}) {
    const std::string message = refusal({.cpu = cpu});
    EXPECT_NE(message.find("CPU " + std::to_string(cpu) + ":"), std::string::npos) << message;
  }
}

TEST(os_thread, inherits_the_rounding_mode_of_its_creator) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    std::fesetround(mode);
    int inside = -1;
    run_on_thread([&] { inside = std::fegetround(); });
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(inside, mode);
  }
}

#if defined(__SSE2__)
TEST(os_thread, inherits_flushing_to_zero_from_its_creator) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | _MM_FLUSH_ZERO_ON);
  unsigned inside = 0;
  run_on_thread([&] { inside = _mm_getcsr(); });
  _mm_setcsr(before);
  EXPECT_NE(inside & _MM_FLUSH_ZERO_ON, 0u);
}
#endif

TEST(os_thread, a_thousand_can_follow_each_other) {
  std::atomic<int> runs = 0;
  for (int i = 0; i < 250; ++i) {
    std::vector<os_thread> threads;
    for (int j = 0; j < 4; ++j)
      threads.push_back(os_thread::start(
          [](void* raw) { static_cast<std::atomic<int>*>(raw)->fetch_add(1); }, &runs));
    for (os_thread& thread : threads) thread.join();
  }
  EXPECT_EQ(runs.load(), 1000);
}
