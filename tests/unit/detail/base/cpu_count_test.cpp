#include "filch/detail/base/cpu_count.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filch/detail/base/affinity.hpp"
#include "filch/errors.hpp"
#include "support/sanitizers.hpp"

using filch::detail::affinity_cpu_count;
using filch::detail::cgroup_cpu_limit;
using filch::detail::default_thread_count;
using filch::detail::explain_thread_count;
using filch::detail::threads_from_environment;
namespace fs = std::filesystem;

namespace {

using limit = std::optional<std::size_t>;

/// A root directory with the cgroups that a test needs.
class fake_root {
 public:
  fake_root() {
    std::string pattern = fs::temp_directory_path() / "filch_cpu_count_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp fails");
    path_ = pattern;
  }
  fake_root(const fake_root&) = delete;
  fake_root& operator=(const fake_root&) = delete;
  ~fake_root() { fs::remove_all(path_); }

  const fs::path& path() const { return path_; }
  limit cpu_limit() const { return cgroup_cpu_limit(path_); }

  fake_root& file(const std::string& name, const std::string& text) {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return *this;
  }

  /// The lines of proc/self/cgroup and of proc/self/mountinfo.
  fake_root& process(const std::string& cgroup, const std::string& mountinfo) {
    return file("proc/self/cgroup", cgroup).file("proc/self/mountinfo", mountinfo);
  }

  fake_root& v1_quota(const std::string& cgroup, const std::string& quota,
                      const std::string& period) {
    return file(cgroup + "/cpu.cfs_quota_us", quota).file(cgroup + "/cpu.cfs_period_us", period);
  }

 private:
  fs::path path_;
};

const std::string v2_mount =
    "22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const std::string v1_mounts =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "33 31 0:30 / /sys/fs/cgroup/cpuset rw shared:9 master:2 - cgroup cgroup rw,cpuset\n"
    "34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw shared:10 - cgroup cgroup rw,cpu,cpuacct\n"
    "41 31 0:38 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n";

std::string refusal(const char* value) {
  try {
    return "accepted: " + std::to_string(threads_from_environment(value).value_or(0));
  } catch (const filch::usage_error& error) {
    return error.what();
  }
}

/// Sets FILCH_NUM_THREADS for a test.
class environment {
 public:
  explicit environment(const char* value) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(value);
  }
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;
  ~environment() { set(before_ ? before_->c_str() : nullptr); }

 private:
  static constexpr const char* name = "FILCH_NUM_THREADS";
  static void set(const char* value) {
    if (value != nullptr)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  std::optional<std::string> before_;
};

}  // namespace

TEST(threads_from_environment, unset_or_empty_asks_for_nothing) {
  EXPECT_EQ(threads_from_environment(nullptr), std::nullopt);
  EXPECT_EQ(threads_from_environment(""), std::nullopt);
}

TEST(threads_from_environment, a_number_is_taken_as_it_is_beyond_the_cpus_too) {
  EXPECT_EQ(threads_from_environment("1"), 1u);
  EXPECT_EQ(threads_from_environment("4"), 4u);
  EXPECT_EQ(threads_from_environment("65536"), 65536u);
  EXPECT_EQ(threads_from_environment("010"), 10u);  // decimal, whatever it starts with
}

TEST(threads_from_environment, anything_else_is_a_usage_error_that_names_the_value) {
  for (const std::string value :
       {"0", "-3", "+3", "four", "4x", "0x4", " 4", "4 ", "4\n", "4.0", "1e3", "65537", "99999",
        "18446744073709551617", "-18446744073709551615", " ", "-", "max", "auto"}) {
    EXPECT_EQ(refusal(value.c_str()),
              "FILCH_NUM_THREADS is \"" + value +
                  "\"; it must be a number from 1 to 65536, or empty to let filch choose");
  }
}

TEST(threads_from_environment, a_long_value_makes_a_short_message) {
  const std::string message = refusal(std::string(100'000, '9').c_str());
  EXPECT_LT(message.size(), 200u);
  EXPECT_NE(message.find("999...\""), std::string::npos) << message;
}

TEST(affinity_cpu_count, is_the_number_of_cpus_the_process_may_use) {
  const std::vector<std::size_t> all = filch::detail::process_cpus();
  EXPECT_EQ(affinity_cpu_count(), all.size());
  const std::vector<std::size_t> one{all.front()};
  ASSERT_TRUE(filch::detail::set_this_thread_cpus(one));
  EXPECT_EQ(affinity_cpu_count(), 1u);
  std::thread([] { EXPECT_EQ(affinity_cpu_count(), 1u); }).join();
  ASSERT_TRUE(filch::detail::set_this_thread_cpus(all));
}

// The calling thread does not matter: workers run where the process may run.
TEST(affinity_cpu_count, is_not_the_mask_of_the_thread_that_asks) {
  const std::vector<std::size_t> all = filch::detail::process_cpus();
  std::thread([&] {
    ASSERT_TRUE(filch::detail::set_this_thread_cpus(std::vector{all.back()}));
    EXPECT_EQ(affinity_cpu_count(), all.size());
  }).join();
}

TEST(cgroup_cpu_limit, without_any_files_there_is_none) {
  const fake_root root;
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
  EXPECT_EQ(cgroup_cpu_limit(root.path() / "no/such/root"), std::nullopt);
}

TEST(cgroup_cpu_limit, the_real_files_give_none_or_at_least_one) {
  EXPECT_GE(cgroup_cpu_limit().value_or(1), 1u);
}

TEST(cgroup_cpu_limit, v2_reads_cpu_max) {
  fake_root root;
  root.process("0::/app\n", v2_mount).file("sys/fs/cgroup/app/cpu.max", "200000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
}

TEST(cgroup_cpu_limit, a_fraction_of_a_cpu_counts_as_one) {
  fake_root root;
  root.process("0::/app\n", v2_mount);
  const auto with = [&](const std::string& max) {
    return root.file("sys/fs/cgroup/app/cpu.max", max).cpu_limit();
  };
  EXPECT_EQ(with("1000 1000000\n"), 1u);
  EXPECT_EQ(with("50000 100000\n"), 1u);
  EXPECT_EQ(with("100000 100000\n"), 1u);
  EXPECT_EQ(with("100001 100000\n"), 2u);
  EXPECT_EQ(with("250000 100000\n"), 3u);
  EXPECT_EQ(with("50000 20000\n"), 3u);
  EXPECT_EQ(with("18446744073709551615 1\n"), 18446744073709551615u);
  EXPECT_EQ(with("18446744073709551615 18446744073709551615\n"), 1u);
  EXPECT_EQ(with("200000 100000"), 2u);  // without the end of the line
}

TEST(cgroup_cpu_limit, v2_max_is_none) {
  fake_root root;
  root.process("0::/app\n", v2_mount).file("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, v1_reads_quota_and_period) {
  fake_root root;
  root.process("12:cpuset:/\n4:cpu,cpuacct:/app\n1:name=systemd:/app\n", v1_mounts)
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/app", "350000\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), 4u);
}

TEST(cgroup_cpu_limit, v1_minus_one_is_none) {
  fake_root root;
  root.process("4:cpu,cpuacct:/app\n", v1_mounts)
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/app", "-1\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, the_cpu_controller_is_neither_cpuset_nor_cpuacct) {
  fake_root root;
  root.process("4:cpuacct:/app\n3:cpuset:/app\n2:name=cpu:/app\n",
               "34 31 0:31 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
               "35 31 0:32 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n")
      .v1_quota("sys/fs/cgroup/cpuacct/app", "100000", "100000")
      .v1_quota("sys/fs/cgroup/cpu/app", "100000", "100000");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, a_mount_of_cpuset_or_cpuacct_is_none_of_the_cpu_controller) {
  fake_root root;
  root.process("4:cpu:/app\n",
               "34 31 0:31 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
               "35 31 0:32 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n")
      .v1_quota("sys/fs/cgroup/cpuacct/app", "100000", "100000")
      .v1_quota("sys/fs/cgroup/cpuset/app", "100000", "100000");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, the_tightest_ancestor_counts) {
  const auto limit_with = [](const std::string& top, const std::string& middle,
                             const std::string& leaf) {
    fake_root root;
    root.process("0::/top/middle/leaf\n", v2_mount)
        .file("sys/fs/cgroup/top/cpu.max", top)
        .file("sys/fs/cgroup/top/middle/cpu.max", middle)
        .file("sys/fs/cgroup/top/middle/leaf/cpu.max", leaf)
        .file("sys/fs/cgroup/top/sibling/cpu.max", "100000 100000\n")
        .file("sys/fs/cgroup/top/middle/leaf/child/cpu.max", "100000 100000\n");
    return root.cpu_limit();
  };
  EXPECT_EQ(limit_with("800000 100000\n", "200000 100000\n", "400000 100000\n"), 2u);
  EXPECT_EQ(limit_with("200000 100000\n", "max 100000\n", "800000 100000\n"), 2u);
  EXPECT_EQ(limit_with("max 100000\n", "max 100000\n", "300000 100000\n"), 3u);
  EXPECT_EQ(limit_with("90000 10000\n", "3000000 1000000\n", "400000 100000\n"), 3u);
  EXPECT_EQ(limit_with("max 100000\n", "max 100000\n", "max 100000\n"), std::nullopt);
}

TEST(cgroup_cpu_limit, the_tightest_ancestor_counts_in_v1_too) {
  fake_root root;
  root.process("4:cpu,cpuacct:/top/middle/leaf\n", v1_mounts)
      .v1_quota("sys/fs/cgroup/cpu,cpuacct", "-1\n", "100000\n")
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/top", "800000\n", "100000\n")
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/top/middle", "250000\n", "100000\n")
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/top/middle/leaf", "-1\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), 3u);
}

TEST(cgroup_cpu_limit, ancestors_count_though_the_process_own_cgroup_has_no_files) {
  fake_root root;
  root.process("0::/top/gone (deleted)\n", v2_mount)
      .file("sys/fs/cgroup/top/cpu.max", "200000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
}

TEST(cgroup_cpu_limit, hybrid_takes_the_tighter_of_both_versions) {
  const std::string mounts =
      v1_mounts + "42 31 0:39 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
  fake_root root;
  root.process("4:cpu,cpuacct:/old\n0::/new\n", mounts)
      .v1_quota("sys/fs/cgroup/cpu,cpuacct/old", "400000\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), 4u);  // the usual case: version 2 has no controllers
  root.file("sys/fs/cgroup/unified/new/cpu.max", "200000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
  root.v1_quota("sys/fs/cgroup/cpu,cpuacct/old", "100000\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), 1u);
}

TEST(cgroup_cpu_limit, hybrid_does_not_look_for_one_version_in_the_mount_of_the_other) {
  fake_root root;
  root.process("4:cpu,cpuacct:/old\n0::/new\n",
               v1_mounts + "42 31 0:39 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
      .file("sys/fs/cgroup/cpu,cpuacct/new/cpu.max", "100000 100000\n")
      .v1_quota("sys/fs/cgroup/unified/old", "100000\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, in_a_namespace_the_mount_point_is_the_cgroup) {
  fake_root v2;
  v2.process("0::/\n", v2_mount).file("sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_EQ(v2.cpu_limit(), 3u);
  fake_root v1;
  v1.process("4:cpu,cpuacct:/\n", v1_mounts)
      .v1_quota("sys/fs/cgroup/cpu,cpuacct", "150000\n", "100000\n");
  EXPECT_EQ(v1.cpu_limit(), 2u);
}

// A container without its own namespace: the paths are the host's, and the mount shows a part.
TEST(cgroup_cpu_limit, a_mount_may_show_a_part_of_the_hierarchy) {
  fake_root root;
  root.process("4:cpu:/docker/box/sub\n",
               "34 31 0:31 /docker/box /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n")
      .v1_quota("sys/fs/cgroup/cpu", "400000\n", "100000\n")
      .v1_quota("sys/fs/cgroup/cpu/sub", "200000\n", "100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
}

TEST(cgroup_cpu_limit, a_mount_that_does_not_show_the_process_says_nothing) {
  fake_root root;
  root.process("0::/docker/box\n", "30 22 0:26 /docker/bo /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
      .file("sys/fs/cgroup/cpu.max", "100000 100000\n")
      .file("sys/fs/cgroup/x/cpu.max", "100000 100000\n");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, each_mount_of_a_hierarchy_is_looked_at) {
  fake_root root;
  root.process("0::/pod/box\n",
               "30 22 0:26 /elsewhere /mnt/a rw - cgroup2 cgroup2 rw\n"
               "31 22 0:26 /pod/box /mnt/b rw - cgroup2 cgroup2 rw\n"
               "32 22 0:26 / /mnt/c rw - cgroup2 cgroup2 rw\n")
      .file("mnt/a/cpu.max", "100000 100000\n")
      .file("mnt/b/cpu.max", "400000 100000\n")
      .file("mnt/c/pod/cpu.max", "300000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 3u);
}

// "/.." leads out of the namespace.
TEST(cgroup_cpu_limit, a_cgroup_outside_the_namespace_is_found_if_the_mount_shows_it) {
  const auto limit_with = [](const std::string& path, const std::string& mount_root) {
    fake_root root;
    root.process("0::" + path + "\n",
                 "30 22 0:26 " + mount_root + " /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
        .file("sys/fs/cgroup/cpu.max", "700000 100000\n")
        .file("sys/fs/cgroup/box/cpu.max", "200000 100000\n");
    return root.cpu_limit();
  };
  EXPECT_EQ(limit_with("/../box", "/.."), 2u);
  EXPECT_EQ(limit_with("/../..", "/../.."), 7u);
  EXPECT_EQ(limit_with("/box", "/../.."), 7u);  // below the mount, at an unknown place
  EXPECT_EQ(limit_with("/../box", "/../.."), 7u);
  EXPECT_EQ(limit_with("/../..", "/"), std::nullopt);
  EXPECT_EQ(limit_with("/../..", "/.."), std::nullopt);
  EXPECT_EQ(limit_with("/../box", "/"), std::nullopt);
  EXPECT_EQ(limit_with("/box", "/../other"), std::nullopt);
  EXPECT_EQ(limit_with("/a/../box", "/"), 2u);
  EXPECT_EQ(limit_with("//./box/", "/"), 2u);
}

TEST(cgroup_cpu_limit, names_may_have_spaces_colons_and_backslashes) {
  fake_root root;
  root.process("0::/a:b c\\d\n", "30 22 0:26 / /my\\040cgroups\\134x rw - cgroup2 cgroup2 rw\n")
      .file("my cgroups\\x/a:b c\\d/cpu.max", "200000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
}

TEST(cgroup_cpu_limit, a_quota_that_makes_no_sense_is_none) {
  for (const std::string text : {"",
                                 "\n",
                                 " ",
                                 "100000",
                                 "100000\n",
                                 "100000 \n",
                                 " 100000\n",
                                 "0 100000\n",
                                 "100000 0\n",
                                 "-1 100000\n",
                                 "100000 -1\n",
                                 "1e5 100000\n",
                                 "100000 100000 100000\n",
                                 "99999999999999999999 100000\n",
                                 "100000 99999999999999999999\n",
                                 "garbage\n",
                                 "max\n",
                                 "max max\n",
                                 "100000\t100000\n",
                                 "100000 100000\n\n"}) {
    fake_root root;
    root.process("0::/app\n4:cpu,cpuacct:/app\n", v2_mount + v1_mounts)
        .file("sys/fs/cgroup/app/cpu.max", text)
        .v1_quota("sys/fs/cgroup/cpu,cpuacct/app", text, text);
    if (text != "100000\n" && text != "100000")  // valid for version 1
      EXPECT_EQ(root.cpu_limit(), std::nullopt) << '"' << text << '"';
    else
      EXPECT_EQ(root.cpu_limit(), 1u);
  }
}

TEST(cgroup_cpu_limit, half_a_quota_is_none) {
  fake_root root;
  root.process("4:cpu,cpuacct:/app\n", v1_mounts)
      .file("sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

TEST(cgroup_cpu_limit, lines_that_make_no_sense_are_skipped) {
  fake_root root;
  root.process("\n:\n::\n:::\n0:\n0\ncpu\n0:/tight\nx::/tight\n:cpu\n4:cpu\n0::/app\n",
               "\n-\n - \n- cgroup2 cgroup2 rw\n30 22 0:26 / /sys/fs/cgroup rw - cgroup2\n"
               "30 22 0:26 / /sys/fs/cgroup rw cgroup2 cgroup2 rw x y z\n"
               "30 22 0:26 / /sys/fs/cgroup rw a b c d e f g h i -\n" +
                   v2_mount)
      .file("sys/fs/cgroup/app/cpu.max", "200000 100000\n")
      .file("sys/fs/cgroup/tight/cpu.max", "100000 100000\n");
  EXPECT_EQ(root.cpu_limit(), 2u);
}

TEST(cgroup_cpu_limit, directories_in_place_of_files_are_none) {
  fake_root root;
  root.process("0::/app\n", v2_mount);
  fs::create_directories(root.path() / "sys/fs/cgroup/app/cpu.max");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
  fs::remove(root.path() / "proc/self/mountinfo");
  fs::create_directories(root.path() / "proc/self/mountinfo");
  EXPECT_EQ(root.cpu_limit(), std::nullopt);
}

// Bytes that occur in these files, in any order. The sanitizers watch.
TEST(cgroup_cpu_limit, random_files_do_no_harm) {
  const std::vector<std::string> words = {
      "0",     "4", ":",  "::", "cpu", "cgroup", "cgroup2",
      " ",     " ", "\n", "/",  "..",  "\\",     "\\04",
      "\\777", "-", ",",  "rw", "a",   "max",    std::string(1, '\0'),
      "\xff"};
  constexpr unsigned seed = 4711;
  std::mt19937 random(seed);
  const auto text = [&] {
    std::string result;
    for (auto left = random() % 60; left > 0; --left) result += words[random() % words.size()];
    return result;
  };
  fake_root root;
  for (int i = 0; i < filch::test::size_for_build(2000, 300); ++i) {
    root.process("0::/" + text() + "\n" + text(),
                 text() + "\n1 2 3 /" + text() + " /m rw - cgroup2 c rw\n")
        .file("m/cpu.max", text());
    EXPECT_GE(root.cpu_limit().value_or(1), 1u);
  }
}

TEST(explain_thread_count, the_smaller_of_affinity_and_quota_counts) {
  fake_root root;
  root.process("0::/app\n", v2_mount).file("sys/fs/cgroup/app/cpu.max", "50000 100000\n");
  auto reason = explain_thread_count(nullptr, root.path());
  EXPECT_EQ(reason.threads, 1u);
  EXPECT_EQ(reason.environment, std::nullopt);
  EXPECT_EQ(reason.affinity, affinity_cpu_count());
  EXPECT_EQ(reason.quota, 1u);
  root.file("sys/fs/cgroup/app/cpu.max", "100000000 1000\n");
  reason = explain_thread_count("", root.path());
  EXPECT_EQ(reason.threads, affinity_cpu_count());
  EXPECT_EQ(reason.quota, 100'000u);
}

TEST(explain_thread_count, the_environment_outranks_both) {
  fake_root root;
  root.process("0::/app\n", v2_mount).file("sys/fs/cgroup/app/cpu.max", "50000 100000\n");
  const auto reason = explain_thread_count("1000", root.path());
  EXPECT_EQ(reason.threads, 1000u);
  EXPECT_EQ(reason.environment, 1000u);
  EXPECT_EQ(reason.quota, 1u);
}

TEST(default_thread_count, is_what_the_environment_says) {
  const environment five("5");
  EXPECT_EQ(default_thread_count(), 5u);
}

TEST(default_thread_count, an_empty_environment_means_unset) {
  const environment empty("");
  const std::size_t count = default_thread_count();
  const environment none(nullptr);
  EXPECT_EQ(default_thread_count(), count);
  EXPECT_GE(count, 1u);
  EXPECT_LE(count, affinity_cpu_count());
}

TEST(default_thread_count, a_bad_environment_is_a_usage_error) {
  const environment four("four");
  EXPECT_THROW(static_cast<void>(default_thread_count()), filch::usage_error);
}
