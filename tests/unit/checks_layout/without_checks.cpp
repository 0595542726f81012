#undef FILCH_CHECKS
#define FILCH_CHECKS 0
#include "unit/checks_layout/layout.hpp"

static_assert(FILCH_CHECKS == 0);
layouts layouts_without_checks() { return all_layouts(); }
