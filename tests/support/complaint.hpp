// What an exception says.
#pragma once

#include <string>

#include "filch/errors.hpp"

namespace filch::test {

/// The message of the exception of type `Error` that `f` throws; "" if it throws none.
template <class Error = usage_error, class F>
std::string complaint(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace filch::test
