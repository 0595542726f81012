use rayon::prelude::*;
use std::time::Instant;
use versus_rayon::{once, run, Problem, Sample};

struct RandomNumbers(u32);

impl RandomNumbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / 4294967296.0
    }
}

fn some_numbers(size: u32) -> Vec<f64> {
    let mut random = RandomNumbers(2_463_534_242);
    (0..1000 * size as usize).map(|_| random.next()).collect()
}

fn nearly(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.abs()
}

/// What `timed` took within the pool, if `right` likes its result.
fn checked<T: Send>(
    pool: &rayon::ThreadPool,
    timed: impl FnOnce() -> T + Send,
    right: impl FnOnce(T) -> bool,
) -> Result<f64, String> {
    let start = Instant::now();
    let found = pool.install(timed);
    let took = start.elapsed().as_secs_f64();
    if right(found) { Ok(took) } else { Err("wrong answer".into()) }
}

fn map_filter_sum(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let numbers = some_numbers(size);
    let square_plus_one = |x: &f64| x * x + 1.0;
    checked(
        pool,
        || numbers.par_iter().map(square_plus_one).filter(|y| *y < 1.25).sum::<f64>(),
        |sum| nearly(sum, numbers.iter().map(square_plus_one).filter(|y| *y < 1.25).sum()),
    )
}

fn map_to_vector(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let numbers = some_numbers(size);
    let three_x_plus_one = |x: &f64| 3.0 * x + 1.0;
    checked(
        pool,
        || numbers.par_iter().map(three_x_plus_one).collect::<Vec<f64>>(),
        |made| made.iter().copied().eq(numbers.iter().map(three_x_plus_one)),
    )
}

fn filter_to_vector(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let numbers = some_numbers(size);
    checked(
        pool,
        || numbers.par_iter().copied().filter(|x| *x < 0.5).collect::<Vec<f64>>(),
        |made| made.iter().eq(numbers.iter().filter(|x| **x < 0.5)),
    )
}

const SEARCHES: usize = 1000;

fn find_first(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let numbers: Vec<i64> = (0..10_000_000).collect();
    checked(
        pool,
        || {
            (0..SEARCHES)
                .filter(|_| {
                    let bound = std::hint::black_box(i64::from(size));
                    numbers.par_iter().find_first(|x| **x >= bound) == Some(&bound)
                })
                .count()
        },
        |right| right == SEARCHES,
    )
}

fn dot(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let x = some_numbers(size);
    let y: Vec<f64> = x.iter().rev().copied().collect();
    checked(
        pool,
        || x.par_iter().zip(&y).map(|(a, b)| a * b).sum::<f64>(),
        |sum| nearly(sum, x.iter().zip(&y).map(|(a, b)| a * b).sum()),
    )
}

fn work(mut x: u64) -> u64 {
    for _ in 0..4 {
        x = (x * x + 1) % 1_000_003;
    }
    x
}

fn flat_map(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let many = size as usize / 10;
    let numbers: Vec<u64> = (1..=8100).collect();
    let lengths: Vec<usize> = (0..size as usize).map(|i| if i < many { 8100 } else { 100 }).collect();
    checked(
        pool,
        || lengths.par_iter().flat_map(|n| &numbers[..*n]).map(|x| work(*x)).sum::<u64>(),
        |sum| sum == lengths.iter().flat_map(|n| &numbers[..*n]).map(|x| work(*x)).sum(),
    )
}

fn main() -> std::process::ExitCode {
    let problem = |name, sizes| Problem { name, sizes, operation: "run", operations: once };
    let large = [40_000, 10_000, 10];
    run(&[
        (
            Problem {
                name: "map_filter_sum",
                sizes: large,
                operation: "item",
                operations: |size| 1000.0 * f64::from(size),
            },
            map_filter_sum as Sample,
        ),
        (problem("map_to_vector", large), map_to_vector),
        (problem("filter_to_vector", large), filter_to_vector),
        (
            Problem {
                name: "find_first",
                sizes: [10, 10, 10],
                operation: "search",
                operations: |_| SEARCHES as f64,
            },
            find_first,
        ),
        (problem("dot", large), dot),
        (problem("flat_map", [10_000, 2_000, 100]), flat_map),
    ])
}
