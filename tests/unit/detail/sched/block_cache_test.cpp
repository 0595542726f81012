#include "filch/detail/sched/block_cache.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace {

using cache = filch::detail::block_cache<64>;

std::vector<void*> take_all(cache& from) {
  std::vector<void*> all;
  while (void* const block = from.take()) all.push_back(block);
  return all;
}

TEST(block_cache, gives_blocks_that_do_not_overlap) {
  cache c;
  std::set<std::uintptr_t> starts;
  for (int i = 0; i < 5000; ++i) {
    void* const block = c.take();
    ASSERT_NE(block, nullptr);
    std::memset(block, 0xAB, 64);
    starts.insert(reinterpret_cast<std::uintptr_t>(block));
  }
  EXPECT_EQ(starts.size(), 5000u);
  for (auto at = starts.begin(), next = std::next(at); next != starts.end(); ++at, ++next)
    ASSERT_GE(*next - *at, 64u);
}

TEST(block_cache, reuses_what_its_owner_gave_back) {
  cache c;
  void* const block = c.take();
  cache::give_back(block, c);
  EXPECT_EQ(c.take(), block);
}

TEST(block_cache, reuses_what_others_gave_back_once_it_has_nothing_else) {
  cache mine, others;
  std::vector<void*> all = take_all(mine);
  std::thread([&] {
    for (void* block : all) cache::give_back(block, others);
  }).join();
  EXPECT_EQ(take_all(mine).size(), all.size());
  void* const fresh = others.take();
  EXPECT_EQ(std::set<void*>(all.begin(), all.end()).count(fresh), 0u);
  cache::give_back(fresh, others);
}

TEST(block_cache, has_an_end) {
  cache c;
  const std::size_t all = take_all(c).size();
  EXPECT_GT(all, 60'000u);
  EXPECT_LE(all, 65'536u);
  EXPECT_EQ(c.take(), nullptr);
}

// Plain writes to the blocks: TSan notices a missing edge.
TEST(block_cache, blocks_go_round_between_threads) {
  cache mine, others;
  for (int round = 0; round < 200; ++round) {
    std::vector<void*> some;
    for (int i = 0; i < 100; ++i) {
      some.push_back(mine.take());
      *static_cast<int*>(some.back()) = i;
    }
    std::thread other([&] {
      for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(*static_cast<int*>(some[static_cast<std::size_t>(i)]), i);
        cache::give_back(some[static_cast<std::size_t>(i)], others);
      }
    });
    for (int i = 0; i < 300; ++i) cache::give_back(mine.take(), mine);
    other.join();
  }
}

}  // namespace
