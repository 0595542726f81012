"""Uses filch as its users do: builds a program against it, runs it and reads what it prints.

usage: packaging.py CASE SOURCE WORK BUILT COMPILER GENERATOR

SOURCE is the root of filch, WORK a folder for everything that is built here. BUILT is a folder where
filch is built as a static library. The case `install` comes first; the others use what it installs.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools"))
import test_driver  # noqa: E402 pylint: disable=wrong-import-position
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class Failed(Exception):
    pass


class Packaging:
    def __init__(self, source, work, built, compiler, generator):
        self.source, self.work = pathlib.Path(source), pathlib.Path(work)
        self.built = pathlib.Path(built)
        self.compiler, self.generator = compiler, generator
        text = (self.source / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"^\s*VERSION (\S+)$", text, re.MULTILINE)[1]

    def run(self, *command, env=None, folder=None):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              check=False, env={**os.environ, **(env or {})}, cwd=folder)
        if done.returncode != 0:
            raise Failed(f"{shlex.join(map(str, command))}: exit code {done.returncode}\n"
                         f"{done.stdout}{done.stderr}")
        return done.stdout

    def fresh(self, name):
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def configure(self, source, build, *options):
        # In the quickest way: filch is compiled often here, and how is not what is tested.
        self.run("cmake", "-G", self.generator, "-S", source, "-B", build,
                 f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DCMAKE_UNITY_BUILD=ON",
                 "-DCMAKE_UNITY_BUILD_BATCH_SIZE=20", "-DCMAKE_BUILD_TYPE=Debug",
                 "-DCMAKE_CXX_FLAGS_DEBUG=-O0", *options)

    def install(self, build, prefix):
        """Installs what was built in `build`. Returns the prefix."""
        folder = self.fresh(prefix)
        self.run("cmake", "--install", build, "--prefix", folder)
        return folder

    def cmake_consumer(self, kind, name, *options, checks=0):
        build = self.fresh(f"consumer_{name}")
        self.configure(HERE / kind, build, *options)
        self.run("cmake", "--build", build)
        self.expect(self.run(build / "consumer"), checks)

    def pkg_config_consumer(self, prefix, name, checks=0):
        (pc_file,) = prefix.rglob("filch.pc")
        env = {"PKG_CONFIG_PATH": str(pc_file.parent)}
        flags = self.run("pkg-config", "--cflags", "--libs", "filch", env=env).split()
        program = self.fresh(f"consumer_{name}") / "consumer"
        self.run(self.compiler, "-std=c++20", HERE / "consumer/main.cpp", "-o", program, *flags)
        library_path = {"LD_LIBRARY_PATH": str(pc_file.parent.parent)}
        self.expect(self.run(program, env=library_path), checks)

    def expect(self, printed, checks, library=True):
        wanted = f"newest 3, oldest 1, checks {checks}\n"
        if library:
            wanted += f"headers {self.version}, library {self.version}\njoined 1 2 3 4\n"
        if printed != wanted:
            raise Failed(f"the program printed\n{printed}instead of\n{wanted}")


@case
def install(t):
    """What the other cases need: two prefixes, which are as different as the options allow."""
    t.install(t.built, "static")
    build = t.fresh("build_shared")
    t.configure(t.source, build, "-DBUILD_SHARED_LIBS=ON", "-DFILCH_CHECKS=ON")
    t.run("cmake", "--build", build)
    t.install(build, "shared")


@case
def find_package(t):
    t.cmake_consumer("find_package", "found", f"-DCMAKE_PREFIX_PATH={t.work / 'static'}")


@case
def find_package_shared(t):
    """Also: a program agrees with the library about FILCH_CHECKS, and about what is thread-local
    even if it hides its symbols."""
    t.cmake_consumer("find_package", "found_shared", f"-DCMAKE_PREFIX_PATH={t.work / 'shared'}",
                     "-DCMAKE_CXX_VISIBILITY_PRESET=hidden",
                     "-DCMAKE_VISIBILITY_INLINES_HIDDEN=ON", checks=1)


@case
def find_package_wrong_version(t):
    for version in ("0.0", "99.0"):
        try:
            t.cmake_consumer("find_package", "wrong_version", f"-DVERSION={version}",
                             f"-DCMAKE_PREFIX_PATH={t.work / 'static'}")
        except Failed as error:
            if "compatible" in str(error):
                continue
            raise
        raise Failed(f"find_package(filch {version}) accepted {t.version}")


@case
def moved_prefix(t):
    """A copy works wherever it lies, and does not remember where it was made."""
    moved = t.work / "moved elsewhere"  # a space, as in many real paths
    shutil.rmtree(moved, ignore_errors=True)
    t.install(t.built, "before_move").rename(moved)
    for path in moved.rglob("*"):
        if path.suffix in (".cmake", ".pc"):
            text = path.read_text(encoding="utf-8")
            for trace in (str(t.work), str(t.source)):
                if trace in text:
                    raise Failed(f"{path} contains {trace}")
    t.cmake_consumer("find_package", "moved", f"-DCMAKE_PREFIX_PATH={moved}")
    plain = t.work / "moved"
    shutil.rmtree(plain, ignore_errors=True)
    moved.rename(plain)
    t.pkg_config_consumer(plain, "moved_pkg_config")


@case
def pkg_config(t):
    t.pkg_config_consumer(t.work / "static", "pkg_config")
    t.pkg_config_consumer(t.work / "shared", "pkg_config_shared", checks=1)


@case
def add_subdirectory(t):
    # Without a build type: filch must not choose one for the project that contains it.
    t.cmake_consumer("add_subdirectory", "subdirectory", f"-DFILCH_SOURCE={t.source}",
                     "-DCMAKE_BUILD_TYPE=")


@case
def fetch_content(t):
    t.cmake_consumer("fetch_content", "fetched", f"-DFILCH_SOURCE={t.source}")


@case
def header_only_deque(t):
    """Nothing but an include path; no library."""
    program = t.fresh("consumer_header_only") / "consumer"
    t.run(t.compiler, "-std=c++20", "-DHEADER_ONLY", f"-I{t.source / 'include'}",
          HERE / "consumer/main.cpp", "-o", program)
    t.expect(t.run(program), checks=0, library=False)


@case
def readme_quick_start(t):
    """The program in README.md compiles against an installed filch, and prints what it says."""
    text = (t.source / "README.md").read_text(encoding="utf-8")
    folder = t.fresh("quick_start")
    (folder / "quick_start.cpp").write_text(re.search(r"```cpp\n(.*?)```", text, re.DOTALL)[1])
    (archive,) = (t.work / "static").rglob("libfilch.a")
    t.run(t.compiler, "-std=c++20", f"-I{t.source / 'include'}", folder / "quick_start.cpp", archive,
          "-pthread", "-o", folder / "quick_start")
    printed = t.run(folder / "quick_start")
    if printed.split() != ["75025"]:
        raise Failed(f"the quick start printed\n{printed}")


# Switches of a program that a library, which has none of them, must not notice. What they have in
# common: they change the standard library, the language, or filch's own inline code.
SWITCHES = (["-D_GLIBCXX_DEBUG", "-D_GLIBCXX_DEBUG_PEDANTIC"],
            ["-D_GLIBCXX_ASSERTIONS", "-DNDEBUG", "-DFILCH_CHECKS=1", "-funsigned-char", "-fno-rtti"])


def compile_consumer(t, source, name, *flags):
    """Against the static library. Returns the program."""
    (archive,) = (t.work / "static").rglob("libfilch.a")
    program = t.fresh(f"consumer_{name}") / "consumer"
    t.run(t.compiler, "-std=c++20", *flags, f"-I{t.source / 'include'}",
          HERE / "consumer" / source, archive, "-pthread", "-o", program)
    return program


@case
def a_program_with_other_switches_than_the_library_works(t):
    for number, switches in enumerate(SWITCHES):
        printed = t.run(compile_consumer(t, "containers.cpp", f"switches_{number}", *switches))
        if not printed.endswith("all as it should be\n"):
            raise Failed(f"with {shlex.join(switches)} the program printed\n{printed}")


@case
def a_program_with_the_older_strings_does_not_link(t):
    """libstdc++ has two, and one name for what has either inside."""
    try:
        compile_consumer(t, "main.cpp", "older_strings", "-D_GLIBCXX_USE_CXX11_ABI=0")
    except Failed as error:
        if "filch::pool_options[abi:with__GLIBCXX_USE_CXX11_ABI_0]" in str(error):
            return
        raise
    raise Failed("it links")


@case
def no_cast_in_a_header_is_useless(t):
    """Where a template is used; lint.headers looks at the rest."""
    compile_consumer(t, "containers.cpp", "casts", "-fsyntax-only", "-Wuseless-cast", "-Werror")


def layouts(t, *switches):
    """Of the types of filch, by their names."""
    dump = t.fresh("layouts") / "classes"
    source = dump.with_suffix(".cpp")
    source.write_text("#include <filch/filch.hpp>\n")
    t.run(t.compiler, "-std=c++20", *switches, f"-I{t.source / 'include'}", "-fsyntax-only",
          f"-fdump-lang-class={dump}", source)
    return dict(re.findall(r"^Class (filch::.*)((?:\n   .*align=.*)+)",
                           dump.read_text(encoding="utf-8"), re.MULTILINE))


@case
def switches_change_no_layout_that_the_library_knows(t):
    """A type may have another layout if the library has no function of it."""
    (archive,) = (t.work / "static").rglob("libfilch.a")
    symbols = t.run("nm", "--demangle", "--format=posix", archive)
    plain = layouts(t)
    for expected in ("filch::metrics", "filch::scope", "filch::detail::worker_front"):
        if expected not in plain:
            raise Failed(f"{expected} is none of the {len(plain)} types that {t.compiler} lists")
    for switches in SWITCHES:
        other = layouts(t, *switches)
        wrong = [name for name in plain.keys() & other.keys()
                 if plain[name] != other[name]
                 and re.search(rf"(?:^|[^\w:]){re.escape(name)}::", symbols, re.MULTILINE)]
        if wrong:
            raise Failed(f"{shlex.join(switches)} changes the layout of {', '.join(wrong)}")


@case
def no_executable_stack(t):
    """Every object says that it needs none; one that is silent would give a program one."""
    (archive,) = (t.work / "static").rglob("libfilch.a")
    listed = t.run("readelf", "--wide", "--section-headers", archive)
    objects = re.split(r"^File: ", listed, flags=re.MULTILINE)[1:]
    if not objects:
        raise Failed(f"readelf shows no objects in {archive}:\n{listed}")
    for one in objects:
        name = one.splitlines()[0]
        section = re.search(r"\.note\.GNU-stack.*", one)
        if not section:
            raise Failed(f"{name} has no .note.GNU-stack section: its program's stack is executable")
        if "X" in section[0].split()[7]:
            raise Failed(f"{name} asks for an executable stack: {section[0]}")


def sanitized(t, prefix, sanitizers, *switches):
    """A program that uses everything, with sanitizers that the installed library has not. Returns it."""
    folder = t.fresh(f"sanitized_{prefix}_{sanitizers}_{pathlib.Path(t.compiler).name}")
    (library,) = (path for path in (t.work / prefix).rglob("libfilch.*")
                  if path.suffix in (".a", ".so"))
    t.run(t.compiler, "-std=c++20", "-O0", f"-fsanitize={sanitizers}", *switches, "-MMD",
          f"-I{t.source / 'include'}", HERE / "sanitized/everything.cpp", library,
          f"-Wl,-rpath,{library.parent}", "-pthread", "-o", folder / "program", folder=folder)
    (listed,) = folder.glob("*.d")
    used = listed.read_text(encoding="utf-8")
    headers = [str(path) for path in (t.source / "include").rglob("*.hpp") if "detail" not in path.parts]
    missing = [path for path in headers if path not in used]
    if missing:
        raise Failed(f"everything.cpp does not include {', '.join(missing)}")
    return folder / "program"


def run_sanitized(program, *arguments):
    """What the program, and the sanitizer, print."""
    command = [*test_driver.launcher("tsan"), program, program.with_suffix(".json"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace",
                          env={**os.environ, "TSAN_OPTIONS": "halt_on_error=0", "ASAN_OPTIONS": ""})
    return done.stdout + done.stderr


def expect_no_reports(program):
    printed = run_sanitized(program)
    if printed != "all as it should be\n":
        raise Failed(f"a sanitizer reports what is not there:\n{printed[:20000]}")


def thread_sanitizer(t, prefix, *switches):
    program = sanitized(t, prefix, "thread", *switches)
    expect_no_reports(program)
    printed = run_sanitized(program, "with races")
    reports = printed.split("WARNING: ThreadSanitizer: data race")[1:]
    for race in ("race_of_branches", "race_of_tasks", "race_of_a_loop", "race_of_timers",
                 "race_of_continuations", "race_of_a_promise", "race_before_a_countdown"):
        if not any(race in report for report in reports):
            raise Failed(f"ThreadSanitizer does not report {race}:\n{printed[:20000]}")


@case
def thread_sanitizer_reports_races_of_the_program_and_no_others(t):
    thread_sanitizer(t, "static")


@case
def thread_sanitizer_reports_no_others_with_a_shared_library(t):
    thread_sanitizer(t, "shared")


@case
def thread_sanitizer_reports_no_others_in_an_optimised_program(t):
    expect_no_reports(sanitized(t, "static", "thread", "-O2"))


@case
def address_sanitizer_reports_nothing_of_a_library_without_it(t):
    # With coroutines clang 14 cannot compile what -fsanitize=function adds.
    function = ["-fno-sanitize=function"] if "clang" in t.compiler else []
    for prefix in ("static", "shared"):
        expect_no_reports(sanitized(t, prefix, "address,undefined", "-fno-sanitize-recover=all",
                                    *function))


@case
def memory_sanitizer_reports_nothing_of_a_shared_library_without_it(t):
    program = t.fresh("sanitized_memory") / "program"
    (library,) = (t.work / "shared").rglob("libfilch.so")
    t.run(t.compiler, "-std=c++20", "-O0", "-g1", "-fsanitize=memory", f"-I{t.source / 'include'}",
          HERE / "sanitized/memory.cpp", library, f"-Wl,-rpath,{library.parent}", "-pthread",
          "-o", program)
    launcher = test_driver.launcher("tsan")
    if t.run(*launcher, program) != "all as it should be\n":
        raise Failed("it did not get to its end")
    try:
        t.run(*launcher, program, "with an error")
    except Failed as error:
        if "use-of-uninitialized-value" in str(error):
            return
        raise
    raise Failed("MemorySanitizer does not report a variable without a value")


def plug_in(t, folder, library):
    made = folder / "plugin_0.so"
    t.run(t.compiler, "-std=c++20", "-fPIC", "-shared", f"-I{t.source / 'include'}",
          HERE / "plugin/plugin.cpp", library, f"-Wl,-rpath,{library.parent}", "-pthread", "-o", made)
    return made


def close_plug_ins(t, name, library, count):
    """A program without filch closes `count` copies of a plug-in with filch, and then ends."""
    folder = t.fresh(f"{name}_{pathlib.Path(t.compiler).name}")
    t.run(t.compiler, "-std=c++20", HERE / "plugin/host.cpp", "-pthread", "-o", folder / "host")
    first = plug_in(t, folder, library)
    plugins = [first, *(folder / f"plugin_{i}.so" for i in range(1, count))]
    for copy in plugins[1:]:
        shutil.copyfile(first, copy)
    for function in ("loops", "tasks"):
        printed = t.run(folder / "host", function, *plugins)
        if printed != "closed\n":
            raise Failed(f"with {function} the host printed\n{printed}")


@case
def a_plug_in_can_be_closed_while_its_default_pool_exists(t):
    (archive,) = t.built.glob("libfilch.a")
    close_plug_ins(t, "plug_in", archive, 1)


@case
def a_plug_in_shares_the_default_pool_of_a_program_that_exports_filch(t):
    """Both contain libfilch.a. With -rdynamic the program exports it, and the plug-in uses that one."""
    (archive,) = t.built.glob("libfilch.a")
    folder = t.fresh(f"plug_in_of_a_user_{pathlib.Path(t.compiler).name}")
    plugin = plug_in(t, folder, archive)
    for expected, switches in (("own", []), ("shared", ["-rdynamic"])):
        host = folder / f"host_{expected}"
        t.run(t.compiler, "-std=c++20", f"-I{t.source / 'include'}", *switches,
              HERE / "plugin/host_with_filch.cpp", archive, "-pthread", "-o", host)
        printed = t.run(host, plugin, expected)
        if printed != "closed\n":
            raise Failed(f"the host with {switches} printed\n{printed}")


@case
def plug_ins_that_share_a_library_can_be_closed(t):
    build = t.fresh(f"build_for_plug_ins_{pathlib.Path(t.compiler).name}")
    t.configure(t.source, build, "-DBUILD_SHARED_LIBS=ON")
    t.run("cmake", "--build", build)
    close_plug_ins(t, "plug_ins", build / "libfilch.so", 2)


@case
def benchmarks(t):
    """The preset that README.md names builds, and each of its programs runs. Nothing is measured."""
    t.run("cmake", "--preset", "bench", "-B", t.built, folder=t.source)
    t.run("cmake", "--build", t.built)
    programs = sorted(p for p in (t.built / "bench").glob("bench_micro_*") if os.access(p, os.X_OK))
    if not programs:
        raise Failed(f"no benchmarks in {t.built / 'bench'}")
    for program in programs:
        names = t.run(program, "--benchmark_list_tests").split()
        printed = t.run(program, "--benchmark_min_time=0.001", "--benchmark_format=json")
        rows = json.loads(printed)["benchmarks"]
        failed = {row["name"]: row.get("error_message", "") for row in rows}  # no exit code says so
        wrong = [f"{name}: {failed.get(name, 'did not run')}" for name in names
                 if failed.get(name) != ""]
        if wrong or not names:
            raise Failed(f"{program.name}: {', '.join(wrong) or 'has no benchmarks'}\n{printed}")


def main(name, *where):
    if name not in CASES:
        return f"packaging.py: no case '{name}'; there are {', '.join(CASES)}"
    try:
        CASES[name](Packaging(*where))
    except Failed as error:
        return f"{name}: {error}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
