package main

import (
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// delay is the delay of the i-th sleeper, at most a second; equal in all twins.
func delay(i int) time.Duration {
	return time.Duration(uint32(i)*2654435761%1_000_001) * time.Microsecond
}

func timers(n int) (int64, figures) {
	var woken atomic.Int64
	var wg sync.WaitGroup
	cpu, start := cpuNanos(), time.Now()
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func(d time.Duration) {
			time.Sleep(d)
			woken.Add(1)
			wg.Done()
		}(delay(i))
	}
	wg.Wait()
	return woken.Load(), figures{"nanos": float64(time.Since(start)), "cpu": cpuNanos() - cpu}
}

func cpuNanos() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err.Error())
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

func stopTimers(n int) int64 {
	var stopped atomic.Int64
	var wg sync.WaitGroup
	for g := 0; g < 2; g++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var mine int64
			for i := 0; i < n/2; i++ {
				if time.NewTimer(time.Hour).Stop() {
					mine++
				}
			}
			stopped.Add(mine)
		}()
	}
	wg.Wait()
	return stopped.Load()
}

// hogs measures the gaps between the ticks of a 1 ms ticker beside 2*procs endless loops, for n ms.
func hogs(n int) (int64, figures) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	for h := 0; h < 2*procs; h++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !stop.Load() {
			}
		}()
	}
	gaps := make([]float64, 0, 2*n)
	end := time.Now().Add(time.Duration(n) * time.Millisecond)
	ticker := time.NewTicker(time.Millisecond)
	for last := time.Now(); last.Before(end); {
		<-ticker.C
		now := time.Now()
		gaps = append(gaps, float64(now.Sub(last)))
		last = now
	}
	ticker.Stop()
	stop.Store(true)
	wg.Wait()
	sort.Float64s(gaps)
	return 0, figures{"ticks": float64(len(gaps)), "p50": gaps[len(gaps)/2], "p99": gaps[len(gaps)*99/100], "max": gaps[len(gaps)-1]}
}
