package io.heddle.bench.rows

import java.net.ServerSocket
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.microseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** Kotlin's rows: coroutines and their channels on [Dispatchers.Default]. Coroutines have no sockets. */
class KotlinRows : Rows {
  /** The scope of coroutines that continue after the call that started them has returned. */
  private val background = CoroutineScope(Dispatchers.Default + SupervisorJob())

  override fun spawn(n: Int): Long = run {
    coroutineScope {
      repeat(n) { launch {} }
    }
    n.toLong()
  }

  override fun ring(rounds: Int): Long = run {
    val first = Channel<Int>()
    var last = first
    repeat(Rows.RING - 1) {
      val from = last
      val to = Channel<Int>()
      launch {
        repeat(rounds) { to.send((from.receive() + 1) and 127) }
      }
      last = to
    }
    var token = 0
    repeat(rounds) {
      first.send(token)
      token = (last.receive() + 1) and 127
    }
    token.toLong()
  }

  override fun pairs(n: Int): Long = run {
    val sum = AtomicLong()
    coroutineScope {
      repeat(n / 2) {
        val ping = Channel<Int>()
        val pong = Channel<Int>()
        launch {
          repeat(Rows.PAIR_ROUNDS) { pong.send(ping.receive()) }
        }
        launch {
          var mine = 0L
          repeat(Rows.PAIR_ROUNDS) {
            ping.send(it)
            mine += pong.receive()
          }
          sum.addAndGet(mine)
        }
      }
    }
    sum.get()
  }

  override fun gosched(n: Int): Long = run {
    List(2) {
      async {
        repeat(n / 2) { yield() }
        (n / 2).toLong()
      }
    }.awaitAll().sum()
  }

  override fun timers(n: Int): Long = run {
    val woken = AtomicLong()
    coroutineScope {
      repeat(n) {
        launch {
          delay(SleepDelays.micros(it).microseconds)
          woken.incrementAndGet()
        }
      }
    }
    woken.get()
  }

  /** A timer is a waiting coroutine; cancelling it stops the timer. */
  override fun stopTimers(n: Int): Long = run {
    List(2) {
      async {
        var stopped = 0L
        repeat(n / 2) {
          val timer = launch { delay(1.hours) }
          timer.cancel()
          if (timer.isCancelled) stopped++
        }
        stopped
      }
    }.awaitAll().sum()
  }

  override fun park(n: Int): Rows.Parked {
    val gate = Channel<Int>()
    val woken = AtomicLong()
    val started = CountDownLatch(n)
    val all = background.launch {
      repeat(n) {
        launch {
          started.countDown()
          if (gate.receiveCatching().isClosed) woken.incrementAndGet()
        }
      }
    }
    started.await()
    return Rows.Parked {
      gate.close()
      runBlocking { all.join() }
      woken.get()
    }
  }

  override fun add(numbers: IntArray, tasks: Int): Long = run {
    List(tasks) {
      async { ArraySlice.of(numbers, it, tasks).sum() }
    }.awaitAll().sum()
  }

  override fun find(n: Int, tasks: Int): Long = run {
    val documents = Channel<String>(n)
    repeat(n) { documents.send(Documents.DOCUMENT) }
    documents.close()
    List(tasks) {
      async {
        var found = 0L
        for (document in documents) {
          delay(Documents.READ_MILLIS)
          if (Documents.TOPIC in document) found++
        }
        found
      }
    }.awaitAll().sum()
  }

  override fun hogs(loops: Int, millis: Int, gaps: TickGaps) {
    val hogs = List(loops) {
      background.launch {
        @Suppress("ControlFlowWithEmptyBody")
        while (!gaps.isOver) {}
      }
    }
    gaps.start()
    val ticker = background.launch {
      do {
        delay(1)
      } while (gaps.tick())
    }
    Thread.sleep(millis.toLong())
    gaps.end()
    runBlocking { (hogs + ticker).joinAll() }
  }

  override fun block(tasks: Int, millis: Int): Rows.Blocked {
    val blocked = List(tasks) {
      background.launch { NativeSleep.nap(millis) }
    }
    return Rows.Blocked { runBlocking { blocked.joinAll() } }
  }

  override fun itemsPerSecond(millis: Int): Double {
    val rate = ItemRate(millis)
    run {
      val items = Channel<Int>()
      launch {
        var i = 0
        while (rate.goesOn(i)) {
          items.send(i++ and 127)
        }
        items.close()
      }
      for (item in items) {
        rate.add()
      }
      0L
    }
    return rate.perSecond()
  }

  override fun echo(server: ServerSocket, bytes: Int) =
    throw UnsupportedOperationException("Kotlin's coroutines have no sockets")

  override fun sleepers(n: Int) {
    val started = CountDownLatch(n)
    repeat(n) {
      background.launch {
        started.countDown()
        delay(1.hours)
      }
    }
    started.await()
  }

  private fun run(work: suspend CoroutineScope.() -> Long): Long =
    runBlocking(Dispatchers.Default, work)
}
