/* A spare stands in for a blocked worker. The worker blocks twice, each time until a job has run that
 * only the spare is free to run. In between, the spare may rest. Each time the job is run, and in the
 * end the spare has left.
 *
 * Broken variants, each of which must fail:
 *   NO_CALL      a spare that rests is not called
 *   REST_AT_ONCE the spare rests because it saw that it was not needed, without looking again
 *   COUNT_LATE   the worker looks for a spare before it is counted as blocked
 *   STOP_SILENT  the stop does not wake a spare that rests
 */
byte blocked, at_work, resting, calls;
bool made, locked, stopped, told_to_stop, worker_left, spare_left;
byte jobs, ran;

#define lock atomic { !locked -> locked = true }
#define unlock locked = false

inline call_spare() {
  if
#ifndef NO_CALL
  :: resting > 0 -> resting--; calls++; at_work++
#endif
  :: resting == 0 && !made -> made = true; at_work++
  :: else
  fi
}

inline begin_blocking() {
  lock;
#ifdef COUNT_LATE
  if :: at_work >= blocked -> skip :: else -> call_spare() fi;
  blocked++;
#else
  blocked++;
  if :: at_work >= blocked -> skip :: else -> call_spare() fi;
#endif
  unlock
}

proctype worker() {
  byte round;
  do
  :: round < 2 ->
     jobs++;
     begin_blocking();
     ran > round;                              /* what it is blocked for */
     lock; blocked--; unlock;
     round++
  :: else -> break
  od;
  lock; stopped = true;
#ifndef STOP_SILENT
  told_to_stop = true;
#endif
  unlock;
  worker_left = true
}

proctype spare() {
  made;                                        /* the thread starts */
work:
  if
  :: atomic { jobs > 0 -> jobs-- }; ran++; goto work
  :: at_work > blocked ->                      /* a look without the lock */
#ifdef REST_AT_ONCE
     lock; at_work--; resting++; unlock; goto rest
#else
     lock;
     if
     :: at_work > blocked -> at_work--; resting++; unlock; goto rest
     :: else -> unlock; goto work
     fi
#endif
  :: stopped -> goto left
  fi;
rest:
  if
  :: atomic { calls > 0 -> calls-- }; goto work
  :: told_to_stop -> goto left
  fi;
left:
  spare_left = true
}

proctype monitor() { timeout -> assert(worker_left && spare_left && at_work + resting == 1) }

init { atomic { run worker(); run spare(); run monitor() } }
