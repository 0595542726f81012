//! fib(n) by naive recursion with rayon::join: see ../../../fib/problem.hpp.
use std::hint::black_box;
use std::time::Instant;

const N: u32 = 34;
const EXPECTED: u64 = 5_702_887;

fn fib(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (x, y) = rayon::join(|| fib(n - 1), || fib(n - 2));
    x + y
}

fn argument(i: usize) -> usize {
    match std::env::args().nth(i).map(|a| a.parse::<usize>()) {
        None => 1,
        Some(Ok(n)) if n >= 1 => n,
        _ => {
            eprintln!("usage: fib WORKERS SAMPLES");
            std::process::exit(2);
        }
    }
}

fn main() {
    let (workers, samples) = (argument(1), argument(2));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
    for sample in 0..=samples {
        let start = Instant::now();
        let answer = pool.install(|| fib(black_box(N)));
        let took = start.elapsed().as_secs_f64();
        assert_eq!(answer, EXPECTED, "wrong answer");
        if sample > 0 {
            println!(
                r#"{{"problem":"fib","runtime":"rayon","workers":{workers},"seconds":{took:.9}}}"#
            );
        }
    }
}
