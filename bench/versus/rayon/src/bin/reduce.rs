use rayon::prelude::*;
use versus_rayon::{run, timed, Problem};

const PASSES: u32 = 3;

fn sample(pool: &rayon::ThreadPool, n: u32) -> Result<f64, String> {
    let numbers: Vec<f64> = (0..n).map(|i| f64::from(i % 8)).collect();
    let expected = u64::from(n / 8 * 28) + (0..n % 8).map(u64::from).sum::<u64>();
    timed(pool, f64::from(PASSES) * expected as f64, || {
        (0..PASSES).map(|_| numbers.par_iter().sum::<f64>()).sum()
    })
}

fn main() -> std::process::ExitCode {
    run(&[(
        Problem {
            name: "reduce",
            sizes: [100_000_000, 100_000_000, 1000],
            operation: "pass",
            operations: |_| f64::from(PASSES),
        },
        sample,
    )])
}
