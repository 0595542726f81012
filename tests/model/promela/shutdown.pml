/* A pool is closed while an outside thread submits and another one waits for idle (or, with -DGUEST,
 * while a guest submits and leaves), and while workers go to sleep. The workers run everything that
 * was accepted, and both end.
 *
 * Broken variants, each of which must fail:
 *   TWO_LOADS     the closed bit is read after the count that it belongs to
 *   GUESTS_LAST   guests are counted after the tasks that they opened
 *   LEAVE_SILENTLY  a guest that leaves does not look whether the pool can stop
 *   WAKE_ONE      the stop wakes only one worker
 *   NO_RECHECK    a sleeper does not look at the stop flag again (S3)
 *   CHECK_THEN_ACCEPT  a submission looks whether the pool is closed, and then counts itself
 */
#define N 2

bool sleeps[N];
bool ended[N];
byte accepted, opened, closed_tasks, jobs;
bool closed, stopped, listed, idle;
byte guests, waiters;
bool locked;

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

inline wake_one() {
  atomic { if :: sleeps[0] -> sleeps[0] = false :: else -> sleeps[1] = false fi }
}

inline settled(f, a, c) {                      /* f becomes: are they equal? */
  f = closed_tasks;
  atomic { a = accepted; c = closed };
  f = (f == a + opened)
}

inline settle(f, a, c, g) {
  settled(f, a, c);
  if
  :: f ->
     lock();
     g = guests;
     settled(f, a, c);
#ifdef TWO_LOADS
     c = closed;
#endif
#ifdef GUESTS_LAST
     g = guests;
#endif
     if
     :: f ->
        if :: listed -> listed = false; waiters--; idle = true :: else fi;
        if
        :: c && g == 0 && !stopped ->
           stopped = true;
#ifndef WAKE_ONE
           sleeps[0] = false; sleeps[1] = false
#else
           wake_one()
#endif
        :: else
        fi
     :: else
     fi;
     unlock()
  :: else
  fi;
  f = 0; a = 0; c = 0; g = 0                   /* forgotten: fewer states */
}

inline found_nothing(f, a, c, g) {
  if :: waiters != 0 -> settle(f, a, c, g) :: else fi
}

proctype worker(byte me) {
  byte f, a, g; bool c, got;
  do
  :: stopped -> break
  :: else ->
     atomic { got = jobs > 0; jobs = jobs - got };
     if
     :: got -> closed_tasks++; found_nothing(f, a, c, g)
     :: else ->
        found_nothing(f, a, c, g);
        sleeps[me] = true;
#ifdef NO_RECHECK
        if :: jobs == 0 -> !sleeps[me] :: else fi;
#else
        if :: jobs == 0 && !stopped -> !sleeps[me] :: else fi;
#endif
        sleeps[me] = false
     fi
  od;
  ended[me] = true
}

proctype outsider() {
  bool in;
#ifdef CHECK_THEN_ACCEPT
  in = !closed;
  if :: in -> accepted++ :: else fi;
#else
  atomic { in = !closed; if :: in -> accepted++ :: else fi };
#endif
  if :: in -> jobs++; wake_one() :: else fi
}

proctype guest() {
  byte f, a, g; bool c, in;
  lock(); in = !stopped; if :: in -> guests++ :: else fi; unlock();
  if
  :: in ->
     opened++; jobs++; wake_one();
     guests--;
#ifndef LEAVE_SILENTLY
     found_nothing(f, a, c, g)
#endif
  :: else
  fi
}

proctype waiter() {
  byte f, a, g; bool c;
  lock(); listed = true; unlock();
  waiters++;
  settle(f, a, c, g);
  idle
}

proctype closer() {
  byte f, a, g; bool c;
  closed = true;
  waiters++;
  settle(f, a, c, g)
}

proctype monitor() {
  timeout ->
    assert(jobs == 0 && closed_tasks == accepted + opened);
    assert(stopped && ended[0] && ended[1]);
#ifndef GUEST
    assert(idle)
#endif
}

init {
  atomic {
    run worker(0); run worker(1); run closer(); run monitor();
#ifdef GUEST
    run guest()
#else
    run outsider(); run waiter()
#endif
  }
}
