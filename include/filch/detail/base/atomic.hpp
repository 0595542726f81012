// The one place that names std::atomic, so that the model checker can stand in for it.
#pragma once

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else
#include <atomic>
namespace filch::detail {
using std::atomic;
}
#endif
