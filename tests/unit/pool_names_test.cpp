// How messages name a pool.
#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "filch/pool.hpp"
#include "support/complaint.hpp"
#include "support/hang_guard.hpp"

using filch::pool;
using filch::test::complaint;

namespace {

std::string title_in_dump(const pool& p) {
  std::ostringstream out;
  p.dump(out);
  return out.str().substr(0, out.str().find(':'));
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void lose_an_exception_in_the_second() {
  pool a({.threads = 1, .name = "render"}), b({.threads = 1, .name = "render"});
  b.detach([] { throw std::runtime_error("lost"); });
  b.wait_idle();
}

void destroy_the_second_within() {
  pool a({.threads = 1, .name = "render"});
  auto b = std::make_unique<pool>(filch::pool_options{.threads = 1, .name = "render"});
  b->install([&] { b.reset(); });
}

}  // namespace

TEST(pool_names, two_pools_of_one_name_are_not_called_the_same_in_any_message) {
  pool a({.threads = 1, .name = "render"}), b({.threads = 1, .name = "render"});
  const std::string of_a = title_in_dump(a), of_b = title_in_dump(b);
  EXPECT_PRED2(contains, of_a, "pool 'render' (number ");
  EXPECT_PRED2(contains, of_b, "pool 'render' (number ");
  EXPECT_NE(of_a, of_b);

  const std::string wrong_pool =
      complaint<std::exception>([&] { (void)a.submit([] {}, {.on = &b}); });
  EXPECT_PRED2(contains, wrong_pool, "options::on is " + of_b + ", but this is " + of_a);
  EXPECT_PRED2(contains, complaint<std::exception>([&] { a.install([&] { a.wait_idle(); }); }),
               of_a);
  b.close();
  EXPECT_PRED2(contains, complaint<std::exception>([&] { (void)b.submit([] {}); }),
               "filch::" + of_b + " is closed");
}

TEST(pool_names, a_number_is_that_of_the_trace_and_stays_when_the_other_pool_ends) {
  pool a({.threads = 1, .name = "stays"});
  EXPECT_EQ(title_in_dump(a), "pool 'stays'");
  {
    const pool b({.threads = 1, .name = "stays"});
    EXPECT_EQ(title_in_dump(b), "pool 'stays' (number " + std::to_string(b.core()->id()) + ")");
  }
  EXPECT_EQ(title_in_dump(a), "pool 'stays' (number " + std::to_string(a.core()->id()) + ")");
}

TEST(pool_names, a_pool_alone_with_its_name_has_no_number) {
  const pool a({.threads = 1, .name = "one"}), b({.threads = 1, .name = "two"});
  { const pool gone({.threads = 1, .name = "three"}); }
  const pool c({.threads = 1, .name = "three"});
  EXPECT_EQ(title_in_dump(a), "pool 'one'");
  EXPECT_EQ(title_in_dump(b), "pool 'two'");
  EXPECT_EQ(title_in_dump(c), "pool 'three'");
}

TEST(pool_names, pools_without_a_name_share_one) {
  const pool a(1), b(1);
  EXPECT_PRED2(contains, title_in_dump(a), "pool 'filch' (number ");
  EXPECT_NE(title_in_dump(a), title_in_dump(b));
}

TEST(pool_names_death, the_last_words_of_a_program_say_which_of_two_pools_it_was) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(lose_an_exception_in_the_second(), "pool 'render' \\(number 1\\): .*lost");
  EXPECT_DEATH(destroy_the_second_within(),
               "pool 'render' \\(number 1\\) was destroyed by a thread that takes part in it "
               "\\('render-0'\\)");
}
