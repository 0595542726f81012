use std::arch::asm;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use versus_rayon::{run, Problem, Sample};

const GROUP: usize = 1000;

fn work(seed: u64, steps: u32) -> u64 {
    const ODD: u64 = 6364136223846793005;
    let (mut a, mut b, mut c, mut d) = (seed, seed + 1, seed + 2, seed + 3);
    for _ in 0..steps {
        a = a.wrapping_mul(ODD).wrapping_add(1);
        b = b.wrapping_mul(ODD).wrapping_add(3);
        c = c.wrapping_mul(ODD).wrapping_add(5);
        d = d.wrapping_mul(ODD).wrapping_add(7);
        // The compiler can neither compute this in advance nor make vectors of it.
        unsafe {
            asm!("/* {0} {1} {2} {3} */", inout(reg) a, inout(reg) b, inout(reg) c, inout(reg) d,
                 options(nomem, nostack, preserves_flags));
        }
    }
    a ^ b ^ c ^ d
}

fn one<const STEPS: u32>(results: &[AtomicU64], job: usize) {
    results[job].store(work(job as u64, STEPS), Ordering::Relaxed);
}

fn in_scopes<const STEPS: u32>(results: &[AtomicU64]) {
    for first in (0..results.len()).step_by(GROUP) {
        rayon::scope(|s| {
            for job in first..results.len().min(first + GROUP) {
                s.spawn(move |_| one::<STEPS>(results, job));
            }
        });
    }
}

fn by_join<const STEPS: u32>(results: &[AtomicU64], first: usize, last: usize) {
    if last - first == 1 {
        return one::<STEPS>(results, first);
    }
    let middle = first + (last - first) / 2;
    rayon::join(
        || by_join::<STEPS>(results, first, middle),
        || by_join::<STEPS>(results, middle, last),
    );
}

fn sample<const STEPS: u32>(
    pool: &rayon::ThreadPool,
    count: u32,
    way: fn(&[AtomicU64]),
) -> Result<f64, String> {
    let results: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let start = Instant::now();
    pool.install(|| way(&results));
    let took = start.elapsed().as_secs_f64();
    let right = |job: usize| results[job].load(Ordering::SeqCst) == work(job as u64, STEPS);
    if (0..results.len()).all(right) {
        Ok(took)
    } else {
        Err("wrong answer".into())
    }
}

fn both<const STEPS: u32>(
    scope_name: &'static str,
    join_name: &'static str,
    count: u32,
) -> [(Problem, Sample); 2] {
    let problem = |name| Problem {
        name,
        sizes: [count, count / 10, 1000],
        operation: "job",
        operations: |n| f64::from(n),
    };
    [
        (problem(scope_name), |p, n| sample::<STEPS>(p, n, in_scopes::<STEPS>)),
        (problem(join_name), |p, n| sample::<STEPS>(p, n, |r| by_join::<STEPS>(r, 0, r.len()))),
    ]
}

fn main() -> std::process::ExitCode {
    let mut problems = Vec::new();
    problems.extend(both::<80>("small_jobs_scope_100ns", "small_jobs_join_100ns", 2_000_000));
    problems.extend(both::<160>("small_jobs_scope_200ns", "small_jobs_join_200ns", 1_000_000));
    problems.extend(both::<800>("small_jobs_scope_1us", "small_jobs_join_1us", 200_000));
    run(&problems)
}
