#include "filch/detail/sched/scope_errors.hpp"

#include <exception>
#include <utility>

#include "filch/detail/sched/pool_access.hpp"

namespace filch::detail {

void scope_errors::record(caught&& error) noexcept {
  const std::scoped_lock lock(mutex_);
  if (all_)
    all_->suppress(std::move(error));
  else
    all_ = std::move(error);
}

void scope_errors::rethrow() {
  if (std::optional<caught> all = std::exchange(all_, std::nullopt)) all->rethrow();
}

void scope_errors::rethrow_after(caught error) {
  if (std::optional<caught> all = std::exchange(all_, std::nullopt))
    error.suppress(std::move(*all));
  error.rethrow();
}

void scope_errors::report(const registry& home) noexcept {
  if (!all_) return;
  report_exception(home, all_->first);
  for (const std::exception_ptr& e : all_->others) report_exception(home, e);
}

}  // namespace filch::detail
