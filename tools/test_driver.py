"""The program ./test: builds and runs the requested parts, and counts results."""
import concurrent.futures
import contextlib
import dataclasses
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import ctest_run

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The target that builds the tests of a label. Tests of other labels build what they need themselves.
TARGETS = {"unit": "unit_tests", "detail": "detail_tests", "plain": "plain_tests",
           "fork": "fork_tests", "memory": "memory_tests", "compiled": "compiled_tests",
           "algorithm": "algorithm_tests", "shared": "shared_tests",
           "calls": "calls_tests", "names": "names_tests", "large": "large_tests",
           "conformance": "conformance_tests", "example": "examples/all",
           "model": "tests/model/all", "survivors": "tests/model/all", "stress": "tests/stress/all",
           "programs": "programs_tests", "cli": "cli_tests", "report": "report_tests",
           "report_page": "make_report", "fuzz": "fuzz_tests"}
TESTS = "unit|detail|plain|conformance"


@dataclasses.dataclass(frozen=True)
class Step:
    """The tests with one of `labels`, in one preset."""
    preset: str
    labels: str
    timeout: int = 120  # seconds for a test that does not say otherwise
    jobs: int = 2


@dataclasses.dataclass(frozen=True)
class Part:
    about: str
    steps: tuple
    budget: int  # seconds on two idle cores, from a fresh clone


# docs/design/testing.md says which compiler compiles which test, and why.
PARTS = {
    "unit": Part("conformance tests, misuse that must not compile, and what cannot run with a "
                 "sanitizer: g++, checks on; conformance with clang++, optimised",
                 (Step("debug", "plain|fork|memory|large|conformance|compiled|compile_fail", jobs=3),
                  Step("clang", "conformance", jobs=3)), 130),
    "asan": Part("unit tests, those of algorithms, examples, reader of traces, fuzzer: clang++, "
                 "AddressSanitizer and UBSan",
                 (Step("asan", TESTS + "|memory|algorithm|shared|calls|report|fuzz|example|compile_fail",
                       timeout=240, jobs=3),), 290),
    "tsan": Part("unit tests, and those of algorithms whose parts share data: clang++, ThreadSanitizer",
                 (Step("tsan", TESTS + "|shared", timeout=300, jobs=3),), 120),
    "cli": Part("the command filch: every subcommand, its messages, its terminal views",
                (Step("debug", "cli", timeout=120, jobs=3),), 50),
    "report": Part("the report in a headless browser",
                   (Step("debug", "report_page", timeout=170),), 30),
    "model": Part("the model checker: every interleaving of small programs, and the mutants",
                  (Step("release", "model", timeout=900),), 75),
    "stress": Part("many threads for a bounded time (FILCH_STRESS_SECONDS), and random programs",
                   (Step("clang", "stress", timeout=300, jobs=3),), 40),
    "packaging": Part("programs that use an installed or embedded filch; instructions per fork",
                      (Step("release", "packaging", timeout=300),), 90),
    "lint": Part("format, clang-tidy, layers, headers, orderings, spec, and the checkers themselves",
                 (Step("release", "lint"),), 75),
}
# Parts that ./test does not run without arguments.
EXTRA = {
    "quick": Part("after an edit: unit and conformance tests with g++, and the fast checkers",
                  (Step("debug", "unit|plain|fork|memory|conformance", jobs=3),
                   Step("debug", "quick_lint")), 180),
    "full": Part("what ./test leaves out: every test of algorithms with ThreadSanitizer, every test "
                 "with g++ and no sanitizer, in full size, examples and call forms with clang++ "
                 "optimised, mutants that survive, examples and every program of bench by clang-tidy",
                 (Step("tsan", "algorithm|fork", timeout=300),
                  Step("debug", "unit|detail|algorithm|shared|example|calls|names"),
                  Step("clang", "example|calls"), Step("release", "full|survivors", timeout=900)), 1600),
}
# Random programs use everything in filch, so this stress test is worth running with the sanitizers.
SOAK = (Step("release", "stress", jobs=1), Step("asan", "programs", jobs=1),
        Step("tsan", "programs", jobs=1))

NAMES = {**PARTS, **EXTRA}

HELP = """usage: ./test [PART]... [--only REGEX]
       ./test soak [MINUTES] [--only REGEX]

Without a part, all of these:
{parts}
Beside them:
{extra}  soak       MINUTES in all (default 10, may be a fraction): a third for the stress tests, a third
             each for their random programs with AddressSanitizer and with ThreadSanitizer

  --only REGEX   only the tests whose name matches, as in ctest -R
  --help         this

The stress tests read two variables. FILCH_STRESS_SECONDS says how long each of them may take.
FILCH_SOAK_MINUTES replaces it. `./test soak` sets it: the minutes of a third, divided by the number
of the tests that share it.
Exit code: 0 all passed, 1 something failed, 2 the command line was wrong.
"""


class UsageError(Exception):
    pass


@dataclasses.dataclass
class Arguments:
    parts: list
    only: str = ""
    minutes: float = 10.0
    help: bool = False


def parse(words):
    arguments, words = Arguments([]), list(words)
    while words:
        word = words.pop(0)
        if word in ("-h", "--help"):
            arguments.help = True
        elif word == "--only" or word.startswith("--only="):
            if word == "--only" and not words:
                raise UsageError("--only needs a regular expression after it")
            arguments.only = words.pop(0) if word == "--only" else word.partition("=")[2]
        elif word == "soak":
            arguments.parts.append(word)
            if words and words[0] not in NAMES and not words[0].startswith("--"):
                arguments.minutes = parse_minutes(words.pop(0))
        elif word in NAMES:
            arguments.parts.append(word)
        else:
            kind = "option" if word.startswith("-") else "part"
            raise UsageError(f"unknown {kind} '{word}'; the parts are: {', '.join(NAMES)}, soak")
    arguments.parts = list(dict.fromkeys(arguments.parts)) or list(PARTS)
    return arguments


def parse_minutes(text):
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < math.inf:
        raise UsageError(f"soak takes a number of minutes above 0, not '{text}'")
    return minutes


def exact(name):
    """A regular expression (in CMake's dialect) that matches only `name`."""
    return "^" + re.sub(r"([.^$*+?()\[\]|\\])", r"\\\1", name) + "$"


def repeat_command(part, result, arguments):
    minutes = f" {arguments.minutes:g}" if part == "soak" else ""
    is_test = result.name not in ("configure", "build", "ctest", "selection")
    only = exact(result.suite or result.name) if is_test else arguments.only
    return f"./test {part}{minutes}" + (f" --only {shlex.quote(only)}" if only else "")


def launcher(preset):
    """The ThreadSanitizer of clang 14 fails where addresses are randomised by more than 28 bits."""
    if preset != "tsan":
        return []
    try:
        bits = int(pathlib.Path("/proc/sys/vm/mmap_rnd_bits").read_text())
    except (OSError, ValueError):
        return []
    fixed = ["setarch", "-R"]
    usable = bits > 28 and shutil.which("setarch") and not subprocess.call([*fixed, "true"])
    return fixed if usable else []


def soak_minutes(ctest, arguments):
    """The time for each test, so that all together take the time that the user asked for."""
    listed = subprocess.run([*ctest, "-N"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"^Total Tests: (\d+)", listed, re.MULTILINE)
    return arguments.minutes / len(SOAK) / max(1, int(match[1]) if match else 1)


def prepare(part, step, configured, note):
    """Configures, if `configured` lacks the preset, and builds; returns the failure, or None."""
    title = f"{part} ({step.preset})"
    targets = [TARGETS[label] for label in step.labels.split("|") if label in TARGETS]
    commands = {}
    if step.preset not in configured:
        commands["configure"] = ["cmake", "--preset", step.preset]
    if targets:
        commands["build"] = [*launcher(step.preset), "cmake", "--build", "--preset", step.preset, "-j",
                             str(len(os.sched_getaffinity(0))), "--target", *targets]
    for name, command in commands.items():
        # The tests of the step before run at the same time: they come first.
        code, lines = ctest_run.run(["nice", *command], f"{title}: {name}", note)
        note.update("")
        if code != 0:
            return ctest_run.build_failure(name, lines)
    configured.add(step.preset)
    return None


def run_tests(part, step, arguments, progress):
    """The results of the tests of a step that is built."""
    env = dict(os.environ, GTEST_COLOR="no")
    ctest = [*launcher(step.preset), "ctest", "--preset", step.preset, "-L", f"^({step.labels})$"]
    if arguments.only:
        ctest += ["-R", arguments.only]
    timeout = step.timeout
    if part == "soak":
        minutes = soak_minutes(ctest, arguments)
        env["FILCH_SOAK_MINUTES"] = f"{minutes:g}"
        timeout = int(minutes * 60 * 1.5) + 300
    ctest += ["-j", str(step.jobs), "--timeout", str(timeout)]
    folder = ROOT / "build" / step.preset
    return ctest_run.run_ctest(ctest, folder, f"{part} ({step.preset}): test", progress, env)


def steps_of(part):
    return SOAK if part == "soak" else NAMES[part].steps


def start_builds(parts, note):
    """Builds every step of `parts`, one after the other, while the tests of earlier steps run. Returns
    a list of (step, future of prepare()) for each part, and what stops the builds."""
    builder, configured = concurrent.futures.ThreadPoolExecutor(1), set()
    builds = {part: [(step, builder.submit(prepare, part, step, configured, note))
                     for step in steps_of(part)] for part in parts}

    def stop():
        builder.shutdown(wait=False, cancel_futures=True)
        started = [build for steps in builds.values() for _, build in steps]
        while concurrent.futures.wait(started, timeout=0.1).not_done:
            ctest_run.stop_everything()

    return builds, stop


def described(parts):
    """A paragraph for each part, wrapped for a terminal."""
    return "".join(textwrap.fill(p.about, 88, initial_indent=f"  {name:<10} ",
                                 subsequent_indent=" " * 13) + "\n" for name, p in parts.items())


def budget(part, arguments):
    return arguments.minutes * 60 if part == "soak" else NAMES[part].budget


def count(results, outcome):
    return sum(r.outcome == outcome for r in results)


def run_part(part, builds, arguments, progress):
    """All results of one part, as (preset, result)."""
    found = []
    for step, build in builds:
        start = time.monotonic()
        while not concurrent.futures.wait([build], timeout=1).done:
            progress.update("")
        failure = build.result()
        results = [failure] if failure else run_tests(part, step, arguments, progress)
        failed = count(results, "failed")
        progress.line(f"{part} ({step.preset}): {len(results)} tests in "
                      f"{time.monotonic() - start:.1f} s" + (f", {failed} FAILED" if failed else ""))
        found += [(step.preset, r) for r in results]
    return found


def run_parts(arguments, progress):
    """The results of each part, and its time: the seconds from the end of the part before to its own."""
    found, times = {}, {}
    builds, stop = start_builds(arguments.parts, progress.background)
    try:
        for number, part in enumerate(arguments.parts):
            start = time.monotonic()
            later = sum(budget(p, arguments) for p in arguments.parts[number + 1:])
            progress.begin_part(f"{number + 1}/{len(arguments.parts)}", start,
                                budget(part, arguments), later)
            found[part] = run_part(part, builds[part], arguments, progress)
            times[part] = time.monotonic() - start
    finally:
        stop()
    return found, times


def report(found, times, arguments):
    """Prints the summary of a run; returns True if everything passed."""
    everything = [r for results in found.values() for _, r in results]
    failures = [(part, preset, r) for part, results in found.items() for preset, r in results
                if r.outcome == "failed"]
    for part, preset, result in failures:
        print(f"\n---- {part} ({preset}) {result.name}: {result.reason}")
        print(result.output.rstrip())
    print(f"\n{'part':<10} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>8} {'budget':>7}")
    for part, results in found.items():
        own, most = [r for _, r in results], budget(part, arguments)
        print(f"{part:<10} {count(own, 'passed'):>7} {count(own, 'failed'):>7} "
              f"{count(own, 'skipped'):>8} {times[part]:>8.1f} {most:>7.0f}"
              + ("  over budget" if times[part] > most else ""))
    print(f"{'in all':<34} {sum(times.values()):>8.1f} "
          f"{sum(budget(part, arguments) for part in found):>7.0f}")
    for part, results in found.items():
        for preset, result in results:
            if result.outcome == "skipped":
                print(f"skipped: {part} ({preset}) {result.name}: {result.reason}")
    for part, preset, result in failures:
        print(f"failed: {part} ({preset}) {result.name}; "
              f"repeat with: {repeat_command(part, result, arguments)}")
    print(f"{count(everything, 'passed')} passed, {count(everything, 'failed')} failed", flush=True)
    return not failures


def add_empty_parts(found, arguments):
    """Makes a part without tests fail, because it proves nothing; unless --only meant another part."""
    if arguments.only and any(found.values()):
        return
    for part, results in found.items():
        if not results:
            why = f"no test matches --only {shlex.quote(arguments.only)}" if arguments.only else \
                  "this part has no tests"
            results.append(("all", ctest_run.Result("selection", "failed", why)))


def main(words):
    try:
        arguments = parse(words)
    except UsageError as error:
        print(f"./test: {error}\nSee ./test --help", file=sys.stderr)
        return 2
    if arguments.help:
        print(HELP.format(parts=described(PARTS), extra=described(EXTRA)), end="")
        return 0

    os.chdir(ROOT)
    if subprocess.call(["bash", "tools/packages.sh", "test"]) != 0:
        return 1
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    progress = ctest_run.Progress()
    presets = sorted({step.preset for part in arguments.parts for step in steps_of(part)})
    try:
        with contextlib.ExitStack() as locks:
            for preset in presets:
                locks.enter_context(ctest_run.locked(ROOT / "build" / preset, progress))
            found, times = run_parts(arguments, progress)
    except KeyboardInterrupt:
        progress.line("interrupted")
        return 130
    add_empty_parts(found, arguments)
    return 0 if report(found, times, arguments) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
