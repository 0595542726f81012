// For authors of sources, adaptors and consumers of parallel ranges: namespace filch::plumbing.
#pragma once

// A source has positions, which can be divided among threads. A consumer makes a folder for each
// range of positions that one thread runs. The items go into the folder one by one, and the folder
// gives its part of the result. An adaptor is a source that is made of sources, or a stage in front
// of a consumer.
//
//   source     item; size() with get(i) or feed(first, last, folder), or else drive(run, consumer)
//   folder     take(item), finish()
//   consumer   part, rule, begin(position), merge(left, right)
//   stage      item<Item>, before<Item>(next)
//   drive(run, source, consumer)   runs a chain
//
// The next header has the exact concepts, and a table of everything else that a part may have, with
// its default. The examples own_source, own_adaptor and own_consumer use nothing else.
#include "filch/detail/chain/protocol.hpp"
