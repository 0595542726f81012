// subrange: a part of a range, as algorithms return it.
#pragma once

#include "filch/subrange.hpp"
