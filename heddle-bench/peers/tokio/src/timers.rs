use crate::{nanos, on, Sample};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::time::{interval, sleep};

/// The delay of the i-th sleeper, at most a second; equal in all twins.
fn delay(i: u32) -> Duration {
    Duration::from_micros(u64::from(i.wrapping_mul(2_654_435_761) % 1_000_001))
}

pub fn timers(runtime: &Runtime, n: usize) -> Sample {
    let cpu = cpu_nanos();
    let start = Instant::now();
    let check = on(runtime, async move {
        let all: Vec<_> = (0..n as u32).map(|i| tokio::spawn(sleep(delay(i)))).collect();
        let mut woken = 0;
        for each in all {
            each.await.unwrap();
            woken += 1;
        }
        woken
    });
    Sample { check, figures: vec![("nanos", nanos(start.elapsed())), ("cpu", cpu_nanos() - cpu)] }
}

fn cpu_nanos() -> f64 {
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let nanos = |t: libc::timeval| t.tv_sec as f64 * 1e9 + t.tv_usec as f64 * 1e3;
    nanos(usage.ru_utime) + nanos(usage.ru_stime)
}

/// A timer that is polled once, like the timeout of an operation that is already complete.
pub async fn stop_timers(n: usize) -> i64 {
    let stops = || {
        tokio::spawn(async move {
            let mut stopped = 0;
            for _ in 0..n / 2 {
                tokio::select! {
                    biased;
                    _ = sleep(Duration::from_secs(3600)) => {}
                    _ = std::future::ready(()) => stopped += 1,
                }
            }
            stopped
        })
    };
    let (a, b) = (stops(), stops());
    a.await.unwrap() + b.await.unwrap()
}

pub fn hogs(runtime: &Runtime, millis: usize, procs: usize) -> Sample {
    let over = Arc::new(AtomicBool::new(false));
    let mut all = Vec::new();
    for _ in 0..2 * procs {
        let over = over.clone();
        all.push(runtime.spawn(async move { while !over.load(Ordering::Relaxed) {} }));
    }
    let ticks = Arc::new(Mutex::new(vec![Instant::now()]));
    let (ticking, ticker_over) = (ticks.clone(), over.clone());
    all.push(runtime.spawn(async move {
        let mut ticker = interval(Duration::from_millis(1));
        loop {
            ticker.tick().await;
            if ticker_over.load(Ordering::Relaxed) {
                return;
            }
            ticking.lock().unwrap().push(Instant::now());
        }
    }));
    std::thread::sleep(Duration::from_millis(millis as u64));
    over.store(true, Ordering::Relaxed);
    for each in all {
        runtime.block_on(each).unwrap();
    }
    let mut ticks = ticks.lock().unwrap();
    let count = ticks.len() - 1;
    ticks.push(Instant::now());
    let mut gaps: Vec<f64> = ticks.windows(2).map(|w| nanos(w[1] - w[0])).collect();
    gaps.sort_by(f64::total_cmp);
    Sample {
        check: 0,
        figures: vec![
            ("ticks", count as f64),
            ("p50", gaps[gaps.len() / 2]),
            ("p99", gaps[gaps.len() * 99 / 100]),
            ("max", gaps[gaps.len() - 1]),
        ],
    }
}
