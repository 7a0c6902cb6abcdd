package main

import (
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

const (
	patience   = 500 * time.Millisecond // a client gives up after this time
	chunk      = 10_000
	perSecond  = 500.0
	smallMicro = 100
	largeMicro = 2000

	capacityTime = 3 * time.Second // how long the capacity is measured
)

var sink atomic.Uint64

func spin(iterations int) {
	x := uint64(iterations)
	for i := 0; i < iterations; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink.Store(x)
}

// perMicro returns how many iterations take a microsecond on an idle CPU.
func perMicro() float64 {
	count := 0
	start := time.Now()
	for time.Since(start) < 300*time.Millisecond {
		spin(chunk)
		count += chunk
	}
	return float64(count) * 1e3 / float64(time.Since(start))
}

// offer starts requests at a fixed rate, whatever the scheduler does, and waits for all of them. A
// request's time counts from the moment at which it was due.
func offer(rate float64, millis, iterations int) (p99 float64, good int) {
	n := int(rate * float64(millis) / 1000)
	nanos := make([]float64, n)
	var all sync.WaitGroup
	all.Add(n)
	start := time.Now()
	for i := 0; i < n; i++ {
		due := start.Add(time.Duration(float64(i) * 1e9 / rate))
		time.Sleep(time.Until(due))
		go func() {
			spin(iterations)
			nanos[i] = float64(time.Since(due))
			all.Done()
		}()
	}
	all.Wait()
	sort.Float64s(nanos)
	for _, each := range nanos {
		if each < float64(patience) {
			good++
		}
	}
	return nanos[n*99/100], good
}

// beside runs batch work on every P beside work, and returns its chunks per second.
func beside(work func()) float64 {
	var over atomic.Bool
	var chunks atomic.Int64
	var all sync.WaitGroup
	for p := 0; p < procs; p++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for !over.Load() {
				spin(chunk)
				chunks.Add(1)
			}
		}()
	}
	start, before := time.Now(), chunks.Load()
	work()
	rate := float64(chunks.Load()-before) * 1e9 / float64(time.Since(start))
	over.Store(true)
	all.Wait()
	return rate
}

func background(millis int) (int64, figures) {
	iterations := int(smallMicro * perMicro())
	idle := beside(func() { time.Sleep(time.Duration(millis) * time.Millisecond) })
	alone, _ := offer(perSecond, millis, iterations)
	var p99 float64
	kept := beside(func() { p99, _ = offer(perSecond, millis, iterations) })
	return 0, figures{"alone": alone, "p99": p99, "plain": p99, "kept": 100 * kept / idle}
}

func overload(millis int) (int64, figures) {
	iterations := int(largeMicro * perMicro())
	end := time.Now().Add(capacityTime)
	var answers atomic.Int64
	var users sync.WaitGroup
	for u := 0; u < 2*procs; u++ {
		users.Add(1)
		go func() {
			defer users.Done()
			for time.Now().Before(end) {
				spin(iterations)
				answers.Add(1)
			}
		}()
	}
	users.Wait()
	capacity := float64(answers.Load()) / capacityTime.Seconds()
	start := time.Now()
	p99, good := offer(2*capacity, millis, iterations)
	late := float64(time.Since(start)) - float64(millis)*1e6
	share := 100 * float64(good) * 1000 / float64(millis) / capacity
	return 0, figures{"capacity": capacity, "good": share, "plaingood": share, "p99": p99, "recovery": max(0, late)}
}
