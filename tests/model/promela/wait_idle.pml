/* Idle detection: two workers with an account each, a task from outside that spawns a task that spawns
 * another one, and a thread that waits for idle. The waiter must be notified, and not too early.
 *
 * Broken variants, each of which must fail:
 *   OPENED_FIRST  the opened tasks are added up before the ended ones
 *   OPEN_LATE     a task is counted after others can run it
 *   NO_LOOK       a worker that ends a task does not look for waiters
 *   ADD_LATE      the waiter looks before it adds itself to the count of waiters
 */
#define N 2

byte opened[N], ended[N], accepted;
byte jobs, running;
byte levels = 2;                               /* tasks that will still spawn one */
byte waiters;
bool listed, idle, locked, notified;

inline settled(yes, f, o) {
#ifdef OPENED_FIRST
  o = accepted; o = o + opened[0]; o = o + opened[1];
  f = ended[0]; f = f + ended[1];
#else
  f = ended[0]; f = f + ended[1];
  o = accepted; o = o + opened[0]; o = o + opened[1];
#endif
  yes = (f == o)
}

inline settle(yes, f, o) {
  settled(yes, f, o);
  if
  :: yes ->
     atomic { !locked -> locked = true };
     settled(yes, f, o);
     if :: yes && listed -> listed = false; waiters--; idle = true :: else fi;
     locked = false
  :: else
  fi
}

proctype worker(byte me) {
  byte f, o; bool yes, spawns;
end_of_work:
  do
  :: atomic { jobs > 0 -> jobs--; running++ };
     atomic { spawns = levels > 0; levels = levels - spawns };
     if
     :: spawns ->
#ifdef OPEN_LATE
        jobs++; opened[me]++
#else
        opened[me]++; jobs++
#endif
     :: else
     fi;
     atomic { running--; ended[me]++ };
#ifndef NO_LOOK
     if :: waiters != 0 -> settle(yes, f, o) :: else fi
#endif
  od
}

proctype waiter() {
  byte f, o; bool yes;
  atomic { !locked -> locked = true }; listed = true; locked = false;
#ifdef ADD_LATE
  settle(yes, f, o);
  waiters++;
#else
  waiters++;
  settle(yes, f, o);
#endif
  idle;                                        /* the latch */
  assert(jobs == 0 && running == 0);
  assert(waiters == 0);
  notified = true
}

proctype monitor() { timeout -> assert(notified) }

init {
  atomic {
    accepted = 1; jobs = 1;
    run worker(0); run worker(1); run waiter(); run monitor()
  }
}
