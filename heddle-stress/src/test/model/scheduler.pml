/*
 * A model of io.heddle.internal.sched for Spin: who owns a P, the sleep dance, hand-off, and stopping the world.
 *
 * The steps are named like the methods they stand for. Every access to what Ms share is a step of its own, so all
 * interleavings of the accesses are tried; what an M does by itself belongs to the access before it. The order of memory
 * accesses is taken to be sequential (the fences that make it so are attacked by jcstress). Queues are sets: their order
 * matters to no property here. A thief takes one, not half.
 *
 * Goroutine g makes goroutine g + 1 ready, and ends; the first HOGS of them compute for ever instead of ending, and the
 * others must run nevertheless. A thread outside, if OUTSIDE, makes the last one ready if it is faster; if 2, another one the one before. Sysmon takes RETAKES times a P
 * from whoever runs user code. It looks for work that nobody does only if it found no M for such a P; the real one does
 * whenever it happens to be awake: nothing else here may need that. The number of Ps is changed STOPS times.
 *
 * Left out: timers and sockets and the idle M that waits for them, the time an M may linger, the slice, goroutines locked
 * to an M, calls marked as blocking (hand-offs by their own M), the end of idle Ms, closing.
 *
 * Properties:
 *   no P with two owners               asserts in own, enter, leave, giveUp, giveBack
 *   no goroutine twice, or lost        asserts in put, toRunning; Finally
 *   no lost wakeup, and no runnable goroutine with all Ms asleep
 *                                      Finally: when nothing can move any more, every goroutine has run
 *   no deadlock in stop-the-world      Finally: the world goes on; and every M is asleep, or computes
 *
 * Each BROKEN_ flag leaves out one line of the code: Spin must then find an error. See docs/internals/model.md.
 */
#ifndef PS
#define PS 2
#endif
#ifndef MS
#define MS 2
#endif
#ifndef GS
#define GS 2
#endif
#ifndef HOGS
#define HOGS 0
#endif
#ifndef RETAKES
#define RETAKES 0
#endif
#ifndef STOPS
#define STOPS 0
#endif
#ifndef OUTSIDE
#define OUTSIDE 1
#endif
/* The P on which the first goroutine waits. */
#ifndef FIRST
#define FIRST 0
#endif

#define NONE 15

mtype = { IDLE, SCHED, USER, STOPPED, DEAD };
mtype = { NEW, RUNNABLE, RUNNING, ENDED };

/*
 * A P's word. An epoch that only grows would make the model infinite; all that anybody asks of it is whether it is the one
 * at which an M took its P. So the P knows which M that is, and a new epoch makes it nobody.
 */
mtype state[PS];
byte holder[PS];
byte runNext[PS];
byte ring[PS];                   /* sets of goroutines */
byte procsOf[PS];                /* P.procs */
bool owned[PS];                  /* ghost: an M is between own or enter and leave or giveUp */

byte procs;                      /* how many Ps there are: the first so many */
byte globalQueue;
mtype gState[GS];

/* Ms: the first so many are made. What an M thinks it has, and whether it spins, is its own. */
byte made;
byte idleMs;                     /* a set */
byte nextP[MS];                  /* what its waker has handed to it: then its note is set */
bool nextSpinning[MS];

byte spinningCount;
bool stopping;
byte busy;                       /* of those beside the Ms */

#define isUsing (p != NONE && holder[p] == m && state[p] == USER)
#define hasLost (holder[p] != m)
#define isOnly(i) (procsOf[i] == 1)

/* --- Sets: a part of a step ------------------------------------------------------------------------------------- */

#define has(set, g) (((set) >> (g)) & 1)

inline put(set, g) {
  assert(!has(set, g));
  set = set | (1 << g)
}

/* Any one, NONE if there is none: a compare-and-set of head, or under the lock. */
inline takeAny(set, g) {
  if
  :: set == 0 -> g = NONE
  :: has(set, 0) -> g = 0; set = set & 254
  :: has(set, 1) -> g = 1; set = set & 253
#if GS > 2 || MS > 2
  :: has(set, 2) -> g = 2; set = set & 251
#endif
#if GS > 3 || MS > 3
  :: has(set, 3) -> g = 3; set = set & 247
#endif
  fi
}

/* --- Spinning --------------------------------------------------------------------------------------------------- */

/* P.tryTake, of one after the other; x is NONE if none is idle. */
inline takeIdleP() {
  atomic { x = NONE; i = 0 };
  do
#ifdef BROKEN_TAKE_WITHOUT_CAS
  :: i < procs && x == NONE ->
#else
  :: atomic { i < procs && x == NONE ->
#endif
       if
       :: state[i] == IDLE -> atomic { holder[i] = NONE; state[i] = SCHED; x = i }
       :: else
       fi;
       i++
#ifndef BROKEN_TAKE_WITHOUT_CAS
     }
#endif
  :: atomic { else -> i = 0; break }
  od
}

inline hasIdleP() {
  atomic { ok = false; i = 0 };
  do
  :: atomic { i < procs && !ok -> ok = (state[i] == IDLE); i++ }
  :: atomic { else -> i = 0; break }
  od
}

/* Of P x, which was taken for an M that could not be had. */
inline giveBack() {
  atomic { assert(state[x] == SCHED && !owned[x]); state[x] = IDLE; x = NONE }
}

/* Wakes one M to look for work, if there is an idle P for it and fewer than enough look already. */
inline wakeP(enough) {
  do
  :: atomic { spinningCount < enough -> ok = false };
     hasIdleP();
     if
     :: ok -> atomic { ok = (idleMs != 0 || made < MS) } /* canHave */
     :: else
     fi;
     if
     :: atomic { ok && spinningCount < enough -> spinningCount++ }; /* compareAndSet */
        takeIdleP();
        if
        :: x == NONE -> ok = false
        :: else -> startM(true)
        fi;
        if
        :: ok -> ok = false; break
        :: else -> /* who relied on our count has woken nobody */
           spinningCount--;
#ifdef BROKEN_WAKE_NOT_AGAIN
           break
#endif
        fi
     :: atomic { !ok -> break }
     :: atomic { ok && spinningCount >= enough -> ok = false; break }
     fi
  :: atomic { spinningCount >= enough -> ok = false; break }
  od
}

/* --- Threads ---------------------------------------------------------------------------------------------------- */

/* Gives P x to an idle M, or to a new one; ok, or else the P is idle again. */
inline startM(spin) {
  atomic { takeAny(idleMs, other) };
  if
  :: other == NONE -> /* tryStart */
     atomic {
       if
       :: made < MS -> other = made; made++
       :: else
       fi
     }
  :: else
  fi;
  if
  :: other != NONE ->
     atomic { /* M.hand, Note.wakeup */
       assert(nextP[other] == NONE && !has(idleMs, other));
       nextP[other] = x; nextSpinning[other] = spin;
       ok = true; x = NONE; other = NONE
     }
  :: else -> ok = false; giveBack()
  fi
}

/* --- FindRunnable ----------------------------------------------------------------------------------------------- */

inline hasWork() {
  atomic { ok = (globalQueue != 0); i = 0 };
  do
  :: atomic { i < procs && !ok -> ok = (runNext[i] != NONE || ring[i] != 0); i++ }
  :: atomic { else -> i = 0; break }
  od
}

/* --- Ready: of goroutine w -------------------------------------------------------------------------------------- */

inline putGlobal() {
  atomic { put(globalQueue, w); w = NONE };
#ifndef BROKEN_PUT_WAKES_NOBODY
  wakeP(1)
#endif
}

/* How many wait is some steps old when it is used: it may be one, or all. */
inline putFromOutside() {
  atomic {
    put(globalQueue, w); w = NONE;
    if
    :: enough = 1
    :: enough = GS
    fi
  };
#ifndef BROKEN_PUT_WAKES_NOBODY
  wakeP(enough)
#endif
}

inline putNext() {
  ok = isUsing;
  if
  :: !ok -> putGlobal()
  :: else ->
     atomic { /* offerNext */
       ok = (runNext[p] == NONE);
       if
       :: ok -> runNext[p] = w
       :: else
       fi
     };
     if
     :: ok -> offered()
     :: else -> replaceNext()
     fi
  fi
}

/* The P may have been taken away in between, or be gone. */
inline offered() {
#ifndef BROKEN_OFFER_NOT_CHECKED
  ok = isUsing;
#endif
  if
  :: !ok ->
     atomic { /* withdrawNext */
       ok = (runNext[p] == w);
       if
       :: ok -> runNext[p] = NONE
       :: else
       fi
     };
     if
     :: ok -> putGlobal()
     :: else -> w = NONE; wakeUnlessOnly()
     fi
  :: else -> w = NONE; wakeUnlessOnly()
  fi
}

inline wakeUnlessOnly() {
  atomic { ok = !isOnly(p) };
  if
  :: ok -> wakeP(1)
  :: else
  fi
}

inline replaceNext() {
  enter();
  if
  :: ok ->
     atomic { x = runNext[p]; runNext[p] = w; w = NONE };
     if
     :: x != NONE -> atomic { put(ring[p], x); x = NONE }
     :: else
     fi;
     atomic { ok = !isOnly(p); leave() };
     if
     :: ok -> wakeP(1)
     :: else
     fi
  :: else -> putGlobal()
  fi
}

/* --- M and P: of M m, and P p which it thinks it has ------------------------------------------------------------- */

/* P x was taken for this M. A part of a step. */
inline own() {
  p = x; x = NONE;
  assert(state[p] == SCHED && !owned[p] && holder[p] == NONE);
  holder[p] = m;
  owned[p] = true
}

inline enter() {
  atomic {
#ifdef BROKEN_NO_EPOCH
    ok = (p != NONE && state[p] == USER); /* whoever took it */
#else
    ok = isUsing;
#endif
    if
    :: ok -> assert(holder[p] == m && !owned[p]); owned[p] = true; state[p] = SCHED
    :: else
    fi
  }
}

/* A part of a step. */
inline leave() {
  assert(holder[p] == m && state[p] == SCHED && owned[p]);
  owned[p] = false;
  state[p] = USER
}

inline giveUp() {
  atomic {
    assert(holder[p] == m && state[p] == SCHED && owned[p]);
    owned[p] = false;
    holder[p] = NONE;
    state[p] = IDLE;
    p = NONE
  }
}

/* --- Schedule --------------------------------------------------------------------------------------------------- */

/* Back in the scheduler with the P, or without it. */
inline comeBack() {
  do
  :: p == NONE -> break
  :: else ->
     enter();
     if
     :: ok -> break
     :: else ->
        if
        :: atomic { hasLost -> p = NONE };
           if
           :: spinning -> passOn()
           :: else
           fi;
           break
        :: atomic { !hasLost && state[p] == USER } /* it was stopped */
        fi
     fi
  od;
  ok = false
}

inline passOn() {
  atomic { spinning = false; spinningCount-- };
#ifndef BROKEN_NOBODY_PASSES_ON
  wakeP(1)
#endif
}

proctype M(byte m) {
  byte p = NONE, x = NONE, i, g = NONE, w = NONE, other = NONE;
  bool spinning, ok;

endAsleep: /* takeHanded */
  atomic {
    nextP[m] != NONE ->
    x = nextP[m]; spinning = nextSpinning[m];
    nextP[m] = NONE; nextSpinning[m] = false;
    own()
  }

step:
  if
  :: p == NONE ->
     takeIdleP();
     if
     :: x == NONE -> goto stopM
     :: else -> atomic { own() }
     fi
  :: else
  fi;
  if
  :: stopping -> /* standAside */
#ifndef BROKEN_ASIDE_WITH_P
     atomic { leave() };
#endif
     !stopping;
#ifndef BROKEN_ASIDE_WITH_P
     comeBack();
#endif
     goto step
  :: else
  fi;

  /* findHere */
  atomic { g = runNext[p]; runNext[p] = NONE };
  if
  :: g == NONE -> atomic { takeAny(ring[p], g) }
  :: else
  fi;
  if
  :: g == NONE -> atomic { takeAny(globalQueue, g) }
  :: else
  fi;
  if
  :: g != NONE -> goto runs
  :: else
  fi;

  /* findElsewhere, unless enough look already */
  if
  :: !spinning ->
     if
     :: spinningCount > 0 -> goto dance
     :: atomic { spinning = true; spinningCount++ }
     fi
  :: else
  fi;
  other = 0;
  do
  :: atomic { other < procs && !stopping && g == NONE -> /* stealFrom */
       if
       :: other == p || (ring[other] == 0 && runNext[other] == NONE)
       :: else ->
          if
          :: takeAny(ring[other], g);
             if
             :: g == NONE -> g = runNext[other]; runNext[other] = NONE
             :: else
             fi
          :: state[other] != IDLE /* isMoving: those are about to run there */
          fi
       fi;
       other++
     }
  :: atomic { else -> other = NONE; break }
  od;
  if
  :: g != NONE -> goto runs
  :: else
  fi;

dance: /* FindRunnable.giveUp */
  giveUp();
  if
  :: spinning -> atomic { spinning = false; spinningCount-- }
  :: else
  fi;
#ifndef BROKEN_NO_LOOKS
  hasWork();
  if
  :: ok ->
     ok = false;
     takeIdleP();
     if
     :: x != NONE -> atomic { own() }; atomic { spinning = true; spinningCount++ }; goto step
     :: else
     fi
  :: else
  fi;
#endif

stopM:
  atomic { put(idleMs, m); ok = false };
#if !defined(BROKEN_NO_LOOK_FROM_THE_LIST) && !defined(BROKEN_NO_LOOKS)
  hasIdleP();
  if
  :: ok -> hasWork()
  :: else
  fi;
  if
  :: ok ->
     atomic { /* remove */
       ok = false;
       if
       :: has(idleMs, m) -> idleMs = idleMs & ~(1 << m); goto step
       :: else
       fi
     }
  :: else
  fi;
#endif
  goto endAsleep;

runs: /* run */
  if
  :: spinning -> passOn()
  :: else
  fi;
  atomic { leave() };

runOne:
  atomic { /* toRunning; and its own code: makes the next one ready, if that is new */
    assert(gState[g] == RUNNABLE);
    gState[g] = RUNNING;
    if
    :: g + 1 < GS && gState[g + 1] == NEW -> w = g + 1; gState[w] = RUNNABLE
    :: else
    fi
  };
  if
  :: w != NONE -> putNext()
  :: else
  fi;
  atomic { assert(gState[g] == RUNNING); gState[g] = ENDED };
  if
  :: g < HOGS ->
endComputes:
     false
  :: else -> g = NONE
  fi;

  /* takeOver */
  atomic { ok = isUsing && !stopping };
  if
  :: ok ->
     atomic { g = runNext[p]; runNext[p] = NONE };
     if
     :: g == NONE -> atomic { takeAny(ring[p], g) }
     :: else
     fi;
     if
     :: g != NONE ->
        ok = isUsing;
        if
        :: ok -> ok = false; goto runOne
        :: else -> w = g; g = NONE; putGlobal()
        fi
     :: else
     fi
  :: else
  fi;
  comeBack();
  goto step
}

/* --- Others ----------------------------------------------------------------------------------------------------- */

/* A thread outside makes goroutine w ready, if no goroutine has. */
proctype Outside(byte w) {
  byte x = NONE, i, other = NONE, enough;
  bool ok;
  atomic {
    if
    :: gState[w] == NEW -> gState[w] = RUNNABLE
    :: else -> w = NONE
    fi
  };
  if
  :: w != NONE -> putFromOutside()
  :: else
  fi;
  busy--
}

/* A P has become idle, and nobody is about to look for work: somebody is, if there is any. */
inline idled() {
  hasWork();
  if
  :: ok -> wakeP(1)
  :: else
  fi
}

/* Of P x. */
inline handOff() {
  atomic { ok = (runNext[x] != NONE || ring[x] != 0) }; /* hasWorkFor */
  if
  :: !ok -> ok = (globalQueue != 0)
  :: else
  fi;
  if
  :: ok ->
     startM(false);
#ifndef BROKEN_NO_M_NOT_AGAIN
     if
     :: !ok -> idled() /* there was no M: sysmon is awake, and this is its next look */
     :: else
     fi
#endif
  :: else ->
     giveBack();
#ifndef BROKEN_HAND_OFF_NOT_AGAIN
     idled()
#endif
  fi;
  ok = false
}

/* Takes Ps by force from Ms in user code. */
proctype Sysmon() {
  byte x = NONE, i, n = RETAKES, other = NONE;
  bool ok;
  do
  :: n > 0 ->
endWatches:
     atomic { /* tryRetake */
       if
       :: state[0] == USER -> x = 0
#if PS > 1
       :: state[1] == USER -> x = 1
#endif
#if PS > 2
       :: state[2] == USER -> x = 2
#endif
       fi;
       n--; busy++;
       assert(!owned[x]);
       state[x] = SCHED;
       holder[x] = NONE
     };
     handOff();
     busy--
  :: else -> break
  od
}

/* What waits for a P that is removed goes to the global queue. A part of a step: but for offers, it is the stopper's. */
inline remove(i) {
  if
  :: runNext[i] != NONE -> put(globalQueue, runNext[i]); runNext[i] = NONE
  :: else
  fi;
  assert((globalQueue & ring[i]) == 0);
  globalQueue = globalQueue | ring[i];
  ring[i] = 0;
#ifndef BROKEN_DEAD_KEEPS_EPOCH
  holder[i] = NONE;
#endif
  state[i] = DEAD
}

/* procs(n): takes the last P away, or gives it back. */
proctype Stopper() {
  byte x = NONE, i, n = STOPS, k, other = NONE;
  bool ok;
  bool isOwned[PS];
  do
  :: n > 0 ->
     atomic { n--; stopping = true };
     do
     :: atomic { k < procs ->
          if /* stopOne: waits for an M in the scheduler to leave it */
          :: state[k] == IDLE -> holder[k] = NONE; isOwned[k] = false
          :: state[k] == USER -> isOwned[k] = true
          fi;
          state[k] = STOPPED;
          k++
        }
     :: atomic { else -> k = 0; break }
     od;
     atomic { /* Nobody else has a P now. */
       if
       :: procs == PS && PS > 1 -> remove(PS - 1); procs = PS - 1
       :: else -> isOwned[PS - 1] = false; state[PS - 1] = STOPPED; procs = PS
       fi
     };
     do /* restart */
     :: atomic { k < procs ->
          procsOf[k] = procs;
          if
          :: isOwned[k] -> state[k] = USER
          :: else -> state[k] = IDLE
          fi;
          isOwned[k] = false;
          k++
        }
     :: atomic { else -> k = 0; break }
     od;
     stopping = false;
#ifndef BROKEN_START_LOOKS_NOT
     idled();
#endif
     ok = false
  :: else -> break
  od;
  busy--
}

/* Nothing can move any more. */
active proctype Finally() {
  byte i;
  timeout;
  assert(busy == 0);
  assert(!stopping);
  assert(spinningCount == 0);
  assert(globalQueue == 0);
  do
  :: i < PS ->
     assert(ring[i] == 0 && runNext[i] == NONE);
     assert(state[i] == IDLE || state[i] == DEAD || (HOGS > 0 && state[i] == USER));
     i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < GS -> assert(gState[i] == ENDED); i++
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    do
    :: i < PS -> state[i] = IDLE; holder[i] = NONE; runNext[i] = NONE; procsOf[i] = PS; i++
    :: else -> break
    od;
    procs = PS;
    i = 0;
    do
    :: i < GS -> gState[i] = NEW; i++
    :: else -> break
    od;
    /* The first goroutine waits on a P which the first M has just been given. */
    gState[0] = RUNNABLE; runNext[FIRST] = 0;
    state[FIRST] = SCHED;
    i = 0;
    do
    :: i < MS -> nextP[i] = NONE; run M(i); i++
    :: else -> break
    od;
    made = 1; nextP[0] = FIRST;
    i = 0;
    if
    :: OUTSIDE > 0 -> busy++; run Outside(GS - 1)
    :: else
    fi;
    if
    :: OUTSIDE > 1 -> busy++; run Outside(GS - 2)
    :: else
    fi;
    if
    :: RETAKES > 0 -> run Sysmon()
    :: else
    fi;
    if
    :: STOPS > 0 -> busy++; run Stopper()
    :: else
    fi
  }
}
