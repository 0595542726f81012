#include "filch/detail/sched/task_memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace {

using filch::detail::task_memory;

/// Calls `f` with std::integral_constant<std::size_t, n> for each n.
template <std::size_t... Sizes, class F>
void for_sizes(F f) {
  (f(std::integral_constant<std::size_t, Sizes>()), ...);
}

template <class F>
void for_each_size(F f) {
  for_sizes<1, 32, 33, 64, 65, task_memory::largest_block>(f);
}

TEST(task_memory, blocks_are_as_large_as_asked_for) {
  task_memory m;
  for_each_size([&](auto size) {
    constexpr std::size_t bytes = decltype(size)::value;
    void* const one = m.blocks<bytes>().take();
    void* const two = m.blocks<bytes>().take();
    ASSERT_NE(one, nullptr);
    ASSERT_NE(two, nullptr);
    std::memset(one, 1, bytes);
    std::memset(two, 2, bytes);
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(static_cast<unsigned char*>(one)[i], 1) << i << " of " << bytes;
  });
}

TEST(task_memory, blocks_are_aligned_for_any_task) {
  task_memory m;
  for_each_size([&](auto size) {
    for (int i = 0; i < 3; ++i) {
      void* const block = m.blocks<decltype(size)::value>().take();
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignof(std::max_align_t), 0u);
    }
  });
}

TEST(task_memory, a_block_that_was_put_back_is_taken_again_for_its_size_only) {
  task_memory m;
  void* const small = m.blocks<32>().take();
  void* const medium = m.blocks<64>().take();
  void* const large = m.blocks<128>().take();
  m.blocks<32>().put_back(small);
  m.blocks<64>().put_back(medium);
  m.blocks<128>().put_back(large);
  EXPECT_EQ(m.blocks<65>().take(), large);
  EXPECT_EQ(m.blocks<33>().take(), medium);
  EXPECT_EQ(m.blocks<8>().take(), small);
}

// A scope gives a block back through the memory of the thread that ran the task.
TEST(task_memory, a_block_goes_back_to_the_participant_that_it_came_from) {
  task_memory spawner, runner;
  void* const block = spawner.blocks<48>().take();
  auto& mine = runner.blocks<48>();
  std::decay_t<decltype(mine)>::give_back(block, mine);
  EXPECT_NE(mine.take(), block);
  bool found = false;
  while (void* const next = spawner.blocks<48>().take()) found = found || next == block;
  EXPECT_TRUE(found);
}

}  // namespace
