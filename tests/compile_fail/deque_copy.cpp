// error: deleted.*deque
#include "filch/deque.hpp"

// A deque has one owner and stays where it is: thieves hold on to it.
[[maybe_unused]] static void misuse([[maybe_unused]] filch::deque<int>& deque) {
#ifdef FILCH_MISUSE
  auto copy = deque;
#endif
}
