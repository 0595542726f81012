use std::hint::black_box;
use versus_rayon::{once, run, timed, Problem};

#[derive(Clone, Copy)]
struct Board {
    column: [i8; 16],
    size: i32,
    rows: i32,
}

impl Board {
    fn attacked(&self, column: i32) -> bool {
        (0..self.rows).any(|row| {
            let (other, distance) = (i32::from(self.column[row as usize]), self.rows - row);
            other == column || other == column - distance || other == column + distance
        })
    }

    fn allowed_from(&self, column: i32) -> Option<i32> {
        (column..self.size).find(|c| !self.attacked(*c))
    }

    fn with(&self, column: i32) -> Board {
        let mut b = *self;
        b.column[b.rows as usize] = column as i8;
        b.rows += 1;
        b
    }
}

fn ways_from(b: &Board, column: i32) -> u32 {
    match b.allowed_from(column + 1) {
        None => ways(&b.with(column)),
        Some(next) => {
            let (here, there) = rayon::join(|| ways(&b.with(column)), || ways_from(b, next));
            here + there
        }
    }
}

fn ways(b: &Board) -> u32 {
    if b.rows == b.size {
        return 1;
    }
    b.allowed_from(0).map_or(0, |first| ways_from(b, first))
}

const KNOWN: [u32; 15] =
    [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596];

fn main() -> std::process::ExitCode {
    let problem =
        Problem { name: "nqueens", sizes: [14, 11, 6], operation: "run", operations: once };
    run(&[(problem, |pool, n| {
        let expected = *KNOWN.get(n as usize).ok_or("nqueens: at most 14")?;
        timed(pool, expected, || {
            ways(&Board { column: [0; 16], size: black_box(n) as i32, rows: 0 })
        })
    })])
}
