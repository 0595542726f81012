use std::time::Instant;
use versus_rayon::{once, run, Problem};

const CUT_OFF: usize = 1024;

fn divide(v: &mut [u32]) -> (&mut [u32], &mut [u32]) {
    let (a, b, c) = (v[0], v[v.len() / 2], v[v.len() - 1]);
    let pivot = b.clamp(a.min(c), a.max(c));
    let (mut i, mut j) = (0, v.len() - 1);
    loop {
        while v[i] < pivot {
            i += 1;
        }
        while pivot < v[j] {
            j -= 1;
        }
        if i >= j {
            break;
        }
        v.swap(i, j);
        i += 1;
        j -= 1;
    }
    let middle = i.clamp(1, v.len() - 1);
    v.split_at_mut(middle)
}

fn sort_serial(mut v: &mut [u32]) {
    while v.len() > 24 {
        let (left, right) = divide(v);
        sort_serial(left);
        v = right;
    }
    for i in 1..v.len() {
        let x = v[i];
        let mut at = i;
        while at > 0 && x < v[at - 1] {
            v[at] = v[at - 1];
            at -= 1;
        }
        v[at] = x;
    }
}

fn sort(v: &mut [u32]) {
    if v.len() <= CUT_OFF {
        return sort_serial(v);
    }
    let (left, right) = divide(v);
    rayon::join(|| sort(left), || sort(right));
}

fn input(count: u32) -> Vec<u32> {
    let mut x: u32 = 2_463_534_242;
    (0..count)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x
        })
        .collect()
}

fn main() -> std::process::ExitCode {
    let problem = Problem {
        name: "quicksort",
        sizes: [10_000_000, 1_000_000, 5000],
        operation: "run",
        operations: once,
    };
    run(&[(problem, |pool, count| {
        let mut v = input(count);
        let sum: u64 = v.iter().map(|x| u64::from(*x)).sum();
        let start = Instant::now();
        pool.install(|| sort(&mut v));
        let took = start.elapsed().as_secs_f64();
        let correct = v.is_sorted() && sum == v.iter().map(|x| u64::from(*x)).sum::<u64>();
        if correct { Ok(took) } else { Err("wrong answer".into()) }
    })])
}
