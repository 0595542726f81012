//! scope_spawn and submit: empty tasks from a worker, and from outside.
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use versus_rayon::{run, Problem};

/// Runs as many tasks, and returns when all have run.
fn from_worker(pool: &rayon::ThreadPool, count: u32, task: impl Fn() + Copy + Send + Sync) {
    pool.scope(|s| {
        for _ in 0..count {
            s.spawn(move |_| task());
        }
    });
}

/// A scope for every thousand.
fn from_worker_in_groups(
    pool: &rayon::ThreadPool,
    count: u32,
    task: impl Fn() + Copy + Send + Sync,
) {
    pool.install(|| {
        for first in (0..count).step_by(1000) {
            rayon::scope(|s| {
                for _ in first..count.min(first + 1000) {
                    s.spawn(move |_| task());
                }
            });
        }
    });
}

fn from_outside(pool: &rayon::ThreadPool, count: u32, task: impl Fn() + Copy + Send + Sync) {
    pool.in_place_scope(|s| {
        for _ in 0..count {
            s.spawn(move |_| task());
        }
    });
}

fn checked(ran: &AtomicU32) -> Result<(), String> {
    match ran.load(Ordering::SeqCst) {
        1000 => Ok(()),
        _ => Err("not every task has run once".into()),
    }
}

fn main() -> std::process::ExitCode {
    let problem =
        |name, sizes| Problem { name, sizes, operation: "task", operations: |n| f64::from(n) };
    run(&[
        (problem("scope_spawn", [5_000_000, 1_000_000, 1000]), |pool, count| {
            let ran = AtomicU32::new(0);
            let counted = || {
                ran.fetch_add(1, Ordering::SeqCst);
            };
            from_worker(pool, 1000, &counted);
            checked(&ran)?;
            let start = Instant::now();
            from_worker(pool, black_box(count), || {});
            Ok(start.elapsed().as_secs_f64())
        }),
        (problem("scope_spawn_1000", [5_000_000, 1_000_000, 1000]), |pool, count| {
            let ran = AtomicU32::new(0);
            let counted = || {
                ran.fetch_add(1, Ordering::SeqCst);
            };
            from_worker_in_groups(pool, 1000, &counted);
            checked(&ran)?;
            let start = Instant::now();
            from_worker_in_groups(pool, black_box(count), || {});
            Ok(start.elapsed().as_secs_f64())
        }),
        (problem("submit", [2_000_000, 200_000, 1000]), |pool, count| {
            let ran = AtomicU32::new(0);
            let counted = || {
                ran.fetch_add(1, Ordering::SeqCst);
            };
            from_outside(pool, 1000, &counted);
            checked(&ran)?;
            let start = Instant::now();
            from_outside(pool, black_box(count), || {});
            Ok(start.elapsed().as_secs_f64())
        }),
    ])
}
