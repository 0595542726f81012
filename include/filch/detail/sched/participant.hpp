// What kinds of participants a pool has, and what one of them is doing.
#pragma once

namespace filch::detail {

/// What a participant is doing, for dump() and the samplers.
enum class activity : unsigned char {
  absent,
  running,
  searching,
  awaiting_seat,  // it runs nothing, because other threads of its call have all the seats
  sleeping,
  blocked
};

/// Whose slot it is: a thread of the pool, a thread that stands in for a blocked one, or an outside
/// thread for as long as it takes part.
enum class participant_kind : unsigned char { worker, spare, guest };

/// What a worker does if no spare can stand in for it while it waits without helping: it waits all
/// the same, or it goes on helping.
enum class without_spare : unsigned char { block, go_on };

}  // namespace filch::detail
