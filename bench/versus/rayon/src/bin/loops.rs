use rayon::prelude::*;
use std::hint::black_box;
use versus_rayon::{once, run, timed, Problem};

#[derive(Clone, Copy)]
enum Shape {
    Uneven,
    Hot,
    Idle,
}

fn cost(shape: Shape, item: u32, items: u32) -> u32 {
    match shape {
        Shape::Uneven => (4000 * u64::from(item) / u64::from(items)) as u32,
        Shape::Hot if item < items / 16 => 22_000,
        Shape::Hot => 700,
        Shape::Idle => 2000,
    }
}

fn work(shape: Shape, item: u32, items: u32) -> u64 {
    (0..cost(shape, item, items)).fold(u64::from(item) + 1, |x, _| {
        (x ^ (x >> 29)).wrapping_mul(6_364_136_223_846_793_005)
    })
}

fn sample(pool: &rayon::ThreadPool, shape: Shape, items: u32) -> Result<f64, String> {
    let expected = (0..items).map(|i| work(shape, i, items)).fold(0, u64::wrapping_add);
    let items = black_box(items);
    timed(pool, expected, || {
        (0..items).into_par_iter().map(|i| work(shape, i, items)).reduce(|| 0, u64::wrapping_add)
    })
}

fn main() -> std::process::ExitCode {
    let problem =
        |name| Problem { name, sizes: [65536, 8192, 64], operation: "run", operations: once };
    run(&[
        (problem("loops_uneven"), |pool, items| sample(pool, Shape::Uneven, items)),
        (problem("loops_hot"), |pool, items| sample(pool, Shape::Hot, items)),
        (problem("loops_idle"), |pool, items| sample(pool, Shape::Idle, items)),
    ])
}
