/*
 * A model of io.heddle.internal.sched for Spin: which M owns a P, the sleep protocol, hand-off, and stop-the-world.
 *
 * Steps have the names of the methods that they model. Every access to state that Ms share is a separate step, so that
 * all interleavings of these accesses are searched; local work of an M belongs to the access before it. Memory accesses
 * are assumed to be sequentially consistent (jcstress tests the fences that make them so). Queues are sets, because
 * their order matters to no property here. A thief takes one goroutine, not half of them.
 *
 * Goroutine g makes goroutine g + 1 ready, and ends. The first HOGS goroutines compute forever instead of ending, and
 * the others must run nevertheless. If OUTSIDE is 1, a thread outside makes the last goroutine ready unless a goroutine
 * does so first; if OUTSIDE is 2, another such thread does the same for the last but one. Sysmon takes a P RETAKES times
 * from an M in user code. It looks for waiting work only if it found no M for such a P. The real sysmon does that
 * whenever it is awake, but no property here may depend on it. The number of Ps changes STOPS times.
 *
 * Left out: timers, sockets and the idle M that waits for them; idle spinning; time slices; goroutines locked to an M;
 * calls marked as blocking (an M hands off its own P); the end of idle Ms; shutdown.
 *
 * Properties:
 *   no P with two owners               asserts in acquireP, enter, leave, releaseP, giveBack
 *   no goroutine twice, or lost        asserts in put, toRunning; Finally
 *   no lost wakeup, and no runnable goroutine with all Ms asleep
 *                                      Finally: when no process can move, every goroutine has run
 *   no deadlock in stop-the-world      Finally: the world is running; every M is asleep, or computes
 *
 * Each BROKEN_ flag omits one line of the code: Spin must then find an error. See docs/internals/model.md.
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
/* The P that queues the first goroutine. */
#ifndef FIRST
#define FIRST 0
#endif

#define NONE 15

mtype = { IDLE, SCHED, USER, STOPPED, DEAD };
mtype = { NEW, RUNNABLE, RUNNING, ENDED };

/*
 * A P's word. An epoch that only grows would make the model infinite. The only question about an epoch is whether it is
 * the one at which an M took its P. The P therefore stores that M, and a new epoch clears it.
 */
mtype state[PS];
byte holder[PS];
byte runNext[PS];
byte ring[PS];                   /* sets of goroutines */
byte procsOf[PS];                /* P.procs */
bool owned[PS];                  /* ghost variable: an M is between acquireP or enter and leave or releaseP */

byte procs;                      /* the number of Ps; these are the first ones */
byte globalQueue;
mtype gState[GS];

/* Ms; the first `made` of them exist. Its view of its P, and whether it spins, are local to an M. */
byte made;
byte idleMs;                     /* a set */
byte nextP[MS];                  /* the P that its waker has assigned; its note is then set */
bool nextSpinning[MS];

byte spinningCount;
bool stopping;
byte busy;                       /* the number of active processes besides the Ms */

#define isUsing (p != NONE && holder[p] == m && state[p] == USER)
#define hasLost (holder[p] != m)
#define isOnly(i) (procsOf[i] == 1)

/* --- Sets: parts of a step ------------------------------------------------------------------------------------- */

#define has(set, g) (((set) >> (g)) & 1)

inline put(set, g) {
  assert(!has(set, g));
  set = set | (1 << g)
}

/* Takes any element, NONE if the set is empty: a compare-and-set of head, or under the lock. */
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

/* P.tryTake of one P after another; x is NONE if none is idle. */
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

/* Returns P x, which was taken for an M that could not be obtained. */
inline giveBack() {
  atomic { assert(state[x] == SCHED && !owned[x]); state[x] = IDLE; x = NONE }
}

/* Wakes one M to look for work, if there is an idle P for it and fewer than `enough` Ms spin. */
inline wakeP(enough) {
  do
  :: atomic { spinningCount < enough -> ok = false };
     hasIdleP();
     if
     :: ok -> atomic { ok = (idleMs != 0 || made < MS) } /* canObtainM */
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
        :: else -> /* a submitter that relied on our count has not woken any M */
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

/* Assigns P x to an idle M or to a new one; otherwise ok is false and the P is idle again. */
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
     atomic { /* M.assignP, Note.wakeup */
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
#ifndef BROKEN_PUT_WAKES_NO_M
  wakeP(1)
#endif
}

/* The number of waiting goroutines is some steps old when it is used: it may be one, or all. */
inline putFromOutside() {
  atomic {
    put(globalQueue, w); w = NONE;
    if
    :: enough = 1
    :: enough = GS
    fi
  };
#ifndef BROKEN_PUT_WAKES_NO_M
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

/* The P may have been taken meanwhile, or removed. */
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

/* --- M and P: for M m and the P p that it believes to own --------------------------------------------------------- */

/* P x was taken for this M. Part of a step. */
inline acquireP() {
  p = x; x = NONE;
  assert(state[p] == SCHED && !owned[p] && holder[p] == NONE);
  holder[p] = m;
  owned[p] = true
}

inline enter() {
  atomic {
#ifdef BROKEN_NO_EPOCH
    ok = (p != NONE && state[p] == USER); /* whichever M took it */
#else
    ok = isUsing;
#endif
    if
    :: ok -> assert(holder[p] == m && !owned[p]); owned[p] = true; state[p] = SCHED
    :: else
    fi
  }
}

/* Part of a step. */
inline leave() {
  assert(holder[p] == m && state[p] == SCHED && owned[p]);
  owned[p] = false;
  state[p] = USER
}

inline releaseP() {
  atomic {
    assert(holder[p] == m && state[p] == SCHED && owned[p]);
    owned[p] = false;
    holder[p] = NONE;
    state[p] = IDLE;
    p = NONE
  }
}

/* --- Schedule --------------------------------------------------------------------------------------------------- */

/* Returns to the scheduler, with the P or without it. */
inline reenter() {
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
           :: spinning -> stopSpinningAndWakeNext()
           :: else
           fi;
           break
        :: atomic { !hasLost && state[p] == USER } /* it was stopped */
        fi
     fi
  od;
  ok = false
}

inline stopSpinningAndWakeNext() {
  atomic { spinning = false; spinningCount-- };
#ifndef BROKEN_NO_M_PASSES_ON
  wakeP(1)
#endif
}

proctype M(byte m) {
  byte p = NONE, x = NONE, i, g = NONE, w = NONE, other = NONE;
  bool spinning, ok;

endAsleep: /* acceptAssignedP */
  atomic {
    nextP[m] != NONE ->
    x = nextP[m]; spinning = nextSpinning[m];
    nextP[m] = NONE; nextSpinning[m] = false;
    acquireP()
  }

step:
  if
  :: p == NONE ->
     takeIdleP();
     if
     :: x == NONE -> goto stopM
     :: else -> atomic { acquireP() }
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
     reenter();
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

  /* findElsewhere, unless enough Ms spin already */
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
          :: state[other] != IDLE /* isMoving: these are about to run there */
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
  releaseP();
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
     :: x != NONE -> atomic { acquireP() }; atomic { spinning = true; spinningCount++ }; goto step
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
  :: spinning -> stopSpinningAndWakeNext()
  :: else
  fi;
  atomic { leave() };

runOne:
  atomic { /* toRunning; then its own code: makes the next goroutine ready, if that is new */
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

  /* pickNextFast */
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
  reenter();
  goto step
}

/* --- Others ----------------------------------------------------------------------------------------------------- */

/* A thread outside makes goroutine w ready, unless a goroutine has done so. */
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

/* A P has become idle, and no M is about to look for work: wakes an M if there is work. */
inline recheckAfterIdle() {
  hasWork();
  if
  :: ok -> wakeP(1)
  :: else
  fi
}

/* Hands off P x. */
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
     :: !ok -> recheckAfterIdle() /* no M was available: sysmon is awake, and this is its next look */
     :: else
     fi
#endif
  :: else ->
     giveBack();
#ifndef BROKEN_HAND_OFF_NOT_AGAIN
     recheckAfterIdle()
#endif
  fi;
  ok = false
}

/* Sysmon: takes Ps by force from Ms in user code. */
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

/* Moves the goroutines of a removed P to the global queue. Part of a step: except for offers, only the stopper acts. */
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

/* procs(n): removes the last P, or adds it again. */
proctype Stopper() {
  byte x = NONE, i, n = STOPS, k, other = NONE;
  bool ok;
  bool isOwned[PS];
  do
  :: n > 0 ->
     atomic { n--; stopping = true };
     do
     :: atomic { k < procs ->
          if /* stopOne: waits until an M in the scheduler leaves it */
          :: state[k] == IDLE -> holder[k] = NONE; isOwned[k] = false
          :: state[k] == USER -> isOwned[k] = true
          fi;
          state[k] = STOPPED;
          k++
        }
     :: atomic { else -> k = 0; break }
     od;
     atomic { /* No M owns a P now. */
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
     recheckAfterIdle();
#endif
     ok = false
  :: else -> break
  od;
  busy--
}

/* Finally: no process can move any more. */
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
    /* The first goroutine is queued on a P that was just assigned to the first M. */
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
