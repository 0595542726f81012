// The thread of a worker as the system sees it.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <array>
#include <cfenv>
#include <cstddef>
#include <set>
#include <string>

#include "filch/detail/base/affinity.hpp"
#include "filch/pool.hpp"
#include "support/hang_guard.hpp"

using filch::pool;

namespace {

std::string this_thread_name() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

}  // namespace

TEST(workers, block_signals_that_others_send) {
  pool p(2);
  p.broadcast([] {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD, SIGPROF})
      EXPECT_EQ(sigismember(&blocked, signal), 1) << signal;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      EXPECT_EQ(sigismember(&blocked, signal), 0) << signal;
  });
  p.wait_idle();
}

TEST(workers, leave_the_signal_mask_of_the_creator_alone) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  { const pool p(2); }
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
}

TEST(workers, are_named_after_their_pool_and_index) {
  pool p({.threads = 3, .name = "render"});
  p.broadcast([](std::size_t i) { EXPECT_EQ(this_thread_name(), "render-" + std::to_string(i)); });
  p.wait_idle();
}

TEST(workers, of_a_pool_without_a_name_are_named_after_the_library) {
  pool p(1);
  EXPECT_EQ(p.install(this_thread_name), "filch-0");
}

TEST(workers, inherit_the_floating_point_environment_of_the_creator) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  pool up(2);
  ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
  pool nearest(1);
  up.broadcast([] { EXPECT_EQ(std::fegetround(), FE_UPWARD); });
  up.wait_idle();
  EXPECT_EQ(nearest.install([] { return std::fegetround(); }), FE_TONEAREST);
}

TEST(workers, may_run_where_the_process_may) {
  const auto all = filch::detail::process_cpus();
  pool p(2);
  EXPECT_EQ(p.install([] { return filch::detail::this_thread_cpus(); }), all);
}

TEST(workers, that_are_pinned_run_on_one_cpu_each) {
  const auto all = filch::detail::process_cpus();
  pool p({.threads = all.size() + 1, .pin = true});
  p.broadcast([&](std::size_t i) {
    const auto mine = filch::detail::this_thread_cpus();
    ASSERT_EQ(mine.size(), 1u);
    EXPECT_EQ(mine.front(), all[i % all.size()]);
  });
  p.wait_idle();
}
