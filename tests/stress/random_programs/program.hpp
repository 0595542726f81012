// A random program: a few pools, and trees of calls of filch, one tree for each calling thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "filch/options.hpp"

namespace filch::test {

using number = std::uint64_t;

/// What a node does with its children. Its value is its own number plus those of its children.
enum class kind : unsigned char {
  leaf,    ///< computes a little
  fail,    ///< throws its id
  guard,   ///< catches what its child throws
  join,    ///< join() of its children
  scope,   ///< spawns its children into a scope and waits
  async,   ///< scope::async() for each child
  submit,  ///< submits its children and waits for the futures
  chain,   ///< submits the first child; each further one follows by then(), also of a shared future
  all,     ///< when_all()
  any,     ///< when_any(): the losers go on
  isolate,    ///< its child in a region
  outside,    ///< submits a child first, and waits for it in a region; the other child runs there
  locked,     ///< its child in a region, with a mutex held
  block,      ///< blocking(), around a pause or around its child
  gate,       ///< waits in blocking(), or by a countdown, until a submitted task opens a gate
  cancel,     ///< a scope that is cancelled at some moment
  stop,       ///< submissions with a token that is asked to stop at some moment
  install,    ///< pool::install(), perhaps with another pool::limit()
  broadcast,  ///< its child on every worker; the program does not wait for it
  detach,     ///< its children; the program does not wait for them
  loop,       ///< parallel_for()
  nested,     ///< makes a pool, runs its child there, and destroys the pool
};
inline constexpr std::size_t kinds = static_cast<std::size_t>(kind::nested) + 1;
const char* name_of(kind k);
/// Does it give its children to a pool of its choice?
constexpr bool has_target(kind k) {
  return k != kind::join && k != kind::isolate && k != kind::locked && k != kind::block &&
         k > kind::guard;
}

struct node {
  kind what = kind::leaf;
  std::uint32_t id = 0;    ///< its number in the program, from 1
  number value = 0;        ///< below 2^32
  std::size_t target = 0;  ///< the pool that its children run on, if the kind has one
  priority rank = priority::normal;
  bool isolated = false;  ///< options::isolate
  std::size_t most = 0;   ///< options::max_workers of a loop or scope
  bool late = false;      ///< options::deadline, which does not come
  bool certain = true;    ///< false below a node that is cancelled or stopped
  unsigned variant = 0;   ///< which of several ways to do the same
  /// loop: iterations. locked: the mutex. cancel, stop: when. install: the new number of seats
  std::size_t count = 0;
  std::vector<node> children = {};
};

struct program {
  std::uint64_t seed = 0;
  std::size_t outer_pools = 0;      ///< pools[0] is the default pool; those behind are nested ones
  std::vector<pool_options> pools;  ///< without hooks
  std::vector<node> roots;          ///< of the main thread, and of each outside thread
};

/// The mutexes of kind::locked. Inside number n only numbers above n are locked.
inline constexpr std::size_t mutexes = 3;

void print(std::ostream& out, const pool_options& o);
void print(std::ostream& out, const program& p);

/// Turns every number into a well-mixed one.
constexpr number mixed(number x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace filch::test
