// The page in which a program with FILCH_LIVE=1 publishes its counters, and how to read it.
//
// The page is memory without a name in any folder (docs/decisions/0009-live-pages-have-no-name.md):
// /proc/<pid>/fd of the program has a link to "/memfd:filch-live (deleted)". The system lets the
// program's own user and root follow it. The page ends with the program; a process that has mapped
// it keeps the last counters. The page is complete once its size is sealed. It has the size of a
// live_page, and the byte order of the machine.
//
// Edges
//   [page]  the writer makes `sequence` odd, writes words, makes it even -> a reader that sees the
//           same even number before and after its copy has one whole page. Each word is released
//           and acquired, so a reader that has read a word of a later page sees that the number is
//           odd or has changed.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace filch::detail {

inline constexpr const char* live_name = "filch-live";
inline constexpr std::array<char, 8> live_magic = {'f', 'i', 'l', 'c', 'h', 'l', 'i', 'v'};
/// One more for each change of a struct below: `filch top` shows no page of another version.
inline constexpr std::uint32_t live_version = 4;
inline constexpr std::size_t live_most_pools = 16;
inline constexpr std::size_t live_most_workers = 256;

/// One worker, or all guests or all spares of a pool together. It has a member for each figure that
/// `filch top` shows, and no function.
struct live_worker {
  std::uint32_t pool;      ///< live_pool::id of its pool
  std::uint32_t index;     ///< in its pool; live_no_index for guests and spares
  std::uint32_t kind;      ///< 0 worker, 1 spares, 2 guests
  std::uint32_t state;     ///< a filch::worker_state; for guests and spares: running if any is
  std::uint64_t deque;     ///< jobs that wait in its deque
  std::uint64_t branches;  ///< waiting branches of its joins
  std::uint64_t jobs;      ///< this and the following as in filch::worker_metrics
  std::uint64_t spawned;
  std::uint64_t steals_taken;
  std::uint64_t steal_hits;
  std::uint64_t steals_lost;
  std::uint64_t steals_empty;
  std::uint64_t injector_takes;
  std::uint64_t sleeps;
  std::uint64_t wakes;
  std::uint64_t busy_ns;
  std::uint64_t sleep_ns;
  std::uint64_t cpu_ns;
  std::uint64_t waits;  ///< this and the next as in filch::worker_status; 0 for guests and spares
  std::uint64_t still_ns;
};
inline constexpr std::uint32_t live_no_index = UINT32_MAX;

struct live_pool {
  std::uint32_t id;            ///< unique in this process, never used again
  std::uint32_t workers;       ///< its size
  std::array<char, 32> name;   ///< ends with a 0
  std::uint64_t elapsed_ns;    ///< since it was made
  std::uint64_t injected;      ///< jobs from outside that no worker has taken yet
  std::uint64_t backlog;       ///< all waiting jobs
  std::uint32_t first_worker;  ///< in live_page::workers
  std::uint32_t entries;       ///< its entries there: workers, then spares and guests
  std::uint64_t ended;         ///< 1: its threads have ended, and these are their totals
  std::uint64_t unfinished;    ///< 1: it has accepted work that has not ended
};

/// The whole page. Pools that have ended come last, the newest of them first, as many as fit. The
/// members before `sequence` never change. A plain record, as wide as its format.
struct live_page {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t size;  ///< sizeof(live_page)
  std::uint64_t pid;
  std::uint64_t process_mark;  ///< detail::process_mark(pid), as the writer had it
  std::uint64_t start_unix_ns;
  std::uint64_t interval_ns;      ///< between two updates, while a pool is awake
  std::array<char, 64> program;   ///< ends with a 0
  std::uint64_t sequence;         ///< odd during a write; everything from here on changes
  std::uint64_t updated_unix_ns;  ///< time of the update; there are none while all pools sleep
  std::uint32_t pools;            ///< entries in `pool`
  std::uint32_t worker_entries;   ///< entries in `worker`
  std::uint32_t pools_left_out;   ///< pools that did not fit
  std::uint32_t all_asleep;       ///< 1: nothing runs and nothing waits, so there are no updates
  std::array<live_pool, live_most_pools> pool;
  std::array<live_worker, live_most_workers> worker;
};
static_assert(std::is_trivially_copyable_v<live_page> && sizeof(live_page) % 8 == 0);

/// Copies a page from `from`, which is mapped, while the other process may write it. Returns false
/// if that went on for many tries: the writer was stopped in the middle. It does not check magic,
/// version and size. The mapping may be read-only.
inline bool copy_live_page(const live_page& from, live_page& to) noexcept {
  constexpr std::size_t words = sizeof(live_page) / 8;
  // NOLINTNEXTLINE: the other process writes it; atomic_ref wants no const
  auto* const source = reinterpret_cast<std::uint64_t*>(const_cast<live_page*>(&from));
  constexpr std::size_t at = offsetof(live_page, sequence) / 8;
  const std::atomic_ref<std::uint64_t> sequence(source[at]);
  for (int tries = 0; tries < 1000; ++tries) {
    const std::uint64_t before = sequence.load(std::memory_order_acquire);  // [page]
    if (before % 2 != 0) continue;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t word =
          std::atomic_ref<std::uint64_t>(source[i]).load(std::memory_order_acquire);  // [page]
      std::memcpy(reinterpret_cast<char*>(&to) + i * 8, &word, 8);
    }
    if (sequence.load(std::memory_order_relaxed) == before)  // [page] acquired by the words
      return true;
  }
  return false;
}

/// Writes `page` into `to`, which is mapped. One writer.
inline void publish_live_page(const live_page& page, live_page& to) noexcept {
  auto* const target = reinterpret_cast<std::uint64_t*>(&to);
  constexpr std::size_t at = offsetof(live_page, sequence) / 8;
  const std::atomic_ref<std::uint64_t> sequence(target[at]);
  const std::uint64_t before = sequence.load(std::memory_order_relaxed);  // own value
  sequence.store(before + 1, std::memory_order_relaxed);  // [page] released by the words
  for (std::size_t i = at + 1; i < sizeof(live_page) / 8; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&page) + i * 8, 8);
    std::atomic_ref<std::uint64_t>(target[i]).store(word, std::memory_order_release);  // [page]
  }
  sequence.store(before + 2, std::memory_order_release);  // [page]
}

}  // namespace filch::detail
