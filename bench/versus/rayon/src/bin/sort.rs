use rayon::prelude::*;
use std::time::Instant;
use versus_rayon::{once, run, Problem, Sample};

#[derive(Clone, Copy, PartialEq, Eq)]
struct Record {
    key: u64,
    rest: [u64; 7],
}

impl Ord for Record {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl PartialOrd for Record {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

fn random(count: u32) -> impl Iterator<Item = u64> {
    let mut x: u64 = 88_172_645_463_325_252;
    (0..count).map(move |_| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    })
}

/// Sorts `v` inside of the pool, and checks the result.
fn sample<T: Ord + Send + Sync>(
    pool: &rayon::ThreadPool,
    mut v: Vec<T>,
    number: fn(&T) -> u64,
    sort: fn(&mut [T]),
) -> Result<f64, String> {
    let sum = |v: &[T]| v.iter().fold(0u64, |s, x| s.wrapping_add(number(x)));
    let before = sum(&v);
    let start = Instant::now();
    pool.install(|| sort(&mut v));
    let took = start.elapsed().as_secs_f64();
    let correct = v.is_sorted() && before == sum(&v);
    if correct { Ok(took) } else { Err("wrong answer".into()) }
}

fn u64s(count: u32) -> Vec<u64> {
    random(count).collect()
}

fn i32s(count: u32) -> Vec<i32> {
    random(count).map(|x| x as i32).collect()
}

fn strings(count: u32) -> Vec<String> {
    random(count).map(|x| format!("{:x}", x >> (x & 31))).collect()
}

fn records(count: u32) -> Vec<Record> {
    random(count).map(|x| Record { key: x, rest: [x; 7] }).collect()
}

fn main() -> std::process::ExitCode {
    let many = [10_000_000, 1_000_000, 5000];
    let fewer = [2_000_000, 200_000, 5000];
    let row = |name, sizes, sample: Sample| {
        (Problem { name, sizes, operation: "run", operations: once }, sample)
    };
    run(&[
        row("sort_u64", many, |pool, n| sample(pool, u64s(n), |x| *x, |v| v.par_sort_unstable())),
        row("sort_i32", many, |pool, n| {
            sample(pool, i32s(n), |x| *x as u64, |v| v.par_sort_unstable())
        }),
        row("sort_u64_compare", many, |pool, n| {
            sample(pool, u64s(n), |x| *x, |v| v.par_sort_unstable_by(|a, b| a.cmp(b)))
        }),
        row("sort_i32_compare", many, |pool, n| {
            sample(pool, i32s(n), |x| *x as u64, |v| v.par_sort_unstable_by(|a, b| a.cmp(b)))
        }),
        row("sort_sorted", many, |pool, n| {
            sample(pool, (0..u64::from(n)).collect(), |x| *x, |v| v.par_sort_unstable())
        }),
        row("sort_reversed", many, |pool, n| {
            let v = (0..u64::from(n)).map(|i| !i).collect();
            sample(pool, v, |x| *x, |v| v.par_sort_unstable())
        }),
        row("sort_equal", many, |pool, n| {
            sample(pool, vec![42u64; n as usize], |x| *x, |v| v.par_sort_unstable())
        }),
        row("sort_strings", fewer, |pool, n| {
            let number = |s: &String| s.len() as u64 * 256 + u64::from(s.as_bytes()[s.len() - 1]);
            sample(pool, strings(n), number, |v| v.par_sort_unstable())
        }),
        row("sort_structs", fewer, |pool, n| {
            let number = |r: &Record| r.key ^ r.rest[6] << 1;
            sample(pool, records(n), number, |v| v.par_sort_unstable_by(|a, b| a.cmp(b)))
        }),
        row("stable_sort_u64", many, |pool, n| sample(pool, u64s(n), |x| *x, |v| v.par_sort())),
        row("stable_sort_u64_compare", many, |pool, n| {
            sample(pool, u64s(n), |x| *x, |v| v.par_sort_by(|a, b| a.cmp(b)))
        }),
    ])
}
