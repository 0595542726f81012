#!/usr/bin/python3
"""Draws the ten rows that users ask for first, and prints them as a table in Markdown.

usage: bench/plot.py JSON [SVG]

JSON is what this command wrote:
  bench/versus/run.py --ten --json JSON
SVG is docs/images/ten_rows.svg by default. The picture shows the time of each peer divided by that of
filch, on a logarithmic scale. It has no background, so that it fits light and dark pages. Rows of filch
are those called from main. Of several numbers of workers the largest is shown. It needs Debian's
package python3-matplotlib, which is for /usr/bin/python3.
Exit code: 0, 1 if a row is missing or nothing can be drawn, 2 if the command line was wrong.
"""
import dataclasses
import io
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench/versus"))
from measure import duration  # noqa: E402
from ten_rows import TEN_ROWS  # noqa: E402

# The peers that users know, with their colours: neither light nor dark.
PEERS = {"onetbb": ("oneTBB", "#3f87c9"), "libgomp": ("OpenMP", "#d9822b"),
         "rayon": ("Rayon", "#3a9d5d"), "std_par": ("std::execution::par", "#a071c6")}
TEXT = "#7d7d7d"  # can be read on white and on black
OWN = ("filch_main", "filch")  # the first that was measured counts


class Missing(Exception):
    """A figure, or what is needed to draw it, is missing; the message says which."""


@dataclasses.dataclass(frozen=True)
class Figure:
    """One of the ten rows."""
    label: str
    operation: str
    seconds: float  # of filch, for one operation
    ratios: dict  # by peer: its time divided by that of filch


def figures(data):
    """The ten rows of what run.py wrote."""
    workers = max((row["workers"] for row in data["rows"]), default=0)
    rows = {(row["problem"], row["runtime"]): row for row in data["rows"]
            if row["workers"] == workers and not row["failure"]}
    found = []
    for problem, label in TEN_ROWS.items():
        own = next((rows[problem, name] for name in OWN if (problem, name) in rows), None)
        if own is None:
            raise Missing(f"there is no figure of filch for {problem}; measure it with "
                          "bench/versus/run.py --ten --json FILE")
        seconds = own["minimum"] / own["operations"]
        peers = {peer: rows[problem, peer] for peer in PEERS if (problem, peer) in rows}
        found.append(Figure(label, own["operation"], seconds,
                            {peer: row["minimum"] / row["operations"] / seconds
                             for peer, row in peers.items()}))
    return found, workers


def markdown(found):
    """The table for the README: a ratio above 1 means that the peer takes longer than filch."""
    peers = [peer for peer in PEERS if any(peer in f.ratios for f in found)]
    lines = [["", "filch", *(PEERS[peer][0] for peer in peers)], ["---"] * (len(peers) + 2)]
    for f in found:
        each = "" if f.operation == "run" else f" per {f.operation}"
        lines.append([f.label, duration(f.seconds) + each,
                      *(f"{f.ratios[peer]:.2f}" if peer in f.ratios else "" for peer in peers)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def draw(found, workers):
    """The picture as SVG."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        raise Missing(f"{sys.executable} has no matplotlib; on Debian /usr/bin/python3 has it with the "
                      "package python3-matplotlib") from error
    # Text stays text, and the same figures give the same file.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "filch", "font.size": 9,
                                "text.color": TEXT, "axes.labelcolor": TEXT, "axes.edgecolor": TEXT,
                                "xtick.color": TEXT, "ytick.color": TEXT})
    picture, axes = pyplot.subplots(figsize=(8, 6.5))
    place, places, names = 0, [], []
    for f in found:
        first = place
        for peer, ratio in f.ratios.items():
            label, colour = PEERS[peer]
            axes.barh(place, ratio - 1, left=1, color=colour,
                      label=None if label in names else label)
            names.append(label)
            axes.annotate(f"{ratio:.2f}", (ratio, place), xytext=(3 if ratio >= 1 else -3, 0),
                          textcoords="offset points", ha="left" if ratio >= 1 else "right",
                          va="center", fontsize=7)
            place += 1
        places.append((first + max(place - 1, first)) / 2)
        place = max(place, first + 1) + 1
    axes.set_xscale("log")
    axes.axvline(1, color=TEXT, linewidth=1)
    axes.set_yticks(places, [f.label for f in found])
    axes.invert_yaxis()
    axes.margins(x=0.1, y=0.01)
    axes.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
    axes.set_xlabel(f"time divided by that of filch, {workers} workers; right of 1: slower than filch")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if names:
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncol=len(PEERS))
    text = io.StringIO()
    picture.savefig(text, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(picture)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def main(words):
    if {"-h", "--help"} & set(words):
        print(__doc__.strip())
        return 0
    if len(words) not in (1, 2) or words[0].startswith("-"):
        print("plot.py: it takes the file that bench/versus/run.py --ten --json wrote\n"
              "See bench/plot.py --help", file=sys.stderr)
        return 2
    out = pathlib.Path(words[1]) if len(words) == 2 else ROOT / "docs/images/ten_rows.svg"
    try:
        found, workers = figures(json.loads(pathlib.Path(words[0]).read_text(encoding="utf-8")))
        print(markdown(found))
        out.write_text(draw(found, workers), encoding="utf-8")
    except (OSError, ValueError, KeyError, Missing) as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 1
    print(f"{out} is written", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
