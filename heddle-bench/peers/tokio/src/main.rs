//! The Tokio twin of each row: see docs/guide/benchmarks.md for the rows, and Job in io.heddle.bench.suite for the protocol.
//!
//! `twin procs warmMillis measureMillis row=size...`

mod channels;
mod services;
mod tasks;
mod timers;

use std::collections::BTreeMap;
use std::io::Read;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// The measurements and the result of one run of a row.
pub struct Sample {
    pub check: i64,
    pub figures: Vec<(&'static str, f64)>,
}

/// Runs a row as a task on the runtime's threads, and waits for it.
pub fn on<F>(runtime: &Runtime, work: F) -> F::Output
where
    F: std::future::Future + Send + 'static,
    F::Output: Send + 'static,
{
    runtime.block_on(runtime.spawn(work)).unwrap()
}

fn timed<F>(runtime: &Runtime, work: F) -> Sample
where
    F: std::future::Future<Output = i64> + Send + 'static,
{
    let start = Instant::now();
    let check = on(runtime, work);
    Sample { check, figures: vec![("nanos", nanos(start.elapsed()))] }
}

pub fn nanos(d: Duration) -> f64 {
    d.as_nanos() as f64
}

fn run_once(runtime: &Runtime, row: &str, n: usize, procs: usize) -> Sample {
    match row {
        "spawn" => timed(runtime, tasks::spawn(n)),
        "ping-pong" => timed(runtime, channels::ping_pong(n)),
        "ring" => timed(runtime, channels::ring(n)),
        "skynet" => timed(runtime, channels::skynet(n as i64)),
        "buffered" => timed(runtime, channels::buffered(n)),
        "select" => timed(runtime, channels::select(n)),
        "gosched" => timed(runtime, tasks::gosched(n)),
        "mutex" => timed(runtime, channels::mutex(n)),
        "stop-timers" => timed(runtime, timers::stop_timers(n)),
        "pairs" => timed(runtime, channels::pairs(n)),
        "timers" => timers::timers(runtime, n),
        "parked" => tasks::parked(runtime, n),
        "sum" => tasks::sum(runtime, n, procs),
        "find" => tasks::find(runtime, n),
        "hogs" => timers::hogs(runtime, n, procs),
        "pinned" => tasks::pinned(runtime, n, procs),
        _ => panic!("no row {row}"),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |i: usize| args[i].parse::<usize>().unwrap();
    let (procs, warm, measure) = (number(1), number(2), number(3));
    let runtime = Builder::new_multi_thread().worker_threads(procs).enable_all().build().unwrap();
    for job in &args[4..] {
        let (row, size) = job.split_once('=').unwrap();
        let n: usize = size.parse().unwrap();
        if let Some(port) = services::start(&runtime, row, n) {
            println!("{{\"ready\":true,\"port\":{port}}}");
            std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
        } else {
            run(&runtime, row, n, procs, warm, measure);
        }
    }
    runtime.shutdown_background();
}

fn run(runtime: &Runtime, row: &str, n: usize, procs: usize, warm: usize, measure: usize) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(warm as u64) {
        let few = if row == "parked" { 1.max(n / 50) } else { n }; // memory must stay small until the measured run
        run_once(runtime, row, few, procs);
    }
    let mut samples: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut count = 0;
    let start = Instant::now();
    let check = loop {
        let sample = run_once(runtime, row, n, procs);
        count += 1;
        for (key, value) in sample.figures {
            samples.entry(key).or_default().push(value);
        }
        if start.elapsed() >= Duration::from_millis(measure as u64) {
            break sample.check;
        }
    };
    let medians: Vec<String> =
        samples.into_iter().map(|(key, values)| format!("\"{key}\":{}", median(values))).collect();
    println!(
        "{{\"row\":\"{row}\",\"size\":{n},\"samples\":{count},\"check\":{check},\"figures\":{{{}}}}}",
        medians.join(",")
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
