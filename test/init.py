#!/usr/bin/env python3
"""init.py TEST_BUILD_DIR: `tensortidy init` adds to what a project has, and harms nothing."""

import os
import shutil
import subprocess
import sys
import tempfile

import settings

# Comments, a comma behind the last item, an object and a list: what editors' settings have.
SETTINGS = """// of the team
{
    "editor.rulers": [80, 120,], // both
    /* "clangd.path": "/usr/bin/clangd", */
    "files.associations": {
        "*.inc": "cpp", // "clangd.path"
    },
    "cmake.buildDirectory": "${workspaceFolder}/build" // no comma
    // the last
}
"""


def expect(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, expected %r" % (what, got, wanted))


def require(condition, text):
    if not condition:
        sys.exit(text)


class Case:
    """A project, and an installation: a copy, which anybody may run."""

    def __init__(self, config, root):
        self.tool, self.root = root + "/bin/tensortidy", root + "/project"
        self.server = root + "/bin/tensortidy-clangd"
        os.makedirs(root + "/bin")
        shutil.copy(config.build_dir + "/bin/tensortidy", self.tool)

    def fresh(self, settings=None):
        shutil.rmtree(self.root, ignore_errors=True)
        os.makedirs(self.root)
        if settings is not None:
            self.write(settings)

    def path(self):
        return self.root + "/.vscode/settings.json"

    def write(self, text):
        os.makedirs(self.root + "/.vscode", exist_ok=True)
        with open(self.path(), "w", newline="") as file:
            file.write(text)

    def read(self):
        with open(self.path(), newline="") as file:
            return file.read()

    def run(self, status=0, **more):
        run = subprocess.run([self.tool, "init", self.root], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             cwd="/", **more)
        expect("init: " + run.stderr + ": exit status", run.returncode, status)
        return run

    def refused(self, why, **more):
        """The file is left alone, what to add is said, and the other files are written."""
        before = self.read() if os.path.isfile(self.path()) else None
        run = self.run(2, **more)
        require(why in run.stderr, "it does not say '%s': %s" % (why, run.stderr))
        require('note: add to it "clangd.path": "%s"' % self.server in run.stderr, run.stderr)
        if before is not None:
            expect("a file that is left alone", self.read(), before)
        expect("other files", sorted(os.listdir(self.root)), [".clang-tidy", ".clangd", ".vscode"])
        expect("what is left", os.listdir(self.root + "/.vscode") if os.path.isdir(self.root + "/.vscode") else [],
               ["settings.json"] if before is not None else [])


def main():
    config = settings.load(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        os.chmod(folder, 0o755)
        case = Case(config, folder)

        # Without a server VS Code is told of none.
        case.fresh()
        require("It is not built yet" in case.run().stdout, "a server that is not there")
        expect("no server", os.path.exists(case.root + "/.vscode"), False)
        with open(case.server, "w") as file:
            file.write("#!/bin/sh\n")

        case.run()
        expect("a new file", case.read(), '{\n  "clangd.path": "%s"\n}\n' % case.server)
        require("settings.json: nothing to change" in case.run().stdout, "the second time")

        case.fresh(SETTINGS)
        case.run()
        expect("with comments", case.read(), SETTINGS.replace(
            '/build" //', '/build", //').replace("the last\n", 'the last\n    "clangd.path": "%s"\n' % case.server))
        before = case.read()
        case.run()
        expect("the second time", case.read(), before)
        case.fresh("{\r\n  \"a\": 1,\r\n}\r\n")
        case.run()
        expect("line ends, a last comma", case.read(), '{\r\n  "a": 1,\r\n  "clangd.path": "%s",\r\n}\r\n' % case.server)

        # One of ours that was elsewhere is replaced, another one is not.
        case.fresh('{"clangd.path": "/old/bin/tensortidy-clangd" /* ours */}')
        case.run()
        expect("a new place", case.read(), '{"clangd.path": "%s" /* ours */}' % case.server)
        case.fresh('{"clangd.path": "/usr/bin/clangd-19"}')
        case.refused('it has a clangd.path already, "/usr/bin/clangd-19"')
        for text in ("{", '{"a": 1} x', "[]", '{"a": 1 /* no end', "{" * 1000):
            case.fresh(text)
            case.refused("is left alone: ")
        case.fresh()
        os.makedirs(case.path())
        run = case.run(2)
        require("it is a directory" in run.stderr, run.stderr)
        case.fresh()
        with open(case.root + "/.vscode", "w") as file:
            file.write("not a folder")
        run = case.run(2)
        require("Not a directory" in run.stderr, run.stderr)

        # Without permission, as somebody who needs it.
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        case.fresh(SETTINGS)
        os.chmod(case.path(), 0o444)
        if somebody:
            for path in (case.root, case.root + "/.vscode", case.path()):
                os.chown(path, 65534, 65534)
        case.refused("cannot write", **somebody)
        os.chmod(case.path(), 0o644)
        case.run(**somebody)
        require(case.server in case.read(), "a file that may be written")
        mode = os.stat(case.path()).st_mode & 0o777
        expect("its mode", mode, 0o644)

        # A link stays one.
        case.fresh()
        os.makedirs(case.root + "/.vscode")
        os.symlink("../settings", case.path())
        with open(case.root + "/settings", "w") as file:
            file.write("{}\n")
        case.run()
        require(os.path.islink(case.path()) and case.server in case.read(), "a link")
    print("what a project has is kept")


if __name__ == "__main__":
    main()
