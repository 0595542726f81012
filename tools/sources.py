"""What the checkers share: the files of the project, and the code and comments of a file."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = (".hpp", ".cpp")

_TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|(?P<raw>R"(?P<d>[^(\s]*)\(.*?\)(?P=d)")"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+')""", re.DOTALL)


def blank(text):
    """`text` with spaces in place of everything except line ends, so that positions stay the same."""
    return re.sub(r"[^\n]", " ", text)


def split(text):
    """`text` as two texts of the same shape: its code, and its comments. Strings are in neither."""
    code, comments, end = [], [], 0
    for token in _TOKEN.finditer(text):
        between = text[end:token.start()]
        code += [between, blank(token[0])]
        comments += [blank(between), token[0] if token["line"] or token["block"] else blank(token[0])]
        end = token.end()
    return "".join([*code, text[end:]]), "".join([*comments, blank(text[end:])])


def without_comments(text):
    """`text` with spaces in place of comments and raw strings; other strings stay."""
    return _TOKEN.sub(lambda t: t[0] if t["string"] else blank(t[0]), text)


def listed_by_git(root):
    """The files that git lists at `root`; None if there is no repository or no git."""
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode().split("\0") if done.returncode == 0 else None


def project_files(root=ROOT):
    """All files of the project, tracked or not yet tracked, sorted."""
    names = listed_by_git(root)
    if names is None:
        names = [str(p.relative_to(root)) for p in root.rglob("*")
                 if not {"build", ".git", "__pycache__"} & set(p.relative_to(root).parts)]
    return sorted(p for p in (root / n for n in names if n) if p.is_file())


def cpp_files(*folders, root=ROOT):
    """The C++ files of the project under `folders` (all of them, if none is given)."""
    within = [root / f for f in folders] or [root]
    return [p for p in project_files(root)
            if p.suffix in CPP and any(w == p or w in p.parents for w in within)]
