// Which states of a scenario the explorer has seen. It keeps a number of 64 bits for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace model {

/// A number that stands for a state, or for a part of one. Two states have the same one by accident
/// only: among ten million states with a probability of 3 in a million.
using digest = std::uint64_t;

/// The digest of `before` followed by `next`.
inline digest mixed(digest before, digest next) noexcept {
  digest d = before * 0x9e3779b97f4a7c15 + next + 0x632be59bd9b4e019;  // as in splitmix64
  d = (d ^ (d >> 30)) * 0xbf58476d1ce4e5b9;
  d = (d ^ (d >> 27)) * 0x94d049bb133111eb;
  return d ^ (d >> 31);
}

class visited_states {
 public:
  void clear() noexcept { preemptions_.clear(); }
  /// False if the state was added before with at least as many preemptions left.
  bool add(digest state, int preemptions_left) {
    const auto [known, is_new] = preemptions_.try_emplace(state, preemptions_left);
    if (is_new) return true;
    if (known->second >= preemptions_left) return false;
    known->second = preemptions_left;
    return true;
  }

 private:
  std::unordered_map<digest, int> preemptions_;
};

}  // namespace model
