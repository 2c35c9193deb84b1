#!/usr/bin/env python3
"""The pages lead somewhere and leave nothing out.

    pages.py TOP TENSORTIDY [--update]

TOP is the top of the sources, or a folder with README.md, docs and what they link to. Checked are

  links      each leads to a file that exists, and to a heading of it
  options    docs/options.md describes every option of --help, spelled as there
  checks     each check has a page that describes its options with their defaults; the index of checks, and their
             number in README.md, are those of Checks.def. With --update, they are made so
  settings   options that are for all checks are described in docs/options.md
  keys       docs/models.md describes every key of the model file
  pictures   are what docs/images/draw.py draws now
  changelog  its newest version is that of the program

Examples and commands on the pages are run by examples.py and blocks.py, the site is built by site.py.
"""

import glob
import os
import re
import subprocess
import sys

FENCE = re.compile(r"^```.*?^```", re.M | re.S)
COMMENT = re.compile(r"<!--.*?-->", re.S)
CODE = re.compile(r"(`+)(?:(?!\1).)+\1")
CHECK = re.compile(r'^TENSORTIDY_CHECK\(\s*(\w+), "([\w-]+)", (\d), (true|false),\s*((?:"[^"]*"\s*)+)\)', re.M)
INDEX = re.compile(r"(?<=^\| check \| level \| fix-it \| what it reports \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)*", re.M)
COUNT = re.compile(r"(?<=\[)\d+(?= checks\]\(docs/checks/index\.md\))")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def read(path):
    with open(path) as file:
        return file.read()


def without_code(text):
    # Only what is shown is a link; code keeps its place, so that lines are counted right.
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    return CODE.sub(blank, COMMENT.sub(blank, FENCE.sub(blank, text)))


def anchors(text):
    """As GitHub and the site name the headings of a page."""
    names = {}
    for title in re.findall(r"^#+ (.*)$", FENCE.sub("", text), re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", title.replace("`", "").strip().lower()).replace(" ", "-")
        names[name] = names.get(name, 0) + 1
    return names


class Pages:
    def __init__(self, top, tool, update):
        self.top, self.tool, self.update, self.problems, self.seen = top, tool, update, [], {}
        self.pages = ["README.md"] + sorted(os.path.relpath(path, top)
                                            for path in glob.glob(top + "/docs/**/*.md", recursive=True))

    def path(self, *parts):
        return os.path.join(self.top, *parts)

    def wrong(self, text):
        self.problems.append(text)

    def saw(self, what, count):
        """Nothing seen is a mistake of this script, or a page that is not what it was."""
        self.seen[what] = count
        if not count:
            self.wrong("no %s found" % what)

    def ran(self, *arguments):
        return subprocess.run([self.tool, *arguments], check=True, capture_output=True, text=True).stdout

    def generated(self, page, where, text):
        """What of a page is made from Checks.def."""
        page, old = self.path(page), read(self.path(page))
        new, count = where.subn(lambda _: text, old)
        if count != 1:
            self.wrong(page + ": no place for what Checks.def says")
        elif new != old and self.update:
            with open(page, "w") as file:
                file.write(new)
        elif new != old:
            self.wrong(os.path.relpath(page, self.top) + ": not what Checks.def says: run test/pages.py with --update")

    def links(self):
        headings, count = {}, 0
        for page in self.pages:
            for number, line in enumerate(without_code(read(self.path(page))).split("\n"), 1):
                for target in LINK.findall(line):
                    count += 1
                    if re.match(r"[a-z]+:", target):
                        continue
                    name, _, anchor = target.partition("#")
                    file = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
                    where = "%s:%d: %s" % (page, number, target)
                    if not os.path.exists(self.path(file)):
                        self.wrong(where + ": no such file")
                    elif anchor:
                        if file not in headings:
                            headings[file] = anchors(read(self.path(file))) if file.endswith(".md") else {}
                        if headings[file].get(anchor, 0) != 1:
                            self.wrong(where + (": two such headings" if anchor in headings[file] else ": no such heading"))
        self.saw("links", count)

    def options(self):
        page = read(self.path("docs/options.md"))
        options = re.findall(r"^  (--?\w[\w-]*(?:[= ][A-Z][A-Z/]*)?)(?= )", self.ran("--help").partition("\noptions:\n")[2], re.M)
        for option in options:
            if "\n| `%s` | " % option not in page:
                self.wrong("docs/options.md: no row for `%s`" % option)
        for option in re.findall(r"^\| `(--?\w[^`]*)` \|", page, re.M):
            if option not in options and option != "-- FLAGS":
                self.wrong("docs/options.md: there is no option `%s`" % option)
        self.saw("options", len(options))
        source = read(self.path("lib/Tidy/Tidy.h"))
        settings = re.findall(r'"(tensortidy\.\w+)"', source)
        for setting in settings:
            if "`%s:" % setting not in page:
                self.wrong("docs/options.md: `%s` is not described" % setting)
        self.saw("settings", len(settings))

    def checks(self):
        catalogue = read(self.path("lib/Analysis/Checks.def"))
        rows = CHECK.findall(catalogue)
        names = {check: name for check, name, *_ in rows}
        options = re.findall(r'^TENSORTIDY_OPTION\(\s*(\w+), "(\w+)", "(\w*)"', catalogue, re.M)
        listed = [line.split()[0] for line in self.ran("--list-checks").splitlines()]
        if sorted(listed) != sorted(names.values()):
            self.wrong("Checks.def and --list-checks differ")
        table = "".join("| [{0}]({0}.md) | {1} | {2} | {3} |\n".format(
            name, level, "yes" if fix == "true" else "no", "".join(re.findall(r'"([^"]*)"', summary)))
            for _, name, level, fix, summary in rows)
        self.generated("docs/checks/index.md", INDEX, table)
        self.generated("README.md", COUNT, str(len(rows)))
        for name in names.values():
            if not os.path.exists(self.path("docs/checks", name + ".md")):
                self.wrong("docs/checks: no page for " + name)
        for check, option, default in options:
            page = self.path("docs/checks", names[check] + ".md")
            text = read(page).partition("\n## Options\n")[2] if os.path.exists(page) else ""
            if "* `%s` (default %s): " % (option, default) not in text:
                self.wrong("docs/checks/%s.md: no option `%s` (default %s)" % (names[check], option, default))
        self.saw("checks", len(names))
        self.saw("options of checks", len(options))

    def keys(self):
        """A key is described where it stands alone in code, or with its value: `op: assume`."""
        keys = set(re.findall(r'\.map(?:Required|Optional)\("(\w+)"', read(self.path("lib/Models/ApiModel.cpp"))))
        code = set(re.findall(r"`([^`\n]+)`", FENCE.sub("", read(self.path("docs/models.md")))))
        for key in sorted(keys):
            if not any(text == key or re.search(r"(?<!\w)%s: " % key, text) for text in code):
                self.wrong("docs/models.md: the key `%s` is not described" % key)
        self.saw("keys", len(keys))

    def pictures(self):
        run = subprocess.run([sys.executable, self.path("docs/images/draw.py"), self.tool, "--check"],
                             capture_output=True, text=True)
        if run.returncode:
            self.wrong(run.stdout + run.stderr)
        self.saw("pictures", int((re.search(r"^(\d+) pictures", run.stdout, re.M) or [0, 0])[1]))

    def changelog(self):
        versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", read(self.path("docs/changelog.md")), re.M)
        version = self.ran("--version").split()[1]
        if version not in versions[:1]:
            self.wrong("docs/changelog.md: the newest version is not " + version)
        self.saw("versions", len(versions))


def main():
    pages = Pages(*sys.argv[1:3], "--update" in sys.argv)
    for check in (pages.links, pages.options, pages.checks, pages.keys, pages.pictures, pages.changelog):
        check()
    print("\n".join(pages.problems))
    print(", ".join("%d %s" % (count, what) for what, count in pages.seen.items()))
    return 1 if pages.problems else 0


sys.exit(main())
