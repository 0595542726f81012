#include "filch/this_worker.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "support/hang_guard.hpp"

using filch::pool;
namespace this_worker = filch::this_worker;

TEST(this_worker, outside_of_every_pool_there_is_none) {
  EXPECT_EQ(this_worker::index(), std::nullopt);
  EXPECT_EQ(this_worker::pool(), nullptr);
}

TEST(this_worker, inside_there_is_an_index_and_a_pool) {
  pool p(3);
  p.broadcast([&](std::size_t i) {
    EXPECT_EQ(this_worker::index(), i);
    EXPECT_EQ(this_worker::pool(), &p);
  });
  p.wait_idle();
}

// Pitfall 33.
TEST(this_worker, is_that_of_the_innermost_pool) {
  pool a(2), b(2);
  a.install([&] {
    b.install([&] { EXPECT_EQ(this_worker::pool(), &b); });
    EXPECT_EQ(this_worker::pool(), &a);
  });
}

TEST(this_worker, a_guest_is_no_worker) {
  filch::join(
      [] {
        EXPECT_EQ(this_worker::index(), std::nullopt);
        EXPECT_EQ(this_worker::pool(), nullptr);
      },
      [] {});
  EXPECT_EQ(this_worker::index(), std::nullopt);
}
