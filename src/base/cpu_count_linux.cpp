// The affinity mask, and the CPU quotas of cgroups: see cgroups(7), proc(5) on
// /proc/self/mountinfo, and the kernel's admin-guide/cgroup-v2.rst (cpu.max) and
// scheduler/sched-bwc.rst (cpu.cfs_*).
//
// /proc/self/cgroup says which cgroup of each hierarchy the process is in, and mountinfo where the
// hierarchies are mounted, and from which cgroup on:
//
//     0::/pod/box                                           version 2
//     4:cpu,cpuacct:/pod/box                                version 1
//     30 23 0:26 /pod /sys/fs/cgroup rw - cgroup2 cgroup2 rw
//                |    |                   type            options, with the controllers of version
//                1 root mount point
//
// Here /sys/fs/cgroup is the cgroup /pod, and that of the process is /sys/fs/cgroup/box. In a
// cgroup namespace both paths start at its root, and "/.." leads out of it.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/detail/base/cpu_count.hpp"
#include "filch/detail/base/environment_variable.hpp"
#include "filch/errors.hpp"

namespace filch::detail {
namespace {

namespace fs = std::filesystem;
using limit = std::optional<std::size_t>;
using cgroup_path = std::vector<std::string>;  // its names; ".." only at the front
enum class version : unsigned char { v1, v2 };

/// A cgroup of this process in one hierarchy.
struct membership {
  version of;
  cgroup_path path;
};

/// A folder where a hierarchy that has quotas is mounted.
struct mount {
  version of;
  cgroup_path root;  ///< The cgroup found at `point`.
  fs::path point;
};

limit tighter(limit a, limit b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// The contents of a file, or "" if it cannot be read. Not by std::ifstream, whose buffer throws
/// when a cgroup vanishes between opening its file and reading it.
std::string contents(const fs::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "re"), [](auto* f) { return std::fclose(f); });
  std::string text;
  if (!file) return text;
  char buffer[4096];
  while (const std::size_t length = std::fread(buffer, 1, sizeof buffer, file.get()))
    text.append(buffer, length);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool contains(const std::vector<std::string_view>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

cgroup_path names_in(std::string_view path) {
  cgroup_path names;
  for (const std::string_view name : split(path, '/')) {
    if (name.empty() || name == ".") continue;
    if (name == ".." && !names.empty() && names.back() != "..")
      names.pop_back();
    else
      names.emplace_back(name);
  }
  return names;
}

/// Undoes the escapes of mountinfo for spaces, tabs, newlines and backslashes: "\040".
std::string unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    unsigned code = 0;
    if (text[0] == '\\' && text.size() >= 4 &&
        std::from_chars(text.data() + 1, text.data() + 4, code, 8).ptr == text.data() + 4) {
      result.push_back(static_cast<char>(code));
      text.remove_prefix(4);
    } else {
      result.push_back(text[0]);
      text.remove_prefix(1);
    }
  }
  return result;
}

std::vector<membership> memberships(const std::string& cgroup_file) {
  std::vector<membership> found;
  for (const std::string_view line : split(cgroup_file, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string_view number = line.substr(0, first);
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);  // may have colons in it
    if (number == "0" && controllers.empty())
      found.push_back({version::v2, names_in(path)});
    else if (contains(split(controllers, ','), "cpu"))
      found.push_back({version::v1, names_in(path)});
  }
  return found;
}

std::vector<mount> mounts(const std::string& mountinfo_file) {
  std::vector<mount> found;
  for (const std::string_view line : split(mountinfo_file, '\n')) {
    const std::vector<std::string_view> fields = split(line, ' ');
    if (fields.size() < 10) continue;
    // Any number of optional fields come before the dash.
    const auto dash = std::find(fields.begin() + 6, fields.end(), "-");
    if (fields.end() - dash < 4) continue;
    const std::string_view type = dash[1];
    if (type != "cgroup2" && !(type == "cgroup" && contains(split(dash[3], ','), "cpu"))) continue;
    found.push_back({type == "cgroup2" ? version::v2 : version::v1, names_in(unescaped(fields[3])),
                     unescaped(fields[4])});
  }
  return found;
}

/// The names from the cgroup `root` down to `path`, as far as they are known; nothing if `path` is
/// not below `root`.
std::optional<cgroup_path> way_down(const cgroup_path& root, const cgroup_path& path) {
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  if (end == root.end()) {
    if (rest != path.end() && *rest == "..") return std::nullopt;  // above it
    return cgroup_path(rest, path.end());
  }
  // A mount from outside the namespace: "/../.." is above the process, but the names of the cgroups
  // in between cannot be known here.
  const bool above = std::all_of(root.begin(), root.end(), [](auto& name) { return name == ".."; });
  return above ? std::optional(cgroup_path{}) : std::nullopt;
}

/// The number that the whole of `text` is; 0, which is neither a quota nor a period, if it is none.
std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

limit quota_of(const fs::path& cgroup, version of) {
  const auto line = [](const std::string& text) {
    return std::string(text, 0, text.ends_with('\n') ? text.size() - 1 : text.size());
  };
  std::uint64_t quota = 0, period = 0;
  if (of == version::v2) {
    const std::string text = line(contents(cgroup / "cpu.max"));  // "200000 100000", "max 100000"
    const std::size_t space = std::min(text.find(' '), text.size());
    quota = number(std::string_view(text).substr(0, space));
    period = number(std::string_view(text).substr(std::min(space + 1, text.size())));
  } else {
    quota = number(line(contents(cgroup / "cpu.cfs_quota_us")));  // -1 if there is none
    period = number(line(contents(cgroup / "cpu.cfs_period_us")));
  }
  if (quota == 0 || period == 0) return std::nullopt;
  return static_cast<std::size_t>((quota - 1) / period + 1);
}

limit quota_along(fs::path cgroup, const cgroup_path& names, version of) {
  limit tightest = quota_of(cgroup, of);
  for (const std::string& name : names) {
    cgroup /= name;
    tightest = tighter(tightest, quota_of(cgroup, of));
  }
  return tightest;
}

}  // namespace

limit cgroup_cpu_limit(const fs::path& root) {
  limit tightest;
  const std::vector<mount> mounted = mounts(contents(root / "proc/self/mountinfo"));
  for (const membership& member : memberships(contents(root / "proc/self/cgroup"))) {
    for (const mount& at : mounted) {
      if (at.of != member.of) continue;
      const std::optional<cgroup_path> names = way_down(at.root, member.path);
      if (!names) continue;
      const fs::path top = root / at.point.relative_path();
      tightest = tighter(tightest, quota_along(top, *names, member.of));
    }
  }
  return tightest;
}

limit threads_from_environment(const char* value) {
  if (value == nullptr || *value == '\0') return std::nullopt;
  const std::string_view text(value);
  const std::uint64_t threads = number(text);
  if (threads >= 1 && threads <= most_threads) return static_cast<std::size_t>(threads);
  constexpr std::size_t most_shown = 64;
  throw usage_error("FILCH_NUM_THREADS is \"" + std::string(text.substr(0, most_shown)) +
                    (text.size() > most_shown ? "..." : "") + "\"; it must be a number from 1 to " +
                    std::to_string(most_threads) + ", or empty to let filch choose");
}

std::size_t affinity_cpu_count() {
  if (const std::size_t cpus = process_cpus().size(); cpus != 0) return cpus;
  return std::max(1U, std::thread::hardware_concurrency());
}

thread_count_reason explain_thread_count(const char* environment, const fs::path& root) {
  thread_count_reason reason;
  reason.environment = threads_from_environment(environment);
  reason.affinity = affinity_cpu_count();
  reason.quota = cgroup_cpu_limit(root);
  reason.threads = reason.environment.value_or(*tighter(reason.affinity, reason.quota));
  return reason;
}

std::size_t default_thread_count() {
  return explain_thread_count(environment_variable("FILCH_NUM_THREADS")).threads;
}

}  // namespace filch::detail
