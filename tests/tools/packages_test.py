"""tools/packages.sh, with stand-ins for dpkg-query, apt-get and id: nothing is installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

LIBRARIES = ("libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libtbb-dev")
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/packages.sh"


def call(group, *, user, installed=(), apt="exit 0", tools=()):
    """Exit code, output and the calls of apt-get, which needs `tools` of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for tool in ("bash", "cat", "mktemp", "rm", *tools):
            (path / tool).symlink_to(shutil.which(tool))
        for name, script in {
                "id": f"echo {user}",
                "apt-get": f'echo "$*" >> {path}/calls; {apt}',
                "dpkg-query": f'case " {" ".join(installed)} " in *" ${{@: -1}} "*) echo installed;; '
                              "*) exit 1;; esac"}.items():
            (path / name).write_text(f"#!{shutil.which('bash')}\n{script}\n")
            (path / name).chmod(0o755)
        done = subprocess.run(["bash", str(SCRIPT), group], env={**os.environ, "PATH": folder},
                              capture_output=True, text=True, check=False)
        calls = path / "calls"
        return done.returncode, done.stdout + done.stderr, \
            calls.read_text().splitlines() if calls.exists() else []


class Packages(unittest.TestCase):
    def test_nothing_missing_calls_nobody(self):
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
        code, said, _ = call("run", user=0, tools=("sleep",),
                             apt="echo Unpacking cmake; [[ $1 == update ]] || sleep 6")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"(?m)^  \d+ s: Unpacking cmake$")

    def test_nothing_is_left_running(self):
        start = time.monotonic()  # subprocess.run waits for whoever still holds the output
        call("run", user=0)
        self.assertLess(time.monotonic() - start, 4)

    def test_an_unknown_group(self):
        self.assertEqual(call("everything", user=0)[0], 2)


if __name__ == "__main__":
    unittest.main()
