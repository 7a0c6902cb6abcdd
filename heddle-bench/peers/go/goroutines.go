package main

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func spawn(n int) int64 {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go wg.Done()
	}
	wg.Wait()
	return int64(n)
}

func gosched(n int) int64 {
	var wg sync.WaitGroup
	var count atomic.Int64
	for g := 0; g < 2; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < n/2; i++ {
				runtime.Gosched()
			}
			count.Add(int64(n / 2))
		}()
	}
	wg.Wait()
	return count.Load()
}

// parked measures the memory of n goroutines that are blocked on a channel.
func parked(n int) (int64, figures) {
	gate := make(chan int)
	var started, ended sync.WaitGroup
	var woken atomic.Int64
	started.Add(n)
	ended.Add(n)
	liveBefore, rssBefore := live(), resident()
	for i := 0; i < n; i++ {
		go func() {
			started.Done()
			<-gate
			woken.Add(1)
			ended.Done()
		}()
	}
	started.Wait()
	time.Sleep(100 * time.Millisecond) // until the last goroutines also block on the channel
	liveAfter, rssAfter := live(), resident()
	close(gate)
	ended.Wait()
	return woken.Load(), figures{"heap": liveAfter - liveBefore, "rss": rssAfter - rssBefore}
}

func live() float64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse)
}

func resident() float64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		fail(err.Error())
	}
	pages, err := strconv.Atoi(string(bytes.Fields(statm)[1]))
	if err != nil {
		fail(err.Error())
	}
	return float64(pages * os.Getpagesize())
}

// sum is the article's: 10 000 000 numbers, as many goroutines as procs.
func sum(n int) (int64, figures) {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i & 1023)
	}
	start := time.Now()
	one := add(numbers)
	middle := time.Now()
	many := addConcurrent(procs, numbers)
	end := time.Now()
	if one != many {
		return -1, figures{}
	}
	return many, figures{"one": float64(middle.Sub(start)), "nanos": float64(end.Sub(middle))}
}

func add(numbers []int32) int64 {
	var v int64
	for _, n := range numbers {
		v += int64(n)
	}
	return v
}

func addConcurrent(goroutines int, numbers []int32) int64 {
	var v atomic.Int64
	var wg sync.WaitGroup
	stride := len(numbers) / goroutines
	for g := 0; g < goroutines; g++ {
		end := (g + 1) * stride
		if g == goroutines-1 {
			end = len(numbers)
		}
		wg.Add(1)
		go func(part []int32) {
			defer wg.Done()
			v.Add(add(part))
		}(numbers[g*stride : end])
	}
	wg.Wait()
	return v.Load()
}

const (
	finders     = 8
	description = "the scheduler hands its thread to another while this one reads a test document"
)

// find is the article's: each document takes 1 ms to read.
func find(n int) (int64, figures) {
	start := time.Now()
	few := findIn(1, n/10)
	middle := time.Now()
	found := findIn(finders, n)
	end := time.Now()
	return found + few - int64(n/10), figures{"one": 10 * float64(middle.Sub(start)), "nanos": float64(end.Sub(middle))}
}

func findIn(goroutines, n int) int64 {
	docs := make(chan string, n)
	for i := 0; i < n; i++ {
		docs <- description
	}
	close(docs)
	var found atomic.Int64
	var wg sync.WaitGroup
	for g := 0; g < goroutines; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mine int64
			for doc := range docs {
				if strings.Contains(read(doc), "test") {
					mine++
				}
			}
			found.Add(mine)
		}()
	}
	wg.Wait()
	return found.Load()
}

func read(doc string) string {
	time.Sleep(time.Millisecond) // Simulate blocking disk read.
	return doc
}

// pinned measures the throughput of a producer and a consumer beside goroutines in blocking system calls.
func pinned(n int) (int64, figures) {
	window := time.Duration(n) * time.Millisecond
	free := itemsIn(window)
	headStart := 20 * time.Millisecond
	var wg sync.WaitGroup
	for p := 0; p < procs; p++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			nap := syscall.NsecToTimespec(int64(window + headStart))
			for syscall.Nanosleep(&nap, &nap) == syscall.EINTR {
			}
		}()
	}
	time.Sleep(headStart)
	blocked := itemsIn(window)
	wg.Wait()
	return 0, figures{"free": free, "blocked": blocked, "kept": 100 * blocked / free}
}

// itemsIn counts the items that pass through an unbuffered channel within the window.
func itemsIn(window time.Duration) float64 {
	items := make(chan int)
	end := time.Now().Add(window)
	go func() {
		for i := 0; ; i++ {
			if i&63 == 0 && time.Now().After(end) {
				break
			}
			items <- i & 127
		}
		close(items)
	}()
	count := 0
	start := time.Now()
	for range items {
		count++
	}
	return float64(count) / time.Since(start).Seconds()
}
