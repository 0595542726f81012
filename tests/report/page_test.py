#!/usr/bin/env python3
"""The report in a real browser. usage: page_test.py MAKE_REPORT [unittest's arguments]

Needs chromium, its driver and python3-selenium (Debian's, so perhaps another python3 than the one
this was started with); without them it is skipped: exit code 77.
"""
import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

DEBIAN_PYTHON = "/usr/bin/python3"
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


if importlib.util.find_spec("selenium") is None:
    if os.path.exists(DEBIAN_PYTHON) and not os.environ.get("FILCH_PAGE_TEST_AGAIN") and \
            os.path.realpath(sys.executable) != os.path.realpath(DEBIAN_PYTHON):
        os.environ["FILCH_PAGE_TEST_AGAIN"] = "1"
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, "-B", *sys.argv])
    skip("no selenium (Debian's package is python3-selenium)")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    skip("no chromium or no chromedriver")

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

import sample_trace  # noqa: E402

MAKE_REPORT = None
FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars "
         "--disable-background-networking --disable-component-update --disable-sync").split()
HOSTILE = "</script><img src=x onerror=\"document.title='owned'\">&amp;'\"<!--"


def start_browser(profile):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS, f"--user-data-dir={profile}", "--window-size=1300,1000"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class Figures:
    """What the page must show, from the trace alone."""

    def __init__(self, document):
        own = document["otherData"]["filch"]
        threads, events = own["threads"], document["traceEvents"]
        self.wall = own["duration_ns"]
        workers = [t for t in threads if t["kind"] == "worker"]
        self.utilisation = sum(t["busy_ns"] for t in workers) / (self.wall * len(workers))
        self.parallelism = sum(t["busy_ns"] for t in threads) / self.wall
        self.jobs = sum(t["jobs"] for t in threads)
        self.steals = sum(t["steals_taken"] for t in threads)
        self.sleeping = sum(t["sleep_ns"] for t in threads)
        self.threads = {t["tid"]: t for t in threads}
        self.matrix, self.buckets = {}, {}
        self.steal_events = 0
        for event in events:
            if event.get("cat") == "steal":
                key = event["tid"], event["args"]["victim"]
                self.matrix[key] = self.matrix.get(key, 0) + event["args"]["count"]
                self.steal_events += 1
            if event.get("cat") == "job":
                bucket = max(1, round(event["dur"] * 1000)).bit_length() - 1
                self.buckets[bucket] = self.buckets.get(bucket, 0) + 1


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with contextlib.ExitStack() as stack:
            cls.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            cls.browser = start_browser(cls.folder / "profile")
            stack.callback(cls.browser.quit)
            cls.addClassCleanup(stack.pop_all().close)
        trace = sample_trace.uneven(workers=4, events=3000, seed=7, program=HOSTILE,
                                    spans=("row", HOSTILE, "sort"))
        cls.document = trace.document(comparison=sample_trace.comparison())
        cls.page = cls.make("sample", cls.document)

    @classmethod
    def make(cls, name, document):
        source, page = cls.folder / f"{name}.json", cls.folder / f"{name}.html"
        source.write_text(json.dumps(document), encoding="utf-8")
        start = time.monotonic()
        subprocess.run([MAKE_REPORT, source, page], check=True)
        cls.made_in = time.monotonic() - start
        return page

    def setUp(self):
        self.open(self.page)

    def tearDown(self):
        wrong = [e["message"] for e in self.browser.get_log("browser") if e["level"] != "DEBUG"]
        self.assertEqual(wrong, [], "the console is not empty")

    def open(self, page):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        self.browser.get(page.as_uri())
        self.wait_for("return !!(window.filch || filch).timeline")

    def run_js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def wait_until(self, is_true, what, seconds=30):
        end = time.monotonic() + seconds
        while not is_true():
            self.assertLess(time.monotonic(), end, f"never true: {what}")
            time.sleep(0.02)

    def wait_for(self, code):
        self.wait_until(lambda: self.run_js(code), code)

    def drawn(self):
        """Waits until what was asked for is on the canvas."""
        self.wait_for("return !filch.timeline.pending")

    def view(self):
        self.drawn()
        return self.run_js("return [filch.timeline.from, filch.timeline.to]")

    def pixels(self):
        """How many colours the timeline has, its background, and a number for all of it."""
        self.drawn()
        return self.run_js("""
            const copy = document.createElement('canvas'), from = filch.timeline.canvas;
            copy.width = from.width; copy.height = from.height;
            const c = copy.getContext('2d', { willReadFrequently: true });
            c.drawImage(from, 0, 0);
            const data = new Uint32Array(c.getImageData(0, 0, copy.width, copy.height).data.buffer);
            let sum = 0;
            for (const pixel of data) sum = (sum * 31 + pixel) >>> 0;
            return { colours: new Set(data).size, first: data[0], sum };""")

    def key(self, *keys):
        canvas = self.browser.find_element("id", "timeline")
        for one in keys:
            canvas.send_keys(one)

    def values(self, selector, name):
        """{attribute: data-value} of the elements that match."""
        found = self.run_js("""return [...document.querySelectorAll(arguments[0])].map(
            (e) => [e.getAttribute(arguments[1]), Number(e.dataset.value)])""", selector, name)
        return dict(map(tuple, found))

    def test_no_request_goes_out(self):
        self.browser.get_log("performance")  # what was before does not count
        self.open(self.page)
        asked = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        # That of the page itself, and its icon, which is empty.
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:"))], [])
        self.assertLessEqual({url for url in asked if url.startswith("file:")}, {self.page.as_uri()})

    def test_the_canvas_is_not_blank(self):
        self.assertGreater(self.pixels()["colours"], 20)

    def test_key_figures_are_those_of_the_trace(self):
        figures, shown = Figures(self.document), self.values("[data-kpi]", "data-kpi")
        self.assertEqual(shown["wall"], figures.wall)
        self.assertAlmostEqual(shown["utilisation"], figures.utilisation)
        self.assertAlmostEqual(shown["parallelism"], figures.parallelism)
        self.assertEqual(shown["jobs"], figures.jobs)
        self.assertEqual(shown["steals"], figures.steals)
        tries = figures.steal_events + sum(t["steals_lost"] + t["steals_empty"] for t in figures.threads.values())
        note = self.run_js("return document.querySelector('[data-kpi=steals] .note').textContent")
        self.assertIn(f"{100 * figures.steal_events / tries:.1f}", note)
        self.assertEqual(shown["sleeping"], figures.sleeping)
        self.assertNotIn("lost_events", shown)
        text = self.run_js("return document.querySelector('[data-kpi=utilisation] .value').textContent")
        self.assertEqual(text, f"{100 * figures.utilisation:.1f}%")

    def test_every_thread_has_its_figures(self):
        for tid, thread in Figures(self.document).threads.items():
            shown = self.values(f"[data-tid='{tid}'] [data-figure]", "data-figure")
            for name in ("jobs", "steals_taken", "steal_hits", "steals_lost", "steals_empty", "sleeps", "wakes",
                         "busy_ns", "sleep_ns"):
                self.assertEqual(shown[name], thread[name], (tid, name))

    def test_matrix_and_histogram_are_those_of_the_trace(self):
        figures = Figures(self.document)
        self.assertGreater(figures.steals, figures.steal_events, "some took several jobs at once")
        cells = self.run_js("""return [...document.querySelectorAll('#matrix [data-thief]')].map((e) =>
            [Number(e.dataset.thief), Number(e.dataset.victim), Number(e.dataset.value), e.textContent])""")
        self.assertEqual({(a, b): n for a, b, n, _ in cells}, figures.matrix)
        self.assertEqual(sum(n for _, _, n, _ in cells), figures.steals)
        self.assertNotIn("The events have", self.matrix_lead())
        self.assertEqual([text for *_, text in cells], [str(n) for _, _, n, _ in cells])
        shown = self.values("#histogram-table [data-bucket]", "data-bucket")
        self.assertEqual({int(k): n for k, n in shown.items()}, figures.buckets)

    def test_the_matrix_says_what_is_missing(self):
        own = {"duration_ns": 9, "threads": [{"tid": 0, "steals_taken": 50}, {"tid": 1}]}
        steal = {"ph": "i", "cat": "steal", "ts": 0.001, "tid": 0, "args": {"victim": 1, "count": 3}}
        self.open(self.make("missing", {"otherData": {"filch": {"format": 1, **own}}, "traceEvents": [steal] * 2}))
        self.assertIn("The events have 6 of 50 stolen jobs.", self.matrix_lead())

    def matrix_lead(self):
        return self.run_js("return document.getElementById('matrix-lead').textContent")

    def test_every_event_arrives_in_the_page(self):
        counts = self.run_js("""
            const count = {};
            for (const row of filch.timeline.rows)
              for (const t of row.tracks) count[t.kind] = (count[t.kind] || 0) + t.begin.length;
            return count""")
        for kind in ("job", "sleep", "span"):
            self.assertEqual(counts[kind], sum(e.get("cat") == kind for e in self.document["traceEvents"]))
        times = sorted(e["ts"] for e in self.document["traceEvents"] if e.get("cat") == "steal")
        shown = self.run_js("return [...filch.timeline.links.steals.time]")
        self.assertEqual(shown, [round(1000 * t) for t in times])

    def test_aggregated_and_single_intervals_agree(self):
        worst = self.run_js("""
            const n = 20000, begin = new Float64Array(n), end = new Float64Array(n);
            for (let i = 0, t = 0; i < n; i++) { begin[i] = t += 3 + (i * 7919) % 11; end[i] = t += 1 + (i * 104729) % 13; }
            const code = new Uint32Array(n), wall = end[n - 1];
            const track = filch.tracksOf({ begin, end, code }, wall)[0];
            const W = 500, a = new Float32Array(W), b = new Float32Array(W), c = new Uint32Array(W);
            filch.coverage(track, wall / 7, wall * 0.8, W, a, c);
            filch.coverage({ ...track, levels: [] }, wall / 7, wall * 0.8, W, b, c);
            return [track.levels.length, Math.max(...a.map((v, i) => Math.abs(v - b[i])))];""")
        self.assertGreater(worst[0], 3)
        self.assertLess(worst[1], 0.1)

    def test_the_comparison_is_shown_with_the_ideal(self):
        rows = self.document["otherData"]["filch"]["comparison"]["rows"]
        shown = self.run_js("""return [...document.querySelectorAll('#comparison tbody tr')].map((row) =>
            [row.dataset.load, row.dataset.variant, row.innerText])""")
        self.assertEqual([(load, variant) for load, variant, _ in shown],
                         [(r["load"], r["variant"]) for r in rows])
        for row, (*_, text) in zip(rows, shown):
            self.assertIn(f"{row['speedup']:.2f}\u00d7" if row["speedup"] else "not installed", text)
        self.assertEqual(self.run_js("return document.querySelectorAll('.bar-track b').length"), 12)

    def test_a_hostile_name_stays_a_text(self):
        self.assertEqual(self.run_js("return document.querySelectorAll('img').length"), 0)
        self.assertEqual(self.run_js("return document.getElementById('title').textContent"), HOSTILE)
        self.assertIn(HOSTILE, self.run_js("return document.getElementById('legend').textContent"))
        self.assertTrue(self.browser.title.startswith(HOSTILE))
        # Also where it is pointed at.
        self.run_js("""const t = filch.timeline;
            t.selected = null; t.canvas.focus();
            const row = t.rows[0], track = row.tracks.find((k) => k.kind === 'span' && k.depth === 0);
            const i = track.code.findIndex((c) => t.nameOf(c).startsWith('</script>'));
            t.setView(track.begin[i], track.end[i]);""")
        x, y = self.run_js("""const t = filch.timeline, row = t.rows[0];
            const track = row.tracks.find((k) => k.kind === 'span' && k.depth === 0);
            const [top, height] = t.placeOf(row, track);
            return [t.gutter + t.plot / 2, top + height / 2]""")
        self.hover(x, y)
        self.assertIn(HOSTILE, self.run_js("return document.getElementById('tooltip').textContent"))
        self.assertEqual(self.run_js("return document.querySelectorAll('img').length"), 0)

    def hover(self, x, y):
        """Moves the mouse to a point of the canvas."""
        canvas = self.browser.find_element("id", "timeline")
        self.run_js("arguments[0].scrollIntoView({block: 'center'})", canvas)
        size = canvas.size
        ActionChains(self.browser).move_to_element_with_offset(
            canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)).perform()

    def test_hovering_says_what_is_there(self):
        x, y = self.run_js("""const t = filch.timeline, row = t.rows[1];
            const track = row.tracks.find((k) => k.kind === 'job');
            t.setView(track.begin[3] - 100, track.end[3] + 100);
            return [t.xOf((track.begin[3] + track.end[3]) / 2), row.top + 2]""")
        self.hover(x, y)
        said = self.run_js("return document.getElementById('tooltip').innerText")
        self.assertTrue(said.startswith("job\nfilch 1\ntook "), said)

    def at(self, row, time):
        """What the page says of a moment in a row, and its colour there, as a name of the style sheet."""
        x, y = self.run_js("""const t = filch.timeline, row = t.rows[arguments[0]];
            return [t.xOf(arguments[1]), row.top + 4]""", row, time)
        self.hover(x, y)
        said = self.run_js("return document.getElementById('tooltip').innerText").split("\n")[0]
        return said, self.run_js("""const t = filch.timeline;
            t.hovered = null;
            t.draw();
            const copy = document.createElement('canvas');
            copy.width = t.canvas.width; copy.height = t.canvas.height;
            const c = copy.getContext('2d', { willReadFrequently: true });
            c.drawImage(t.canvas, 0, 0);
            const [x, y] = [arguments[0], arguments[1]].map((v) => Math.round(v * t.ratio));
            const [r, g, b] = c.getImageData(x, y, 1, 1).data;
            const known = Object.entries(t.colours).find(([, k]) => k[0] === r && k[1] === g && k[2] === b);
            return known ? known[0] : [r, g, b]""", round(x), round(y))

    def document_of(self, threads, events, **own):
        return {"otherData": {"filch": {"format": 1, "duration_ns": 10_000_000, "threads": threads, **own}},
                "traceEvents": [{"ph": "X", "name": cat, "cat": cat, "tid": tid, "ts": begin * 1000,
                                 "dur": (end - begin) * 1000} for tid, cat, begin, end in events]}

    def test_a_guest_is_busy_while_it_takes_part_and_idle_only_then(self):
        threads = [{"tid": 0, "kind": "guest", "name": "main", "busy_ns": 5_000_000, "guest_ns": 7_000_000},
                   {"tid": 1, "kind": "outside", "name": "other"},
                   {"tid": 2, "kind": "guest", "name": "of an older trace", "busy_ns": 2_000_000}]
        events = [(0, "guest", 1, 8), (0, "idle", 3, 5), (0, "job", 6, 7), (1, "span", 2, 3), (2, "job", 1, 3)]
        self.open(self.make("guest", self.document_of(threads, events)))
        self.assertEqual(self.at(0, 0.5e6), ("takes part in no pool", "bg"))
        self.assertEqual(self.at(0, 2.3e6), ("busy as a guest", "part"))
        self.assertEqual(self.at(0, 4.3e6), ("idle", "row"))
        self.assertEqual(self.at(0, 5.5e6), ("busy as a guest", "part"))
        self.assertEqual(self.at(0, 6.5e6), ("job", "accent"))
        self.assertEqual(self.at(0, 9.3e6), ("takes part in no pool", "bg"))
        self.assertEqual(self.at(1, 5.3e6), ("takes part in no pool", "bg"))
        self.assertEqual(self.at(2, 5.3e6), ("no job", "bg"))
        # The strip over all of it: main from 1 to 3 and from 5 to 8, the other from 1 to 3.
        active = self.run_js("return filch.timeline.trace.active")
        for time, busy in ((0.5, 0), (2, 2), (4, 0), (5.5, 1), (9, 0)):
            self.assertEqual(active[int(time / 10 * len(active))], busy, time)
        self.assertIn("guest, busy outside of jobs", self.run_js("return document.getElementById('legend').innerText"))

    def test_what_was_lost_is_not_said_to_be_idle(self):
        threads = [{"tid": 0, "kind": "worker", "name": "w", "busy_ns": 9_000_000, "jobs": 9,
                    "lost_events": 8, "recorded_from_ns": 6_000_000},
                   {"tid": 1, "kind": "worker", "name": "v", "busy_ns": 1_000_000, "jobs": 1}]
        events = [(0, "job", 5, 6), (0, "job", 8, 9), (1, "job", 0, 1)]
        self.open(self.make("losses", self.document_of(threads, events)))
        self.assertEqual(self.at(0, 2.3e6)[0], "not recorded")
        self.assertNotEqual(self.at(0, 2.3e6)[1], "row")
        self.assertEqual(self.at(0, 5.5e6), ("job", "accent"))
        self.assertEqual(self.at(0, 7.3e6), ("idle", "row"))
        self.assertEqual(self.at(1, 2.3e6), ("idle", "row"))
        self.assertIn("not recorded", self.run_js("return document.getElementById('legend').innerText"))
        self.assertIn("hatched", self.run_js("return document.getElementById('notices').innerText"))

    def test_the_mean_of_jobs_is_that_of_the_histogram(self):
        threads = [{"tid": 0, "kind": "guest", "name": "main", "jobs": 3, "busy_ns": 9_000_000}]
        events = [(0, "guest", 0, 9), (0, "job", 1, 2), (0, "job", 3, 6)]
        self.open(self.make("mean", self.document_of(threads, events)))
        note = self.run_js("return document.querySelector('[data-kpi=jobs] .note').textContent")
        self.assertEqual(note, "2.00\u202fms each on average, of those in the events")
        self.assertIn("2.00\u202fms on average", self.run_js("return document.getElementById('histogram-lead').textContent"))

    def test_sums_of_the_threads_are_those_of_the_lines_above(self):
        threads = [{"tid": 0, "kind": "worker", "name": "w", "busy_ns": 3_000_000, "sleep_ns": 1_000_000},
                   {"tid": 1, "kind": "guest", "name": "g", "busy_ns": 4_000_000, "guest_ns": 5_000_000}]
        self.open(self.make("sums", self.document_of(threads, [])))
        sums = {who: self.values(f"[data-sum='{who}'] [data-figure]", "data-figure") for who in ("Workers", "All")}
        for name in ("busy_ns", "sleep_ns", "idle_ns"):
            lines = [self.values(f"[data-tid='{tid}'] [data-figure]", "data-figure")[name] for tid in (0, 1)]
            self.assertEqual(sums["Workers"][name], lines[0])
            self.assertEqual(sums["All"][name], sum(lines))
        self.assertEqual(sums["All"]["idle_ns"], 7_000_000)

    def test_the_keyboard_zooms_and_pans(self):
        wall = Figures(self.document).wall
        self.assertEqual(self.view(), [0, wall])
        before = self.pixels()["sum"]
        self.key("+", "+")
        low, high = self.view()
        self.assertAlmostEqual(high - low, wall / 2.25, delta=wall / 1e6)
        self.assertNotEqual(self.pixels()["sum"], before)
        self.key(Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.view()[0] - low, (high - low) / 10, delta=wall / 1e6)
        self.key(Keys.ARROW_LEFT, "-")
        self.key(Keys.HOME)
        self.assertEqual(self.view()[0], 0)
        self.key(Keys.END)
        self.assertAlmostEqual(self.view()[1], wall, delta=1)
        self.key("0")
        self.assertEqual(self.view(), [0, wall])

    def test_zooming_never_leaves_the_trace(self):
        wall = Figures(self.document).wall
        for factor, at in ((1e9, 0.0), (1e-9, 0.5), (1e12, 1.0), (3.0, 0.7)):
            self.run_js("filch.timeline.zoom(arguments[0], arguments[1])", factor, at * wall)
            low, high = self.view()
            self.assertGreaterEqual(low, 0)
            self.assertLessEqual(high, wall + 1e-6)
            self.assertGreater(high - low, 19.9)

    def test_the_keyboard_goes_from_event_to_event(self):
        self.key(Keys.ARROW_DOWN, Keys.ARROW_DOWN, "n")
        first = self.run_js("return document.getElementById('said').textContent")
        self.assertIn("filch 1", first)
        begins = []
        for _ in range(5):
            self.key("n")
            begins.append(self.run_js("const s = filch.timeline.selected; return s.track.begin[s.index]"))
        self.assertEqual(begins, sorted(begins))
        self.key("p")
        self.assertEqual(self.run_js("const s = filch.timeline.selected; return s.track.begin[s.index]"),
                         begins[-2])
        self.key(Keys.ENTER)
        self.assertLess(self.view()[1] - self.view()[0], Figures(self.document).wall)
        self.key(Keys.ESCAPE)
        self.assertIsNone(self.run_js("return filch.timeline.selected"))

    def test_steals_are_drawn_on_demand(self):
        before = self.pixels()["sum"]
        self.key("s")
        after = self.pixels()["sum"]
        self.assertNotEqual(before, after)
        self.assertTrue(self.run_js("return document.getElementById('show-steals').checked"))
        steals = Figures(self.document).steal_events
        self.assertEqual(self.run_js("return filch.timeline.shown.steals"), [steals, steals])
        self.browser.find_element("id", "show-steals").click()
        self.assertEqual(self.pixels()["sum"], before)

    def test_wheel_and_drag(self):
        canvas = self.browser.find_element("id", "timeline")
        self.run_js("arguments[0].scrollIntoView({block: 'center'})", canvas)
        self.run_js("""filch.timeline.canvas.dispatchEvent(new WheelEvent('wheel',
            { deltaY: -300, clientX: 600, clientY: 300, cancelable: true }))""")
        low, high = self.view()
        wall = Figures(self.document).wall
        self.assertLess(high - low, wall / 2)
        ActionChains(self.browser).move_to_element_with_offset(canvas, 100, 20).click_and_hold() \
            .move_by_offset(80, 0).release().perform()
        self.assertLess(self.view()[0], low)

    def test_help_opens_and_closes_by_key(self):
        self.key("?")
        self.assertTrue(self.run_js("return document.getElementById('help').open"))
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertFalse(self.run_js("return document.getElementById('help').open"))

    def test_everything_that_can_be_used_can_be_reached_and_has_a_name(self):
        nameless = self.run_js("""return [...document.querySelectorAll('button, input, canvas, [tabindex]')]
            .filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')
                             || e.textContent.trim() || (e.labels && e.labels.length)))
            .map((e) => e.outerHTML)""")
        self.assertEqual(nameless, [])
        reached = set()
        for _ in range(25):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            reached.add(self.run_js("return document.activeElement.id"))
        self.assertLessEqual({"timeline", "zoom-in", "zoom-fit", "show-steals", "theme-button", "help-button"},
                             reached)

    def test_dark_and_light(self):
        light = self.pixels()["first"]
        back = "return getComputedStyle(document.body).backgroundColor"
        bright = self.run_js(back)
        self.key("t")
        self.assertNotEqual(self.run_js(back), bright)
        self.assertNotEqual(self.pixels()["first"], light)
        self.key("t")
        self.assertEqual(self.pixels()["first"], light)

    def test_the_theme_of_the_system_is_followed(self):
        light = self.pixels()["first"]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.wait_until(lambda: self.pixels()["first"] != light, "the timeline is dark")

    def test_on_paper_everything_is_light_and_nothing_is_cut_off(self):
        light = self.pixels()["first"]
        self.key("t")
        self.assertNotEqual(self.pixels()["first"], light)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.wait_for("return getComputedStyle(document.querySelector('.actions')).display === 'none'")
        self.wait_for("return document.documentElement.dataset.theme === 'light'")
        self.assertEqual(self.pixels()["first"], light)
        self.assertLessEqual(self.run_js("return document.documentElement.scrollWidth - innerWidth"), 0)
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {  # A4 between margins
            "width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
        self.assertEqual(self.run_js("""return [...document.querySelectorAll('section, table')]
            .filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.innerText)"""), [])
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.wait_for("return document.documentElement.dataset.theme === 'dark'")
        pdf = self.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
        self.assertGreater(len(pdf), 20_000)

    def test_a_narrow_window_needs_no_sideways_scrolling(self):
        for width in (360, 700, 1000):
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 800, "deviceScaleFactor": 2, "mobile": False})
            self.wait_for(f"return filch.timeline.width < {width}")
            self.assertLessEqual(self.run_js("return document.documentElement.scrollWidth"), width)
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_traces_of_almost_nothing(self):
        head = {"format": 1, "duration_ns": 0}
        for name, own, events in (
                ("empty", {}, []),
                ("idle", {"duration_ns": 5000, "threads": [{"tid": 0, "kind": "worker", "name": "w"}]}, []),
                ("instant", {"threads": [{"tid": 0, "kind": "worker"}]},
                 [{"ph": "X", "cat": "job", "ts": 0, "dur": 0, "tid": 0}]),
                ("lost", {"duration_ns": 9, "lost_events": 12, "threads": []}, [])):
            document = {"otherData": {"filch": {**head, **own}}, "traceEvents": events}
            self.open(self.make(name, document))
            self.drawn()
            shown = self.values("[data-kpi]", "data-kpi")
            self.assertEqual(shown.get("lost_events", 0), own.get("lost_events", 0))
            self.assertEqual(shown["jobs"], len(events))
            self.assertNotIn("NaN", self.run_js("return document.body.innerText"), name)
            self.assertNotIn("Infinity", self.run_js("return document.body.innerText"), name)

    def test_very_many_threads(self):
        trace = sample_trace.uneven(workers=300, events=9000, seed=3)
        self.open(self.make("many", trace.document()))
        self.assertGreater(self.pixels()["colours"], 20)
        self.assertEqual(self.run_js("return filch.timeline.rows.length"), 256)
        self.assertEqual(self.run_js("return document.querySelectorAll('[data-tid]').length"), 300)
        self.assertIn("256 busiest of 300", self.run_js("return document.getElementById('notices').innerText"))

    def test_a_million_events_stay_quick(self):
        document = sample_trace.uneven(workers=8, events=1_250_000, seed=5).document()
        events = sum(e["ph"] in "Xi" for e in document["traceEvents"])
        self.assertGreater(events, 1_000_000)
        page = self.make("million", document)
        start = time.monotonic()
        self.open(page)
        opened = time.monotonic() - start
        self.run_js("filch.timeline.shows.steals = true; filch.timeline.shows.wakes = true")
        self.browser.set_script_timeout(60)
        frames = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1], t = filch.timeline, drawing = [], between = [];
            const steps = 240;
            let i = 0, before = 0;
            const next = (now) => {
              if (i > 1) { drawing.push(t.lastFrameMs); between.push(now - before); }
              before = now;
              if (i++ === steps) return done({ drawing, between });
              if (i % 4 === 3) t.pan(i % 8 === 3 ? 0.07 : -0.05);
              else t.zoom(i < steps / 2 ? 1.12 : 1 / 1.12, t.wall * 0.4);
              requestAnimationFrame(next);
            };
            requestAnimationFrame(next);""")
        drawing, between = frames["drawing"], frames["between"]
        worst = sorted(drawing)[int(0.95 * len(drawing))]
        print(f"\n{events} events: page of {page.stat().st_size / 1e6:.1f} MB written in {self.made_in:.2f} s, "
              f"opened in {opened:.2f} s (scripts {self.run_js('return filch.loadMs'):.0f} ms); frames "
              f"while zooming and panning: drawing {statistics.median(drawing):.1f} ms (95 %: "
              f"{worst:.1f}), from frame to frame {statistics.median(between):.1f} ms (medians)")
        self.assertGreater(self.pixels()["colours"], 20)
        self.assertLess(statistics.median(drawing), 50)
        self.assertLess(statistics.median(between), 50)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    MAKE_REPORT = sys.argv.pop(1)
    unittest.main()
