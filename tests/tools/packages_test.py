"""tools/packages.sh, with stand-ins for dpkg-query, apt-get and id: nothing is installed."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

LIBRARIES = ("libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libtbb-dev")
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/packages.sh"


def run(command, **settings):
    """Exit code and output, once no process of the command is left. A minute after its end, those that
    are left are ended, and the test fails."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True, **settings) as program:
        try:
            said, _ = program.communicate(timeout=60)  # until no process holds the output
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            raise
        return program.returncode, said


def call(group, *, user, installed=(), apt="exit 0", **tools):
    """Exit code, output and the calls of apt-get. `tools` are scripts that the PATH has besides."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for tool in ("bash", "cat", "mktemp", "rm"):
            (path / tool).symlink_to(shutil.which(tool))
        for name, script in {
                "id": f"echo {user}",
                "apt-get": f'echo "$*" >> {path}/calls; {apt}',
                "dpkg-query": f'case " {" ".join(installed)} " in *" ${{@: -1}} "*) echo installed;; '
                              "*) exit 1;; esac", **tools}.items():
            (path / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
            (path / name).chmod(0o755)
        code, said = run(["bash", str(SCRIPT), group], env={**os.environ, "PATH": folder})
        calls = path / "calls"
        return code, said, calls.read_text().splitlines() if calls.exists() else []


class Packages(unittest.TestCase):
    def test_nothing_missing_calls_no_package_manager(self):
        self.assertEqual(call("run", user=1000, installed=("g++", "cmake", "ninja-build", *LIBRARIES)),
                         (0, "", []))

    def test_root_installs_what_is_missing(self):
        code, _, calls = call("run", user=0, installed=("g++", *LIBRARIES))
        self.assertEqual(code, 0)
        self.assertEqual(calls, ["update", "install -y --no-install-recommends cmake ninja-build"])

    def test_another_user_is_told_the_line(self):
        code, said, calls = call("run", user=1000, installed=("g++", *LIBRARIES))
        self.assertEqual((code, calls), (1, []))
        self.assertIn("apt-get install --no-install-recommends cmake ninja-build\n", said)

    def test_a_failed_install_shows_what_apt_said(self):
        code, said, _ = call("run", user=0, apt="echo no network; exit 100")
        self.assertEqual(code, 1)
        self.assertIn("no network", said)
        self.assertIn("could not install: g++ cmake ninja-build libcli11-dev", said)

    def test_a_long_install_shows_that_it_goes_on(self):
        code, said, _ = call("run", user=0,
                             apt=f"echo Unpacking cmake; [[ $1 == update ]] || {shutil.which('sleep')} 6")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"(?m)^  \d+ s: Unpacking cmake$")

    def test_nothing_is_left_running(self):
        # What sleeps does so for ever, and what looks at the log later finds none, and says so.
        code, said, _ = call("run", user=0, sleep=f"exec {shutil.which('sleep')} infinity")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"\AInstalling: [^\n]+\n\Z")

    def test_only_benchmarks_need_newer_compilers_and_matplotlib(self):
        _, said, _ = call("bench", user=1000)
        _, said_of_tests, _ = call("test", user=1000)
        for package in ("clang-19", "libomp-19-dev", "python3-matplotlib"):
            self.assertIn(f" {package}", said)
            self.assertNotIn(package, said_of_tests)

    def test_an_unknown_group(self):
        self.assertEqual(call("everything", user=0)[0], 2)


if __name__ == "__main__":
    unittest.main()
