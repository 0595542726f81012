#include "filch/detail/sched/guest_stay.hpp"

#include <new>
#include <utility>

#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

struct guest_stay::inside {
  explicit inside(std::shared_ptr<registry> home)
      : slot(std::move(home)), pass(*slot, region_of_call()) {}
  guest_slot slot;
  guest_pass pass;
};

guest_stay::guest_stay() noexcept = default;
guest_stay::~guest_stay() = default;

guest_stay::guest_stay(std::shared_ptr<registry> home) noexcept {
  try {
    inside_ = std::make_unique<inside>(std::move(home));
  } catch (const std::bad_alloc&) {
    // The thread works alone, as any guest for which there is no slot.
  }
}

guest_stay guest_stay::in_place(registry& home) noexcept {
  if (home.size() != 0 || worker::current() != nullptr) return {};
  return guest_stay(home.shared_from_this());
}

}  // namespace filch::detail
