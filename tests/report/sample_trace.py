#!/usr/bin/env python3
"""Traces as filch writes them, made up. usage: sample_trace.py FILE [WORKERS [EVENTS [SEED]]]"""
import json
import random
import sys

PID = 4242


class Thread:
    def __init__(self, tid, name, kind, index):
        self.entry = {"tid": tid, "pool": 0, "kind": kind, "index": index, "name": name, "events": 0,
                      "lost_events": 0, "jobs": 0, "steals_taken": 0, "steal_hits": 0, "steals_lost": 0,
                      "steals_empty": 0, "sleeps": 0, "wakes": 0, "busy_ns": 0, "sleep_ns": 0}
        self.now = 0

    def __getattr__(self, name):
        return self.entry[name]


class Trace:
    def __init__(self, workers, seed, program):
        self.random = random.Random(seed)
        self.events, self.threads = [], []
        self.program = program
        for i in range(workers):
            self.threads.append(Thread(i, f"filch {i}", "worker", i))
        self.workers = list(self.threads)

    def interval(self, thread, category, name, begin, duration):
        self.events.append({"ph": "X", "name": name, "cat": category, "ts": begin / 1000,
                            "dur": duration / 1000, "pid": PID, "tid": thread.tid})

    def instant(self, thread, category, time, **args):
        self.events.append({"ph": "i", "s": "t", "name": category, "cat": category,
                            "ts": time / 1000, "pid": PID, "tid": thread.tid, "args": args})

    def sample(self, name, time, **args):
        self.events.append({"ph": "C", "name": name, "ts": time / 1000, "pid": PID, "tid": 0,
                            "args": {key.replace("_", " "): value for key, value in args.items()}})

    def job(self, thread, duration):
        begin, thread.now = thread.now, thread.now + duration
        self.interval(thread, "job", "job", begin, duration)
        thread.entry["jobs"] += 1
        thread.entry["busy_ns"] += duration
        return begin

    def inner_job(self, thread, begin, duration):
        self.interval(thread, "job", "job", begin, duration)
        thread.entry["jobs"] += 1

    def sleep(self, thread, duration):
        self.interval(thread, "sleep", "sleep", thread.now, duration)
        thread.now += duration
        thread.entry["sleeps"] += 1
        thread.entry["sleep_ns"] += duration

    def steal(self, thread, victim, count):
        self.instant(thread, "steal", thread.now, victim=victim.tid, count=count)
        thread.entry["steals_taken"] += count
        thread.entry["steal_hits"] += 1

    def counter(self, name, time, value):
        self.events.append({"ph": "C", "name": name, "cat": "counter", "ts": time / 1000,
                            "pid": PID, "tid": 0, "args": {"value": value}})

    def document(self, comparison=None, **more):
        wall = max(t.now for t in self.threads)
        own = {"format": 1, "version": "0.1.0", "program": self.program, "pid": PID,
               "start_unix_ns": "1760000000000000000", "duration_ns": wall,
               "pools": [{"id": 0, "name": "filch", "workers": len(self.workers)}],
               "threads": [t.entry for t in self.threads],
               "lost_events": sum(t.lost_events for t in self.threads), **more}
        if comparison:
            own["comparison"] = {"unit": "ms", "rows": comparison}
        names = [{"ph": "M", "name": "thread_name", "pid": PID, "tid": t.tid, "args": {"name": t.name}}
                 for t in self.threads]
        return {"displayTimeUnit": "ns", "otherData": {"filch": own}, "traceEvents": names + self.events}


def uneven(workers=4, events=6000, seed=1, program="demo", spans=("mandelbrot row", "sort", "merge", "tree")):
    """A pool with too little to do at first, then uneven work, then a long tail."""
    trace = Trace(workers, seed, program)
    rng, per_worker = trace.random, max(4, events // workers)
    for thread in trace.workers:
        thread.now = 20_000 * thread.tid
        if thread.tid:
            trace.sleep(thread, 300_000 + 90_000 * thread.tid)
        share = int(per_worker * rng.uniform(0.55, 1.0))
        span_begin, span_jobs, span = thread.now, 0, 0
        for i in range(share):
            if rng.random() < 0.03 and workers > 1:
                thread.now += rng.randrange(500, 4_000)
                victim = rng.choice([w for w in trace.workers if w is not thread])
                trace.steal(thread, victim, rng.randrange(1, 4))
                thread.entry["steals_lost"] += rng.randrange(2)
                thread.entry["steals_empty"] += rng.randrange(5)
            if rng.random() < 0.004:
                trace.sleep(thread, rng.randrange(20_000, 400_000))
                waker = rng.choice(trace.workers)
                trace.instant(waker, "wake", thread.now, worker=thread.tid)
                waker.entry["wakes"] += 1
            duration = int(rng.lognormvariate(9.2, 1.1)) + 200
            begin = trace.job(thread, duration)
            if duration > 30_000:
                trace.inner_job(thread, begin + duration // 4, duration // 3)
            thread.now += rng.randrange(40, 900)
            span_jobs += 1
            if span_jobs > share // 9 and spans:
                name = spans[span % len(spans)]
                trace.interval(thread, "span", name, span_begin, thread.now - span_begin)
                if span % 2:
                    half = (thread.now - span_begin) // 2
                    trace.interval(thread, "span", "leaf", span_begin + half // 2, half)
                span_begin, span_jobs, span = thread.now + 500, 0, span + 1
    wall = max(t.now for t in trace.threads)
    for thread in trace.workers:
        if wall - thread.now > 50_000:
            trace.sleep(thread, wall - thread.now - 1_000)
    for i in range(200):
        time = i * wall // 200
        left = max(0.0, 1 - i / 190)
        trace.sample("queue", time, pool_0=int(left * workers * 14 * rng.uniform(0.4, 1.0)))
        trace.sample("active", time, pool_0=min(workers, max(1, int(rng.gauss(workers * 0.93, 0.4)))))
        trace.counter("bytes in use", time, 1e6 * (2 + left) * rng.uniform(0.9, 1.1))
    return trace


def comparison():
    rows = []
    for load, serial, ideal, times in (
            ("imbalance", 375.0, 187.5, {"static": 345.1, "one queue": 196.4, "OpenMP static": 344.0,
                                         "OpenMP dynamic": 190.9, "oneTBB": 190.2, "filch": 188.9}),
            ("mandelbrot", 420.0, 210.0, {"static": 318.0, "one queue": 214.0, "OpenMP static": 317.5,
                                          "OpenMP dynamic": 213.0, "oneTBB": 212.8, "filch": 211.6})):
        for variant, time in times.items():
            rows.append({"load": load, "variant": variant, "time_ms": time, "speedup": serial / time,
                         "utilisation": ideal / time, "ideal_ms": ideal,
                         "steals": {"filch": 57}.get(variant), "note": ""})
        rows.append({"load": load, "variant": "Taskflow", "time_ms": None, "speedup": None,
                     "utilisation": None, "ideal_ms": ideal, "steals": None, "note": "not installed"})
    return rows


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:]]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(uneven(*numbers).document(comparison=comparison()), file)
