// When thieves may look at a participant's stack of branches.
#include "filch/detail/sched/branch_share.hpp"

#include <utility>

#include "filch/detail/base/cpu_relax.hpp"
#include "filch/detail/base/fence.hpp"

namespace filch::detail {

namespace {

// Joins that are nested deeper than this use slots elsewhere, which thieves do not see. A thread
// stack of 8 MiB is deeper only if a level takes less than 128 bytes of it.
constexpr std::size_t branch_slots = std::size_t{1} << 16;

// A visit is shorter than so many looks at the visitors, unless the visitor has lost its core.
constexpr int looks_before_yield = 200;

}  // namespace

branch_share::branch_share(bool of_guest)
    : of_guest_(of_guest), memory_(branch_slots * sizeof(branch_slot)) {}

branch_share::~branch_share() = default;

void branch_share::open(bool for_one_join) noexcept {
  auto* const base = static_cast<branch_slot*>(memory_.start());
  my_branches.open(base, base + branch_slots - 1, !asymmetric_fences_available(), for_one_join,
                   ready_);
  shown_.store(&my_branches, std::memory_order_seq_cst);  // [visit]
}

void branch_share::hide() noexcept {
  shown_.store(nullptr, std::memory_order_seq_cst);  // [visit]
}

void branch_share::close() noexcept {
  hide();
  int looks = 0;
  while (visitors_.load(std::memory_order_seq_cst) != 0) {  // [visit]
    if (looks == looks_before_yield) {
      yield();
    } else {
      ++looks;
      cpu_relax();
    }
  }
  ready_ = my_branches.ready();
  my_branches.close();
}

void branch_share::begin_one_join(std::shared_ptr<registry> host) noexcept {
  host_ = std::move(host);
  open(true);
}

std::shared_ptr<registry> branch_share::end_one_join() noexcept {
  close();
  in_last_branch_ = false;
  return std::move(host_);
}

}  // namespace filch::detail
