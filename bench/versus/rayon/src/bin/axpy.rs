use rayon::prelude::*;
use std::hint::black_box;
use versus_rayon::{run, timed, Problem};

const PASSES: u32 = 10;
const FACTOR: f32 = 0.5;

fn first_x(i: usize) -> f32 {
    (i % 61) as f32
}

fn first_y(i: usize) -> f32 {
    (i % 53) as f32
}

fn sample(pool: &rayon::ThreadPool, floats: u32) -> Result<f64, String> {
    let x: Vec<f32> = (0..floats as usize).map(first_x).collect();
    let mut y: Vec<f32> = (0..floats as usize).map(first_y).collect();
    let a = black_box(FACTOR);
    let took = timed(pool, (), || {
        for _ in 0..PASSES {
            y.par_iter_mut().zip(x.par_iter()).for_each(|(y, x)| *y += a * *x);
        }
    })?;
    let expected = |i| first_y(i) + PASSES as f32 * FACTOR * first_x(i);
    match y.iter().enumerate().all(|(i, &y)| y == expected(i)) {
        true => Ok(took),
        false => Err("wrong answer".into()),
    }
}

fn main() -> std::process::ExitCode {
    run(&[(
        Problem {
            name: "axpy",
            sizes: [10_000_000, 10_000_000, 1000],
            operation: "pass",
            operations: |_| f64::from(PASSES),
        },
        sample,
    )])
}
