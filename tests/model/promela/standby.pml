/* The worker of the pool sleeps with a full stack, because a spare stands in for it: it is a standby
 * (called standby below). Then the only spare waits for something that only another job can bring,
 * and cannot run that job itself: it recalls the standby. In the end both have gone on, and neither
 * is counted as blocked.
 *
 * Broken variants, each of which must fail:
 *   NO_RECALL      a thread that blocks without a spare leaves standbys asleep
 *   ANNOUNCE_LATE  the standby is entered before it can be unparked
 *   STILL_COUNTED  a standby that was recalled is counted as blocked until it wakes
 *   LATE_LOOK      the spare looks for a standby before it is counted, without the lock
 */
byte blocked, at_work;                         /* at_work: the spare, once it was called */
bool locked, entered, recalled, asleep, called, job, ran, worker_on, spare_on;

#define lock atomic { !locked -> locked = true }
#define unlock locked = false

inline call_standby() {
  entered = false; recalled = true;
#ifndef STILL_COUNTED
  blocked--;
#endif
  if :: asleep -> called = true :: else fi
}

proctype worker() {
again:
#ifndef ANNOUNCE_LATE
  asleep = true;
#endif
  lock;
  if
  :: at_work >= blocked + 1 -> skip
  :: at_work < blocked + 1 && at_work == 0 -> at_work = 1   /* the spare starts */
  :: else -> unlock; goto help
  fi;
  entered = true; blocked++;
  unlock;
#ifdef ANNOUNCE_LATE
  asleep = true;
#endif
  if
  :: called                                    /* by the spare that recalls it */
  :: ran                                       /* by what it waits for */
  fi;
  lock;
  if
  :: recalled -> recalled = false; unlock
  :: else -> entered = false; blocked--; unlock
  fi;
  asleep = false; called = false;
  if :: ran -> goto on :: else fi;
help:
  if
  :: atomic { job -> job = false }; ran = true
  :: ran
  fi;
on:
  worker_on = true
}

proctype spare() {
  at_work == 1;
#ifdef LATE_LOOK
  bool seen = entered;
  lock; blocked++;
  if :: seen && entered -> call_standby() :: else fi;
#else
  lock; blocked++;
#ifndef NO_RECALL
  if :: entered && at_work < blocked -> call_standby() :: else fi;
#endif
#endif
  unlock;
  job = true;                                  /* comes from outside, while it is blocked */
  ran;
  lock; blocked--; unlock;
  spare_on = true
}

proctype monitor() { timeout -> assert(worker_on && spare_on && blocked == 0 && !entered) }

init { atomic { run worker(); run spare(); run monitor() } }
