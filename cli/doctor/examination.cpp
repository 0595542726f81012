#include "doctor/examination.hpp"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>

#include "base/numbers.hpp"
#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/cpu_count.hpp"
#include "filch/detail/base/environment_variable.hpp"
#include "filch/detail/base/fence.hpp"
#include "filch/errors.hpp"
#include "filch/version.hpp"

namespace filch::cli {
namespace {

namespace fs = std::filesystem;

/// The first line of a file, or "" if there is none.
std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string counted(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// "0-3, 8": a text for ascending numbers.
std::string ranges_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += text.empty() ? "" : ", ";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

/// Examines the machine, one part at a time.
class examiner {
 public:
  explicit examiner(fs::path root) : root_(std::move(root)) {}

  examination run() {
    add("version", "filch", filch::library_version());
    look_at_system();
    look_at_cpus();
    look_at_threads();
    look_at_fences();
    look_at_clock();
    look_at_memory();
    return std::move(found_);
  }

 private:
  void add(std::string key, std::string what, std::string text) {
    found_.findings.push_back({std::move(key), std::move(what), std::move(text)});
  }
  void warn(std::string text) { found_.warnings.push_back(std::move(text)); }

  void look_at_system() {
    utsname system = {};
    if (uname(&system) == 0)
      add("system", "system",
          fmt::format("{} {} {}", system.sysname, system.release, system.machine));
  }

  void look_at_cpus() {
    allowed_ = detail::process_cpus();
    const auto online = sysconf(_SC_NPROCESSORS_ONLN);
    add("cpus.online", "CPUs",
        counted(static_cast<std::size_t>(std::max(1L, online)), "CPU", "CPUs"));
    add("cpus.allowed", "affinity",
        fmt::format("{} ({})", counted(allowed_.size(), "CPU", "CPUs"), ranges_of(allowed_)));
    if (online > 0 && allowed_.size() < static_cast<std::size_t>(online))
      warn(
          fmt::format("this process may use only {} of {} CPUs: an affinity mask (from taskset, or "
                      "the cpuset of a container) excludes the others",
                      allowed_.size(), online));
    // One name for each core: the list of its hardware threads, which is the same for all of them.
    std::set<std::string> cores;
    for (const std::size_t cpu : allowed_) {
      const std::string siblings = line_of(
          root_ / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
      cores.insert(siblings.empty() ? fmt::format("cpu {}", cpu) : siblings);
    }
    add("cpus.cores", "cores", counted(cores.size(), "core", "cores"));
    if (cores.size() < allowed_.size())
      warn(
          fmt::format("{} CPUs are hardware threads of {} cores (SMT): two workers on one core are "
                      "less than twice as fast as one, so a speed-up of {} cannot be reached",
                      allowed_.size(), cores.size(), allowed_.size()));
    const std::size_t nodes = numa_nodes();
    add("numa.nodes", "NUMA", counted(nodes, "node", "nodes"));
    if (nodes > 1)
      warn(fmt::format(
          "{} NUMA nodes: memory of another node is slower, and workers steal across nodes; try "
          "pool_options::pin, or a pool for each node (numactl)",
          nodes));
  }

  std::size_t numa_nodes() const {
    std::error_code error;
    std::size_t nodes = 0;
    for (const auto& entry : fs::directory_iterator(root_ / "sys/devices/system/node", error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("node") && name.size() > 4 &&
          name.find_first_not_of("0123456789", 4) == name.npos)
        ++nodes;
    }
    return std::max<std::size_t>(1, nodes);
  }

  void look_at_threads() {
    const char* const wanted = detail::environment_variable("FILCH_NUM_THREADS");
    detail::thread_count_reason reason;
    bool valid = true;
    try {
      reason = detail::explain_thread_count(wanted, root_);
    } catch (const filch::usage_error& error) {
      valid = false;
      reason = detail::explain_thread_count(nullptr, root_);
      warn(fmt::format(
          "{}. A pool for which the program gives no number of threads throws this error",
          error.what()));
    }
    add("quota", "CPU quota",
        reason.quota ? counted(*reason.quota, "CPU (rounded up)", "CPUs (rounded up)") : "none");
    if (reason.quota && *reason.quota < reason.affinity)
      warn(fmt::format(
          "the CPU quota of the container allows {}, though the affinity mask allows {}: by "
          "default a pool has no more workers than the quota allows, because the kernel stops all "
          "threads when the quota is used up",
          counted(*reason.quota, "CPU", "CPUs"), counted(reason.affinity, "CPU", "CPUs")));
    add("environment.threads", "FILCH_NUM_THREADS",
        wanted == nullptr || *wanted == '\0' ? "not set" : wanted);
    if (reason.environment) compare_with_machine(*reason.environment, reason);
    const char* const why = reason.environment ? "from FILCH_NUM_THREADS"
                            : reason.quota && reason.threads == *reason.quota
                                ? "from the CPU quota"
                                : "from the affinity mask";
    add("pool.threads", "default pool",
        valid ? fmt::format("{} ({})", counted(reason.threads, "worker", "workers"), why)
              : "none: FILCH_NUM_THREADS is not valid");
  }

  void compare_with_machine(std::size_t wanted, const detail::thread_count_reason& machine) {
    const std::size_t paid = std::min(machine.affinity, machine.quota.value_or(machine.affinity));
    if (wanted > machine.affinity)
      warn(fmt::format("FILCH_NUM_THREADS is {}, but there {} only {}: workers have to share a CPU",
                       wanted, machine.affinity == 1 ? "is" : "are",
                       counted(machine.affinity, "CPU", "CPUs")));
    else if (wanted > paid)
      warn(
          fmt::format("FILCH_NUM_THREADS is {}, but the CPU quota allows {}: the kernel stops all "
                      "workers when the quota is used up",
                      wanted, counted(paid, "CPU", "CPUs")));
    else if (wanted < paid)
      warn(
          fmt::format("FILCH_NUM_THREADS is {}, though there are {} to use: a pool for which the "
                      "program gives no number of threads leaves the others idle",
                      wanted, counted(paid, "CPU", "CPUs")));
  }

  void look_at_fences() {
    int word = 0;
    // No thread waits there, so 0 are woken. A kernel or a sandbox without futexes returns ENOSYS
    // or EPERM.
    const bool futex =
        syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0) == 0;
    add("futex", "futex", futex ? "works" : std::strerror(errno));
    if (!futex) warn("futex(2) does not work here: idle workers cannot sleep");
    const bool asymmetric = detail::asymmetric_fences_available();
    const char* const off = detail::environment_variable("FILCH_NO_MEMBARRIER");
    add("membarrier", "membarrier", asymmetric ? "works" : "not used");
    if (!asymmetric)
      warn(off != nullptr && *off != '\0' && std::strcmp(off, "0") != 0
               ? "FILCH_NO_MEMBARRIER is set: every join and spawn runs a full fence"
               : "membarrier(2) does not work here (an old kernel, or a sandbox that forbids it): "
                 "every join and spawn runs a full fence");
  }

  void look_at_clock() {
    using clock = std::chrono::steady_clock;
    const std::string source =
        line_of(root_ / "sys/devices/system/clocksource/clocksource0/current_clocksource");
    add("clock.source", "clock source", source.empty() ? "unknown" : source);
    const clock_cost found = cost_of([] { return clock::now().time_since_epoch(); });
    const double cost = std::chrono::duration<double>(found.reading).count();
    const double resolution = std::chrono::duration<double>(found.resolution).count();
    add("clock.cost", "clock",
        fmt::format("{} to read, resolution {}", duration_text(cost), duration_text(resolution)));
    if (cost > 200e-9)
      warn(
          fmt::format("reading the clock takes {}: it is a system call (clock source '{}'), which "
                      "makes traces and the splitting of loops expensive",
                      duration_text(cost), source));
  }

  void look_at_memory() {
    const std::string huge = line_of(root_ / "sys/kernel/mm/transparent_hugepage/enabled");
    const std::size_t open = huge.find('['), close = huge.find(']');
    add("memory.huge_pages", "huge pages",
        open == huge.npos || close == huge.npos || close < open
            ? "unknown"
            : huge.substr(open + 1, close - open - 1));
    add("memory.page_size", "page size", fmt::format("{} bytes", sysconf(_SC_PAGESIZE)));
  }

  fs::path root_;
  std::vector<std::size_t> allowed_;
  examination found_;
};

}  // namespace

clock_cost cost_of(const std::function<std::chrono::nanoseconds()>& clock) {
  using std::chrono::nanoseconds;
  constexpr int measurements = 20, reads = 500;
  clock_cost least{nanoseconds::max(), nanoseconds::max()};
  for (int m = 0; m < measurements; ++m) {
    const nanoseconds start = clock();
    nanoseconds last = start;
    for (int i = 0; i < reads; ++i) {
      const nanoseconds now = clock();
      if (now > last) least.resolution = std::min(least.resolution, now - last);
      last = now;
    }
    least.reading = std::min(least.reading, (last - start) / reads);
  }
  return least;
}

examination examine(const fs::path& root) { return examiner(root).run(); }

nlohmann::json json_of(const examination& found) {
  nlohmann::json all;
  for (const finding& f : found.findings) all[f.key] = f.text;
  return {{"findings", all}, {"warnings", found.warnings}};
}

}  // namespace filch::cli
