// The Go twin of each row: see docs/guide/benchmarks.md for the rows, and Job in io.heddle.bench.suite for the protocol.
//
//	twin procs warmMillis measureMillis row=size...
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

// figures are the measurements of one run of a row; check is its result.
type figures map[string]float64

type row func(n int) (check int64, f figures)

var procs int

var rows = map[string]row{
	"spawn":       timed(spawn),
	"ping-pong":   timed(pingPong),
	"ring":        timed(ring),
	"skynet":      timed(skynet),
	"buffered":    timed(buffered),
	"mpmc":        timed(mpmc),
	"select":      timed(selectFour),
	"gosched":     timed(gosched),
	"mutex":       timed(mutex),
	"stop-timers": timed(stopTimers),
	"pairs":       timed(pairs),
	"timers":      timers,
	"parked":      parked,
	"sum":         sum,
	"find":        find,
	"hogs":        hogs,
	"pinned":      pinned,
	"background":  background,
	"overload":    overload,
}

// services run until standard input ends.
var services = map[string]func(n int) (port int){
	"echo": echo,
	"http": httpServer,
	"idle": idle,
}

func timed(work func(n int) int64) row {
	return func(n int) (int64, figures) {
		start := time.Now()
		check := work(n)
		return check, figures{"nanos": float64(time.Since(start))}
	}
}

func main() {
	procs = number(os.Args[1])
	warm, measure := millis(os.Args[2]), millis(os.Args[3])
	runtime.GOMAXPROCS(procs)
	for _, job := range os.Args[4:] {
		name, size, _ := strings.Cut(job, "=")
		if service, ok := services[name]; ok {
			serve(service, number(size))
			return
		}
		work, ok := rows[name]
		if !ok {
			fail("no row " + name)
		}
		run(name, work, number(size), warm, measure)
	}
}

// serve prints its port, and ends when the harness ends.
func serve(service func(n int) int, n int) {
	say(map[string]any{"ready": true, "port": service(n)})
	io.Copy(io.Discard, os.Stdin)
}

func run(name string, work row, n int, warm, measure time.Duration) {
	for end := time.Now().Add(warm); warm > 0; {
		work(warmSize(name, n))
		if time.Now().After(end) {
			break
		}
	}
	samples := map[string][]float64{}
	count := 0
	var check int64
	for end := time.Now().Add(measure); ; {
		var f figures
		check, f = work(n)
		count++
		for key, value := range f {
			samples[key] = append(samples[key], value)
		}
		if !time.Now().Before(end) {
			break
		}
	}
	medians := figures{}
	for key, values := range samples {
		sort.Float64s(values)
		medians[key] = (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	}
	say(map[string]any{"row": name, "size": n, "samples": count, "check": check, "figures": medians})
}

// warmSize is small for rows whose memory must stay small until the measured run.
func warmSize(name string, n int) int {
	if name == "parked" {
		return max(1, n/50)
	}
	return n
}

func say(line map[string]any) {
	text, err := json.Marshal(line)
	if err != nil {
		fail(err.Error())
	}
	fmt.Println(string(text))
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		fail(err.Error())
	}
	return n
}

func millis(text string) time.Duration { return time.Duration(number(text)) * time.Millisecond }

func fail(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
