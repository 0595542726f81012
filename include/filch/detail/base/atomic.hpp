// The one header that names std::atomic for lock-free code, so that the model checker can replace
// it.
#pragma once

#ifdef FILCH_MODEL
#include FILCH_MODEL_SEAM
#else
#include <atomic>
namespace filch::detail {
using std::atomic;
}
#endif
