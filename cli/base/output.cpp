#include "base/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"

namespace filch::cli {
namespace {

int first_error = 0;

void remember_error() {
  if (first_error == 0) first_error = errno == 0 ? EIO : errno;
}

}  // namespace

void write(std::string_view text) {
  if (first_error != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_error();
}

void print_json(const nlohmann::json& value, int indent) {
  const auto replace = nlohmann::json::error_handler_t::replace;
  write(printable_json(value.dump(indent, ' ', false, replace)) + '\n');
}

void complain(std::string_view text) {
  std::fflush(stdout);
  const std::string lines = fmt::format("filch: {}\n", printable_lines(text));
  (void)std::fwrite(lines.data(), 1, lines.size(), stderr);
}

bool finish_output() {
  errno = 0;
  if (first_error == 0 && std::fflush(stdout) != 0) remember_error();
  if (first_error == 0) return true;
  if (first_error != EPIPE)
    complain(fmt::format("cannot write the output: {}", std::strerror(first_error)));
  return false;
}

}  // namespace filch::cli
