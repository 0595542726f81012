// FILCH_LIVE=1: the counters of all pools, in a file that others of the same user may map.
#include "filch/detail/watch/live.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "filch/detail/sched/registry.hpp"
#include "filch/detail/watch/environment.hpp"
#include "filch/detail/watch/sampler.hpp"
#include "filch/detail/watch/trace_file.hpp"

namespace filch::detail {

namespace {

constexpr std::chrono::milliseconds interval{100};

std::uint64_t unix_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::system_clock::now().time_since_epoch())
                                        .count());
}

template <std::size_t N>
void copy_name(std::string_view from, std::array<char, N>& to) noexcept {
  const std::size_t length = std::min(from.size(), N - 1);
  std::copy_n(from.data(), length, to.data());
  to[length] = '\0';
}

[[noreturn]] void refuse(const std::string& path, const char* what) {
  throw std::system_error(errno, std::generic_category(), std::string(what) + " '" + path + "'");
}

/// A new file of that name, which nobody else can read. One that a process of the same number left
/// behind is removed, if it is a file of this user.
int create(const std::string& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 && errno == EEXIST) {
    struct stat old {};
    if (::lstat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode) && old.st_uid == ::geteuid() &&
        ::unlink(path.c_str()) == 0)
      file = ::open(path.c_str(), flags, 0600);
    else
      errno = EEXIST;
  }
  if (file < 0) refuse(path, "cannot create");
  return file;
}

class publisher {
 public:
  publisher() {
    const char* const folder = std::getenv("XDG_RUNTIME_DIR");
    path_ = std::string(folder != nullptr && *folder == '/' ? folder : "/tmp") + "/filch-live." +
            std::to_string(::getpid());
    const int file = create(path_);
    // Written and not only made longer: a full disk says so now, instead of killing the program
    // when the memory is used.
    void* memory = MAP_FAILED;
    const int full = ::posix_fallocate(file, 0, sizeof(live_page));
    if (full != 0)
      errno = full;
    else
      memory = ::mmap(nullptr, sizeof(live_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const int why = errno;
    ::close(file);
    if (memory == MAP_FAILED) {
      ::unlink(path_.c_str());
      errno = why;
      refuse(path_, "cannot map");
    }
    page_ = new (memory) live_page{};
    page_->version = live_version;
    page_->size = sizeof(live_page);
    page_->pid = static_cast<std::uint64_t>(::getpid());
    page_->start_unix_ns = unix_ns();
    page_->interval_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(interval).count());
    copy_name(program_name(), page_->program);
    page_->magic = live_magic;
    try {
      sampler_ = std::make_unique<sampler>("filch-live", interval,
                                           sampler::work{[this] { publish(); }, live_pools});
    } catch (...) {
      end();
      throw;
    }
  }
  publisher(const publisher&) = delete;
  publisher& operator=(const publisher&) = delete;
  ~publisher() {
    sampler_.reset();
    end();
  }
  void tell() noexcept { sampler_->tell(); }

 private:
  void end() noexcept {
    ::unlink(path_.c_str());
    ::munmap(page_, sizeof(live_page));
  }

  void publish() noexcept {
    try {
      next_ = {};
      next_.updated_unix_ns = unix_ns();
      next_.all_asleep = 1;
      for (const auto& home : live_pools())
        if (!add(*home)) ++next_.pools_left_out;
      publish_live_page(next_, *page_);
    } catch (const std::bad_alloc&) {
      // The page stays as it was.
    }
  }

  /// False if there is no room for it.
  bool add(const registry& home) {
    const load_sample load = sample_of(home);
    const metrics counts = home.measure();
    const std::size_t entries = counts.workers.size() + 2;
    if (!load.asleep()) next_.all_asleep = 0;
    if (next_.pools == live_most_pools || next_.worker_entries + entries > live_most_workers)
      return false;
    live_pool& p = next_.pool[next_.pools++];
    p.id = home.id();
    p.workers = static_cast<std::uint32_t>(home.size());
    copy_name(home.settings().name, p.name);
    p.elapsed_ns = counts.elapsed_ns;
    p.injected = load.injected;
    p.backlog = load.backlog;
    p.first_worker = next_.worker_entries;
    p.entries = static_cast<std::uint32_t>(entries);
    for (std::size_t i = 0; i < counts.workers.size(); ++i)
      add(p.id, static_cast<std::uint32_t>(i), 0, load.workers[i], counts.workers[i]);
    const auto others = load.helpers != 0 ? worker_state::running : worker_state::absent;
    add(p.id, live_no_index, 1, {.state = others}, counts.spares);
    add(p.id, live_no_index, 2, {.deque = load.elsewhere, .state = others}, counts.guests);
    return true;
  }

  void add(std::uint32_t pool, std::uint32_t index, std::uint32_t kind, const worker_load& l,
           const worker_metrics& m) noexcept {
    next_.worker[next_.worker_entries++] = {.pool = pool,
                                            .index = index,
                                            .kind = kind,
                                            .state = static_cast<std::uint32_t>(l.state),
                                            .deque = l.deque,
                                            .branches = l.branches,
                                            .jobs = m.jobs,
                                            .spawned = m.spawned,
                                            .steals_taken = m.steals_taken,
                                            .steals_lost = m.steals_lost,
                                            .steals_empty = m.steals_empty,
                                            .injector_takes = m.injector_takes,
                                            .sleeps = m.sleeps,
                                            .wakes = m.wakes,
                                            .busy_ns = m.busy_ns,
                                            .sleep_ns = m.sleep_ns};
  }

  std::string path_;
  live_page* page_ = nullptr;
  live_page next_{};
  std::unique_ptr<sampler> sampler_;
};

struct place {
  std::mutex mutex;
  publisher* running = nullptr;
  publisher* of_parent = nullptr;  // for leak checkers
};

constinit place live;
static_assert(std::is_trivially_destructible_v<place>);

}  // namespace

void start_live() {
  auto made = std::make_unique<publisher>();
  const std::scoped_lock lock(live.mutex);
  live.running = made.release();
}

void stop_live() noexcept {
  std::unique_ptr<publisher> last;
  {
    const std::scoped_lock lock(live.mutex);
    last.reset(std::exchange(live.running, nullptr));
  }
}

void tell_live() noexcept {
  const std::scoped_lock lock(live.mutex);
  if (live.running != nullptr) live.running->tell();
}

void forget_live() noexcept {
  std::construct_at(&live.mutex);
  live.of_parent = std::exchange(live.running, nullptr);
}

}  // namespace filch::detail
