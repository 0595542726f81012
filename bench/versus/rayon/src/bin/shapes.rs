//! A join of three or four is a join inside of a join: Rayon has no other. shapes_captures is how
//! every closure of Rust captures.
use rayon::join;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use versus_rayon::{run, timed, Problem};

fn captures(depth: u32, node: u64) -> u64 {
    if depth == 0 {
        return node;
    }
    let (x, y) = join(|| captures(depth - 1, node * 2), || captures(depth - 1, node * 2 + 1));
    x + y
}

fn without_result(marks: &[AtomicU32], depth: u32, node: u64) {
    if depth == 0 {
        let mark = &marks[node as usize];
        mark.store(mark.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        return;
    }
    join(
        || without_result(marks, depth - 1, node * 2),
        || without_result(marks, depth - 1, node * 2 + 1),
    );
}

#[derive(Clone, Copy, PartialEq)]
struct ThreeNumbers {
    sum: u64,
    leaves: u64,
    largest: u64,
}

fn of_24_bytes(depth: u32, node: u64) -> ThreeNumbers {
    if depth == 0 {
        return ThreeNumbers { sum: node, leaves: 1, largest: node };
    }
    let (x, y) = join(
        move || of_24_bytes(depth - 1, node * 2),
        move || of_24_bytes(depth - 1, node * 2 + 1),
    );
    ThreeNumbers {
        sum: x.sum + y.sum,
        leaves: x.leaves + y.leaves,
        largest: x.largest.max(y.largest),
    }
}

struct MoveOnly(u64);

fn only_moved(depth: u32, node: u64) -> MoveOnly {
    if depth == 0 {
        return MoveOnly(node);
    }
    let (x, y) = join(
        move || only_moved(depth - 1, node * 2),
        move || only_moved(depth - 1, node * 2 + 1),
    );
    MoveOnly(x.0 + y.0)
}

#[inline(never)]
fn not_inlined(depth: u32, node: u64) -> u64 {
    if depth == 0 {
        return node;
    }
    let (x, y) = join(
        move || not_inlined(depth - 1, node * 2),
        move || not_inlined(depth - 1, node * 2 + 1),
    );
    x + y
}

fn of_three(depth: u32, node: u64) -> u64 {
    if depth == 0 {
        return node;
    }
    let child = move |i| of_three(depth - 1, node * 3 + i);
    let (x, (y, z)) = join(move || child(0), move || join(move || child(1), move || child(2)));
    x + y + z
}

fn of_four(depth: u32, node: u64) -> u64 {
    if depth == 0 {
        return node;
    }
    let child = move |i| of_four(depth - 1, node * 4 + i);
    let ((w, x), (y, z)) = join(
        move || join(move || child(0), move || child(1)),
        move || join(move || child(2), move || child(3)),
    );
    w + x + y + z
}

fn answer(children: u64, depth: u32) -> u64 {
    let leaves = children.pow(depth);
    leaves * (leaves - 1) / 2
}

fn sample_void(pool: &rayon::ThreadPool, depth: u32) -> Result<f64, String> {
    let marks: Vec<AtomicU32> = (0..1 << depth).map(|_| AtomicU32::new(0)).collect();
    let start = Instant::now();
    pool.install(|| without_result(&marks, black_box(depth), 0));
    let took = start.elapsed().as_secs_f64();
    if marks.iter().all(|m| m.load(Ordering::Relaxed) == 1) {
        Ok(took)
    } else {
        Err("wrong answer".into())
    }
}

const fn binary(name: &'static str) -> Problem {
    Problem {
        name,
        sizes: [22, 18, 6],
        operation: "fork",
        operations: |d| 2_f64.powi(d as i32) - 1.0,
    }
}

fn main() -> std::process::ExitCode {
    let three = Problem {
        name: "shapes_three",
        sizes: [14, 11, 4],
        operation: "fork",
        operations: |d| 3_f64.powi(d as i32) - 1.0,
    };
    let four = Problem {
        name: "shapes_four",
        sizes: [11, 9, 3],
        operation: "fork",
        operations: |d| 4_f64.powi(d as i32) - 1.0,
    };
    run(&[
        (binary("shapes_captures"), |p, d| {
            timed(p, answer(2, d), || captures(black_box(d), 0))
        }),
        (binary("shapes_void"), sample_void),
        (binary("shapes_24_bytes"), |p, d| {
            let leaves = 1 << d;
            let expected = ThreeNumbers { sum: answer(2, d), leaves, largest: leaves - 1 };
            timed(p, expected, || of_24_bytes(black_box(d), 0))
        }),
        (binary("shapes_move_only"), |p, d| {
            timed(p, answer(2, d), || only_moved(black_box(d), 0).0)
        }),
        (binary("shapes_noinline"), |p, d| {
            timed(p, answer(2, d), || not_inlined(black_box(d), 0))
        }),
        (three, |p, d| timed(p, answer(3, d), || of_three(black_box(d), 0))),
        (four, |p, d| timed(p, answer(4, d), || of_four(black_box(d), 0))),
    ])
}
