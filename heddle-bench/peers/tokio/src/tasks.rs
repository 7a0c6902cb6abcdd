use crate::{nanos, on, Sample};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};

pub async fn spawn(n: usize) -> i64 {
    let all: Vec<_> = (0..n).map(|_| tokio::spawn(async {})).collect();
    let mut done = 0;
    for each in all {
        each.await.unwrap();
        done += 1;
    }
    done
}

pub async fn gosched(n: usize) -> i64 {
    let yields = || {
        tokio::spawn(async move {
            for _ in 0..n / 2 {
                tokio::task::yield_now().await;
            }
            (n / 2) as i64
        })
    };
    let (a, b) = (yields(), yields());
    a.await.unwrap() + b.await.unwrap()
}

/// Tokio's channel for several receivers is `watch`: they wait for a change, or for the end of the sender.
pub fn parked(runtime: &Runtime, n: usize) -> Sample {
    let (heap, rss) = (live(), resident());
    let started = Arc::new(AtomicUsize::new(0));
    let (gate, receiver) = watch::channel(0);
    let started_in = started.clone();
    let all = on(runtime, async move {
        (0..n)
            .map(|_| {
                let (mut receiver, started) = (receiver.clone(), started_in.clone());
                tokio::spawn(async move {
                    started.fetch_add(1, Ordering::Relaxed);
                    receiver.changed().await.is_err()
                })
            })
            .collect::<Vec<_>>()
    });
    while started.load(Ordering::Relaxed) < n {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(100));
    let (heap, rss) = (live() - heap, resident() - rss);
    drop(gate);
    let check = on(runtime, async move {
        let mut woken = 0;
        for each in all {
            woken += each.await.unwrap() as i64;
        }
        woken
    });
    Sample { check, figures: vec![("heap", heap), ("rss", rss)] }
}

/// The bytes that glibc's malloc has allocated.
fn live() -> f64 {
    unsafe {
        libc::malloc_trim(0);
        let info = libc::mallinfo2();
        (info.uordblks + info.hblkhd) as f64
    }
}

fn resident() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: f64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096.0
}

pub fn sum(runtime: &Runtime, n: usize, procs: usize) -> Sample {
    let numbers: Arc<Vec<i32>> = Arc::new((0..n as i32).map(|i| i & 1023).collect());
    let start = Instant::now();
    let one = add(&numbers);
    let middle = Instant::now();
    let many = on(runtime, async move {
        let stride = numbers.len() / procs;
        let parts: Vec<_> = (0..procs)
            .map(|p| {
                let end = if p == procs - 1 { numbers.len() } else { (p + 1) * stride };
                let numbers = numbers.clone();
                tokio::spawn(async move { add(&numbers[p * stride..end]) })
            })
            .collect();
        let mut sum = 0;
        for part in parts {
            sum += part.await.unwrap();
        }
        sum
    });
    Sample {
        check: if one == many { many } else { -1 },
        figures: vec![("one", nanos(middle - start)), ("nanos", nanos(middle.elapsed()))],
    }
}

fn add(numbers: &[i32]) -> i64 {
    numbers.iter().map(|&n| i64::from(n)).sum()
}

const FINDERS: usize = 8;
const DOCUMENT: &str = "the scheduler hands its thread to another while this one reads a test document";

pub fn find(runtime: &Runtime, n: usize) -> Sample {
    let start = Instant::now();
    let few = on(runtime, find_in(1, n / 10));
    let middle = Instant::now();
    let found = on(runtime, find_in(FINDERS, n));
    Sample {
        check: found + few - (n / 10) as i64,
        figures: vec![("one", 10.0 * nanos(middle - start)), ("nanos", nanos(middle.elapsed()))],
    }
}

async fn find_in(tasks: usize, n: usize) -> i64 {
    let documents = Arc::new(Mutex::new(vec![DOCUMENT; n].into_iter().collect::<VecDeque<_>>()));
    let found = Arc::new(AtomicI64::new(0));
    let mut all = Vec::new();
    for _ in 0..tasks {
        let (documents, found) = (documents.clone(), found.clone());
        all.push(tokio::spawn(async move {
            loop {
                let Some(document) = documents.lock().unwrap().pop_front() else { return };
                tokio::time::sleep(Duration::from_millis(1)).await;
                if document.contains("test") {
                    found.fetch_add(1, Ordering::Relaxed);
                }
            }
        }));
    }
    for each in all {
        each.await.unwrap();
    }
    found.load(Ordering::Relaxed)
}

/// A task that blocks its thread, which Tokio advises against.
pub fn pinned(runtime: &Runtime, millis: usize, procs: usize) -> Sample {
    let free = on(runtime, items_per_second(Instant::now(), millis));
    let head_start = Duration::from_millis(20);
    let window = Duration::from_millis(millis as u64);
    let blocked: Vec<_> = (0..procs)
        .map(|_| runtime.spawn(async move { std::thread::sleep(window + head_start) }))
        .collect();
    std::thread::sleep(head_start);
    let beside = on(runtime, items_per_second(Instant::now(), millis));
    for each in blocked {
        runtime.block_on(each).unwrap();
    }
    Sample { check: 0, figures: vec![("free", free), ("blocked", beside), ("kept", 100.0 * beside / free)] }
}

async fn items_per_second(start: Instant, millis: usize) -> f64 {
    let (to, mut items) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut i = 0usize;
        while i & 63 != 0 || start.elapsed() < Duration::from_millis(millis as u64) {
            to.send(i & 127).await.unwrap();
            i += 1;
        }
    });
    let mut count = 0;
    while items.recv().await.is_some() {
        count += 1;
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}
