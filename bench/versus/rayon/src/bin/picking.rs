use rayon::prelude::*;
use std::collections::HashMap;
use std::time::Instant;
use versus_rayon::{once, run, Problem, Sample};

struct RandomNumbers(u32);

impl RandomNumbers {
    fn new() -> Self {
        RandomNumbers(2_463_534_242)
    }
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0
    }
}

fn thousands(size: u32) -> usize {
    1000 * size as usize
}

fn checked(took: f64, correct: bool) -> Result<f64, String> {
    if correct { Ok(took) } else { Err("wrong answer".into()) }
}

fn copy_if(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let mut random = RandomNumbers::new();
    let numbers: Vec<u32> = (0..thousands(size)).map(|_| random.next()).collect();
    let start = Instant::now();
    let found: Vec<u32> =
        pool.install(|| numbers.par_iter().copied().filter(|x| x % 2 == 0).collect());
    let took = start.elapsed().as_secs_f64();
    checked(took, found.iter().eq(numbers.iter().filter(|x| **x % 2 == 0)))
}

fn histogram(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let mut random = RandomNumbers::new();
    let bytes: Vec<u8> = (0..thousands(size))
        .map(|_| {
            let r = random.next();
            (r & r >> 8) as u8
        })
        .collect();
    let start = Instant::now();
    let found: Vec<usize> = pool.install(|| {
        bytes
            .par_iter()
            .fold(|| vec![0; 256], |mut table, x| {
                table[*x as usize] += 1;
                table
            })
            .reduce(|| vec![0; 256], |mut a, b| {
                a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
                a
            })
    });
    let took = start.elapsed().as_secs_f64();
    let mut expected = vec![0; 256];
    bytes.iter().for_each(|x| expected[*x as usize] += 1);
    checked(took, found == expected)
}

/// Frequent ones are short, as in a language.
fn name_of(mut k: usize) -> String {
    let mut name = String::new();
    k += 3;
    while k != 0 {
        name.push((b'a' + (k % 20) as u8) as char);
        k /= 20;
    }
    name
}

fn text_of(words: usize) -> String {
    const DIFFERENT: usize = 20_000;
    let sum: f64 = (1..=DIFFERENT).map(|k| 1.0 / k as f64).sum();
    let mut so_far = 0.0;
    let chances: Vec<u32> = (1..=DIFFERENT)
        .map(|k| {
            so_far += 1.0 / k as f64;
            (4294967295.0 * f64::min(so_far / sum, 1.0)) as u32
        })
        .collect();
    let mut random = RandomNumbers::new();
    let mut text = String::new();
    for i in 0..words {
        let r = random.next();
        text += &name_of(chances.partition_point(|c| *c < r));
        text.push(if i % 12 == 11 { '\n' } else { ' ' });
    }
    text
}

fn word_count(pool: &rayon::ThreadPool, size: u32) -> Result<f64, String> {
    let text = text_of(thousands(size));
    let start = Instant::now();
    let found: Vec<(&str, usize)> = pool.install(|| {
        text.par_split_ascii_whitespace()
            .fold(HashMap::new, |mut counts: HashMap<&str, usize>, word| {
                *counts.entry(word).or_default() += 1;
                counts
            })
            .reduce(HashMap::new, |mut a, mut b| {
                if a.len() < b.len() {
                    std::mem::swap(&mut a, &mut b);
                }
                for (word, times) in b {
                    *a.entry(word).or_default() += times;
                }
                a
            })
            .into_iter()
            .collect()
    });
    let took = start.elapsed().as_secs_f64();
    let mut expected: HashMap<&str, usize> = HashMap::new();
    text.split_ascii_whitespace().for_each(|word| *expected.entry(word).or_default() += 1);
    checked(took, found.into_iter().collect::<HashMap<_, _>>() == expected)
}

fn main() -> std::process::ExitCode {
    let problem = |name, sizes| Problem { name, sizes, operation: "run", operations: once };
    run(&[
        (problem("copy_if", [100_000, 20_000, 10]), copy_if as Sample),
        (problem("histogram", [100_000, 20_000, 10]), histogram),
        (problem("word_count", [10_000, 2_000, 10]), word_count),
    ])
}
