use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// Returns the port if the row is a service.
pub fn start(runtime: &Runtime, row: &str, n: usize) -> Option<u16> {
    match row {
        "echo" => Some(echo(runtime, n)),
        "idle" => {
            idle(runtime, n);
            Some(0)
        }
        _ => None,
    }
}

fn echo(runtime: &Runtime, bytes: usize) -> u16 {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            tokio::spawn(echo_one(socket, bytes));
        }
    });
    port
}

async fn echo_one(mut socket: TcpStream, bytes: usize) {
    let _ = socket.set_nodelay(true);
    let mut message = vec![0; bytes];
    while socket.read_exact(&mut message).await.is_ok() {
        if socket.write_all(&message).await.is_err() {
            return;
        }
    }
}

/// The sender lives forever, too.
fn idle(runtime: &Runtime, n: usize) {
    let (gate, receiver) = watch::channel(0);
    for _ in 0..n {
        let mut receiver = receiver.clone();
        runtime.spawn(async move { receiver.changed().await });
    }
    for _ in 0..n / 100 {
        runtime.spawn(async { tokio::time::sleep(Duration::from_secs(3600)).await });
    }
    std::mem::forget(gate);
}
