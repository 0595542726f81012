use std::hint::black_box;
use versus_rayon::{run, timed, Problem};

fn fib(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (x, y) = rayon::join(|| fib(n - 1), || fib(n - 2));
    x + y
}

fn swapped(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (x, y) = rayon::join(|| swapped(n - 2), || swapped(n - 1));
    x + y
}

fn answer(n: u32) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

const fn problem(name: &'static str) -> Problem {
    Problem { name, sizes: [39, 32, 18], operation: "fork", operations: |n| answer(n + 1) as f64 - 1.0 }
}

fn main() -> std::process::ExitCode {
    run(&[
        (problem("fib"), |pool, n| timed(pool, answer(n), || fib(black_box(n)))),
        (problem("fib_swapped"), |pool, n| timed(pool, answer(n), || swapped(black_box(n)))),
    ])
}
