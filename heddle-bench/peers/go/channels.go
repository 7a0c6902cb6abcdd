package main

import (
	"sync"
	"sync/atomic"
)

const (
	capacity   = 128
	workers    = 4
	lockers    = 8
	fanOut     = 10
	ringSize   = 1000
	pairRounds = 4
)

func pingPong(n int) int64 {
	ping, pong := make(chan int), make(chan int)
	go answer(ping, pong, n)
	return ask(ping, pong, n)
}

func answer(ping <-chan int, pong chan<- int, n int) {
	for i := 0; i < n; i++ {
		pong <- <-ping
	}
}

func ask(ping chan<- int, pong <-chan int, n int) int64 {
	var sum int64
	for i := 0; i < n; i++ {
		ping <- i & 127
		sum += int64(<-pong)
	}
	return sum
}

// pairs are n/2 ping-pongs at the same time.
func pairs(n int) int64 {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for i := 0; i < n/2; i++ {
		ping, pong := make(chan int), make(chan int)
		wg.Add(1)
		go answer(ping, pong, pairRounds)
		go func() {
			defer wg.Done()
			sum.Add(ask(ping, pong, pairRounds))
		}()
	}
	wg.Wait()
	return sum.Load()
}

// ring passes a token n times round.
func ring(n int) int64 {
	first := make(chan int)
	last := first
	for i := 1; i < ringSize; i++ {
		next := make(chan int)
		go func(from <-chan int, to chan<- int) {
			for r := 0; r < n; r++ {
				to <- (<-from + 1) & 127
			}
		}(last, next)
		last = next
	}
	token := 0
	for r := 0; r < n; r++ {
		first <- token
		token = (<-last + 1) & 127
	}
	return int64(token)
}

func skynet(n int) int64 {
	result := make(chan int64)
	go node(result, 0, n)
	return <-result
}

func node(to chan<- int64, first int64, leaves int) {
	if leaves == 1 {
		to <- first
		return
	}
	sums := make(chan int64)
	each := leaves / fanOut
	for i := 0; i < fanOut; i++ {
		go node(sums, first+int64(i*each), each)
	}
	var sum int64
	for i := 0; i < fanOut; i++ {
		sum += <-sums
	}
	to <- sum
}

func produce(items chan<- int, n int) {
	for i := 0; i < n; i++ {
		items <- i & 127
	}
}

func consume(items <-chan int) int64 {
	var sum int64
	for item := range items {
		sum += int64(item)
	}
	return sum
}

func buffered(n int) int64 {
	items := make(chan int, capacity)
	go func() {
		produce(items, n)
		close(items)
	}()
	return consume(items)
}

func mpmc(n int) int64 {
	items := make(chan int, capacity)
	sums := make(chan int64)
	var producers sync.WaitGroup
	for w := 0; w < workers; w++ {
		producers.Add(1)
		go func() {
			defer producers.Done()
			produce(items, n/workers)
		}()
		go func() { sums <- consume(items) }()
	}
	producers.Wait()
	close(items)
	var sum int64
	for w := 0; w < workers; w++ {
		sum += <-sums
	}
	return sum
}

func selectFour(n int) int64 {
	feed := func() <-chan int {
		c := make(chan int)
		go produce(c, n/workers)
		return c
	}
	a, b, c, d := feed(), feed(), feed(), feed()
	var sum int64
	for i := 0; i < n; i++ {
		select {
		case v := <-a:
			sum += int64(v)
		case v := <-b:
			sum += int64(v)
		case v := <-c:
			sum += int64(v)
		case v := <-d:
			sum += int64(v)
		}
	}
	return sum
}

func mutex(n int) int64 {
	var mu sync.Mutex
	var count int64
	var wg sync.WaitGroup
	for l := 0; l < lockers; l++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n/lockers; i++ {
				mu.Lock()
				count++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return count
}
