/* Sleep and wake: two publishers, two workers and a setter. Worker 0 waits for a latch and then is
 * busy for ever; worker 1 works for ever. When no process can move, no job may be left, and the count
 * has to be the number of workers that sleep.
 *
 * Broken variants, each of which must fail (the steps are those of src/sched/sleep_and_wake.md):
 *   NO_FENCE      a publisher looks for sleepers before its job can be seen (P2)
 *   NO_RECHECK    a sleeper does not look again (S3)
 *   NO_PASS_ON    a worker that was woken for a job, but leaves with its latch, wakes no other (step 4)
 *   COUNT_TWICE   a sleeper that was claimed counts itself down once more (S5)
 *   NO_UNPARK     a claim without a futex wake (P4)
 */
#define N 2
#define UNSET 0
#define DONE 1
#define PARKED(w) (2 + w)                      /* worker w sleeps: the latch has its parker */

mtype = { awake, asleep, called };             /* called: unparked by a setter */
mtype word[N] = awake;
bool in_futex[N];
short count;
byte jobs;
byte latch = UNSET;

inline futex_wake(w) { in_futex[w] = false }

inline futex_wait(w) {
  do
  :: word[w] != asleep -> break
  :: atomic { word[w] == asleep -> in_futex[w] = true };
end_asleep:
     !in_futex[w]
  od
}

/* sleepers::wake for the first sleeper, if there is one. */
inline wake_one(i, ok) {
  i = 0; ok = false;
  do
  :: i == N || ok -> break
  :: else ->
     atomic { if :: word[i] == asleep -> word[i] = awake; ok = true :: else fi }
     if
     :: ok -> count--;
#ifndef NO_UNPARK
        futex_wake(i)
#endif
     :: else -> i++
     fi
  od
}

proctype publisher() {
  byte i; bool ok; short seen;
#ifdef NO_FENCE
  seen = count;
  jobs++;
#else
  jobs++;                                      /* P1; P2 is the order of the two */
  seen = count;                                /* P3 */
#endif
  if :: seen != 0 -> wake_one(i, ok) :: else fi  /* P4 */
}

inline pass_on(i, ok) {
  if :: count != 0 && jobs != 0 -> wake_one(i, ok) :: else fi
}

proctype worker(byte me; bool waits) {
  byte i; bool ok, got, set, idle, woken; mtype was;
look:
  if
  :: waits && latch == DONE ->
#ifndef NO_PASS_ON
     if :: woken -> pass_on(i, ok) :: else fi;
#endif
     goto leave
  :: else
  fi;
  atomic { got = jobs > 0; jobs = jobs - got };
  if
  :: got ->
     if :: idle -> pass_on(i, ok) :: else fi;
     idle = false;
     woken = false;
     goto look
  :: else
  fi;
  idle = true;
  word[me] = asleep;                           /* S1 */
  count++;
  set = false;
  if
  :: waits -> atomic { if :: latch == UNSET -> latch = PARKED(me) :: else -> set = true fi }
  :: else
  fi;
#ifdef NO_RECHECK
  if :: !set -> futex_wait(me) :: else fi;
#else
  if :: !set && jobs == 0 -> futex_wait(me) :: else fi;  /* S3, S4 */
#endif
  if
  :: waits -> atomic { if :: latch == PARKED(me) -> latch = UNSET :: else fi }
  :: else
  fi;
  atomic { was = word[me]; word[me] = awake }; /* S5 */
  woken = woken || was == awake;
#ifdef COUNT_TWICE
  count--;
#else
  if :: was != awake -> count-- :: else fi;
#endif
  goto look;
leave:
  skip
}

proctype setter() {
  byte was; bool ok;
  atomic { was = latch; latch = DONE };
  if
  :: was >= PARKED(0) ->
     atomic { ok = (word[was - 2] == asleep); if :: ok -> word[was - 2] = called :: else fi };
     if :: ok -> futex_wake(was - 2) :: else fi
  :: else
  fi
}

proctype monitor() {
  timeout ->
    assert(jobs == 0);                         /* no wake-up was lost */
    assert(latch == DONE && word[0] == awake); /* the waiter has left */
    assert(count == (word[1] == asleep))
}

init {
  atomic {
    run worker(0, true); run worker(1, false);
    run publisher(); run publisher(); run setter(); run monitor()
  }
}
