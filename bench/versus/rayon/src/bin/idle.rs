//! wake and idle_cpu: from asleep to the first instruction, and CPU time while no job waits.
use rayon::prelude::*;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use versus_rayon::{once, run, Problem};

const LONG_ENOUGH_TO_SLEEP: Duration = Duration::from_millis(5);

fn median_wake(pool: &rayon::ThreadPool, count: u32) -> f64 {
    let mut nanoseconds: Vec<u64> = (0..count)
        .map(|_| {
            std::thread::sleep(LONG_ENOUGH_TO_SLEEP);
            let first = Arc::new(AtomicU64::new(0));
            let before = Instant::now();
            let seen = first.clone();
            pool.spawn(move || {
                seen.store(before.elapsed().as_nanos().max(1) as u64, Ordering::SeqCst)
            });
            while first.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            first.load(Ordering::SeqCst)
        })
        .collect();
    nanoseconds.sort_unstable();
    nanoseconds[nanoseconds.len() / 2] as f64 * 1e-9
}

/// Of all threads of this process: the first number of schedstat is nanoseconds on a CPU.
fn cpu_seconds() -> Result<f64, String> {
    let tasks = std::fs::read_dir("/proc/self/task").map_err(|e| e.to_string())?;
    let mut sum = 0;
    for task in tasks.flatten() {
        let text = std::fs::read_to_string(task.path().join("schedstat")).map_err(|e| e.to_string())?;
        let first = text.split_whitespace().next().ok_or("an empty schedstat")?;
        sum += first.parse::<u64>().map_err(|e| e.to_string())?;
    }
    Ok(sum as f64 * 1e-9)
}

fn idle_cpu(pool: &rayon::ThreadPool, milliseconds: u32) -> Result<f64, String> {
    pool.install(|| {
        (0..1000).into_par_iter().for_each(|_| {
            for i in 0..1000 {
                black_box(i);
            }
        })
    });
    let before = cpu_seconds()?;
    std::thread::sleep(Duration::from_millis(u64::from(milliseconds)));
    Ok(cpu_seconds()? - before)
}

fn main() -> std::process::ExitCode {
    let problem = |name, sizes| Problem { name, sizes, operation: "run", operations: once };
    run(&[
        (problem("wake", [200, 50, 2]), |pool, count| Ok(median_wake(pool, count))),
        (problem("idle_cpu", [2000, 500, 10]), idle_cpu),
    ])
}
