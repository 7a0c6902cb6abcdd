package main

import (
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err.Error())
	}
	return l
}

// echo sends back what it gets, n bytes at a time.
func echo(n int) int {
	l := listen()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				fail(err.Error())
			}
			go echoOne(c, n)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

func echoOne(c net.Conn, n int) {
	defer c.Close()
	message := make([]byte, n)
	for {
		if _, err := io.ReadFull(c, message); err != nil {
			return
		}
		if _, err := c.Write(message); err != nil {
			return
		}
	}
}

// httpServer answers /hello with n bytes, and /hog after it has computed for the time in the query.
func httpServer(n int) int {
	body := make([]byte, n)
	for i := range body {
		body[i] = 'x'
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) { w.Write(body) })
	mux.HandleFunc("/hog", func(w http.ResponseWriter, r *http.Request) {
		for end := time.Now().Add(millis(r.URL.RawQuery)); time.Now().Before(end); {
		}
		w.Write(body)
	})
	l := listen()
	go http.Serve(l, mux)
	return l.Addr().(*net.TCPAddr).Port
}

// idle has n goroutines parked and n/100 sleeping.
func idle(n int) int {
	gate := make(chan int)
	var started sync.WaitGroup
	started.Add(n + n/100)
	for i := 0; i < n; i++ {
		go func() {
			started.Done()
			<-gate
		}()
	}
	for i := 0; i < n/100; i++ {
		go func() {
			started.Done()
			time.Sleep(time.Hour)
		}()
	}
	started.Wait()
	return 0
}
