use rayon::prelude::*;
use versus_rayon::{run, timed, Problem, Sample};

const PASSES: usize = 10;
const WANTED: i32 = -7;
const LEAST: i32 = 500;

/// The numbers 0 to 999 again and again; with `tenths`, the wanted item there, and its position.
fn items(size: u32, tenths: usize) -> (Vec<i32>, usize) {
    let mut items: Vec<i32> = (0..1000 * size as usize).map(|i| (i * 7 % 1000) as i32).collect();
    let position = items.len() / 10 * tenths;
    if tenths != 0 {
        items[position] = WANTED;
    }
    (items, position)
}

/// Times ten passes, each of which must return `expected`.
fn passes<T: PartialEq>(
    pool: &rayon::ThreadPool,
    items: &[i32],
    expected: T,
    search: impl Fn(&[i32]) -> T + Send + Sync,
) -> Result<f64, String>
where
    T: Send + Sync,
{
    timed(pool, PASSES, || {
        (0..PASSES).filter(|_| search(std::hint::black_box(items)) == expected).count()
    })
}

fn sum(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let (items, _) = items(size, 0);
    let expected = items.len() as i64 / 1000 * 499_500;
    passes(pool, &items, expected, |v| v.par_iter().map(|x| i64::from(*x)).sum::<i64>())
}

fn all(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    passes(pool, &items(size, 0).0, true, |v| v.par_iter().all(|x| *x < 1000))
}

fn any(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    passes(pool, &items(size, 0).0, false, |v| v.par_iter().any(|x| *x >= 1000))
}

fn count(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let (items, _) = items(size, 0);
    let expected = items.len() / 2;
    passes(pool, &items, expected, |v| v.par_iter().filter(|x| **x >= LEAST).count())
}

fn min_by_key(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    passes(pool, &items(size, 0).0, Some(LEAST), |v| {
        v.par_iter().min_by_key(|x| (**x - LEAST).abs()).copied()
    })
}

fn position(pool: &rayon::ThreadPool, size: u32, tenths: usize) -> Result<f64, String> {
    let (items, position) = items(size, tenths);
    passes(pool, &items, Some(position), |v| v.par_iter().position_any(|x| *x == WANTED))
}

fn main() -> std::process::ExitCode {
    let problem = |name| Problem {
        name,
        sizes: [10_000, 10_000, 10],
        operation: "pass",
        operations: |_| PASSES as f64,
    };
    run(&[
        (problem("search_sum"), sum as Sample),
        (problem("search_all"), all),
        (problem("search_any"), any),
        (problem("search_count"), count),
        (problem("search_min_by_key"), min_by_key),
        (problem("search_position_middle"), |pool, size| position(pool, size, 5)),
        (problem("search_position_late"), |pool, size| position(pool, size, 7)),
    ])
}
