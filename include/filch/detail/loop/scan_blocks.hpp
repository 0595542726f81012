// Goes over a range in blocks, where each block needs the result of all blocks before it.
#pragma once

#include <optional>

#include "filch/detail/base/finally.hpp"
#include "filch/detail/base/raw_memory.hpp"
#include "filch/detail/loop/blocks.hpp"

namespace filch::detail {

/// The work of a scan. A carry is the combined value of everything to the left. The first block has
/// one only if there is an initial value.
///   reduce(first, last)        the combined value of these items
///   scan(first, last, carry)   writes their results, and returns the carry of the next block;
///                              `carry` may be null
///   combine(a, b)              the combined value of two neighbours, `a` the left one
template <class Work>
concept scan_work = requires(Work& work, std::size_t i, typename Work::state& s,
                             const typename Work::state* carry) {
  { work.reduce(i, i) } -> std::same_as<typename Work::state>;
  { work.scan(i, i, carry) } -> std::same_as<typename Work::state>;
  { work.combine(std::as_const(s), std::move(s)) } -> std::same_as<typename Work::state>;
};

/// When a block whose carry is known is scanned without being reduced first.
enum class directly : unsigned char {
  never,       ///< the results would have other bits
  when_alone,  ///< reducing is much faster, and other strands wait for its result
  always,      ///< both take equally long
};

/// Scans a range in blocks, several at once. Blocks are small enough for a core's own cache. As
/// many strands as there are workers take them from left to right.
///
/// A strand that has taken a block reduces it. If the block's carry is known, this gives the carry
/// of the next block. Then the strand scans the block, which is still in the cache. So memory is
/// read once; reducing all blocks before scanning the first would read it twice.
///
/// No strand waits for another. If the carry of its block is not known yet, a strand takes the next
/// block and comes back later. Blocks that are late when all are taken are scanned after the
/// strands have ended. So an operation may do anything: it may run a parallel algorithm, and by
/// that another strand of the same scan while its own is interrupted.
///
/// One thread at a time computes carries, as far as blocks have been reduced. All of that is
/// sequentially consistent. A thread that has reduced a block and finds another thread computing
/// carries leaves its carry to that thread, which looks again after it has released the flag.
template <fork_policy Fork, scan_work Work>
class block_scan {
  using state = typename Work::state;

 public:
  /// All arguments outlive this.
  block_scan(const Fork& fork, Work& work, const even_blocks& blocks, directly direct,
             const options& o)
      : fork_(fork),
        work_(work),
        blocks_(blocks),
        direct_(direct),
        loop_(o, blocks.items()),
        slots_(blocks.count() > 1 ? blocks.count() : 0) {}

  /// Call it once. If blocks throw, throws what the lowest of them threw. Throws `cancelled` if
  /// blocks were skipped because of the options.
  void run(std::optional<state> init) {
    if (blocks_.count() > 1 && slots_) {
      std::uninitialized_value_construct_n(slots_.data(), slots_.size());
      const finally destroy([this] { std::destroy_n(slots_.data(), slots_.size()); });
      slot(0).carry = std::move(init);
      if (auto error = spread(std::min(fork_.workers(), blocks_.count()))) error->what.rethrow();
      scan_rest();
    } else {
      run_alone(std::move(init));
    }
    loop_.end_of_loop();
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct block_slot {
    std::optional<state> sum;
    std::optional<state> carry;
    std::atomic<bool> reduced{false};
    bool scanned = false;
    std::size_t next_late = none;
  };
  struct failure {
    std::size_t block;
    caught what;
  };

  /// The blocks that a strand has put off, in order.
  struct late_blocks {
    std::size_t first = none;
    std::size_t last = none;
  };

  block_slot& slot(std::size_t b) const noexcept { return slots_.data()[b]; }
  bool is_known(std::size_t b) const noexcept { return b < known_.load(); }
  bool may_be_direct() const noexcept {
    return direct_ == directly::always || (direct_ == directly::when_alone && strands_.load() == 1);
  }

  /// Runs `strands` strands, at once if thieves come for them. Throws only what a fork throws.
  std::optional<failure> spread(std::size_t strands) {
    if (strands == 1) return strand();
    auto both = fork_([this, half = strands / 2] { return spread(half); },
                      [this, half = strands - strands / 2] { return spread(half); });
    if (!both.second) return std::move(both.first);
    if (!both.first) return std::move(both.second);
    if (both.second->block < both.first->block) std::swap(both.first, both.second);
    both.first->what.suppress(std::move(both.second->what));
    return std::move(both.first);
  }

  std::optional<failure> strand() noexcept {
    ++strands_;
    const finally leave([this] { --strands_; });
    late_blocks late;
    std::size_t b = 0;
    try {
      while ((b = taken_.fetch_add(1)) < blocks_.count() && loop_.may_start(blocks_[b])) {
        if (is_known(b) && may_be_direct())
          scan_directly(b);
        else
          reduce(b);
        if (!slot(b).scanned) put_off(b, late);
        scan_late(late, b);
      }
    } catch (...) {
      loop_.failed();
      return failure{b, caught::current()};
    }
    return std::nullopt;
  }

  void scan_directly(std::size_t b) {
    std::optional<state> after = scan(b);
    if (b + 1 == blocks_.count()) return;
    // No other thread can compute this carry, because block `b` is never reduced.
    slot(b + 1).carry = std::move(after);
    ++known_;
    work_out_carries();
  }

  void reduce(std::size_t b) {
    if (b + 1 == blocks_.count()) return;  // no block needs its value
    slot(b).sum.emplace(work_.reduce(blocks_[b], blocks_[b + 1]));
    slot(b).reduced = true;
    work_out_carries();
  }

  bool next_can_be_known() const noexcept {
    const std::size_t known = known_.load();
    return known < blocks_.count() && slot(known - 1).reduced.load();
  }

  void work_out_carries() {
    while (next_can_be_known()) {
      if (working_out_.exchange(true)) return;
      // Lets the next thread compute carries, also if the user's operation throws.
      const finally leave([this] { working_out_ = false; });
      while (next_can_be_known()) {
        const std::size_t b = known_.load();
        block_slot& left = slot(b - 1);
        if (left.carry)
          slot(b).carry.emplace(work_.combine(std::as_const(*left.carry), *std::move(left.sum)));
        else
          slot(b).carry = std::move(left.sum);
        ++known_;
      }
    }
  }

  void put_off(std::size_t b, late_blocks& late) noexcept {
    (late.first == none ? late.first : slot(late.last).next_late) = b;
    late.last = b;
  }

  /// Sets `now` to the block that it scans, for the caller's exception handler.
  void scan_late(late_blocks& late, std::size_t& now) {
    while (late.first != none && is_known(late.first) && loop_.may_start(blocks_[late.first])) {
      now = std::exchange(late.first, slot(late.first).next_late);
      scan(now);
    }
  }

  state scan(std::size_t b) {
    const std::optional<state>& carry = slot(b).carry;
    state after = work_.scan(blocks_[b], blocks_[b + 1], carry ? std::addressof(*carry) : nullptr);
    slot(b).scanned = true;
    loop_.finished(blocks_[b + 1] - blocks_[b]);
    return after;
  }

  /// Runs after the strands have ended without an exception. All carries are known, unless the scan
  /// was stopped.
  void scan_rest() {
    std::size_t first = 0;
    while (first != blocks_.count() && slot(first).scanned) ++first;
    if (first == blocks_.count()) return;
    const auto body = [&](std::size_t from, std::size_t to) {
      for (from += first, to += first; from != to; ++from)
        if (!slot(from).scanned && loop_.may_start(blocks_[from])) scan(from);
    };
    const options plain;
    for_blocks(fork_, blocks_.count() - first, plain, body);
  }

  /// Scans without strands: there is one block, or no memory for the slots. The blocks are the
  /// same, so that the results are too.
  void run_alone(std::optional<state> carry) {
    const auto pointer = [&] { return carry ? std::addressof(*carry) : nullptr; };
    for (std::size_t b = 0; b != blocks_.count() && loop_.may_start(blocks_[b]); ++b) {
      const bool is_last = b + 1 == blocks_.count();
      std::optional<state> sum;
      if (direct_ == directly::never && !is_last)
        sum.emplace(work_.reduce(blocks_[b], blocks_[b + 1]));
      std::optional<state> after(work_.scan(blocks_[b], blocks_[b + 1], pointer()));
      loop_.finished(blocks_[b + 1] - blocks_[b]);
      if (!sum)
        carry.swap(after);
      else if (!carry)
        carry.swap(sum);
      else
        carry.emplace(work_.combine(std::as_const(*carry), *std::move(sum)));
    }
  }

  const Fork& fork_;
  Work& work_;
  const even_blocks& blocks_;
  const directly direct_;
  loop_state loop_;
  raw_memory<block_slot> slots_;
  // Every strand writes these, so each has a cache line of its own.
  alignas(no_sharing_size) std::atomic<std::size_t> taken_{0};
  alignas(no_sharing_size) std::atomic<std::size_t> strands_{0};
  alignas(no_sharing_size) std::atomic<std::size_t> known_{1};
  std::atomic<bool> working_out_{false};
};

}  // namespace filch::detail
