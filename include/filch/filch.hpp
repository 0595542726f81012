// All of filch.
#pragma once

#include "filch/algorithm.hpp"
#include "filch/deque.hpp"
#include "filch/errors.hpp"
#include "filch/future.hpp"
#include "filch/isolate.hpp"
#include "filch/join.hpp"
#include "filch/metrics.hpp"
#include "filch/options.hpp"
#include "filch/per_worker.hpp"
#include "filch/pool.hpp"
#include "filch/scope.hpp"
#include "filch/spawn.hpp"
#include "filch/suppressed.hpp"
#include "filch/this_worker.hpp"
#include "filch/version.hpp"
#include "filch/when.hpp"
