// A function that is called at the end of a block.
#pragma once

namespace filch::detail {

/// Calls `f` when this ends, also if an exception ends the block. `f` throws nothing.
template <class F>
class [[nodiscard]] finally {
 public:
  explicit finally(F f) noexcept : f_(f) {}
  finally(const finally&) = delete;
  finally& operator=(const finally&) = delete;
  ~finally() { f_(); }

 private:
  F f_;
};

}  // namespace filch::detail
