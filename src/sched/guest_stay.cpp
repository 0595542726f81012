#include "filch/detail/sched/guest_stay.hpp"

#include <new>
#include <optional>
#include <utility>

#include "filch/detail/sched/isolation.hpp"
#include "filch/detail/sched/registry.hpp"

namespace filch::detail {

namespace {

/// The pool whose work the calling thread does without a slot.
constinit thread_local registry* lone_pool = nullptr;

}  // namespace

registry* pool_of_lone_thread() noexcept { return lone_pool; }
void leave_lone_pool_by_fork() noexcept { lone_pool = nullptr; }

struct guest_stay::inside {
  explicit inside(std::shared_ptr<registry> home)
      : slot(std::in_place, std::move(home)), pass(std::in_place, **slot, region_of_call()) {}
  explicit inside(registry& home) noexcept : alone_in(&home), outer(lone_pool) {
    lone_pool = &home;
  }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  ~inside() {
    if (alone_in != nullptr && lone_pool == alone_in) lone_pool = outer;
  }

  std::optional<guest_slot> slot;
  std::optional<guest_pass> pass;
  registry* alone_in = nullptr;
  registry* outer = nullptr;
};

guest_stay::guest_stay() noexcept = default;
guest_stay::guest_stay(guest_stay&&) noexcept = default;
guest_stay::~guest_stay() = default;

guest_stay::guest_stay(std::shared_ptr<registry> home) noexcept {
  try {
    inside_ = std::make_unique<inside>(std::move(home));
  } catch (const std::bad_alloc&) {
    // The thread works alone, as any guest for which there is no slot.
  }
}

guest_stay guest_stay::in_place(registry& home) noexcept {
  if (home.size() != 0 || worker::current() != nullptr || lone_pool == &home) return {};
  guest_stay stay(home.shared_from_this());
  if (stay.inside_ == nullptr) return alone(home);
  return stay;
}

guest_stay guest_stay::alone(registry& home) noexcept {
  guest_stay stay;
  if (worker::current() != nullptr) return stay;
  try {
    stay.inside_ = std::make_unique<inside>(home);
  } catch (const std::bad_alloc&) {
    // The default pool stands in for `home` if the work calls free functions.
  }
  return stay;
}

}  // namespace filch::detail
