#include "filch/detail/sched/observed_thread.hpp"

#include <gtest/gtest.h>

#include <chrono>

using filch::detail::observed_thread;
using clock_type = observed_thread::clock;
using std::chrono::seconds;

TEST(observed_thread, is_the_thread_that_began_last) {
  observed_thread t;
  EXPECT_EQ(t.mark(), 0u);
  t.begin();
  EXPECT_EQ(t.mark(), filch::detail::this_thread_mark());
}

TEST(observed_thread, stands_still_since_the_first_look_that_found_the_same_processor_time) {
  const observed_thread t;
  const clock_type::time_point start{seconds(100)};
  EXPECT_EQ(t.still_since(0, start), start);
  EXPECT_EQ(t.still_since(0, start + seconds(1)), start);
  EXPECT_EQ(t.still_since(7, start + seconds(2)), start + seconds(2)) << "it has used some";
  EXPECT_EQ(t.still_since(7, start + seconds(9)), start + seconds(2));
}
