// Records which thread took which item: shows that nothing was lost or taken twice.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace filch::test {

/// Each taker has a page, on which it notes the items (numbers below `items`) that it took. Pages
/// are plain memory. The ledger orders nothing between threads, so it hides no missing edge.
class ledger {
 public:
  class page {
   public:
    explicit page(std::size_t items) : taken_(items, 0) {}

    /// Only the taker calls it.
    void note(std::uint64_t item) {
      if (item < taken_.size()) {
        ++taken_[static_cast<std::size_t>(item)];
        ++count_;
      } else {
        ++strange_;
      }
    }
    std::size_t count() const { return count_; }

   private:
    friend class ledger;
    std::vector<std::uint8_t> taken_;
    std::size_t count_ = 0;
    std::size_t strange_ = 0;  // numbers that were never pushed
  };

  /// Page 0 belongs to the owner, the others to the thieves.
  ledger(std::size_t items, std::size_t thieves)
      : items_(items), pages_(thieves + 1, page(items)) {}

  page& owner() { return pages_[0]; }
  page& thief(std::size_t n) { return pages_[n + 1]; }

  /// How many items the thieves took. Call it when all have stopped.
  std::size_t stolen() const {
    std::size_t sum = 0;
    for (std::size_t n = 1; n < pages_.size(); ++n) sum += pages_[n].count();
    return sum;
  }

  /// Was each item of [0, items) taken exactly once? Call it when all have stopped.
  testing::AssertionResult exactly_once() const {
    std::size_t lost = 0, again = 0, strange = 0, first = items_;
    for (const page& p : pages_) strange += p.strange_;
    for (std::size_t i = 0; i < items_; ++i) {
      unsigned times = 0;
      for (const page& p : pages_) times += p.taken_[i];
      if (times == 1) continue;
      if (first == items_) first = i;
      ++(times == 0 ? lost : again);
    }
    if (lost + again + strange == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << "of " << items_ << " items " << lost << " were lost, " << again
           << " taken more than once (the first such item is " << first << "), and " << strange
           << " takes gave numbers that were never pushed";
  }

 private:
  std::size_t items_;
  std::vector<page> pages_;
};

}  // namespace filch::test
