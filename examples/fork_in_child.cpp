// fork(): the child has its parent's memory, but none of its threads.
//
// A pool that was made before the fork throws instead of hanging; default_pool() is a new pool in
// the child. The child ends with _exit(): it must not return into work that its parent's threads
// are to finish.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "filch/errors.hpp"
#include "filch/join.hpp"
#include "filch/pool.hpp"
#include "filch/this_worker.hpp"

namespace {

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = filch::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

/// What the child does. Returns 0 if everything went well.
int live_as_a_child(filch::pool& parents) {
  bool refused = false;
  try {
    parents.detach([] {});
  } catch (const filch::usage_error& e) {
    std::printf("child: %s\n", e.what());
    refused = true;
  }
  const bool is_worker = filch::this_worker::index().has_value();
  const long by_default = fib(20);  // on the child's own default pool
  filch::pool own(2);
  const long on_own = own.install([] { return fib(20); });
  std::printf("child: fib(20) is %ld, and %ld on a pool of its own\n", by_default, on_own);
  std::fflush(stdout);
  return refused && !is_worker && by_default == 6765 && on_own == 6765 ? 0 : 1;
}

}  // namespace

int main() {
  filch::pool pool({.threads = 2, .name = "render"});
  // This works on a worker, too: the only thread of the child is not a worker.
  const int status = pool.install([&] {
    const pid_t child = fork();
    if (child == 0) _exit(live_as_a_child(pool));
    int ended = -1;
    return waitpid(child, &ended, 0) == child ? ended : -1;
  });
  const long after = pool.install([] { return fib(20); });
  std::printf("parent: fib(20) is %ld\n", after);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && after == 6765 ? 0 : 1;
}
