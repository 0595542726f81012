#include "filch/detail/sched/running_here.hpp"

#include <utility>

#include "filch/detail/sched/worker.hpp"

namespace filch::detail {

namespace {

constinit thread_local const running_here* innermost = nullptr;

}  // namespace

running_here::origin running_here::origin::here() noexcept {
  const worker* const w = worker::current();
  return {innermost, w == nullptr ? nullptr : &w->home()};
}

running_here::running_here(const scope_core* scope, const origin& caller) noexcept
    : scope_(scope), caller_(caller), outer_(std::exchange(innermost, this)) {}

running_here::~running_here() { innermost = outer_; }

template <class Fits>
bool running_here::any(const running_here* from, const Fits& fits) noexcept {
  for (const running_here* r = from; r != nullptr; r = r->outer_)
    if (fits(*r) || any(r->caller_.newest, fits)) return true;
  return false;
}

bool running_here::inside(const scope_core& scope) noexcept {
  return any(innermost, [&](const running_here& r) { return r.scope_ == &scope; });
}

bool running_here::called_from(const registry& home) noexcept {
  return any(innermost, [&](const running_here& r) { return r.caller_.home == &home; });
}

}  // namespace filch::detail
