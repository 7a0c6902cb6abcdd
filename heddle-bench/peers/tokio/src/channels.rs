//! A Tokio channel has a capacity of at least one, so where the other twins use an unbuffered channel, this one uses
//! a capacity of one. It has a single receiver, so there is no row with several receivers.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use tokio::sync::mpsc::{channel, Receiver, Sender};
use tokio::sync::Mutex;

const CAPACITY: usize = 128;
const WORKERS: usize = 4;
const LOCKERS: usize = 8;
const FAN_OUT: i64 = 10;
const RING: usize = 1000;
const PAIR_ROUNDS: usize = 4;

async fn answer(mut ping: Receiver<usize>, pong: Sender<usize>, n: usize) {
    for _ in 0..n {
        pong.send(ping.recv().await.unwrap()).await.unwrap();
    }
}

async fn ask(ping: Sender<usize>, mut pong: Receiver<usize>, n: usize) -> i64 {
    let mut sum = 0;
    for i in 0..n {
        ping.send(i & 127).await.unwrap();
        sum += pong.recv().await.unwrap() as i64;
    }
    sum
}

pub async fn ping_pong(n: usize) -> i64 {
    let (ping, from_ping) = channel(1);
    let (pong, from_pong) = channel(1);
    tokio::spawn(answer(from_ping, pong, n));
    ask(ping, from_pong, n).await
}

pub async fn pairs(n: usize) -> i64 {
    let sum = Arc::new(AtomicI64::new(0));
    let mut all = Vec::with_capacity(n / 2);
    for _ in 0..n / 2 {
        let (ping, from_ping) = channel(1);
        let (pong, from_pong) = channel(1);
        tokio::spawn(answer(from_ping, pong, PAIR_ROUNDS));
        let sum = sum.clone();
        all.push(tokio::spawn(async move {
            sum.fetch_add(ask(ping, from_pong, PAIR_ROUNDS).await, Ordering::Relaxed);
        }));
    }
    for each in all {
        each.await.unwrap();
    }
    sum.load(Ordering::Relaxed)
}

pub async fn ring(rounds: usize) -> i64 {
    let (first, mut last) = channel::<usize>(1);
    for _ in 1..RING {
        let (to, next) = channel(1);
        let mut from = std::mem::replace(&mut last, next);
        tokio::spawn(async move {
            for _ in 0..rounds {
                to.send((from.recv().await.unwrap() + 1) & 127).await.unwrap();
            }
        });
    }
    let mut token = 0;
    for _ in 0..rounds {
        first.send(token).await.unwrap();
        token = (last.recv().await.unwrap() + 1) & 127;
    }
    token as i64
}

pub async fn skynet(n: i64) -> i64 {
    let (to, mut result) = channel(1);
    tokio::spawn(node(to, 0, n));
    result.recv().await.unwrap()
}

fn node(to: Sender<i64>, first: i64, leaves: i64) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        if leaves == 1 {
            to.send(first).await.unwrap();
            return;
        }
        let (each_to, mut sums) = channel(1);
        let each = leaves / FAN_OUT;
        for i in 0..FAN_OUT {
            tokio::spawn(node(each_to.clone(), first + i * each, each));
        }
        let mut sum = 0;
        for _ in 0..FAN_OUT {
            sum += sums.recv().await.unwrap();
        }
        to.send(sum).await.unwrap();
    })
}

async fn produce(items: Sender<usize>, n: usize) {
    for i in 0..n {
        items.send(i & 127).await.unwrap();
    }
}

pub async fn buffered(n: usize) -> i64 {
    let (to, mut items) = channel(CAPACITY);
    tokio::spawn(produce(to, n));
    let mut sum = 0;
    while let Some(item) = items.recv().await {
        sum += item as i64;
    }
    sum
}

pub async fn select(n: usize) -> i64 {
    let feed = || {
        let (to, items) = channel(1);
        tokio::spawn(produce(to, n / WORKERS));
        items
    };
    let (mut a, mut b, mut c, mut d) = (feed(), feed(), feed(), feed());
    let mut sum = 0;
    for _ in 0..n {
        let item = tokio::select! {
            Some(v) = a.recv() => v,
            Some(v) = b.recv() => v,
            Some(v) = c.recv() => v,
            Some(v) = d.recv() => v,
        };
        sum += item as i64;
    }
    sum
}

pub async fn mutex(n: usize) -> i64 {
    let count = Arc::new(Mutex::new(0));
    let mut all = Vec::new();
    for _ in 0..LOCKERS {
        let count = count.clone();
        all.push(tokio::spawn(async move {
            for _ in 0..n / LOCKERS {
                *count.lock().await += 1;
            }
        }));
    }
    for each in all {
        each.await.unwrap();
    }
    let count = *count.lock().await;
    count
}
