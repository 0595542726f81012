"""The ten rows that users ask for first: `run.py --ten` measures them, bench/plot.py draws them."""
TEN_ROWS = {
    "fib": "fork: fib",
    "axpy": "loop over arrays: y += a * x",
    "reduce": "sum of doubles",
    "map_filter_sum": "map, filter, sum",
    "sort_i32": "sort of ints",
    "sort_strings": "sort of strings",
    "imbalance_triangular": "uneven loop",
    "phases": "short loops",
    "scope_spawn": "tasks in a scope",
    "submit": "tasks from outside",
}
ONLY = f"^({'|'.join(TEN_ROWS)})$"
