#include "filch/detail/sched/thread_team.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/sched/registry.hpp"
#include "filch/errors.hpp"

namespace filch::detail {

namespace {

void thread_main(void* slot) {
  auto& who = *static_cast<worker*>(slot);
  who.home().run_thread(who);
}

}  // namespace

void thread_team::start_workers() {
  const std::vector<std::size_t> cpus =
      home_.settings().pin ? process_cpus() : std::vector<std::size_t>{};
  const std::size_t count = home_.size();
  {
    const std::scoped_lock lock(mutex_);
    threads_.reserve(count);
  }
  try {
    for (; started_ < count; ++started_)
      start(home_.participants[started_],
            cpus.empty() ? std::nullopt : std::optional(cpus[started_ % cpus.size()]));
  } catch (const usage_error& e) {
    throw usage_error(std::string("filch::pool: ") + e.what());
  } catch (const std::system_error& e) {
    const std::size_t bytes = home_.settings().stack_size;
    const std::string stack =
        bytes == 0 ? "" : ", with a stack of " + std::to_string(bytes) + " bytes,";
    throw std::system_error(e.code(), "filch::pool: thread " + std::to_string(started_) + " of " +
                                          std::to_string(count) + stack + " could not be started");
  }
}

void thread_team::start(worker& who, std::optional<std::size_t> cpu) {
  const pool_options& s = home_.settings();
  const std::scoped_lock lock(mutex_);
  if (threads_.size() == threads_.capacity())  // before the thread runs, since it may throw
    threads_.reserve(std::max<std::size_t>(4, 2 * threads_.size()));
  threads_.push_back(os_thread::start(&thread_main, &who,
                                      {.name = s.name + "-" + std::to_string(who.index()),
                                       .stack_size = s.stack_size,
                                       .cpu = cpu}));
}

void thread_team::leave_together() noexcept {
  std::unique_lock lock(mutex_);
  if (++leaving_ == threads_.size()) all_leave_.notify_all();
  all_leave_.wait(lock, [this] { return leaving_ == threads_.size(); });
}

void thread_team::join() noexcept {
  for (os_thread& t : threads_) t.join();
  threads_.clear();
}

}  // namespace filch::detail
