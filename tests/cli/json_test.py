"""What --json prints is what docs/spec/observing.md says."""
import json
import re
import unittest

import command
from command import CLIENT, FILCH, QUICK, SOURCE


def documented():
    """The keys of each command, from the table; what stands in brackets or after a colon is not a key."""
    text = (SOURCE / "docs/spec/observing.md").read_text()
    table = text[text.index("## What --json prints"):]
    rows = re.findall(r"(?m)^\| (\w+) \| (.*) \|$", table)
    plain = {name: re.sub(r"\([^)]*\)|^a line for each look:", "", keys) for name, keys in rows}
    return {name: set(re.findall(r"`(\w+)`", keys)) for name, keys in plain.items()
            if name != "command"}


class Json(command.Command):
    def test_the_keys_are_those_of_the_document(self):
        calls = {"demo": ("imbalance", "-j", "1", *QUICK),
                 "trace": ("--", "sh", "-c", f"{CLIENT} > /dev/null"),
                 "report": ("filch-trace.json",),
                 "top": ("--interval", "0.1", "--", "sh", "-c",
                         f"exec {FILCH} stress --seconds 0.5 -j 1 > /dev/null"),
                 "stress": ("--seconds", "0.01"),
                 "bench": ("sort", "--seconds", "0.01", "-j", "1"),
                 "doctor": ()}
        keys = documented()
        self.assertEqual(set(keys), set(calls))
        for name, words in calls.items():
            with self.subTest(name):
                said = self.call(name, "--json", *words)
                for value in said.splitlines() if name == "top" else [said]:
                    self.assertEqual(set(json.loads(value)), keys[name])


if __name__ == "__main__":
    unittest.main()
