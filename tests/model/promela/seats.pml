/* Seats: N workers and one seat, a publisher, and two guests that come and go. When no
 * process can move, no job may be left, every worker sleeps, and the seat is free.
 *
 * Broken variants, each of which must fail (src/sched/guests.md):
 *   NO_NOTE          a publisher that finds no seat leaves no note
 *   NO_SECOND_LOOK   a publisher does not look for a seat again after its note
 *   LEAVE_SILENTLY   a guest that leaves does not look for a note
 *   ASIDE_SILENTLY   a worker that goes to sleep for want of a seat leaves no note
 *   CLEAR_LATE       a guest looks for work first, and clears the note then
 *   KEEP_SEAT        a worker that goes to sleep keeps its seat
 */
#ifndef N
#define N 1
#endif
#define SEATS 1

mtype = { awake, asleep };
mtype word[N] = awake;
bool in_futex[N];
short count;                                   /* of sleepers; in one word with the free seats */
short free = SEATS;
bool noted;
byte jobs;

inline futex_wait(w) {
  do
  :: word[w] != asleep -> break
  :: atomic { word[w] == asleep -> in_futex[w] = true };
end_asleep:
     !in_futex[w]
  od
}

inline wake_one(i, ok) {
  i = 0; ok = false;
  do
  :: i == N || ok -> break
  :: else ->
     atomic { if :: word[i] == asleep -> word[i] = awake; ok = true :: else fi }
     if
     :: ok ->
#ifdef KEEP_SEAT
        count--;
#else
        atomic { count--; free-- };
#endif
        in_futex[i] = false
     :: else -> i++
     fi
  od
}

/* sleepers::may_wake_for_others */
inline may_wake(may) {
  may = free > 0;
  if
  :: !may ->
#ifndef NO_NOTE
     noted = true;
#endif
#ifndef NO_SECOND_LOOK
     may = free > 0
#endif
  :: else
  fi
}

inline tell(i, ok, may) {
  if
  :: count != 0 -> may_wake(may); if :: may -> wake_one(i, ok) :: else fi
  :: else
  fi
}

proctype publisher() {
  byte i; bool ok, may;
  jobs++; tell(i, ok, may)
}

proctype guest() {
  byte i; bool ok, may, look;
  free--;
  atomic { look = count != 0 && free == 0; free++ };  /* it makes the only seat free */
#ifdef LEAVE_SILENTLY
  look = false;
#endif
  if
  :: look && noted ->
#ifdef CLEAR_LATE
     if :: jobs != 0 -> tell(i, ok, may) :: else fi;
     noted = false
#else
     noted = false;
     if :: jobs != 0 -> tell(i, ok, may) :: else fi
#endif
  :: else
  fi
}

proctype worker(byte me) {
  byte i; bool ok, may, got, idle; mtype was;
  free--;
look:
  got = false;
  if
  :: free >= 0 -> atomic { got = jobs > 0; jobs = jobs - got }
  :: else
  fi;
  if
  :: got ->
     if :: idle && jobs != 0 -> tell(i, ok, may) :: else fi;  /* pass on */
     idle = false;
     goto look
  :: else
  fi;
  idle = true;
#ifdef KEEP_SEAT
  count++;                                     /* S1 */
#else
  atomic { count++; free++ };                  /* S1 */
#endif
  word[me] = asleep;
#ifdef ASIDE_SILENTLY
  may = free > 0;
#else
  may_wake(may);
#endif
  if :: !(may && jobs != 0) -> futex_wait(me) :: else fi;  /* S3, S4 */
  atomic { was = word[me]; word[me] = awake }; /* S5 */
#ifdef KEEP_SEAT
  if :: was != awake -> count-- :: else fi;
#else
  if :: was != awake -> atomic { count--; free-- } :: else fi;
#endif
  goto look
}

proctype monitor() {
  timeout ->
    assert(jobs == 0);                         /* no work was forgotten */
    assert(count == N && free == SEATS)
}

init {
  atomic {
    run worker(0);
#if N > 1
    run worker(1);
#endif
    run publisher(); run guest(); run guest(); run monitor()
  }
}
