use rayon::prelude::*;
use versus_rayon::{once, run, timed, Problem};

#[derive(Clone, Copy)]
enum Shape {
    Triangular,
    Head,
}

fn cost(shape: Shape, i: u32, n: u32) -> u32 {
    match shape {
        Shape::Triangular => (5000 * u64::from(i) / u64::from(n)) as u32,
        Shape::Head => (2500.0 / 9.8 * f64::from(n) / f64::from(i + 1)) as u32,
    }
}

fn work(shape: Shape, i: u32, n: u32) -> u64 {
    (0..cost(shape, i, n)).fold(u64::from(i) + 1, |x, _| {
        (x ^ (x >> 29)).wrapping_mul(6_364_136_223_846_793_005)
    })
}

fn sample(pool: &rayon::ThreadPool, shape: Shape, n: u32) -> Result<f64, String> {
    let mut results = vec![0; n as usize];
    let took = timed(pool, (), || {
        results.par_iter_mut().enumerate().for_each(|(i, r)| *r = work(shape, i as u32, n));
    })?;
    match (0..n).all(|i| results[i as usize] == work(shape, i, n)) {
        true => Ok(took),
        false => Err("wrong answer".into()),
    }
}

fn main() -> std::process::ExitCode {
    let problem =
        |name| Problem { name, sizes: [10_000, 10_000, 64], operation: "run", operations: once };
    run(&[
        (problem("imbalance_triangular"), |pool, n| sample(pool, Shape::Triangular, n)),
        (problem("imbalance_head"), |pool, n| sample(pool, Shape::Head, n)),
    ])
}
