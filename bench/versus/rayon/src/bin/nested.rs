use rayon::prelude::*;
use versus_rayon::{run, timed, Problem, Sample};

const PASSES: usize = 10;
const CHUNK: usize = 1000;

fn some_items(n: usize) -> Vec<i64> {
    (0..n).map(|i| (i * 7 % 1000) as i64).collect()
}

/// Times ten passes, each of which must return `expected`.
fn passes(
    pool: &rayon::ThreadPool,
    expected: i64,
    pass: impl Fn() -> i64 + Send + Sync,
) -> Result<f64, String> {
    timed(pool, PASSES, || {
        (0..PASSES).filter(|_| std::hint::black_box(&pass)() == expected).count()
    })
}

fn chunks(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let items = some_items(CHUNK * size as usize);
    passes(pool, 999 * i64::from(size), || {
        items.par_chunks(CHUNK).map(|c| c.iter().copied().fold(c[0], i64::max)).sum()
    })
}

fn halves(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let front = some_items(CHUNK * (size as usize / 2));
    let back = front.clone();
    passes(pool, i64::from(size / 2 * 2) * 499_500, || front.par_iter().chain(&back).sum())
}

fn flatten(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let vectors = vec![some_items(10 * CHUNK); size as usize / 10];
    passes(pool, i64::from(size / 10 * 10) * 499_500, || vectors.par_iter().flatten().sum())
}

fn main() -> std::process::ExitCode {
    let problem = |name| Problem {
        name,
        sizes: [10_000, 10_000, 20],
        operation: "pass",
        operations: |_| PASSES as f64,
    };
    run(&[
        (problem("nested_chunks"), chunks as Sample),
        (problem("nested_halves"), halves),
        (problem("nested_flatten"), flatten),
    ])
}
