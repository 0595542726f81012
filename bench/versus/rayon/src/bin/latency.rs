use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use versus_rayon::{once, run, Problem};

const LONGEST_LEAF: Duration = Duration::from_micros(200);
const BETWEEN_ROUNDS: Duration = Duration::from_micros(20);
const OUTER_BRANCH: Duration = Duration::from_micros(5);

fn be_busy(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {}
}

/// A piece of work that another thread should start, and the leaf that waits for that. Times are
/// nanoseconds since the round began; none is 0.
struct Round {
    owner: ThreadId,
    began: Instant,
    pushed: AtomicU64,
    started: AtomicU64,
    by_another: AtomicU64,
}

impl Round {
    fn new() -> Self {
        Round {
            owner: std::thread::current().id(),
            began: Instant::now(),
            pushed: AtomicU64::new(0),
            started: AtomicU64::new(0),
            by_another: AtomicU64::new(0),
        }
    }
    fn now(&self) -> u64 {
        (self.began.elapsed().as_nanos() as u64).max(1)
    }
    fn push(&self) {
        self.pushed.store(self.now(), SeqCst);
    }
    fn leaf(&self) {
        let start = Instant::now();
        while self.started.load(SeqCst) == 0 && start.elapsed() < LONGEST_LEAF {}
    }
    fn stolen(&self) {
        let now = self.now();
        self.by_another.store(u64::from(std::thread::current().id() != self.owner), SeqCst);
        self.started.store(now, SeqCst);
    }
    /// The branch that keeps the thief away while the owner falls silent.
    fn keep_a_thief(&self) {
        be_busy(OUTER_BRANCH);
        if self.started.load(SeqCst) == 0 {
            self.push();
        }
    }
    fn nanoseconds(&self) -> u64 {
        if self.by_another.load(SeqCst) == 0 {
            return LONGEST_LEAF.as_nanos() as u64;
        }
        self.started.load(SeqCst).saturating_sub(self.pushed.load(SeqCst)).max(1)
    }
}

fn median(pool: &rayon::ThreadPool, count: u32, play: fn(&Round)) -> Result<f64, String> {
    let mut nanoseconds: Vec<u64> = pool.install(|| {
        (0..count)
            .map(|_| {
                be_busy(BETWEEN_ROUNDS);
                let round = Round::new();
                play(&round);
                round.nanoseconds()
            })
            .collect()
    });
    nanoseconds.sort_unstable();
    Ok(nanoseconds[nanoseconds.len() / 2] as f64 * 1e-9)
}

fn branch(round: &Round) {
    round.push();
    rayon::join(|| round.leaf(), || round.stolen());
}

fn task(round: &Round) {
    round.push();
    rayon::scope(|s| {
        s.spawn(|_| round.stolen());
        round.leaf();
    });
}

fn deaf(round: &Round) {
    round.push();
    rayon::join(
        || rayon::join(|| round.leaf(), || round.stolen()),
        || round.keep_a_thief(),
    );
}

fn main() -> std::process::ExitCode {
    let problem = |name| Problem { name, sizes: [3000, 500, 5], operation: "run", operations: once };
    run(&[
        (problem("latency_branch"), |p, n| median(p, n, branch)),
        (problem("latency_task"), |p, n| median(p, n, task)),
        (problem("latency_deaf"), |p, n| median(p, n, deaf)),
    ])
}
