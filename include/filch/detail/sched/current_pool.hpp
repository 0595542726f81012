// Which pool a free function uses.
#pragma once

#include <cstddef>
#include <memory>

namespace filch {
class pool;
}

namespace filch::detail {

class registry;

/// The pool that the calling thread takes part in; else the default pool, which is made if there is
/// none. Any thread. Throws what default_pool() throws.
std::shared_ptr<registry> current_registry();
/// The default pool, which is made if there is none. Any thread. Throws what default_pool() throws.
std::shared_ptr<registry> default_registry();
/// The pool `chosen`; without one, current_registry().
std::shared_ptr<registry> registry_for(filch::pool* chosen);
/// Resets `home`, in the library, which has made what that refers to. (MemorySanitizer would take
/// the reference count for uninitialised.)
void let_go(std::shared_ptr<registry>& home) noexcept;
/// The same as registry_for(), but does not keep the pool alive: a worker that spawns must not
/// write to anything that all workers share, not even to a reference count.
registry& home_for(filch::pool* chosen);
/// How many workers current_registry() has.
std::size_t current_pool_size();

}  // namespace filch::detail
