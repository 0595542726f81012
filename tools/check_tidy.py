#!/usr/bin/env python3
"""clang-tidy has nothing to say about src, examples, bench and the headers.

usage: check_tidy.py [FILE]...

The headers are looked at through one file that includes them all. Flags are given here, so that
no build is needed first. The tests are left out: they would take three times as long as all else.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import sources

FLAGS = ["-std=c++20", f"-I{sources.ROOT / 'include'}", "-DFILCH_CHECKS=1", "-pthread"]


def tidy(path):
    """What clang-tidy says about one file: nothing, if all is well."""
    # clang-tidy looks for its configuration beside the file, which is no use outside the project.
    outside = sources.ROOT not in path.resolve().parents
    config = [f"--config-file={sources.ROOT / '.clang-tidy'}"] if outside else []
    command = ["clang-tidy", "--quiet", "--warnings-as-errors=*", *config,
               f"--header-filter={sources.ROOT / 'include'}/.*", str(path), "--", *FLAGS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def main(files):
    with tempfile.TemporaryDirectory() as folder:
        if not files:
            everything = pathlib.Path(folder) / "all_headers.cpp"
            headers = [h for h in sources.cpp_files("include") if h.suffix == ".hpp"]
            everything.write_text("".join(
                f'#include "{h.relative_to(sources.ROOT / "include")}"\n' for h in headers))
            files = [everything, *sources.cpp_files("src", "examples", "bench")]
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
            found = [said for said in workers.map(tidy, files) if said]
    print(*found, sep="\n", end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main([pathlib.Path(name) for name in sys.argv[1:]]))
