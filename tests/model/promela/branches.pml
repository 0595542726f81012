/* Branches in a split stack: an owner that forks and joins, and two thieves that steal, expose for
 * the owner and sleep. Thief 0 is busy for ever with the first branch that it takes, and in the end
 * so is the owner with what it called. When no process can move, no branch may be left. Exactly one
 * process runs each slot.
 *
 * Broken variants, each of which must fail:
 *   POP_LOOKS_FIRST   a pop reads the word before thieves can see the new head (no light fence)
 *   PUSH_LOOKS_FIRST  a push looks whether a thief asked before thieves can see the new head
 *   HEAD_FIRST        a thief reads the head before it says that it exposes (no heavy fence)
 *   TWO_EXPOSERS      exposure without a lock
 *   NO_RELEASE        a slot that was taken and is done leaves the word as it is
 *   LOOK_THEN_ANSWER  the owner looks for sleepers before it takes the question back
 *   NO_REASK          the owner does not ask again for thieves that still sleep
 *   NO_ASK            a sleeper does not ask
 *   NO_RECHECK        a sleeper does not look again (S3)
 *   NO_PASS_ON        a thief that took a branch does not look for more work and sleepers
 */
#define SLOTS 2
#define PUSHES 3
#define N 2
#define EXPOSING 9

mtype = { unused, filled, done, awake, asleep };
mtype slot[SLOTS] = unused;
byte head, top, split;   /* top and split are one word: changed together, in one step */
bool asked;              /* limit_ is null */
bool exposer;

mtype word[N] = awake;
bool in_futex[N];
short count;

#define IS_PUBLIC(t, s) (s != EXPOSING && t < s)

inline run_slot(i, as) {
  atomic { assert(slot[i] == filled); slot[i] = as }
}

/* sleepers::wake for one sleeper: the claim, and then the count. */
inline wake_one(i, ok) {
  atomic {
    i = 0;
    do
    :: i == N || word[i] == asleep -> break
    :: else -> i++
    od;
    ok = i < N;
    if :: ok -> word[i] = awake :: else fi
  };
  atomic { if :: ok -> count--; in_futex[i] = false :: else fi; i = 0; ok = false }
}

/* ---- the owner ------------------------------------------------------------------------------- */

inline answer() {
#ifdef LOOK_THEN_ANSWER
  seen = count;
  asked = false;
#else
  asked = false;
#endif
  atomic {                                     /* expose: half of what is private, at least one */
    if
    :: IS_PUBLIC(top, split)
    :: else ->
       if :: split == EXPOSING -> split = top :: else fi;
       split = split + (head - split) - (head - split) / 2
    fi
  }
#ifndef LOOK_THEN_ANSWER
  seen = count;                                /* P3 */
#endif
  if
  :: seen != 0 ->
     wake_one(i, ok);                          /* P4 */
#ifndef NO_REASK
     if :: count != 0 -> asked = true :: else fi
#endif
  :: else
  fi
}

inline push() {
  atomic { h = head; assert(slot[h] == unused); slot[h] = filled };
#ifdef PUSH_LOOKS_FIRST
  ok = asked;
  head = h + 1;
#else
  head = h + 1;                                /* P1 */
  ok = asked;
#endif
  if :: ok -> answer() :: else fi;
  atomic { ok = false; seen = 0; h = 0 }
}

inline pop() {
#ifdef POP_LOOKS_FIRST
  atomic { h = head - 1; s = split };
  head = h;
#else
  atomic { h = head - 1; head = h };
  s = split;
#endif
  if
  :: h >= s -> run_slot(h, unused)
  :: else ->
     atomic {                                  /* take_back */
       if
       :: split <= h -> ok = true
       :: split > h && top > h -> head = h + 1; ok = false
       :: else -> split = top + (h - top) / 2; ok = true
       fi
     }
     if
     :: ok -> run_slot(h, unused)
     :: else ->
        atomic { slot[h] == done -> slot[h] = unused; head = h };
#ifndef NO_RELEASE
        atomic { top = h; split = h }
#endif
     fi
  fi;
  atomic { ok = false; s = 0; h = 0 }
}

proctype owner() {
  byte h, s, i, left = PUSHES; bool ok; short seen;
  do
  :: left > 0 && head < SLOTS -> left--; push()
  :: head > 0 -> pop()
  :: left == 0 -> break
  od
}

/* ---- thieves --------------------------------------------------------------------------------- */

inline pass_on() {
#ifndef NO_PASS_ON
  if
  :: count != 0 && head > top -> wake_one(i, ok)
  :: else
  fi
#endif
  skip
}

proctype thief(byte me) {
  byte t, s, h, i; bool ok; mtype was;
look:
  atomic { t = top; s = split };
  if
  :: IS_PUBLIC(t, s) ->
     atomic { ok = (top == t && split == s); if :: ok -> top = t + 1 :: else fi };
     if
     :: ok ->
        pass_on();
        run_slot(t, done);
        if :: me == 0 -> goto busy :: else fi
     :: else
     fi;
     goto again
  :: s == t && head > s -> goto expose
  :: else
  fi;
  word[me] = asleep;                           /* S1 */
  count++;
#ifndef NO_ASK
  asked = true;
#endif
#ifndef NO_RECHECK
  t = top;                                     /* S3; S2 is the order of the two */
  if :: head > t -> goto retract :: else fi;
#endif
  do
  :: word[me] != asleep -> break
  :: atomic { word[me] == asleep -> in_futex[me] = true };
end_asleep:
     !in_futex[me]
  od;
retract:
  atomic { was = word[me]; word[me] = awake }; /* S5 */
  if :: was == asleep -> count-- :: else fi;
  goto again;
expose:
#ifndef TWO_EXPOSERS
  atomic { if :: exposer -> goto again :: else -> exposer = true fi };
#endif
#ifdef HEAD_FIRST
  h = head;
#endif
  atomic { ok = (top == t && split == s); if :: ok -> split = EXPOSING :: else fi };
  if
  :: ok ->
#ifndef HEAD_FIRST
     h = head;
#endif
     if :: h < t -> h = t :: else fi;
     atomic { if :: top == t && split == EXPOSING -> split = h :: else fi }
  :: else
  fi;
#ifndef TWO_EXPOSERS
  exposer = false;
#endif
again:
  atomic { t = 0; s = 0; h = 0; i = 0; ok = false; was = awake };
  goto look;
busy:
  skip
}

proctype monitor() {
  timeout ->
    assert(head <= top);                       /* nothing is left that could be taken */
    assert(split != EXPOSING && !exposer);
    assert(count == (word[0] == asleep) + (word[1] == asleep))
}

init {
  atomic { run owner(); run thief(0); run thief(1); run monitor() }
}
