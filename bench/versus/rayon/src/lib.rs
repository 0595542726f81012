//! What the programs for Rayon share. The same arguments, sizes and output as ../../harness.hpp; each
//! program's problem is explained in ../../<problem>/problem.hpp.
use std::time::Instant;

pub struct Problem {
    pub name: &'static str,
    pub sizes: [u32; 3], // full, quick, tiny
    pub operation: &'static str,
    pub operations: fn(u32) -> f64,
}

/// Seconds that one sample took, or what was wrong.
pub type Sample = fn(&rayon::ThreadPool, u32) -> Result<f64, String>;

pub fn once(_size: u32) -> f64 {
    1.0
}

/// Times `body`, from outside of the pool, and checks what it returns.
pub fn timed<T: PartialEq + Send>(
    pool: &rayon::ThreadPool,
    expected: T,
    body: impl FnOnce() -> T + Send,
) -> Result<f64, String> {
    let start = Instant::now();
    let found = pool.install(body);
    let took = start.elapsed().as_secs_f64();
    if found == expected {
        Ok(took)
    } else {
        Err("wrong answer".into())
    }
}

fn version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split("name = \"rayon\"\nversion = \"").nth(1);
    entry.and_then(|rest| rest.split('"').next()).unwrap_or("unknown")
}

fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

fn number(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n) if n >= 1 => Ok(n),
        _ => Err(format!("'{text}' is not a number of 1 or more")),
    }
}

struct Options<'a> {
    workers: u32,
    samples: u32,
    size: u32,
    problem: &'a Problem,
    sample: Sample,
}

fn parse<'a>(words: &[String], problems: &'a [(Problem, Sample)]) -> Result<Options<'a>, String> {
    if words.len() > 4 {
        return Err("too many arguments".into());
    }
    let word = |i: usize, default: &'static str| words.get(i).map_or(default, |w| w.as_str());
    let name = word(3, problems[0].0.name);
    let (problem, sample) = problems
        .iter()
        .find(|(p, _)| p.name == name)
        .ok_or(format!("no problem '{name}' here; --list shows them"))?;
    let size = match word(2, "full") {
        "full" => problem.sizes[0],
        "quick" => problem.sizes[1],
        "tiny" => problem.sizes[2],
        n => number(n)?,
    };
    let (workers, samples) = (number(word(0, "1"))?, number(word(1, "1"))?);
    Ok(Options { workers, samples, size, problem, sample: *sample })
}

fn measure(o: &Options) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(o.workers as usize)
        .build()
        .map_err(|e| e.to_string())?;
    (o.sample)(&pool, o.size.min(o.problem.sizes[1]))?; // warms up
    for _ in 0..o.samples {
        let seconds = (o.sample)(&pool, o.size)?;
        println!(
            concat!(
                r#"{{"problem":"{}","runtime":"rayon","workers":{},"size":{},"seconds":{:.9},"#,
                r#""operations":{:.0},"operation":"{}","peak_kb":{}}}"#
            ),
            o.problem.name,
            o.workers,
            o.size,
            seconds,
            (o.problem.operations)(o.size),
            o.problem.operation,
            peak_kb()
        );
    }
    Ok(())
}

/// The main program; its result is the exit code.
pub fn run(problems: &[(Problem, Sample)]) -> std::process::ExitCode {
    let mut words: Vec<String> = std::env::args().collect();
    let program = words.remove(0);
    if words == ["--list"] {
        for (p, _) in problems {
            println!(
                r#"{{"problem":"{}","runtime":"rayon","version":"{}"}}"#,
                p.name,
                version()
            );
        }
        return 0.into();
    }
    let (code, error) = match parse(&words, problems) {
        Err(error) => (2, error),
        Ok(o) => match measure(&o) {
            Ok(()) => return 0.into(),
            Err(error) => (1, error),
        },
    };
    eprintln!("{program}: {error}");
    if code == 2 {
        eprintln!("usage: {program} WORKERS SAMPLES [full|quick|tiny|N [PROBLEM]]");
    }
    code.into()
}
