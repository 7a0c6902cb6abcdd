/*
 * A model of io.heddle.internal.sched for Spin: who owns a P, the sleep dance, hand-off, and stopping the world.
 *
 * The steps are named like the methods they stand for. Every access to what Ms share is a step of its own, so all
 * interleavings of the accesses are tried; the order of memory accesses is taken to be sequential (the fences that make it
 * so are attacked by jcstress). Queues are sets: their order matters to no property here. A thief takes one, not half.
 *
 * The first HOGS goroutines compute for ever when they have made the next one ready: the others must run nevertheless.
 *
 * Left out: timers, the poller, the time an M may linger, goroutines locked to an M, calls marked as blocking (which are
 * hand-offs by their own M), the end of idle Ms. Sysmon retakes Ps, RETAKES times, from whatever runs; it does not look
 * for work that nobody does, as the real one does when it happens to be awake: nothing here may need that.
 *
 * Properties: an M in user code or in the scheduler never shares its P (asserts in own, enter, leave, toIdle); a goroutine
 * is never queued twice nor run twice (asserts in put, run); when nothing can move any more, every goroutine has run to its
 * end, nobody is counted as spinning, and the world is not stopped (finally).
 *
 * Each BROKEN_ flag leaves out one line of the code: Spin must then find an error.
 */
#ifndef PS
#define PS 2
#endif
#ifndef MS
#define MS 3
#endif
#ifndef GS
#define GS 3
#endif
#ifndef RETAKES
#define RETAKES 1
#endif
#ifndef STOPS
#define STOPS 1
#endif

#ifndef HOGS
#define HOGS 0
#endif

#define NONE 255
#define isUsing(m) (p[m] != NONE && claim[m] && state[p[m]] == USER)

mtype = { IDLE, SCHED, USER, STOPPED, DEAD };

/*
 * A P's word. An epoch that only grows would make the model infinite; all that anybody asks of it is whether it is the one
 * at which an M took its P. So each M has that answer, and a new epoch takes it away from all.
 */
mtype state[PS];
bool claim[MS];                  /* the epoch of its P is the one it was taken at */
byte procs = PS;                 /* how many there are: the first so many */
byte runNext[PS];
byte ring[PS];                   /* sets of goroutines */
byte globalQueue;

/* Goroutines: what is theirs to do is in the M that runs them. */
bool queued[GS];
bool started[GS];
byte ran[GS];

/* Ms. */
byte p[MS];                      /* the P it thinks it has */
bool spinning[MS];
bool inIdleList[MS];
bool made[MS];
bool noteSet[MS];
byte nextP[MS];
bool nextSpinning[MS];

byte spinningCount;
bool stopping;
byte owners[PS];                 /* ghost: how many Ms are between own or enter and leave, giveUp or loss */
byte stillActive;                /* processes beside the Ms */

/* Sets. */
#define has(set, g) (((set) >> (g)) & 1)

inline put(set, g) {
  assert(!has(set, g));
  set = set | (1 << g)
}

/* Takes any one from a set, as one step: a compare-and-set of head, or under the lock. */
inline takeAny(set, g) {
  atomic {
    g = NONE;
    if
    :: set == 0 -> skip
    :: set != 0 ->
       if
       :: has(set, 0) -> g = 0
       :: GS > 1 && has(set, 1) -> g = 1
       :: GS > 2 && has(set, 2) -> g = 2
       :: GS > 3 && has(set, 3) -> g = 3
       fi;
       set = set & ~(1 << g)
    fi
  }
}

/* --- Spinning ------------------------------------------------------------------------------------------------- */

/* Takes an idle P; x is NONE if there is none. Each word is looked at, and exchanged, as one step. */
inline takeIdleP(x, i) {
  d_step { x = NONE; i = 0 };
  do
  :: atomic { i < procs && x == NONE ->
       if
       :: state[i] == IDLE -> newEpoch(i); state[i] = SCHED; x = i
       :: else -> skip
       fi;
       i++
     }
  :: else -> break
  od;
  i = 0
}

/* As a part of a step. */
inline newEpoch(i) {
  at = 0;
  do
  :: at < MS -> claim[at] = claim[at] && p[at] != i; at++
  :: else -> break
  od;
  at = 0
}

/* Whether one is idle: the first that is. */
inline hasIdleP(found, i) {
  d_step { found = false; i = 0 };
  do
  :: d_step { i < procs && !found -> found = (state[i] == IDLE); i++ }
  :: else -> break
  od;
  i = 0
}

inline giveBack(x) {
  atomic { assert(state[x] == SCHED); state[x] = IDLE }
}

/* Wakes one M to look for work, if there is an idle P for it and nobody looks already. */
inline wakeP(x, i, mm, ok) {
  do
  :: spinningCount == 0 ->
     hasIdleP(ok, i);
     if
     :: !ok -> break
     :: else -> skip
     fi;
     canHave(ok, i);
     if
     :: !ok -> break
     :: else -> skip
     fi;
     atomic {
       ok = false;
       if
       :: spinningCount == 0 -> spinningCount = 1; ok = true
       :: else -> skip
       fi
     }
     if
     :: ok ->
        takeIdleP(x, i);
        ok = false;
        if
        :: x != NONE -> startM(x, true, mm, i, ok)
        :: else -> skip
        fi;
        if
        :: ok -> break
        :: else ->
           spinningCount--;
#ifdef BROKEN_WAKE_NOT_AGAIN
           break
#else
           skip
#endif
        fi
     :: else -> skip
     fi
  :: else -> break
  od;
  x = NONE; ok = false; mm = NONE
}

/* --- Threads -------------------------------------------------------------------------------------------------- */

inline canHave(ok, i) {
  atomic {
    ok = false; i = 0;
    do
    :: i < MS && !ok -> ok = (inIdleList[i] || !made[i]); i++
    :: else -> break
    od;
    i = 0
  }
}

/* Pops an idle M, or makes one, and gives it P x; else the P is idle again. */
inline startM(x, spin, mm, i, ok) {
  popIdleM(mm, i);
  ok = false;
  if
  :: mm != NONE -> ok = true
  :: else ->
     tryStart(mm, i);
     ok = (mm != NONE)
  fi;
  if
  :: ok ->
     atomic {
       assert(nextP[mm] == NONE);
       nextP[mm] = x; nextSpinning[mm] = spin;
       assert(!noteSet[mm]);
       noteSet[mm] = true
     }
  :: else -> giveBack(x)
  fi
}

inline popIdleM(mm, i) {
  atomic {
    mm = NONE; i = 0;
    do
    :: i < MS && mm == NONE ->
       if
       :: inIdleList[i] -> inIdleList[i] = false; mm = i
       :: else -> skip
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
}

inline tryStart(mm, i) {
  atomic {
    mm = NONE; i = 0;
    do
    :: i < MS && mm == NONE ->
       if
       :: !made[i] -> made[i] = true; mm = i
       :: else -> skip
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
}

/* --- FindRunnable --------------------------------------------------------------------------------------------- */

inline hasWork(found, i) {
  d_step { found = (globalQueue != 0); i = 0 };
  do
  :: d_step { i < procs && !found ->
     found = (runNext[i] != NONE || ring[i] != 0); i++ }
  :: else -> break
  od;
  i = 0
}

/* --- Ready ---------------------------------------------------------------------------------------------------- */

inline toRunnable(g) {
  atomic { assert(!queued[g]); queued[g] = true }
}

inline putGlobal(g, x, i, mm, ok) {
  atomic { put(globalQueue, g) }
#ifndef BROKEN_PUT_WAKES_NOBODY
  wakeP(x, i, mm, ok)
#endif
}

/* For a goroutine on M m: the other one is to run next on its P. By the way that does not enter, or by the other. */
inline putNext(m, g, x, i, mm, ok) {
  ok = (isUsing(m));
  if
  :: !ok -> putGlobal(g, x, i, mm, ok)
  :: else ->
     atomic {
       ok = false;
       if
       :: runNext[p[m]] == NONE -> runNext[p[m]] = g; ok = true
       :: else -> skip
       fi
     }
     if
     :: ok -> offered(m, g, x, i, mm, ok)
     :: else -> kickNext(m, g, x, i, mm, ok)
     fi
  fi
}

/* It may have been offered to a P that was taken away in between. */
inline offered(m, g, x, i, mm, ok) {
#ifndef BROKEN_OFFER_NOT_CHECKED
  ok = (isUsing(m));
  if
  :: !ok ->
     atomic {
       if
       :: runNext[p[m]] == g -> runNext[p[m]] = NONE; ok = true
       :: else -> skip
       fi
     }
     if
     :: ok -> putGlobal(g, x, i, mm, ok)
     :: else -> wakeP(x, i, mm, ok)
     fi
  :: else -> wakeP(x, i, mm, ok)
  fi
#else
  wakeP(x, i, mm, ok)
#endif
}

inline kickNext(m, g, x, i, mm, ok) {
  enter(m, ok);
  if
  :: ok ->
     atomic { x = runNext[p[m]]; runNext[p[m]] = g }
     if
     :: x != NONE -> atomic { put(ring[p[m]], x) }
     :: else -> skip
     fi;
     leave(m);
     wakeP(x, i, mm, ok)
  :: else -> putGlobal(g, x, i, mm, ok)
  fi
}

/* --- M and P -------------------------------------------------------------------------------------------------- */

/* M m makes a P that was taken for it its own. */
inline own(m, x) {
  atomic {
    p[m] = x;
    claim[m] = true;
    assert(state[x] == SCHED);
    owners[x]++;
    assert(owners[x] == 1)
  }
}

inline enter(m, ok) {
  atomic {
    ok = false;
    if
#ifdef BROKEN_NO_EPOCH
    :: p[m] != NONE && state[p[m]] == USER ->
#else
    :: isUsing(m) ->
#endif
       state[p[m]] = SCHED;
       owners[p[m]]++;
       assert(owners[p[m]] == 1);
       ok = true
    :: else -> skip
    fi
  }
}

inline leave(m) {
  atomic {
    assert(claim[m] && state[p[m]] == SCHED);
    owners[p[m]]--;
    state[p[m]] = USER
  }
}

/* --- Schedule ------------------------------------------------------------------------------------------------- */

/* Back in the scheduler with the P, or without it. */
inline comeBack(m, x, i, mm, ok) {
  do
  :: p[m] == NONE -> break
  :: else ->
     enter(m, ok);
     if
     :: ok -> break
     :: else ->
        if
        :: !claim[m] ->
           p[m] = NONE;
           if
           :: spinning[m] -> passOn(m, x, i, mm, ok)
           :: else -> skip
           fi;
           break
        :: else -> /* stopped, and not for long */
           (state[p[m]] != STOPPED || !claim[m])
        fi
     fi
  od;
  ok = false
}

inline passOn(m, x, i, mm, ok) {
  spinning[m] = false;
  spinningCount--;
#ifndef BROKEN_NOBODY_PASSES_ON
  wakeP(x, i, mm, ok)
#endif
}

proctype M(byte m) {
  byte x = NONE, i, mm = NONE, g = NONE, other, at;
  bool ok;

endAsleep:
  atomic {
    noteSet[m] ->
    noteSet[m] = false;
    spinning[m] = nextSpinning[m];
    nextSpinning[m] = false;
    x = nextP[m];
    own(m, x);
    nextP[m] = NONE; x = NONE
  }

step:
  skip;
  d_step { ok = false; mm = NONE; g = NONE };
  if
  :: p[m] == NONE ->
     takeIdleP(x, i);
     if
     :: x == NONE -> goto stopM
     :: else -> own(m, x); x = NONE
     fi
  :: else -> skip
  fi;
  if
  :: stopping -> /* standAside */
     leave(m);
     !stopping;
     comeBack(m, x, i, mm, ok);
     goto step
  :: else -> skip
  fi;

  /* find here */
  atomic { g = runNext[p[m]]; runNext[p[m]] = NONE }
  if
  :: g == NONE -> takeAny(ring[p[m]], g)
  :: else -> skip
  fi;
  if
  :: g == NONE -> takeAny(globalQueue, g)
  :: else -> skip
  fi;
  if
  :: g != NONE -> goto runIt
  :: else -> skip
  fi;

  /* find elsewhere, but for those that give up at once because enough look already */
  if
  :: !spinning[m] ->
     if
     :: spinningCount > 0 -> goto giveUp
     :: true -> spinning[m] = true; spinningCount++
     fi
  :: else -> skip
  fi;
  other = 0;
  do
  :: other < procs && g == NONE && !stopping ->
     if
     :: other != p[m] ->
        takeAny(ring[other], g);
        if
        :: g == NONE -> atomic { g = runNext[other]; runNext[other] = NONE }
        :: else -> skip
        fi
     :: else -> skip
     fi;
     other++
  :: else -> break
  od;
  other = 0;
  if
  :: g != NONE -> goto runIt
  :: else -> skip
  fi;

giveUp: /* the sleep dance */
  atomic {
    assert(claim[m] && state[p[m]] == SCHED);
    owners[p[m]]--;
    state[p[m]] = IDLE
  }
  p[m] = NONE;
  if
  :: spinning[m] -> spinning[m] = false; spinningCount--
  :: else -> skip
  fi;
#ifndef BROKEN_NO_LOOKS
  hasWork(ok, i);
  if
  :: ok ->
     takeIdleP(x, i);
     if
     :: x != NONE -> own(m, x); x = NONE; spinning[m] = true; spinningCount++; goto step
     :: else -> skip
     fi
  :: else -> skip
  fi;
#endif

stopM:
  inIdleList[m] = true;
#if !defined(BROKEN_NO_LOOK_FROM_THE_LIST) && !defined(BROKEN_NO_LOOKS)
  hasIdleP(ok, i);
  if
  :: ok ->
     hasWork(ok, i);
     if
     :: ok ->
        atomic {
          ok = false;
          if
          :: inIdleList[m] -> inIdleList[m] = false; ok = true
          :: else -> skip
          fi
        }
     :: else -> skip
     fi
  :: else -> skip
  fi;
  if
  :: ok -> goto step
  :: else -> skip
  fi;
#endif
  ok = false;
  goto endAsleep;

runIt:
  if
  :: spinning[m] -> passOn(m, x, i, mm, ok)
  :: else -> skip
  fi;
  leave(m);

ownCode: /* makes the next one ready, if that was not started yet; and ends */
  atomic {
    assert(queued[g]);
    queued[g] = false;
    ok = false;
    if
    :: g + 1 < GS && !started[g + 1] -> started[g + 1] = true; ok = true
    :: else -> skip
    fi
  }
  if
  :: ok -> other = g + 1; toRunnable(other); putNext(m, other, x, i, mm, ok); other = 0
  :: else -> skip
  fi;
  ran[g]++;
  assert(ran[g] == 1);
  if
  :: g < HOGS ->
endComputes:
     false
  :: else -> skip
  fi;
  g = NONE;

  /* takeOver: the next one of the P, without entering it, if it is this M's before and after */
  if
  :: isUsing(m) && !stopping ->
     atomic { g = runNext[p[m]]; runNext[p[m]] = NONE }
     if
     :: g == NONE -> takeAny(ring[p[m]], g)
     :: else -> skip
     fi;
     if
     :: g != NONE ->
        if
        :: isUsing(m) -> goto ownCode
        :: else -> putGlobal(g, x, i, mm, ok); g = NONE
        fi
     :: else -> skip
     fi
  :: else -> skip
  fi;
  comeBack(m, x, i, mm, ok);
  goto step
}

/* --- Others --------------------------------------------------------------------------------------------------- */

/* A thread outside makes the last goroutine ready, if no goroutine has. */
proctype Outside() {
  byte x = NONE, i, mm = NONE, at;
  bool ok;
  byte g = GS - 1;
  atomic {
    if
    :: !started[g] -> started[g] = true; ok = true
    :: else -> skip
    fi
  }
  if
  :: ok -> toRunnable(g); putGlobal(g, x, i, mm, ok)
  :: else -> skip
  fi;
  stillActive--
}

inline idled(x, i, mm, ok) {
  hasWork(ok, i);
  if
  :: ok -> wakeP(x, i, mm, ok)
  :: else -> skip
  fi
}

inline handOff(victim, x, i, mm, ok) {
  ok = (runNext[victim] != NONE || ring[victim] != 0);
  if
  :: !ok -> ok = (globalQueue != 0)
  :: else -> skip
  fi;
  if
  :: ok -> startM(victim, false, mm, i, ok)
  :: else ->
     giveBack(victim);
#ifndef BROKEN_HAND_OFF_NOT_AGAIN
     idled(x, i, mm, ok)
#endif
  fi;
  ok = false; mm = NONE
}

/* Takes Ps by force from Ms in user code. */
proctype Sysmon() {
  byte x = NONE, i, mm = NONE, n = RETAKES, victim, at;
  bool ok;
  do
  :: n > 0 ->
     n--;
     if
     :: victim = 0
     :: PS > 1 -> victim = 1
     fi;
     atomic { /* tryRetake */
       ok = false;
       if
       :: state[victim] == USER ->
          state[victim] = SCHED;
#ifndef BROKEN_NO_EPOCH
          newEpoch(victim);
#endif
          ok = true
       :: else -> skip
       fi
     }
     if
     :: ok -> handOff(victim, x, i, mm, ok)
     :: else -> skip
     fi
  :: else -> break
  od;
  stillActive--
}


/* What waits for a P that is removed goes to the global queue. */
inline remove(x) {
  atomic {
    if
    :: runNext[x] != NONE -> put(globalQueue, runNext[x]); runNext[x] = NONE
    :: else -> skip
    fi;
    assert((globalQueue & ring[x]) == 0);
    globalQueue = globalQueue | ring[x];
    ring[x] = 0;
    newEpoch(x);
    state[x] = DEAD
  }
}

/* procs(n): stops the world, takes the last P away or gives it back, and starts the world. */
proctype Stopper() {
  byte x = NONE, i, mm = NONE, n = STOPS, k, at;
  bool ok;
  bool owned[PS];
  do
  :: n > 0 ->
     n--;
     stopping = true;
     k = 0;
     do
     :: k < procs ->
        atomic {
          if /* stopOne: waits for an M in the scheduler to leave it */
          :: state[k] == IDLE -> newEpoch(k); state[k] = STOPPED; owned[k] = false
          :: state[k] == USER -> state[k] = STOPPED; owned[k] = true
          fi
        }
        k++
     :: else -> break
     od;
     if
     :: procs == PS && PS > 1 -> remove(PS - 1); procs = PS - 1
     :: procs < PS -> owned[PS - 1] = false; state[PS - 1] = STOPPED; procs = PS
     :: true -> skip
     fi;
     k = 0;
     do /* restart */
     :: k < procs ->
        if
        :: owned[k] -> state[k] = USER
        :: else -> state[k] = IDLE
        fi;
        owned[k] = false;
        k++
     :: else -> break
     od;
     k = 0;
     stopping = false;
#ifndef BROKEN_START_LOOKS_NOT
     idled(x, i, mm, ok)
#endif
  :: else -> break
  od;
  stillActive--
}

/* Nothing can move any more. */
active proctype Finally() {
  byte i;
  timeout;
  assert(stillActive == 0);
  assert(!stopping);
  assert(spinningCount == 0);
  assert(globalQueue == 0);
  i = 0;
  do
  :: i < PS -> assert(ring[i] == 0 && runNext[i] == NONE); assert(state[i] == IDLE || state[i] == DEAD || (HOGS > 0 && state[i] == USER)); i++
  :: else -> break
  od;
  i = 0;
  do
  :: i < GS -> assert(!started[i] || ran[i] == 1); i++
  :: else -> break
  od
}

init {
  byte i;
  atomic {
    i = 0;
    do
    :: i < PS -> state[i] = IDLE; runNext[i] = NONE; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < MS -> p[i] = NONE; nextP[i] = NONE; i++
    :: else -> break
    od;
    /* The first goroutine waits on P 0, which the first M has just been given. */
    started[0] = true; queued[0] = true; runNext[0] = 0;
    state[0] = SCHED;
    made[0] = true; nextP[0] = 0; noteSet[0] = true;
    i = 0;
    do
    :: i < MS -> run M(i); i++
    :: else -> break
    od;
    stillActive = 1;
    run Outside();
    if
    :: RETAKES > 0 -> stillActive++; run Sysmon()
    :: else -> skip
    fi;
    if
    :: STOPS > 0 -> stillActive++; run Stopper()
    :: else -> skip
    fi;
    i = 0
  }
}
