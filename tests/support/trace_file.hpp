// Reads a trace that was written.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace filch::test {

using nlohmann::json;

/// A path for the running test. The file is removed at the end, if there is one.
class temporary_path {
 public:
  explicit temporary_path(const std::string& ending = ".json") {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        testing::TempDir() + "filch_" + test->name() + "_" + std::to_string(::getpid()) + ending;
    std::remove(path_.c_str());
  }
  temporary_path(const temporary_path&) = delete;
  temporary_path& operator=(const temporary_path&) = delete;
  ~temporary_path() { std::remove(path_.c_str()); }
  const std::string& string() const { return path_; }
  operator const std::string&() const { return path_; }

 private:
  std::string path_;
};

/// A trace as its readers see it. Throws if the file is not JSON.
class trace_file {
 public:
  explicit trace_file(const std::string& path) {
    std::ifstream in(path);
    all_ = json::parse(in);
  }
  const json& about() const { return all_.at("otherData").at("filch"); }
  const json& threads() const { return about().at("threads"); }
  std::vector<json> events(const std::string& name) const {
    std::vector<json> found;
    for (const json& e : all_.at("traceEvents"))
      if (e.at("name") == name) found.push_back(e);
    return found;
  }
  const json& events() const { return all_.at("traceEvents"); }
  /// The sum of a figure over all threads.
  std::uint64_t sum(const std::string& figure) const {
    std::uint64_t n = 0;
    for (const json& t : threads()) n += t.at(figure).get<std::uint64_t>();
    return n;
  }

 private:
  json all_;
};

}  // namespace filch::test
