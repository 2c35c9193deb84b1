#!/usr/bin/env python3
"""html_pages.py TEST_BUILD_DIR: the pages of --html are HTML, have every finding, and are written whole or not at all.

They are read by a parser of HTML that forgives nothing (the Python package html5lib, in an environment of its own in the
build directory) and as XML. Where Chromium is installed, it says whether a page is wider than a phone and whether all
text can be read.
"""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree as xml

import settings
from formats import expect

PACKAGES = ["html5lib==1.1"]
PARSE = """
import sys, html5lib
for name in sys.stdin.read().split("\\0"):
    try:
        html5lib.HTMLParser(strict=True).parse(open(name, encoding="utf-8").read())
    except html5lib.html5parser.ParseError as error:
        sys.exit("%s: %s" % (name, error))
"""
XHTML = "{http://www.w3.org/1999/xhtml}"

# Names and texts that would be markup, or be hidden, if they came into a page as they are.
NAME = "src/a b/<img src=x>&\"'\u00e4%#?.cpp"
SOURCE = """#include "../light.h"
#define TURN(x) x.t()
/* <script>alert(1)</script> & " ' \u202e \x01 */
namespace \u00fcber { template <class T> at::Tensor f(int64_t h\u00f6he) { auto breit = at::zeros({h\u00f6he, 8}).t(); return breit.view(-1); }
template at::Tensor f<char *>(int64_t);
}
at::Tensor g(int64_t n) {
  auto y = TURN(at::zeros({n, 8}));
  const char *text = "</code></main><script>";
  return y.view(
      -1);
}
""" + "".join("int spare%d;\n" % number for number in range(60)) + """at::Tensor h(at::Tensor x) {
  auto y = x.t().contiguous();
  auto z = y.contiguous(); // NOLINT(tensor-*): <b>old</b> & "new"
  return y.contiguous();
}
"""
HEADER = settings.LIGHT + """
inline at::Tensor shared(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
"""


class Project:
    def __init__(self, config, root):
        self.tool = config.build_dir + "/bin/tensortidy"
        self.root = root
        os.makedirs(root + "/.git")
        os.makedirs(root + "/src/a b")
        self.write("src/light.h", HEADER)
        self.write(NAME, SOURCE)
        self.write("src/broken.cpp", '#include "none.h"\nint here = <missing>;\n')

    def write(self, name, text):
        with open(os.path.join(self.root, name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def run(self, *options, status=1, files=(NAME,), **more):
        run = subprocess.run([self.tool, "--quiet", *files, *options, "--", "-std=c++17"], cwd=self.root,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        expect(" ".join(options) + run.stderr.decode() + ": exit status", run.returncode, status)
        return run

    def report(self, *options, name="report", **more):
        self.run("--html", name, *options, **more)
        return Pages(os.path.join(self.root, name))


class Pages:
    """A report, read as XML."""

    def __init__(self, root):
        self.root = root
        self.bytes = {}
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                self.bytes[os.path.relpath(path, root)] = open(path, "rb").read()
        self.pages = {name: xml.fromstring(text) for name, text in self.bytes.items() if name.endswith(".html")}

    def under(self, folder):
        return {name: page for name, page in self.pages.items() if os.path.dirname(name) == folder}

    def check(self, python):
        """It is HTML, runs nothing, loads nothing from elsewhere, and every link leads somewhere."""
        if python:
            names = "\0".join(os.path.join(self.root, name) for name in self.pages)
            run = subprocess.run([python, "-c", PARSE], input=names, text=True, stderr=subprocess.PIPE)
            if run.returncode:
                sys.exit("not HTML: " + run.stderr)
        ids = {name: [e.get("id") for e in page.iter() if e.get("id")] for name, page in self.pages.items()}
        for name, page in self.pages.items():
            expect(name + ": ids", len(set(ids[name])), len(ids[name]))
            for element in page.iter():
                if element.tag == XHTML + "script" or any(key.startswith("on") for key in element.keys()):
                    sys.exit("%s has a script" % name)
                for key in ("href", "src"):
                    if element.get(key) is not None:
                        self.follow(name, element.get(key), ids, is_loaded=element.tag != XHTML + "a")
        for name, text in self.bytes.items():
            if name.endswith(".svg"):
                xml.fromstring(text)

    def follow(self, page, link, ids, is_loaded):
        address, _, place = link.partition("#")
        if address.startswith("file:///") and not is_loaded:  # the page of a check
            expect(link, os.path.exists(urllib.parse.unquote(address[len("file://"):])), True)
            return
        target = os.path.normpath(os.path.join(os.path.dirname(page), address)) if address else page
        expect("%s: %s leads to a file" % (page, link), target in self.bytes, True)
        if place:
            expect("%s: %s leads to a place" % (page, link), place in ids[target], True)

    def source(self, name):
        """The page of a file."""
        for page in self.under("files").values():
            if text(page.find(".//%sh1" % XHTML)) == name:
                return page
        sys.exit("no page for " + name)


def text(element):
    return "".join(element.itertext())


def of_class(page, tag, name):
    return [e for e in page.iter(XHTML + tag) if name in e.get("class", "").split()]


def shown(line):
    """Text as a page has it."""
    return re.sub("[\x01\u202e\ufffe]", lambda sign: "[U+%04X]" % ord(sign.group()), line)


def check_findings(project, python):
    options = ["--header-filter=light"]
    found = json.loads(project.run("--output-format=json", *options).stdout)["findings"]
    report = project.report(*options)
    report.check(python)
    expect("findings", len(found), 5)
    ids = {}
    for finding in found:
        page = report.source(finding["file"])
        boxes = [box for box in of_class(page, "article", "finding")
                 if text(of_class(box, "p", "says")[0]) == finding["message"] and box.get("id") not in ids]
        expect("boxes of " + finding["message"], bool(boxes), True)
        box = boxes[0]
        ids[box.get("id")] = finding
        for note in finding["notes"]:
            expect("a note", note["message"] in text(box), True)
        expect("a fix", bool(of_class(box, "pre", "patch")), bool(finding["fix"]))
        if finding["reason"] if "reason" in finding else "":
            expect("a reason", "silenced by NOLINT: " + finding["reason"] in text(box), True)
        expect("a function", finding["function"] in text(box), True)
    expect("all", len(ids), len(found))
    # Each is on the page of its check and of its folder, and no other is.
    for folder in ("checks", "folders"):
        links = [e.get("href").split("#")[1] for page in report.under(folder).values() for e in page.iter(XHTML + "a")
                 if "#f" in e.get("href")]
        expect("links in " + folder, sorted(links), sorted(ids))

    # The source is there, letter by letter, and what is marked is what was found.
    page = report.source(NAME)
    lines = [text(line.find(XHTML + "code")) for line in of_class(page, "div", "l")]
    expect("the source", lines, shown(SOURCE).split("\n")[:-1])
    numbers = [text(line.find(XHTML + "span")) for line in of_class(page, "div", "l")]
    expect("its lines", numbers, [str(1 + number) for number in range(len(lines))])
    marked = [[text(mark) for mark in line.iter(XHTML + "mark")] for line in of_class(page, "div", "l")]
    expect("what is marked", ["".join(line) for line in marked if line],
           ["view(-1)", "view(", "      -1)", "contiguous()", "contiguous()"])
    folded = [text(fold.find(XHTML + "summary")) for fold in page.iter(XHTML + "details")]
    expect("what is folded", folded, ["lines 18 to 67"])
    patch = text(of_class(page, "pre", "patch")[0])
    expect("a patch", ("return breit.reshape(-1)" in patch, "return breit.view(-1)" in patch), (True, True))


def check_pictures(project):
    """A picture is what `explain --svg` draws."""
    project.write("src/plain.cpp", SOURCE.replace("../light.h", "light.h"))
    report = project.report(files=["src/plain.cpp"])
    box = of_class(report.source("src/plain.cpp"), "article", "finding")[0]
    figures = [(text(figure.find(XHTML + "figcaption")), figure.find(XHTML + "img")) for figure in of_class(box, "figure", "figure")]
    expect("captions", [caption for caption, _ in figures], ["before: 'breit'", "after"])
    expect("alt", [image.get("alt") for _, image in figures],
           ["sizes [8, 2], strides [1, 8], offset 0", "sizes [16], strides [1], offset 0"])
    images = [report.bytes[image.get("src")[len("../"):]].decode() for _, image in figures]
    subprocess.run([project.tool, "explain", "src/plain.cpp:4", "--svg", "after.svg", "--", "-std=c++17"], cwd=project.root,
                   stdout=subprocess.DEVNULL, check=False)
    with open(project.root + "/after.svg") as file:
        expect("what explain draws", images[1], file.read())
    for (_, image), svg in zip(figures, images):
        size = re.search('width="([0-9]+)" height="([0-9]+)"', svg).groups()
        expect("the size", (image.get("width"), image.get("height")), size)


def check_others(project, python):
    """Errors, texts that are no UTF-8, a baseline; and the same bytes however it runs."""
    project.write("src/latin.cpp", SOURCE.replace("../light.h", "light.h").replace("h\u00f6he", "n").encode()
                  .replace(b"/* ", b"/* \xe9\xff \xef\xbf\xbe ").replace(b"\n", b"\r\n"))
    files = [NAME, "src/latin.cpp", "src/broken.cpp", "src/none.cpp"]
    report = project.report(files=files, status=2)
    report.check(python)
    index = text(report.pages["index.html"])
    for problem in ("'none.h' file not found", "no such file: 'src/none.cpp'"):
        expect(problem, problem in index, True)
    expect("the error at its line", "'none.h' file not found" in text(report.source("src/broken.cpp")), True)
    latin = [text(line.find(XHTML + "code")) for line in of_class(report.source("src/latin.cpp"), "div", "l")]
    expect("what is no UTF-8", "/* \ufffd\ufffd [U+FFFE] <script>" in latin[2], True)

    cache = os.path.join(project.root, "cache")
    same = [project.report(*options, name="again", files=files, status=2).bytes
            for options in ([], ["-j3"], ["--cache-dir", cache], ["--cache-dir", cache])]
    for others in same:
        expect("the same pages", others == report.bytes, True)
    run = project.run("--html", "again", "--cache-dir", cache, "--stats", files=files[:2])
    expect("from the cache", b"results from the cache: 2 of 2" in run.stderr, True)

    project.run("--baseline", "base", "--update-baseline", status=0)
    report = project.report("--baseline", "base", status=0)
    report.check(python)
    expect("the baseline", text(report.pages["index.html"]).count("in the baseline"), 1)
    badges = [text(badge) for badge in of_class(report.source(NAME), "span", "badge")]
    expect("badges", sorted(badges), ["in the baseline"] * 3 + ['silenced by NOLINT: <b>old</b> & "new"'])


def rows(page):
    return {text(row[0]): [text(cell) for cell in row[1:]] for row in page.iter(XHTML + "tr")}


def check_trend(project, python):
    project.write("src/one.cpp", SOURCE.replace("../light.h", "light.h"))
    project.write("src/two.cpp", '#include "light.h"\nat::Tensor two(at::Tensor x) { return x.t().contiguous().contiguous(); }\n')
    project.write("src/three.cpp", '#include "light.h"\nat::Tensor three(at::Tensor x) { return x.t().contiguous().contiguous(); }\n')
    files = ["src/one.cpp", "src/two.cpp", "src/three.cpp"]
    project.run("--output-format=sarif", "--output=old.sarif", files=files)
    report = project.report("--html-compare", "old.sarif", files=files)
    report.check(python)
    expect("the same", rows(report.pages["trend.html"])["all"], ["5", "0", "0", "5"])

    # Moved and renamed, one gone, one silenced, one that was silenced and two new; and one that is not looked at.
    lines = SOURCE.replace("../light.h", "light.h").replace("return breit.view(-1)", "return breit.reshape(-1)")
    lines = lines.replace(" // NOLINT(tensor-*): <b>old</b> & \"new\"", "").replace("  return y.contiguous();\n",
                                                                                 "  return y.contiguous(); // NOLINT\n")
    project.write("src/moved.cpp", "//\n" * 50 + lines + "at::Tensor more(at::Tensor x) { return x.t().contiguous().contiguous(); }\n")
    os.remove(project.root + "/src/one.cpp")
    files = ["src/moved.cpp", "src/two.cpp"]
    report = project.report("--html-compare", "old.sarif", files=files)
    report.check(python)
    trend = report.pages["trend.html"]
    counts = rows(trend)
    expect("views", counts["tensor-view-after-permute"], ["2", "1", "0", "1"])
    expect("contiguous", counts["tensor-redundant-contiguous"], ["3", "1", "2", "4"])
    expect("headings", [text(h) for h in trend.iter(XHTML + "h2")],
           ["New", "Gone", "Silenced since then", "Not looked at by this run"])
    expect("what is not looked at", "src/three.cpp, line 2" in text(trend), True)
    expect("the index", "2 new, 2 gone, 3 as before" in text(report.pages["index.html"]), True)
    expect("badges", [text(badge) for badge in of_class(report.source("src/moved.cpp"), "span", "fresh")], ["new"] * 2)
    for text_, said in (("{", "is no SARIF log of tensortidy: "), ('{"runs": []}', "none of its runs"), ("[]", "it has no runs")):
        project.write("bad.sarif", text_)
        run = project.run("--html", "report", "--html-compare", "bad.sarif", files=files, status=2)
        expect("a bad log", said in run.stderr.decode(), True)
    project.run("--html-compare", "old.sarif", files=files, status=2)


def check_nothing_is_lost(project):
    """Only a report of ours is replaced, and only by a whole one."""
    before = project.report("--header-filter=light").bytes

    def refused(name, said, *options, **more):
        run = project.run("--html", name, *options, status=2, **more)
        expect(name + " is refused: " + run.stderr.decode(), said in run.stderr.decode(), True)

    project.write("report/mine.txt", "mine")
    refused("report", "it has files that are no report's, such as 'mine.txt'")
    expect("mine", open(project.root + "/report/mine.txt").read(), "mine")
    os.remove(project.root + "/report/mine.txt")
    refused("src", "it has files that are no report's")
    refused("base", "it is no folder")
    refused("none/report", "there is no folder")
    refused(".", "it is the working directory")
    expect("what was there", Pages(project.root + "/report").bytes, before)

    # A full disk, for which a limit on the size of files stands, and a run that is ended.
    refused("report", "File too large", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)))
    expect("on a full disk", Pages(project.root + "/report").bytes, before)
    project.write("slow.cpp", "constexpr unsigned work(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i)"
                  " s += i ^ s; return s; }\nstatic_assert(work(4000000000u) != 1, \"\");\n")
    run = subprocess.Popen([project.tool, "slow.cpp", "--html", "report", "--", "-std=c++17", "-fconstexpr-steps=4294967295"],
                           cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    run.send_signal(signal.SIGTERM)
    expect("what it says", "'report' was not written" in run.communicate(timeout=60)[1], True)
    expect("when interrupted", Pages(project.root + "/report").bytes, before)
    expect("what is left", [name for name in os.listdir(project.root) if name.startswith(".tensor")], [])

    # What is no longer there leaves the report; an empty folder is filled, with the rights of any other.
    os.makedirs(project.root + "/empty")
    expect("fewer", set(before) - set(project.report(name="report", files=["src/two.cpp"]).bytes) != set(), True)
    project.report(name="empty")
    os.mkdir(project.root + "/plain")
    for name in ("empty", "empty/files"):
        expect("rights", os.stat(os.path.join(project.root, name)).st_mode, os.stat(project.root + "/plain").st_mode)
    os.symlink("empty", project.root + "/link")
    project.report(name="link")
    expect("the link", os.path.islink(project.root + "/link"), True)


def check_many(project, python):
    """2,000 findings: how long the pages take, and how large they are."""
    files = []
    for number in range(40):
        files.append("src/many%02d.cpp" % number)
        project.write(files[-1], '#include "light.h"\n' + "".join(
            "at::Tensor f%d_%d(int64_t n) {\n  auto y = at::zeros({n, 8}).t();\n  return y.view(-1);\n}\n" % (number, i)
            for i in range(50)))

    def seconds(*options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        project.run(*options, files=files)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    plain, html = seconds(), seconds("--html", "many")
    report = Pages(project.root + "/many")
    report.check(python)
    expect("findings", sum(len(of_class(page, "article", "finding")) for page in report.under("files").values()), 2000)
    size = sum(len(text) for text in report.bytes.values())
    print("2,000 findings: %.1f s of CPU time, with pages %.1f s; %d pages of %.1f MB" % (
        plain, html, len(report.pages), size / 1e6))
    expect("time for the pages", html - plain < 10, True)
    expect("their size", size < 20e6, True)
    return report


# Of each page in a frame: its width and that of what is in it, and the text that has too little contrast.
HARNESS = """<!DOCTYPE html><html><body><pre id="said"></pre><script>
const pages = %s, width = %d;
const numbers = c => c.match(/[0-9.]+/g).map(Number);
const light = c => { const [r, g, b] = numbers(c).slice(0, 3).map(v => v / 255).map(
  v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
function behind(view, e) {
  for (; e; e = e.parentElement) { const c = view.getComputedStyle(e).backgroundColor, n = numbers(c);
    if (n.length < 4 || n[3] > 0) return c; }
  return "rgb(255, 255, 255)";
}
function faint(view, page) {
  const bad = new Set(), walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) { const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || e.closest(".skip")) continue;
    const a = light(view.getComputedStyle(e).color), b = light(behind(view, e));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) bad.add(e.tagName + "." + e.className + " " + contrast.toFixed(2)); }
  return [...bad];
}
(async () => {
  const said = [];
  for (const name of pages) {
    const frame = document.createElement("iframe");
    frame.width = width; frame.height = 800; frame.src = name;
    await new Promise(done => { frame.onload = done; document.body.append(frame); });
    const page = frame.contentDocument;
    for (const fold of page.querySelectorAll("details")) fold.open = true;
    said.push({name, width: page.documentElement.scrollWidth, inner: frame.contentWindow.innerWidth,
      dark: frame.contentWindow.matchMedia("(prefers-color-scheme: dark)").matches,
      pictures: [...page.images].filter(i => !i.naturalWidth).length, faint: faint(frame.contentWindow, page)});
    frame.remove();
  }
  document.getElementById("said").textContent = "SAID" + JSON.stringify(said) + "END";
})();
</script></body></html>
"""


def check_in_browser(project, report):
    """On a phone of 390 pixels, light and dark, no page is wider, and all text has a contrast of 4.5 or more."""
    browser = shutil.which("chromium")
    if not browser:
        print("notice: no page was looked at: Chromium is not installed")
        return
    project.write("phone.html", HARNESS % (json.dumps(["report/" + name for name in report.pages]), 390))
    for dark in (False, True):
        run = subprocess.run([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files",
                              "--user-data-dir=" + project.root + "/browser", "--virtual-time-budget=60000",
                              "--blink-settings=preferredColorScheme=%d" % (not dark), "--dump-dom",
                              "file://" + project.root + "/phone.html"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, timeout=300)
        said = re.search("SAID(.*)END</pre>", run.stdout)
        if not said:
            sys.exit("Chromium says nothing: " + run.stdout[:2000])
        said = json.loads(said.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        expect("pages", len(said), len(report.pages))
        for page in said:
            expect("%s (dark: %s)" % (page["name"], dark), page,
                   dict(page, inner=390, width=390, dark=dark, pictures=0, faint=[]))


def main():
    config = settings.load(sys.argv[1])
    python = settings.python_with(config, "html5lib", PACKAGES, "pages were only read as XML")
    with tempfile.TemporaryDirectory() as folder:
        project = Project(config, os.path.realpath(folder) + "/<pro&ject>")
        check_findings(project, python)
        check_pictures(project)
        check_others(project, python)
        check_trend(project, python)
        check_in_browser(project, project.report("--html-compare", "old.sarif", "--header-filter=light", status=2,
                                                 files=[NAME, "src/latin.cpp", "src/broken.cpp", "src/two.cpp"]))
        check_nothing_is_lost(project)
        check_many(project, python)
    print("the pages are what they should be")


if __name__ == "__main__":
    main()
