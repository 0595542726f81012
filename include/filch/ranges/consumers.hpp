// Consumers: they run a parallel range, and give a result.
#pragma once

#include "filch/ranges/collect.hpp"
#include "filch/ranges/for_each.hpp"
#include "filch/ranges/min_max.hpp"
#include "filch/ranges/partition.hpp"
#include "filch/ranges/reduce.hpp"
#include "filch/ranges/search.hpp"
#include "filch/ranges/try.hpp"

namespace filch {

/// All consumers. They are called on a range without moving it. A range that owns its elements
/// gives them away, and can be consumed once.
template <class Source, class Fork>
class range_consumers : public range_for_each<Source, Fork>,
                        public range_reduce<Source, Fork>,
                        public range_min_max<Source, Fork>,
                        public range_search<Source, Fork>,
                        public range_collect<Source, Fork>,
                        public range_partition<Source, Fork>,
                        public range_try<Source, Fork> {};

}  // namespace filch
