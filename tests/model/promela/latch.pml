/* A latch lies on the stack of its waiter, which returns as soon as it sees the latch set. The waiter
 * does this twice, with two latches and the same parker. Each latch has a setter of its own. A waker
 * claims the parker once, too. So the unpark of the first setter may come during the second sleep.
 *
 * Broken variants, each of which must fail:
 *   TOUCH_LATER   the setter looks at the latch after it has set it
 *   STORE         the setter uses a load and a store instead of one exchange
 *   NO_UNPARK     the setter does not unpark the waiter
 *   SLEEP_ANYWAY  the waiter sleeps though the latch was set meanwhile
 *   ONE_SLEEP     a waiter takes any wake-up for that of its setter
 */
#define UNSET 0
#define DONE 1
#define PARKED 2                               /* the waiter sleeps: the latch has its parker */

mtype = { awake, asleep, called };             /* called: unparked by a setter */
mtype word = awake;                            /* the parker, which is never freed */
bool in_futex;
byte latch[2] = UNSET;
bool alive[2] = true;
bool done_for[2];                              /* what the setter did before */

#define use(f) assert(alive[f])

proctype setter(byte f) {
  byte was; bool ok;
  done_for[f] = true;
#ifdef STORE
  use(f); was = latch[f];
  use(f); latch[f] = DONE;
#else
  atomic { use(f); was = latch[f]; latch[f] = DONE };
#endif
#ifdef TOUCH_LATER
  use(f);
#endif
#ifndef NO_UNPARK
  if
  :: was == PARKED ->
     atomic { ok = (word == asleep); if :: ok -> word = called :: else fi };
     if :: ok -> in_futex = false :: else fi
  :: else
  fi
#endif
}

proctype waiter() {
  byte f; bool set;
  for (f : 0 .. 1) {
    do
    :: latch[f] == DONE -> break
    :: else ->
       word = asleep;
       atomic { set = (latch[f] != UNSET); if :: !set -> latch[f] = PARKED :: else fi };
#ifdef SLEEP_ANYWAY
       set = false;
#endif
       if
       :: !set ->
          do
          :: word != asleep -> break
          :: atomic { word == asleep -> in_futex = true }; !in_futex
          od;
          atomic { if :: latch[f] == PARKED -> latch[f] = UNSET :: else fi }
       :: else
       fi;
       word = awake;
#ifdef ONE_SLEEP
       break
#endif
    od;
    assert(done_for[f]);
    alive[f] = false                           /* returns */
  }
}

/* sleepers::wake, once */
proctype claimer() {
  bool ok;
  atomic { ok = (word == asleep); if :: ok -> word = awake :: else fi };
  if :: ok -> in_futex = false :: else fi
}

init { atomic { run waiter(); run setter(0); run setter(1); run claimer() } }
