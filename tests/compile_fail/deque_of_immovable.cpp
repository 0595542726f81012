// error: constrain.*deque
#include <mutex>
#include <string>

#include "filch/deque.hpp"

// Items move in and out, so T must be movable.
#ifdef FILCH_MISUSE
using item = std::mutex;
#else
using item = std::string;
#endif
[[maybe_unused]] static filch::deque<item> deque;
