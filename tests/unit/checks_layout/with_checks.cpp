#undef FILCH_CHECKS
#define FILCH_CHECKS 1
#include "unit/checks_layout/layout.hpp"

static_assert(FILCH_CHECKS == 1);
layouts layouts_with_checks() { return all_layouts(); }
