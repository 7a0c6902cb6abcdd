/*
 * A model for Spin of java.lang.HeddleMount, of LockSupport.unpark, Thread.interrupt and Thread.getStackTrace of a virtual
 * thread, and of the submission protocol of internal.sched.G: how a goroutine is mounted, parks, yields and is woken.
 *
 * Steps have the names of the methods that they model. Every access to state that threads share is a separate step.
 * Stores that the code writes with release wait in a store buffer of their M, in order, until the M executes a fence or
 * an atomic instruction, or until the buffer drains by itself, as on x86. All other stores are volatile.
 *
 * Goroutine 0, the waiter, waits in a loop until it has been woken WAKES times, by the short unpark of Parking or by
 * LockSupport.unpark. Goroutine 1, the neighbour, yields YIELDS times on the same Ms, and is never interrupted. INTERRUPTS
 * is how often another thread interrupts the waiter; LOOKS is how often another thread reads the waiter's stack.
 *
 * Left out: time limits, monitors, pinned threads, nested continuations; Ps, and how idle Ms are woken (scheduler.pml).
 *
 * Properties:
 *   a goroutine never runs on two Ms   assert in body
 *   an interrupt reaches the carrier of its goroutine, and no other goroutine
 *                                      asserts in body
 *   no lost wakeup                     Finally: both goroutines have ended
 *
 * Each BROKEN_ flag omits one line of the code: Spin must then find an error. See docs/internals/model.md.
 */
#ifndef MS
#define MS 2
#endif
#ifndef WAKES
#define WAKES 1
#endif
#ifndef YIELDS
#define YIELDS 1
#endif
#ifndef INTERRUPTS
#define INTERRUPTS 0
#endif
#ifndef LOOKS
#define LOOKS 0
#endif

#define NONE 3
#define WAITER 0
#define NEIGHBOUR 1

/* The JDK's states of a virtual thread. PARKING and YIELDING mean the same as RUNNING to all other threads. */
mtype = { UNMADE, STARTED, RUNNING, PARKED, UNPARKED, YIELDED, TERMINATED };
/* G.status. */
mtype = { RUNNABLE, TAKEN, DEAD };

mtype state[2];
bool suspended[2];               /* the JDK's SUSPENDED bit of the state */
bool permit[2];
bool interrupted[2];
byte carrier[2];
bool locked[2];                  /* interruptLock */
mtype status[2];
bool queued[2];                  /* a goroutine is on the one run queue, once */

bool interruptOf[MS];            /* the interrupt status of an M */
byte bufferedCarrier[MS];        /* the store buffer of an M: carrier[g] = NONE, then state[g] */
byte bufferedState[MS];
mtype newState[MS];

byte woken;                      /* how often the waiter was woken */
byte seen;                       /* how many of these wake-ups it has seen */
byte yields;
byte running[2];                 /* ghost variable: how many Ms run the goroutine */
bool wasInterrupted;             /* ghost variable: the waiter has handled an interrupt */
byte busy;                       /* the number of active threads besides the Ms */

#define isRunnable(g) (!suspended[g] && (state[g] == STARTED || state[g] == UNPARKED || state[g] == YIELDED))
#define isParked(g) (!suspended[g] && state[g] == PARKED)

/* --- Memory ----------------------------------------------------------------------------------------------------- */

/* Part of a step: a full fence, or an atomic instruction of M m. */
inline drain(m) {
  if
  :: bufferedCarrier[m] != NONE -> carrier[bufferedCarrier[m]] = NONE; bufferedCarrier[m] = NONE
  :: else
  fi;
  if
  :: bufferedState[m] != NONE -> state[bufferedState[m]] = newState[m]; bufferedState[m] = NONE
  :: else
  fi
}

/* The store buffer of M m drains by itself, the oldest store first. */
proctype Buffer(byte m) {
end:
  do
  :: atomic { bufferedCarrier[m] != NONE -> carrier[bufferedCarrier[m]] = NONE; bufferedCarrier[m] = NONE }
  :: atomic { bufferedCarrier[m] == NONE && bufferedState[m] != NONE ->
       state[bufferedState[m]] = newState[m]; bufferedState[m] = NONE }
  od
}

/* --- G ---------------------------------------------------------------------------------------------------------- */

/* G.execute and Sched.ready: toRunnable, and the queue. */
inline ready(g) {
  atomic {
    if
    :: status[g] == TAKEN -> status[g] = RUNNABLE; assert(!queued[g]); queued[g] = true
    :: else
    fi
  }
}

/* G.afterRun, by M m. */
inline afterRun(m, g) {
  if
  :: atomic { status[g] != TAKEN || isParked(g) -> skip }
  :: atomic { else -> skip };
#ifndef BROKEN_NO_LOOK_AFTER_RUN
     if
     :: atomic { isRunnable(g) -> skip };
        ready(g)
     :: atomic { else ->
          if
          :: state[g] == TERMINATED && status[g] == TAKEN -> status[g] = DEAD
          :: else
          fi
        }
     fi
#else
     atomic {
       if
       :: state[g] == TERMINATED && status[g] == TAKEN -> status[g] = DEAD
       :: else
       fi
     }
#endif
  fi
}

/* --- HeddleMount ------------------------------------------------------------------------------------------------ */

/* toRunning: ok tells whether M m has claimed the run. */
inline toRunning(m, g) {
  ok = false;
#ifdef BROKEN_CLAIM_WITHOUT_CAS
  if
  :: atomic { isRunnable(g) -> before = state[g]; ok = true }
  :: atomic { else -> skip }
  fi;
  if
  :: ok -> atomic { drain(m); state[g] = RUNNING }
  :: else
  fi;
#else
  if /* The read before the compare-and-set is part of its step: a failed one is the same as a later read. */
  :: atomic { isRunnable(g) -> drain(m); before = state[g]; state[g] = RUNNING; ok = true }
  :: atomic { else -> skip }
  fi;
#endif
  if
  :: ok && before == UNPARKED ->
     atomic {
       if
       :: permit[g] -> permit[g] = false
       :: else
       fi
     }
  :: else
  fi
}

inline mount(m, g) {
  atomic { drain(m); carrier[g] = m };
  if
  :: atomic { !interrupted[g] && !interruptOf[m] -> skip }
  :: atomic { (interrupted[g] || interruptOf[m]) && !locked[g] -> locked[g] = true };  /* passInterruptOn */
     atomic { interruptOf[m] = interrupted[g]; locked[g] = false }
  fi
}

/* The M releases its goroutine, which is in `next` then. */
inline unmount(m, g, next) {
  atomic { bufferedCarrier[m] = g; bufferedState[m] = g; newState[m] = next };
  /* leaveCarrier */
#ifndef BROKEN_NO_FENCE
  atomic { drain(m) };
#endif
#ifndef BROKEN_LOCK_IGNORED
  if
  :: atomic { !locked[g] -> skip }     /* looks, or waits for the holder */
  fi;
#endif
  interruptOf[m] = false;
  /* The read of the permit is a step, and so is the compare-and-set. */
  if
  :: next == PARKED ->
#ifndef BROKEN_PERMIT_IGNORED
     if
     :: atomic { permit[g] -> skip };
        atomic {
          drain(m);
          if
          :: isParked(g) -> state[g] = UNPARKED
          :: else
          fi
        }
     :: atomic { !permit[g] -> skip }
     fi
#else
     skip
#endif
  :: else
  fi;
#ifdef BROKEN_NO_FENCE
  atomic { drain(m) }      /* an M always sees its own stores */
#endif
}

/* --- What the goroutines do, on M m. `leave` tells how the run ends. --------------------------------------------- */

/* What must hold while g runs on m. A holder of the lock may be about to pass an interrupt on. */
inline check(m, g) {
  atomic {
    assert(running[g] == 1);
    assert(g != NEIGHBOUR || !interruptOf[m]);
    assert(locked[g] || interruptOf[m] == interrupted[g])
  }
}

/* The waiter: while (seen < WAKES) { handle interrupts; if nothing is new, park }. */
inline waiter(m) {
  leave = UNMADE;
  do
  :: leave != UNMADE -> break
  :: else ->
     check(m, WAITER);
     if
     :: atomic { seen < woken -> seen = woken };
        if
        :: seen == WAKES -> leave = TERMINATED
        :: else
        fi
     :: atomic { seen == woken && (permit[WAITER] || interrupted[WAITER]) -> skip };
        /* LockSupport.park returns at once: it takes the permit, or leaves the interrupt. */
        permit[WAITER] = false;
        if
        :: atomic { interrupted[WAITER] && !locked[WAITER] -> locked[WAITER] = true }; /* getAndClearInterrupt */
           atomic { interrupted[WAITER] = false; interruptOf[carrier[WAITER]] = false; wasInterrupted = true;
                    locked[WAITER] = false }
        :: atomic { !interrupted[WAITER] -> skip }
        fi
     :: atomic { seen == woken && !permit[WAITER] && !interrupted[WAITER] -> leave = PARKED }
     fi
  od
}

inline neighbour(m) {
  check(m, NEIGHBOUR);
  if
  :: yields < YIELDS -> yields++; leave = YIELDED
  :: else -> leave = TERMINATED
  fi
}

proctype M(byte m) {
  byte g;
  bool ok;
  mtype before, leave;
end:
  do
  :: atomic { queued[WAITER] || queued[NEIGHBOUR] ->
       drain(m);
       if
       :: queued[WAITER] -> g = WAITER
       :: queued[NEIGHBOUR] -> g = NEIGHBOUR
       fi;
       queued[g] = false;
       status[g] = TAKEN
     };
     toRunning(m, g);
     if
     :: ok ->
        mount(m, g);
        running[g]++;
        if
        :: g == WAITER -> waiter(m)
        :: else -> neighbour(m)
        fi;
        running[g]--;
        unmount(m, g, leave)
     :: else
     fi;
     afterRun(m, g)
  od
}

/* --- Other threads ---------------------------------------------------------------------------------------------- */

/* LockSupport.unpark */
inline unpark(g) {
  if
  :: atomic { permit[g] -> skip }
  :: atomic { !permit[g] -> permit[g] = true };
     if
     :: atomic { isParked(g) -> state[g] = UNPARKED };
        ready(g)
     :: atomic { !isParked(g) -> skip }
     fi
  fi
}

/* Parking.unpark: the compare-and-set alone, if the goroutine is parked. */
inline wake(g) {
  if
  :: atomic { isParked(g) -> state[g] = UNPARKED };
     ready(g)
  :: atomic { !isParked(g) -> skip };
     unpark(g)
  fi
}

proctype Waker() {
  byte n = WAKES;
  do
  :: n > 0 ->
     atomic { n--; woken++ };
     wake(WAITER)
  :: else -> break
  od;
  busy--
}

proctype Interrupter() {
  byte n = INTERRUPTS, c;
  do
  :: n > 0 ->
     atomic { !locked[WAITER] -> locked[WAITER] = true; n-- };
     interrupted[WAITER] = true;
     c = carrier[WAITER];
     if
     :: c != NONE -> interruptOf[c] = true
     :: else
     fi;
     locked[WAITER] = false;
     unpark(WAITER)
  :: else -> break
  od;
  busy--
}

/* VirtualThread.tryGetStackTrace, of JDK 25 and 26. */
proctype Looker() {
  byte n = LOOKS;
  mtype was;
  do
  :: n > 0 ->
     n--;
     if
     :: atomic { state[WAITER] == PARKED || state[WAITER] == UNPARKED ->
          was = state[WAITER]; suspended[WAITER] = true };
        suspended[WAITER] = false;     /* writes the state that it was in */
        if
        :: was == UNPARKED -> ready(WAITER)
        :: else ->
#ifndef BROKEN_LOOKER_FORGETS
           if
           :: atomic { permit[WAITER] && isParked(WAITER) -> state[WAITER] = UNPARKED };
              ready(WAITER)
           :: atomic { !(permit[WAITER] && isParked(WAITER)) -> skip }
           fi
#else
           skip
#endif
        fi
     :: atomic { !(state[WAITER] == PARKED || state[WAITER] == UNPARKED) -> skip }
     fi
  :: else -> break
  od;
  busy--
}

/* Finally: no process can move any more. */
active proctype Finally() {
  timeout;
  assert(busy == 0);
  assert(!locked[WAITER] && !locked[NEIGHBOUR]);
  assert(!queued[WAITER] && !queued[NEIGHBOUR]);
  assert(seen == WAKES && state[WAITER] == TERMINATED && status[WAITER] == DEAD);
  assert(yields == YIELDS && state[NEIGHBOUR] == TERMINATED && status[NEIGHBOUR] == DEAD)
}

init {
  byte i;
  atomic {
    do
    :: i < 2 -> state[i] = STARTED; status[i] = RUNNABLE; queued[i] = true; carrier[i] = NONE; i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < MS -> bufferedCarrier[i] = NONE; bufferedState[i] = NONE; run M(i); run Buffer(i); i++
    :: else -> break
    od;
    busy++; run Waker();
    if
    :: INTERRUPTS > 0 -> busy++; run Interrupter()
    :: else
    fi;
    if
    :: LOOKS > 0 -> busy++; run Looker()
    :: else
    fi
  }
}
