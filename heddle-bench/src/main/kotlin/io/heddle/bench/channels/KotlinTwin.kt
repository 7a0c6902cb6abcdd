package io.heddle.bench.channels

import io.heddle.bench.channels.Twin.CAPACITY
import io.heddle.bench.channels.Twin.FAN_OUT
import io.heddle.bench.channels.Twin.LOCKERS
import io.heddle.bench.channels.Twin.WORKERS
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Kotlin's twin: coroutines and their channels on [Dispatchers.Default]. */
class KotlinTwin : Twin {
  override fun pingPong(n: Int): Long = run {
    val ping = Channel<Int>()
    val pong = Channel<Int>()
    launch {
      repeat(n) { pong.send(ping.receive()) }
    }
    var sum = 0L
    repeat(n) {
      ping.send(it and 127)
      sum += pong.receive()
    }
    sum
  }

  override fun buffered(n: Int): Long = run {
    val items = Channel<Int>(CAPACITY)
    launch {
      produce(items, n)
      items.close()
    }
    sum(items)
  }

  override fun mpmc(n: Int): Long = run {
    val items = Channel<Int>(CAPACITY)
    val sums = List(WORKERS) { async { sum(items) } }
    coroutineScope {
      repeat(WORKERS) {
        launch { produce(items, n / WORKERS) }
      }
    }
    items.close()
    sums.awaitAll().sum()
  }

  override fun select(n: Int): Long = run {
    val feeds = List(WORKERS) { Channel<Int>() }
    for (feed in feeds) {
      launch { produce(feed, n / WORKERS) }
    }
    var sum = 0L
    repeat(n) {
      sum += select<Int> {
        for (feed in feeds) {
          feed.onReceive { it }
        }
      }
    }
    sum
  }

  override fun mutex(n: Int): Long = run {
    val mutex = Mutex()
    var count = 0L
    coroutineScope {
      repeat(LOCKERS) {
        launch {
          repeat(n / LOCKERS) {
            mutex.withLock { count++ }
          }
        }
      }
    }
    count
  }

  override fun skynet(leaves: Int): Long = run {
    val result = Channel<Long>()
    launch { skynet(result, 0, leaves) }
    result.receive()
  }

  override fun close() {}

  private fun run(work: suspend CoroutineScope.() -> Long): Long =
    runBlocking(Dispatchers.Default, work)

  private suspend fun produce(items: SendChannel<Int>, n: Int) {
    repeat(n) { items.send(it and 127) }
  }

  private suspend fun sum(items: ReceiveChannel<Int>): Long {
    var sum = 0L
    for (item in items) {
      sum += item
    }
    return sum
  }

  private suspend fun skynet(to: SendChannel<Long>, first: Long, leaves: Int) {
    if (leaves == 1) {
      to.send(first)
      return
    }
    val sums = Channel<Long>()
    val each = leaves / FAN_OUT
    coroutineScope {
      repeat(FAN_OUT) {
        launch { skynet(sums, first + it.toLong() * each, each) }
      }
      var sum = 0L
      repeat(FAN_OUT) { sum += sums.receive() }
      to.send(sum)
    }
  }
}
