use rayon::prelude::*;
use std::hint::black_box;
use versus_rayon::{run, timed, Problem};

const CHILDREN: u64 = 10;

fn sum(first: u64, leaves: u64) -> u64 {
    if leaves == 1 {
        return first;
    }
    let part = leaves / CHILDREN;
    (0..CHILDREN).into_par_iter().map(|i| sum(first + i * part, part)).sum()
}

fn tasks(mut leaves: u32) -> f64 {
    let mut sum = 0.0;
    while leaves > 1 {
        sum += f64::from(leaves);
        leaves /= CHILDREN as u32;
    }
    sum
}

fn main() -> std::process::ExitCode {
    let problem = Problem {
        name: "skynet",
        sizes: [100_000_000, 1_000_000, 1000],
        operation: "task",
        operations: tasks,
    };
    run(&[(problem, |pool, leaves| {
        let leaves = u64::from(leaves);
        timed(pool, leaves * (leaves - 1) / 2, || sum(0, black_box(leaves)))
    })])
}
