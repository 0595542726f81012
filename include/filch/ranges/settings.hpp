// The options of a parallel range.
#pragma once

#include "filch/detail/base/config.hpp"

#include <cstddef>
#include <stop_token>
#include <utility>

#include "filch/detail/chain/par_range_fwd.hpp"
#include "filch/detail/chain/refused_members.hpp"
#include "filch/options.hpp"

namespace filch {

class pool;

/// The options of a parallel range. They apply to the whole chain, wherever they are written.
template <class Source, class Fork>
class range_settings {
  using range = par_range<Source, Fork>;

 public:
  /// Replaces the options.
  range with(options o) && {
    self().change_settings([&](options& mine) { mine = std::move(o); });
    return std::move(self());
  }

  /// Sets the grain: leaves of fewer than `n` positions are not made; 0 means choose. Rayon:
  /// with_min_len.
  range with_grain(std::size_t n) && {
    self().change_settings([&](options& mine) { mine.grain = n; });
    return std::move(self());
  }

  /// Sets the stop token. When it is asked to stop, leaves that have not started are skipped,
  /// and the consumer throws `cancelled`.
  range until(std::stop_token stop) && {
    self().change_settings([&](options& mine) { mine.stop = std::move(stop); });
    return std::move(self());
  }

  /// Sets the pool on which the chain runs.
  range on(pool& where) && {
    self().change_settings([&](options& mine) { mine.on = &where; });
    return std::move(self());
  }

  FILCH_REFUSED(
      "filch: with() takes ownership of a parallel range. Move a range with a name: "
      "std::move(range).with(...)",
      with(const options&) &);
  FILCH_REFUSED_ON_A_CONSTANT(with, const options&);
  FILCH_REFUSED_ON_A_NAME(with_grain, std::size_t);
  FILCH_REFUSED_ON_A_NAME(until, const std::stop_token&);
  FILCH_REFUSED_ON_A_NAME(on, pool&);

 private:
  range& self() noexcept { return static_cast<range&>(*this); }
};

}  // namespace filch
