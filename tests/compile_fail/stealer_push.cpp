// error: (no member named|has no member named) ('|‘)?push
#include "filch/deque.hpp"

// A stealer can only steal: pushing is the owner's.
[[maybe_unused]] static void misuse(filch::stealer<int>& thief) {
  thief.steal();
#ifdef FILCH_MISUSE
  thief.push(1);
#endif
}
