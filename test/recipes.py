#!/usr/bin/env python3
"""recipes.py TEST_BUILD_DIR: what docs/integration promises of other tools, done with these tools.

Shards, merged files and ninja files need only what the build needs. The pages' blocks run as those of the other pages do
(blocks.py). The programs of PACKAGES are installed into an environment of their own in the build directory; where pip
cannot have them, and where there is no bazel, that part is passed over, which is said.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blocks  # noqa: E402
import settings  # noqa: E402
from blocks import read, require, write  # noqa: E402

PAGES = ("docs/integration/ci.md", "docs/integration/farm.md")
PACKAGES = ["pre-commit==4.7.0", "sarif-tools==3.0.5", "codechecker==6.29.1", "check-jsonschema==0.39.0",
            "jsonschema==4.26.0", "cpp-linter==1.15.1"]

# Of other tools' commands: the exit status, and what is printed.
EXPECTED = (
    (r"pre-commit run ", 1, r"\[tensor-view-after-permute\]"),
    (r"sarif summary ", 0, r"warning: [1-9]\d*\n - tensor-.*(?s:.*)[1-9]\d* passed the filter"),
    (r"sarif --check ", 1, r"New issue \"tensor-redundant-contiguous"),
    (r"report-converter ", 0, r"Create/modify plist file"),
    (r"cpp-linter ", 0, r"\[tensor-view-after-permute\](?s:.*)clang-tidy-checks-failed: [1-9]"),
    (r"CodeChecker parse ", 2, r"\[tensor-view-after-permute\](?s:.*)Found \d+ defect"),
    (r"(TENSORTIDY_LAUNCHER=\w+ )?ninja -f ", 1, r"\[tensor-view-after-permute\](?s:.*)subcommand failed"),
    (r"tensortidy .*--emit-ninja ", 0, r""),
    (r"tensortidy .*--output-format=text --output=", 1, r"^$"),
    (r"bazel build ", 0, r"Build completed successfully"),
)

# What GitLab (app/validators/json_schemas/codeclimate.json, and its page on the report) and reviewdog
# (proto/rdf/jsonschema/DiagnosticResult.json) ask for; where ours always has something, it is required here.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "pattern": "^tensor-"},
            "fingerprint": {"type": "string", "minLength": 16},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                # From the top of the repository, without ./
                "properties": {"path": {"type": "string", "pattern": "^[^./]"},
                               "lines": {"type": "object", "required": ["begin"],
                                         "properties": {"begin": {"type": "integer", "minimum": 1}}}},
            },
        },
    },
}
POSITION = {"type": "object", "required": ["line", "column"], "additionalProperties": False,
            "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}}}
RANGE = {"type": "object", "required": ["start", "end"], "additionalProperties": False,
         "properties": {"start": POSITION, "end": POSITION}}
LOCATION = {"type": "object", "required": ["path"], "additionalProperties": False,
            "properties": {"path": {"type": "string", "minLength": 1}, "range": RANGE}}
SEVERITY = {"enum": ["ERROR", "WARNING", "INFO"]}
RDJSON = {
    "type": "object",
    "required": ["source", "diagnostics"],
    "additionalProperties": False,
    "properties": {
        "source": {"type": "object", "required": ["name"], "properties": {"name": {"const": "tensortidy"}}},
        "severity": SEVERITY,
        "diagnostics": {"type": "array", "items": {
            "type": "object",
            "required": ["message", "location", "severity"],
            "additionalProperties": False,
            "properties": {
                "message": {"type": "string", "minLength": 1},
                "location": LOCATION,
                "severity": SEVERITY,
                "code": {"type": "object", "required": ["value"], "additionalProperties": False,
                         "properties": {"value": {"type": "string"}, "url": {"type": "string", "pattern": "^https?:"}}},
                "suggestions": {"type": "array", "items": {
                    "type": "object", "required": ["range", "text"], "additionalProperties": False,
                    "properties": {"range": RANGE, "text": {"type": "string"}}}},
                "related_locations": {"type": "array", "items": {
                    "type": "object", "required": ["message", "location"], "additionalProperties": False,
                    "properties": {"message": {"type": "string"}, "location": LOCATION}}},
            }}},
    },
}

SHARED = """
inline at::Tensor shared(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }
"""
SOURCE = """#include "light.h"
at::Tensor view(int64_t n) {
  auto y = at::zeros({n, 8}).t();
  return /* \u00fc */ y.view(-1);
}
at::Tensor twice(at::Tensor x) {
  auto y = x.t().contiguous();
  auto z = y.contiguous(); // NOLINT(tensor-*): old code
  return y.contiguous();
}
"""


def expect(what, got, wanted):
    require(got == wanted, "%s: got %.2000r, expected %.2000r" % (what, got, wanted))


def run(command, status=0, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", **more)
    require(done.returncode == status, "%s: exit status %d, expected %d\n%s%s" %
            (" ".join(map(str, command)), done.returncode, status, done.stdout, done.stderr))
    return done


def environment_with_packages(config):
    """A folder of programs that has those of PACKAGES; None where they cannot be had."""
    place = config.test_dir + "/recipes"
    if not os.path.exists(place + "/installed"):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [place + "/bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        if subprocess.run(pip, env=settings.for_editors()).returncode != 0:  # CodeChecker is built, in a cache
            print("notice: without " + ", ".join(PACKAGES) + ", which pip cannot install, their recipes were not run")
            return None
        write(place + "/installed", "")
    return place + "/bin"


# --- shards, merged files, ninja ---


class Farm:
    """A project of some units, one of which does not compile, and a header with a finding."""

    NAMES = ["a.cpp", "b b/\u00e4,$%#.cpp", "c/1.cpp", "c/2.cpp", "c/3.cpp", "c/4.cpp", "broken.cpp"]

    def __init__(self, config, root):
        self.tool, self.root = config.build_dir + "/bin/tensortidy", root
        os.makedirs(root + "/.git")
        write(root + "/include/light.h", settings.LIGHT + SHARED)
        for name in self.NAMES:
            write(root + "/src/" + name, '#include "none.h"\n' if name == "broken.cpp" else SOURCE)
        self.database()

    def database(self, flag="-DX=1", to="src/a.cpp"):
        """The file of all flags; one of them has `flag`."""
        names = ["src/" + name for name in self.NAMES]
        write(self.root + "/build/compile_commands.json", json.dumps(
            [{"directory": self.root + "/build", "file": "../" + name,
              "arguments": ["c++", "-std=c++17", "-I../include", flag if name == to else "-DY=a b", "-c", "../" + name]}
             for name in names]))

    def lint(self, *options, status=1):
        return run([self.tool, "-p", "build", "--header-filter=light", *options], status, cwd=self.root)

    def sarif(self, name, *options, status=1):
        self.lint("--quiet", "--output-format=sarif", "--output=" + name, *options, status=status)
        log, = json.loads(read(self.root + "/" + name))["runs"]
        return log

    def merge(self, *words, status=1):
        return run([self.tool, "merge", *words], status, cwd=self.root)


def check_shards(farm):
    whole = farm.sarif("whole.sarif", status=2)
    expect("findings", len(whole["results"]), 6 * 3 + 1)
    files = {os.path.normpath(farm.root + "/src/" + name) for name in farm.NAMES}
    for count in (1, 2, 3, len(files), 10):
        shards, linted = [], []
        for number in range(1, count + 1):
            name = "%d-of-%d.sarif" % (number, count)
            done = run([farm.tool, "-p", "build", "--header-filter=light", "--shard=%d/%d" % (number, count),
                        "--output-format=sarif", "--output=" + name, "--emit-ninja=x.ninja"], 2, cwd=farm.root)
            require("--output-format and --emit-ninja exclude each other" in done.stderr, done.stderr)
            farm.lint("--shard=%d/%d" % (number, count), "--emit-ninja=x.ninja", status=0)
            units = re.findall(r"\.sarif: lint ((?:\$ |[^ ])+) ", read(farm.root + "/x.ninja"))
            linted += [re.sub(r"\$(.)", r"\1", unit) for unit in units]
            expect("the size of a shard", len(units) - len(files) // count in (0, 1), True)
            status = 0 if not units else 2 if any("broken" in unit for unit in units) else 1
            farm.sarif(name, "--shard=%d/%d" % (number, count), status=status)
            shards.append(name)
        expect("the union of %d shards" % count, (set(linted), len(linted)), (files, len(files)))
        merged = farm.merge(*shards, "--output=merged.sarif", status=2)
        log, = json.loads(read(farm.root + "/merged.sarif"))["runs"]
        expect("%d shards merged" % count, log["results"], whole["results"])
        expect("invocations", [one["exitCode"] for one in log["invocations"]].count(2), 1)
        expect("invocations", len(log["invocations"]), count)
        for key in set(whole) - {"results", "invocations"}:
            expect(key, log[key], whole[key])
        shown = [line for line in merged.stdout.split("\n") if "warning:" in line]
        expect("lines", len(shown), 6 * 2 + 1)
        require("src/broken.cpp:1:10: error: 'none.h' file not found" in merged.stderr, merged.stderr)
    # The parts are the same wherever the project is.
    moved = farm.root + "-moved"
    shutil.copytree(farm.root, moved)
    text = read(moved + "/build/compile_commands.json").replace(farm.root, moved)
    write(moved + "/build/compile_commands.json", text)
    for number in (1, 2, 3):
        theirs, = json.loads(read(farm.root + "/%d-of-3.sarif" % number))["runs"]
        done = run([farm.tool, "-p", "build", "--quiet", "--header-filter=light", "--shard=%d/3" % number,
                    "--output-format=sarif"], theirs["invocations"][0]["exitCode"], cwd=moved)
        mine, = json.loads(done.stdout)["runs"]
        expect("a shard elsewhere", mine["results"], theirs["results"])
        write(farm.root + "/moved-%d.sarif" % number, done.stdout)
    # Of two folders: the files are named as ever, and the project is nowhere.
    farm.merge("1-of-3.sarif", "moved-2.sarif", "moved-3.sarif", "--quiet", "--output=both.sarif", status=2)
    both, = json.loads(read(farm.root + "/both.sarif"))["runs"]
    expect("from two folders", (both["results"], "originalUriBaseIds" in both), (whole["results"], False))
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0", "-1/3"):
        said = farm.lint("--shard=" + wrong, status=2).stderr
        require("--shard is N/M" in said, said)
    said = farm.lint("--shard=1/2", "--baseline=base", "--update-baseline", status=2).stderr
    require("--shard and --update-baseline exclude each other" in said, said)


def check_merge(farm):
    # Again, in another order, and of what was merged already: nothing changes.
    first = read(farm.root + "/merged.sarif")
    farm.merge("merged.sarif", "--output=again.sarif", status=2)
    expect("merged again", read(farm.root + "/again.sarif"), first)
    log, = json.loads(farm.merge("3-of-3.sarif", "1-of-3.sarif", "2-of-3.sarif", "1-of-3.sarif", "--quiet", status=2).stdout)["runs"]
    expect("in another order", log["results"], json.loads(first)["runs"][0]["results"])
    write(farm.root + "/names", "1-of-3.sarif\n'2-of-3.sarif' 3-of-3.sarif\n")
    farm.merge("@names", "--output=again.sarif", status=2)
    expect("by a response file", json.loads(read(farm.root + "/again.sarif"))["runs"][0]["results"], log["results"])

    # The exit status is that of one run.
    clean = farm.sarif("clean.sarif", "--checks=-*,tensor-retain-graph", "src/a.cpp", status=0)
    expect("clean", clean["results"], [])
    farm.sarif("found.sarif", "src/a.cpp")
    farm.lint("--quiet", "--baseline=base", "--update-baseline", "src/a.cpp", status=0)
    farm.sarif("known.sarif", "--baseline=base", "src/a.cpp", status=0)
    said = farm.merge("clean.sarif", "known.sarif", "--output=again.sarif", status=0)
    expect("in the baseline", (said.stdout, said.stderr), ("", "0 findings of 2 runs, 3 in the baseline, 1 silenced by NOLINT\n"))
    # What one run was told to pass over and another one was not is shown.
    expect("in one baseline", len(farm.merge("known.sarif", "found.sarif", "--output=again.sarif").stdout.splitlines()), 3)
    expect("in one baseline", len(farm.merge("found.sarif", "known.sarif", "--output=again.sarif").stdout.splitlines()), 3)

    # Nothing is taken that is not whole, and then nothing is written.
    def broken(change):
        value = json.loads(read(farm.root + "/found.sarif"))
        change(value)
        return json.dumps(value)

    def rules_of(value):
        return value["runs"][0]["tool"]["driver"]["rules"]

    text = read(farm.root + "/found.sarif")
    cases = {
        "": "cannot merge",
        text[:len(text) // 2]: "cannot merge",
        "[" * 100000: "it nests too deep",
        "[]": "it is no SARIF of version 2.1.0",
        "{}": "it is no SARIF of version 2.1.0",
        broken(lambda v: v.update(version="2.0.0")): "it is no SARIF of version 2.1.0",
        broken(lambda v: v.update(runs=[])): "it has no runs",
        broken(lambda v: v.update(runs=[1])): "run 1 is no object",
        broken(lambda v: v["runs"][0]["tool"]["driver"].update(name="other")): "run 1 is not tensortidy's",
        broken(lambda v: v["runs"][0].pop("tool")): "run 1 is not tensortidy's",
        broken(lambda v: v["runs"][0].pop("invocations")): "run 1 has no invocations",
        broken(lambda v: v["runs"][0]["invocations"][0].update(exitCode=7)): "invocation 1 has no exitCode",
        broken(lambda v: v["runs"][0]["invocations"][0].pop("executionSuccessful")): "does not say whether it was successful",
        broken(lambda v: v["runs"][0].pop("results")): "run 1 has no results",
        broken(lambda v: v["runs"][0]["results"].append(3)): "result 5 is no object",
        broken(lambda v: v["runs"][0]["results"][1].pop("ruleId")): "result 2 has no ruleId",
        broken(lambda v: v["runs"][0]["results"][1].update(ruleIndex=5)): "has a ruleIndex that is not of its ruleId",
        broken(lambda v: v["runs"][0]["results"][1].update(ruleIndex=99)): "has a ruleIndex that is not of its ruleId",
        broken(lambda v: v["runs"][0]["results"][0].pop("message")): "result 1 has no message",
        broken(lambda v: v["runs"][0]["results"][0].pop("locations")): "result 1 has no location",
        broken(lambda v: v["runs"][0]["results"][0].pop("partialFingerprints")): "result 1 has no fingerprint",
    }
    for given, why in cases.items():
        write(farm.root + "/bad.sarif", given)
        said = farm.merge("clean.sarif", "bad.sarif", "--output=new.sarif", status=2)
        require("tensortidy: error: cannot merge 'bad.sarif': " in said.stderr and why in said.stderr, given[:200] + "\n" + said.stderr)
        expect("what is written", (said.stdout, os.path.exists(farm.root + "/new.sarif")), ("", False))
    for change in (lambda v: v["runs"][0]["tool"]["driver"].update(semanticVersion="9.9"), lambda v: rules_of(v).append({"id": "tensor-new"})):
        write(farm.root + "/bad.sarif", broken(change))
        said = farm.merge("clean.sarif", "bad.sarif", "--output=new.sarif", status=2)
        require("was written by tensortidy " in said.stderr, said.stderr)
    for words, why in ((["none.sarif"], "cannot read 'none.sarif'"), ([], "merge what?"), (["--outptu=x", "a"], "unknown option"),
                       (["src"], "it is a directory"), (["--output=", "clean.sarif"], "--output needs a file"),
                       (["clean.sarif", "found.sarif", "--output=found.sarif"], "is one of those to be merged"),
                       (["clean.sarif", "--output=none/x"], "cannot write 'none/x'")):
        said = farm.merge(*words, status=2)
        require(why in said.stderr, said.stderr)
    expect("found.sarif", read(farm.root + "/found.sarif"), text)


def check_ninja(farm):
    def lint(status=1, **more):
        """The units that were linted."""
        done = run(["ninja", "-f", "build/lint.ninja"], status, cwd=farm.root, env=dict(os.environ, **more))
        return sorted(re.findall(r"^\[\d+/\d+\] tensortidy (src/.*)", done.stdout, re.M)), done.stdout

    def all_but(*names):
        return sorted("src/" + name for name in farm.NAMES if name not in names)

    farm.lint("--quiet", "--emit-ninja", "build/lint.ninja", "-j", "2", status=0)
    first = read(farm.root + "/build/lint.ninja")
    launcher = farm.root + "/launcher"
    write(launcher, "#!/bin/sh\necho \"$@\" >> '%s/launched'\nexec \"$@\"\n" % farm.root, 0o755)
    units, said = lint(TENSORTIDY_LAUNCHER=launcher)
    expect("the first time", units, all_but())
    expect("launched", read(farm.root + "/launched").count("--depfile"), len(units))
    require("src/include" not in said and "include/light.h:" in said and "'none.h' file not found" in said, said)
    merged, = json.loads(read(farm.root + "/build/lint.sarif"))["runs"]
    whole, = json.loads(read(farm.root + "/whole.sarif"))["runs"]
    expect("what ninja finds", merged["results"], whole["results"])
    broken = ["src/broken.cpp"]
    expect("nothing has changed", lint()[0], broken)
    write(farm.root + "/src/c/1.cpp", SOURCE + "\n")
    expect("a source has changed", lint()[0], broken + ["src/c/1.cpp"])
    farm.database("-DX=2", "src/c/2.cpp")
    expect("commands have changed", lint()[0], ["src/a.cpp"] + broken + ["src/c/2.cpp"])
    os.utime(farm.root + "/build/compile_commands.json")
    expect("commands are written again", lint()[0], broken)
    expect("the edges", read(farm.root + "/build/lint.ninja"), first)
    write(farm.root + "/include/light.h", settings.LIGHT + SHARED + "\n")
    expect("a header has changed", lint()[0], all_but())
    write(farm.root + "/src/broken.cpp", SOURCE)
    expect("it compiles", lint()[0], broken)
    expect("it compiles", lint()[0], [])
    # One that is nearer is seen when it is known of: a .clang-tidy is an input from then on.
    write(farm.root + "/src/c/.clang-tidy", "Checks: '-*,tensor-view-*'\nHeaderFilterRegex: none\n")
    run(["ninja", "-f", "build/lint.ninja", "-t", "clean"], cwd=farm.root)
    expect("everything again", lint()[0], all_but())
    write(farm.root + "/src/c/.clang-tidy", "Checks: '-*,tensor-redundant-*'\n")
    expect("a configuration has changed", lint()[0], all_but("a.cpp", farm.NAMES[1], "broken.cpp"))
    os.remove(farm.root + "/src/c/.clang-tidy")
    for name in farm.NAMES:
        write(farm.root + "/src/" + name, "int x;\n")
    lint(0)
    expect("clean", farm.merge("build/lint.sarif", "--quiet", status=0).stderr, "")

    # A depfile names what was read, from the cache, too.
    write(farm.root + "/src/a.cpp", SOURCE)
    texts = []
    for _ in range(2):
        farm.lint("--quiet", "--cache-dir=cache", "--output-format=sarif", "--output=a b.sarif", "--depfile=a.d", "src/a.cpp")
        texts.append(read(farm.root + "/a.d"))
    expect("from the cache", texts[0], texts[1])
    names = [name.strip(" \\") for name in texts[0].split("\n")[1:] if name]
    expect("target", texts[0].split("\n")[0], "a\\ b.sarif: \\")
    own = [name[len(farm.root) + 1:] for name in names if name.startswith(farm.root)]
    expect("inputs", own, ["build/compile_commands.json", "include/light.h", "src/a.cpp"])
    require(any(name.endswith("/include/stdint.h") for name in names), "the headers of the system are inputs, too")
    for options, why in ((["--depfile=x"], "there is none"), (["--emit-ninja=x", "--fix"], "--fix and --emit-ninja exclude"),
                         (["--emit-ninja="], "--emit-ninja needs a file"), (["--emit-ninja=x", "--config={Checks: 'tensor-*',\n}"], "line break"),
                         (["--emit-ninja=build"], "cannot write"), (["--emit-ninja=whole.sarif/x"], "cannot create the folder")):
        require(why in farm.lint(*options, status=2).stderr, why)


# --- formats ---


def check_formats(farm, programs):
    import_check = "import json, sys, jsonschema; schema, text = json.load(sys.stdin); jsonschema.validate(text, schema)"
    for name in farm.NAMES:
        write(farm.root + "/src/" + name, '#include "none.h"\n' if name == "broken.cpp" else SOURCE)
    for name, schema, count in (("gitlab", GITLAB, 13), ("rdjson", RDJSON, 14)):
        value = json.loads(farm.lint("--quiet", "--output-format=" + name, status=2).stdout)
        items = value["diagnostics"] if name == "rdjson" else value
        expect(name, len(items), count)
        if programs:
            subprocess.run([programs + "/python", "-c", import_check], input=json.dumps([schema, value]), text=True, check=True)
    # Columns are bytes, and the end is behind the last one.
    view = next(item for item in items if item.get("code", {}).get("value") == "tensor-view-after-permute")
    line = SOURCE.split("\n")[view["location"]["range"]["start"]["line"] - 1].encode()
    begin, end = (view["suggestions"][0]["range"][key]["column"] - 1 for key in ("start", "end"))
    expect("rdjson's suggestion", (line[begin:end], view["suggestions"][0]["text"]), (b"view", "reshape"))
    expect("rdjson's notes", len(view["related_locations"]), 2)
    expect("rdjson's errors", [item["message"] for item in items if item["severity"] == "ERROR"], ["'none.h' file not found"])


def check_farm(farm, programs):
    """Each has the files that the one before has left."""
    check_shards(farm)
    check_merge(farm)
    check_ninja(farm)
    check_formats(farm, programs)


# --- the pages ---


class Recipes(blocks.Page):
    def __init__(self, world, name, root, programs):
        super().__init__(world, name, root)
        self.programs = programs
        self.source = world.config.source_dir
        if programs:
            self.environment["PATH"] += ":" + programs
        self.environment["PRE_COMMIT_HOME"] = world.root + "/pre-commit"
        # Hooks come from a repository: one that has what ours has at the top.
        self.hooks = world.root + "/hooks"
        if not os.path.exists(self.hooks):
            os.makedirs(self.hooks)
            shutil.copy(self.source + "/.pre-commit-hooks.yaml", self.hooks)
            blocks.git(self.hooks, "init")
            blocks.git(self.hooks, "add", ".")
            blocks.git(self.hooks, "commit", "-m", "hooks")
            blocks.git(self.hooks, "tag", "v0.2.0")

    def translate(self, text):
        return super().translate(text).replace("REPOSITORY", self.hooks).replace("PREFIX", self.world.root + "/moved")

    def has(self, program):
        if shutil.which(program, path=self.environment["PATH"]):
            return True
        self.notes.append("%s is not here" % program)
        return False

    def command(self, command, **more):
        for pattern, status, printed in EXPECTED:
            if not re.match(pattern, command):
                continue
            program = re.sub(r"^\w+=\w+ ", "", command).split()[0]
            if program == "bazel":
                return self.bazel(command) if self.has(program) else None
            if not self.has(program):
                return None
            done = self.run(command, **more)
            require(done.returncode == status and re.search(printed, done.both),
                    "%s: exit status %d, expected %d and '%s'\n%s" % (command, done.returncode, status, printed, done.both))
            return done
        if "bazel-bin" in command:
            if not self.has("bazel"):
                return None
            more["cwd"] = self.world.root + "/bazel"
        return super().command(command, **more)

    def outputs(self, command, run, said):
        """They are there, and a later command has them."""
        for name in re.findall(r"--output[= ](\S+)", command):
            require(os.path.getsize(os.path.join(run.cwd, name)), said + "wrote nothing to " + name)

    def kind_yaml(self, block):
        name = self.file(block, keep=block.name() in (".pre-commit-config.yaml", "unsuppressed.yaml"))
        if name == ".pre-commit-config.yaml":
            write(self.project.root + "/" + name, "\n".join(block.lines) + "\n")
            if self.has("pre-commit"):
                blocks.git(self.project.root, "add", ".")
                for what in ("validate-config " + name, "validate-manifest %s/.pre-commit-hooks.yaml" % self.source):
                    done = self.run("pre-commit " + what)
                    require(done.returncode == 0, done.both)
        elif name.startswith(".github/"):
            self.workflow(block.text)
        elif name == ".gitlab-ci.yml":
            self.environment.update(CI_NODE_INDEX="2", CI_NODE_TOTAL="2")
            self.valid("vendor.gitlab-ci", self.project.root + "/" + name)
            self.pipeline(block.text)
        else:
            require(name == "unsuppressed.yaml", "nothing is known about " + name)

    def valid(self, schema, path):
        if self.has("check-jsonschema"):
            run([self.programs + "/check-jsonschema", "--builtin-schema", schema, path])

    def workflow(self, text):
        """Does what GitHub does with the action for a pull request of `work` into `main`."""
        import yaml
        self.valid("vendor.github-workflows", self.project.root + "/.github/workflows/action.yml")
        path = self.source + "/docs/integration/action/action.yml"
        self.valid("vendor.github-actions", path)
        action = yaml.safe_load(read(path))
        job, = yaml.safe_load(text)["jobs"].values()
        uses = [step for step in job["steps"] if "/docs/integration/action@" in step.get("uses", "")]
        given = {key: value["default"] for key, value in action["inputs"].items()}
        require(len(uses) == 1 and set(uses[0]["with"]) <= set(given), "the action has no such inputs")
        given.update(uses[0]["with"], options="--checks=-*,tensor-redundant-* --system-headers=0")
        clone, outputs = self.project.root + "/build-action", self.world.root + "/outputs"
        blocks.git(self.project.root, "clone", "--branch", "work", "file://%s/.git/origin" % self.project.root, clone)
        # As on the runner: what the workflow does before.
        self.run("cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", cwd=clone)

        def filled(value):
            value = value.replace("${{ steps.lint.outputs.status }}", "1")
            return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], value).replace(
                "${{ github.base_ref }}", "main")

        lint, upload, last = action["runs"]["steps"]
        variables = {key: filled(filled(value)) for key, value in lint["env"].items()}
        require("${{" not in lint["run"] + str(variables), "an input is a part of the script")
        done = self.run(lint["run"], cwd=clone, GITHUB_OUTPUT=outputs, **variables)
        expect("the step", (done.returncode, read(outputs)), (0, "status=1\n"))
        require("::warning file=src/model.cpp" in done.stdout and "view-after-permute" not in done.stdout, done.both)
        sarif, = json.loads(read(clone + "/" + filled(upload["with"]["sarif_file"])))["runs"]
        expect("to upload", {result["ruleId"] for result in sarif["results"]}, {"tensor-redundant-contiguous"})
        done = self.run(last["run"], cwd=clone, **{key: filled(value) for key, value in last["env"].items()})
        expect("the last step", done.returncode, 1)

    def kind_groovy(self, block):
        """Runs the commands of a Jenkinsfile; the report has what the plugin reads."""
        commands = re.findall(r"^ *sh '(.*)'$", block.text, re.M)
        require(len(commands) == 2, "no commands")
        for command in commands:
            done = self.run(command)
            require(done.returncode == 0, done.both)
        name = re.search(r"sarif\(pattern: '([^']+)'", block.text)[1]
        log, = json.loads(read(self.project.root + "/" + name))["runs"]
        require(log["results"] and log["tool"]["driver"]["name"] == "tensortidy", "no findings")
        rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
        for result in log["results"]:
            place = result["locations"][0]["physicalLocation"]
            require(result["message"]["text"] and result["level"] in ("warning", "error") and
                    rules[result["ruleIndex"]] == result["ruleId"] and place["region"]["startLine"] > 0 and
                    os.path.exists(self.project.root + "/" + place["artifactLocation"]["uri"]), str(result))

    # Bazel

    def kind_python(self, block):
        """A piece of a workspace, which is one beside the project."""
        name = block.lines[0][2:]
        self.parts = getattr(self, "parts", {})
        self.parts[name] = self.parts.get(name, "") + "\n".join(block.lines) + "\n"

    def bazel(self, command):
        root = self.world.root + "/bazel"  # in no git work tree: files are named from here
        shutil.copytree(self.source + "/docs/integration/bazel", root + "/tools/tensortidy")
        self.world.need_package("Unspecified")
        # Debian's rules for C++ are newer than its Bazel, which has them built in.
        names = "cc_binary cc_import cc_library cc_proto_library cc_test cc_toolchain cc_toolchain_suite fdo_profile objc_import objc_library"
        write(root + "/rules_cc/cc/defs.bzl", "".join("%s = native.%s\n" % (name, name) for name in names.split()))
        for name in ("WORKSPACE", "BUILD", "cc/BUILD"):
            write(root + "/rules_cc/" + name, "")
        rules = "".join('local_repository(name = "rules_%s", path = "%s")\n' % rule for rule in
                        (("cc", "rules_cc"), ("java", "/usr/share/bazel/rules/java"), ("proto", "/usr/share/bazel/rules/proto")))
        write(root + "/WORKSPACE", rules + self.parts["WORKSPACE"])
        write(root + "/BUILD", self.parts["BUILD"])
        write(root + "/.clang-tidy", "Checks: '-*,tensor-view-*,tensor-redundant-*'\n")
        write(root + "/src/light.h", settings.LIGHT)
        write(root + "/src/a.cc", SOURCE.replace("light.h", "src/light.h"))
        write(root + "/src/clean.cc", '#include "src/light.h"\nstatic_assert(FLAG == 3, "");\nat::Tensor f(at::Tensor x) { return x; }\n')
        write(root + "/src/BUILD", "".join((
            'cc_library(name = "light", hdrs = ["light.h"])\n',
            'cc_library(name = "a", srcs = ["a.cc"], deps = [":light"])\n',
            'cc_library(name = "clean", srcs = ["clean.cc"], deps = [":light"], copts = ["-DFLAG=3"])\n')))
        start = "bazel --batch --output_user_root=%s build --nosandbox_debug " % (self.world.root + "/bazel-root")

        def build(words, status):
            done = self.run(start + words, cwd=root, HOME=self.world.root)
            require(done.returncode == status, "bazel build %s: exit status %d\n%s" % (words, done.returncode, done.both))
            return done

        words = command[len("bazel build "):]
        # What a target does not declare is not there, the configuration is an input, and a target with findings fails.
        before = {name: read(root + name) for name in ("/src/BUILD", "/.clang-tidy")}
        write(root + "/src/hidden.h", "int hidden;\n")
        write(root + "/src/BUILD", before["/src/BUILD"].replace('"a.cc"], deps', '"a.cc", "b.cc"], deps'))
        write(root + "/src/b.cc", '#include "src/hidden.h"\n')
        write(root + "/.clang-tidy", "Checks: '-*,tensor-view-*'\n")
        done = build(words.replace("tensortidy_sarif", "tensortidy") + " --keep_going", 1)
        require("src/b.cc:1:10: error: 'src/hidden.h' file not found" in done.both, done.both)
        require("[tensor-view-after-permute]" in done.both and "redundant-contiguous" not in done.both, done.both)
        for name in before:
            write(root + name, before[name])
        os.remove(root + "/src/b.cc")
        for name in ("a.src_b.cc", "a.tensortidy", "clean.tensortidy"):
            with contextlib.suppress(FileNotFoundError):
                os.remove("%s/bazel-bin/src/%s.sarif" % (root, name))
        done = build(words, 0)
        found = json.loads(read(root + "/bazel-bin/src/a.src_a.cc.sarif"))["runs"][0]["results"]
        expect("what Bazel finds", sorted((result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                                          for result in found),
               [("tensor-redundant-contiguous", "src/a.cc")] * 2 + [("tensor-view-after-permute", "src/a.cc")])
        clean, = json.loads(read(root + "/bazel-bin/src/clean.src_clean.cc.sarif"))["runs"]
        expect("a clean target", (clean["results"], clean["invocations"][0]["exitCode"]), ([], 0))
        return done

    def hint_fails(self, block):
        return self.kind_sh(block)


def main():
    config = settings.load(sys.argv[1])
    programs = environment_with_packages(config)
    failures = 0

    def part(what, function, *arguments):
        nonlocal failures
        try:
            function(*arguments)
        except (blocks.Wrong, AssertionError) as problem:
            failures += 1
            print("%s: %s\n" % (what, problem), flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        scratch = os.path.realpath(scratch)
        farm = Farm(config, scratch + "/farm")
        part("a project of some units", check_farm, farm, programs)
        world = blocks.World(config, scratch + "/world")
        for name in PAGES:
            root = "%s/%s" % (world.root, os.path.basename(name)[:-3])
            os.makedirs(root)
            page = Recipes(world, name, root, programs)
            for block in blocks.read_blocks(os.path.join(config.source_dir, name)):
                part("%s:%d" % (name, block.line), page.block, block)
            for note in sorted(set(page.notes)):
                print("%s: %s" % (name, note))
    print("%d parts wrong" % failures if failures else "every recipe works")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
