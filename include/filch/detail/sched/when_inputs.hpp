// What when_all() and when_any() require of their futures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "filch/errors.hpp"

namespace filch::detail {

/// Requires that the future `input` of when_all() or when_any() will have a result.
template <class Future>
void require_input(const Future& input, std::size_t index, const char* who) {
  if (!input.valid())
    throw usage_error(std::string("filch::") + who + "(): the future with index " +
                      std::to_string(index) + " has no task, or its result was already taken");
  if (!input.can_come())
    throw usage_error(std::string("filch::") + who +
                      "() was called in a child that fork() made, but the task of the future with "
                      "index " +
                      std::to_string(index) +
                      " belongs to a pool of the parent process: its result never comes");
}

template <class Future>
void require_inputs(const std::vector<Future>& inputs, const char* who) {
  for (std::size_t i = 0; i < inputs.size(); ++i) detail::require_input(inputs[i], i, who);
}

}  // namespace filch::detail
