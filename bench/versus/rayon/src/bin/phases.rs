use rayon::prelude::*;
use versus_rayon::{run, timed, Problem, Sample};

const ITEMS: usize = 64;
type Numbers = [u64; ITEMS];

fn item<const STEPS: usize>(old: &Numbers, l: usize, i: usize) -> u64 {
    let x = old[i].wrapping_add(old[(i + 1 + l) % ITEMS]);
    (0..STEPS).fold(x, |x, _| (x ^ (x >> 29)).wrapping_mul(6_364_136_223_846_793_005))
}

fn first() -> [Numbers; 2] {
    [std::array::from_fn(|i| i as u64 + 1), [0; ITEMS]]
}

fn sample<const STEPS: usize>(pool: &rayon::ThreadPool, loops: u32) -> Result<f64, String> {
    let mut expected = first();
    for l in 0..loops as usize {
        expected[(l + 1) % 2] = std::array::from_fn(|i| item::<STEPS>(&expected[l % 2], l, i));
    }
    timed(pool, expected, || {
        let [mut old, mut new] = first();
        for l in 0..loops as usize {
            new.par_iter_mut().enumerate().for_each(|(i, x)| *x = item::<STEPS>(&old, l, i));
            std::mem::swap(&mut old, &mut new);
        }
        match loops % 2 {
            0 => [old, new],
            _ => [new, old],
        }
    })
}

fn main() -> std::process::ExitCode {
    let problem = |name| Problem {
        name,
        sizes: [2000, 2000, 3],
        operation: "loop",
        operations: f64::from,
    };
    run(&[
        (problem("phases"), sample::<44> as Sample),
        (problem("phases_long"), sample::<200>),
    ])
}
