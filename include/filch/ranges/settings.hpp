// The options of a parallel range.
#pragma once

#include "filch/detail/chain/range_part.hpp"

namespace filch {

class pool;

/// The options of a parallel range. They apply to the whole chain, wherever they are written.
template <class Source, class Fork>
class range_settings {
  using range = par_range<Source, Fork>;

 public:
  /// Replaces the options.
  range with(options o) && {
    return changed([&](options& mine) { mine = std::move(o); });
  }

  /// Sets the grain: leaves of fewer than `n` positions are not made; 0 means choose. Rayon:
  /// with_min_len.
  range with_grain(std::size_t n) && {
    return changed([&](options& mine) { mine.grain = n; });
  }

  /// Sets the stop token. When it is asked to stop, leaves that have not started are skipped,
  /// and the consumer throws `cancelled`.
  range until(std::stop_token stop) && {
    return changed([&](options& mine) { mine.stop = std::move(stop); });
  }

  /// Sets the pool on which the chain runs.
  range on(pool& where) && {
    return changed([&](options& mine) { mine.on = &where; });
  }

  FILCH_REFUSED_ON_A_NAME((const options&), with);
  FILCH_REFUSED_ON_A_NAME((std::size_t), with_grain);
  FILCH_REFUSED_ON_A_NAME((const std::stop_token&), until);
  FILCH_REFUSED_ON_A_NAME((pool&), on);

 private:
  template <class Change>
  range changed(const Change& change) {
    auto& self = static_cast<range&>(*this);
    self.change_settings(change);
    return std::move(self);
  }
};

}  // namespace filch
