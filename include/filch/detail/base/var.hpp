// Plain data that several threads use, and that other variables synchronise.
#pragma once

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else
#include <utility>
namespace filch::detail {

/// A plain `T` with no synchronisation of its own: an edge has to order every set() against
/// every other access. Under the model checker an access that no edge orders is reported as a data
/// race; here it costs what a plain variable costs.
template <class T>
class var {
 public:
  var() = default;
  explicit var(T value) : value_(std::move(value)) {}

  const T& get() const noexcept { return value_; }
  void set(T value) { value_ = std::move(value); }

 private:
  T value_{};
};

}  // namespace filch::detail
#endif
