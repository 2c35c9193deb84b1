#!/usr/bin/env python3
"""site.py TEST_BUILD_DIR: the pages as a site.

mkdocs-material is installed from PyPI into an environment of its own in the build directory; where it cannot be had, the
test says so and is skipped. The site is built with --strict: a link or anchor that leads nowhere, or a page that is not in
the navigation, is an error. Then what only the built site shows: nothing is loaded from other servers, every check has the
address that the tool prints, lists and tables of the pages are lists and tables there.
"""

import glob
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile

import settings

PACKAGES = ["mkdocs-material==9.8.2"]
SKIPPED = 77


def require(condition, text):
    if not condition:
        sys.exit(text)


def python_with_packages(config):
    place = config.test_dir + "/site-python"
    if not os.path.exists(place + "/installed"):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [place + "/bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        if subprocess.run(pip).returncode != 0:
            print("skipped: pip cannot install " + " and ".join(PACKAGES))
            sys.exit(SKIPPED)
        open(place + "/installed", "w").close()
    return place + "/bin/python"


class Page(html.parser.HTMLParser):
    """What a page loads, and the text of its paragraphs."""

    def __init__(self, path):
        super().__init__()
        self.loads, self.paragraphs, self.depth = [], [], 0
        with open(path) as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("script", "img", "iframe") and values.get("src"):
            self.loads.append(values["src"])
        elif tag == "link" and values.get("rel") != "canonical":
            self.loads.append(values.get("href", ""))
        elif tag == "p":
            self.depth = 1
            self.paragraphs.append("")
        elif tag == "code":
            self.depth = 0

    def handle_endtag(self, tag):
        if tag == "p":
            self.depth = 0
        elif tag == "code" and self.paragraphs:
            self.depth = 1

    def handle_data(self, data):
        if self.depth:
            self.paragraphs[-1] += data


def build(python, source, site, *options):
    return subprocess.run([python, "-m", "mkdocs", "build", "--strict", "-f", source + "/docs/site/mkdocs.yml",
                           "-d", site, *options], capture_output=True, text=True,
                          env=dict(os.environ, NO_MKDOCS_2_WARNING="1", PYTHONDONTWRITEBYTECODE="1"))


def main():
    config = settings.load(sys.argv[1])
    python = python_with_packages(config)
    site = config.test_dir + "/site"
    run = build(python, config.source_dir, site)
    require(run.returncode == 0, run.stdout + run.stderr)

    pages = sorted(glob.glob(site + "/**/*.html", recursive=True))
    read = 0
    for path in pages:
        name = os.path.relpath(path, site)
        page = Page(path)
        for address in page.loads:
            require(not re.match(r"([a-z]+:)?//", address), "%s loads %s" % (name, address))
        for text in page.paragraphs:
            # What Markdown took for text: a list without an empty line before it, a row of a table.
            wrong = re.search(r"^(\* |- |\d+\. |\|).*", text, re.M)
            require(not wrong, "%s: is text: %s" % (name, wrong and wrong[0]))
        read += len(page.paragraphs)
    sources = glob.glob(config.source_dir + "/docs/**/*.md", recursive=True)
    require(len(pages) >= len(sources) and read > 300, "%d pages, %d paragraphs" % (len(pages), read))

    tool = config.build_dir + "/bin/tensortidy"
    checks = [line.split()[0] for line in subprocess.run([tool, "--list-checks"], check=True, capture_output=True,
                                                         text=True).stdout.splitlines()]
    for check in checks:
        with open("%s/checks/%s.md/index.html" % (site, check)) as file:
            require('url=../%s.html"' % check in file.read(), check + ": the tool's address leads elsewhere")
        require(os.path.exists("%s/checks/%s.html" % (site, check)), "no page of " + check)
        with open(site + "/index.html") as file:
            require('href="checks/%s.html"' % check in file.read(), check + " is not in the navigation")
    require(checks, "no checks")

    # A link that leads nowhere is an error of the build.
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(config.source_dir + "/docs", scratch + "/docs")
        with open(scratch + "/docs/findings.md", "a") as file:
            file.write("\n[more](options.md#no-such-heading)\n")
        run = build(python, scratch, scratch + "/site")
        require(run.returncode != 0 and "no-such-heading" in run.stdout + run.stderr, "a broken link builds")
    print("%d pages, %d paragraphs, %d checks" % (len(pages), read, len(checks)))


if __name__ == "__main__":
    main()
