#include <cstddef>
#include <optional>

#include "filch/detail/sched/current_pool.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

/// The outermost one of the calling thread.
constinit thread_local lone_call* outermost = nullptr;

}  // namespace

bool lone_call::begin() noexcept {
  if (outermost != nullptr) return false;
  outermost = this;
  return true;
}

void lone_call::end() noexcept {
  outermost = nullptr;
  delete slot_;
}

std::optional<std::size_t> lone_call::slot() noexcept {
  if (outermost == nullptr || worker::current() != nullptr) return std::nullopt;
  lone_call& call = *outermost;
  try {
    if (call.slot_ == nullptr) call.slot_ = new guest_slot(current_registry());
  } catch (...) {  // there is no slot left, no memory, or no default pool
    return std::nullopt;
  }
  return (*call.slot_)->index();
}

}  // namespace filch::detail
