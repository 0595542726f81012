#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/child.hpp"
#include "doctor/examination.hpp"
#include "filch/detail/base/affinity.hpp"

using filch::cli::examination;
using filch::cli::examine;
using filch::cli::finding;

namespace {

namespace fs = std::filesystem;

/// A machine made of files.
class machine {
 public:
  void file(const std::string& path, const std::string& text) const {
    const fs::path full = folder_.path() / path;
    fs::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  examination examined() const { return examine(folder_.path()); }

 private:
  filch::cli::temporary_folder folder_;
};

void give_half_a_cpu(const machine& m) {
  m.file("proc/self/cgroup", "0::/box\n");
  m.file("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  m.file("sys/fs/cgroup/box/cpu.max", "50000 100000\n");
}

std::string text_of(const examination& found, const std::string& key) {
  const auto hit = std::find_if(found.findings.begin(), found.findings.end(),
                                [&](const finding& f) { return f.key == key; });
  return hit == found.findings.end() ? "missing" : hit->text;
}

bool warns(const examination& found, const std::string& part) {
  return std::any_of(found.warnings.begin(), found.warnings.end(),
                     [&](const std::string& w) { return w.find(part) != w.npos; });
}

class cli_doctor : public testing::Test {
 protected:
  void SetUp() override { unsetenv("FILCH_NUM_THREADS"); }
  void TearDown() override { unsetenv("FILCH_NUM_THREADS"); }
};

}  // namespace

TEST_F(cli_doctor, an_empty_machine_is_no_reason_to_fail) {
  const examination found = machine().examined();
  EXPECT_EQ(text_of(found, "quota"), "none");
  EXPECT_EQ(text_of(found, "numa.nodes"), "1 node");
  EXPECT_EQ(text_of(found, "clock.source"), "unknown");
  EXPECT_EQ(text_of(found, "memory.huge_pages"), "unknown");
  EXPECT_FALSE(warns(found, "SMT"));
}

TEST_F(cli_doctor, reads_what_the_system_says) {
  const machine m;
  m.file("sys/devices/system/node/node0/cpulist", "0\n");
  m.file("sys/devices/system/node/node1/cpulist", "1\n");
  m.file("sys/devices/system/node/possible", "0-1\n");
  m.file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  m.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  const examination found = m.examined();
  EXPECT_EQ(text_of(found, "numa.nodes"), "2 nodes");
  EXPECT_TRUE(warns(found, "2 NUMA nodes"));
  EXPECT_EQ(text_of(found, "clock.source"), "tsc");
  EXPECT_EQ(text_of(found, "memory.huge_pages"), "madvise");
}

TEST_F(cli_doctor, warns_of_cpus_that_share_a_core) {
  const auto cpus = filch::detail::process_cpus();
  if (cpus.size() < 2) GTEST_SKIP() << "there is one CPU only";
  const machine m;
  for (const std::size_t cpu : cpus)
    m.file("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
           "0-1\n");
  EXPECT_TRUE(warns(m.examined(), "hardware threads of 1 cores (SMT)"));
}

TEST_F(cli_doctor, warns_of_a_quota_that_is_smaller_than_the_machine) {
  if (filch::detail::process_cpus().size() < 2) GTEST_SKIP() << "there is one CPU only";
  const machine m;
  give_half_a_cpu(m);
  const examination found = m.examined();
  EXPECT_TRUE(warns(found, "quota of the container allows 1 CPU"));
  EXPECT_EQ(text_of(found, "pool.threads"), "1 worker (from the CPU quota)");
}

TEST_F(cli_doctor, a_disturbed_measurement_says_nothing_of_the_clock) {
  std::int64_t now = 0, reads = 0;
  const auto cost = filch::cli::cost_of([&] {
    now += ++reads == 700 ? 10'000'000 : 20;  // another thread had the CPU
    return std::chrono::nanoseconds(now);
  });
  EXPECT_EQ(cost.reading.count(), 20);
  EXPECT_EQ(cost.resolution.count(), 20);
}

TEST_F(cli_doctor, warns_of_more_threads_than_cpus) {
  setenv("FILCH_NUM_THREADS", "5000", 1);
  const examination found = machine().examined();
  EXPECT_TRUE(warns(found, "FILCH_NUM_THREADS is 5000"));
  EXPECT_EQ(text_of(found, "pool.threads"), "5000 workers (from FILCH_NUM_THREADS)");
}

TEST_F(cli_doctor, warns_of_fewer_threads_than_there_could_be_and_not_of_as_many) {
  const std::size_t cpus = filch::detail::process_cpus().size();
  setenv("FILCH_NUM_THREADS", std::to_string(cpus).c_str(), 1);
  EXPECT_FALSE(warns(machine().examined(), "FILCH_NUM_THREADS"));
  if (cpus < 2) GTEST_SKIP() << "there is one CPU only";
  setenv("FILCH_NUM_THREADS", "1", 1);
  EXPECT_TRUE(warns(machine().examined(), "FILCH_NUM_THREADS is 1, though there are " +
                                              std::to_string(cpus) + " CPUs to use"));
}

TEST_F(cli_doctor, warns_of_more_threads_than_the_quota_pays_for) {
  if (filch::detail::process_cpus().size() < 2) GTEST_SKIP() << "there is one CPU only";
  const machine m;
  give_half_a_cpu(m);
  setenv("FILCH_NUM_THREADS", "2", 1);
  EXPECT_TRUE(warns(m.examined(), "FILCH_NUM_THREADS is 2, but the CPU quota allows 1 CPU:"));
  setenv("FILCH_NUM_THREADS", "1", 1);
  EXPECT_FALSE(warns(m.examined(), "FILCH_NUM_THREADS"));
}

TEST_F(cli_doctor, warns_of_a_number_of_threads_that_is_none) {
  setenv("FILCH_NUM_THREADS", "many", 1);
  const examination found = machine().examined();
  EXPECT_TRUE(warns(found, "\"many\""));
  EXPECT_EQ(json_of(found)["findings"]["pool.threads"], "none: FILCH_NUM_THREADS is not valid");
}
