// For authors of sources, adaptors and consumers of parallel ranges: namespace filch::plumbing.
#pragma once

// A source has positions, which can be divided among threads. A consumer makes a folder for each range
// of positions that one thread runs. The items go into the folder one by one, and the folder gives its
// part of the result. An adaptor is a source that is made of sources, or a stage in front of a
// consumer.
//
//   source     item, and size() with get(i) or feed(first, last, folder), or else drive(run, consumer)
//   folder     take(item), finish()
//   consumer   part, rule, begin(position), merge(left, right)
//   stage      item<Item>, before<Item>(next)
//   drive(run, source, consumer)   runs a chain within a run
//
// The next header has the exact concepts, and a table of everything that a part may have besides, with
// its default. own_source.cpp, own_adaptor.cpp and own_consumer.cpp in examples use nothing else.
#include "filch/detail/chain/protocol.hpp"
