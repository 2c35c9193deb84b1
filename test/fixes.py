#!/usr/bin/env python3
"""fixes.py TEST_BUILD_DIR [ROUNDS]: --fix loses no code, whatever happens.

Two runs over one header at once, ROUNDS times; saves in the middle, by an editor
that writes into the file and by one that replaces it, ROUNDS times each; kill -9 at
random moments, 2 * ROUNDS times; full disks; links, modes and read-only places.
After each, every source is as it was (as it was saved last) or fixed whole."""

import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

import settings

NOBODY = 65534
LEFTOVER = re.compile(r"\.tensortidy-[0-9a-f]{16}-\w{6}\.tmp")
FINDINGS = 8


def function(number):
    """A function with a finding, and what --fix makes of it."""
    head = "static T f%d(C c, T w, T x) {\n  T y = ggml_mul_mat(c, w, x);\n  return " % number
    return head + "ggml_cont(c, y);\n}\n", head + "y;\n}\n"


def source(version=0, padding=20000):
    """A file of many findings, long enough to be one that programs map into
    memory, and what --fix makes of it."""
    texts = []
    for fixed in (0, 1):
        text = "#pragma once\n// version %d\n" % version
        text += '#include "ggml.h"\nusing C = ggml_context *;\nusing T = ggml_tensor *;\n'
        for number in range(FINDINGS):
            text += "/* %s */\n" % ("-" * (padding // FINDINGS)) + function(number)[fixed]
        texts.append(text)
    return texts


def read(path):
    with open(path, newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", newline="") as file:
        file.write(text)


class Test:
    def __init__(self, config, rounds):
        self.tool = config.build_dir + "/bin/tensortidy"
        self.rounds = rounds
        self.ggml = os.path.dirname(os.path.abspath(__file__)) + "/lit/ggml/Inputs"
        self.problems = []
        self.scratch = os.path.realpath(tempfile.mkdtemp(prefix="fixes"))
        os.chmod(self.scratch, 0o755)
        self.old, self.fixed = source()

    def expect(self, condition, text):
        if not condition:
            self.problems.append(text)
            print("FAILED: " + text, flush=True)
        return condition

    def folder(self, name):
        path = os.path.join(self.scratch, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def command(self, path, *options):
        return [self.tool, "--use-color=0", *options, path, "--", "-std=c++17", "-I" + self.ggml]

    def start(self, path, *options, **others):
        return subprocess.Popen(self.command(path, *options), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **others)

    def run(self, path, *options, **others):
        process = self.start(path, *options, **others)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def leftovers(self, folder):
        return [name for name in os.listdir(folder) if LEFTOVER.fullmatch(name)]

    def refused(self, what, path, text, status, err, message):
        """Nothing was written, and that was said."""
        self.expect(status == 2, "%s: status %d" % (what, status))
        self.expect(message in err, "%s: %s" % (what, err))
        self.expect("applied 0 of %d fixes in 0 files" % FINDINGS in err, "%s: %s" % (what, err))
        self.expect(read(path) == text, what + ": the source has changed")
        self.expect(not self.leftovers(os.path.dirname(path)), what + ": a temporary is left")

    # --- what a run does by itself ---

    def alone(self):
        folder = self.folder("alone")
        path = folder + "/a.cpp"
        write(path, self.old)
        began = time.time()
        status, out, err = self.run(path, "--fix")
        self.seconds = time.time() - began
        self.expect(status == 1, "alone: status %d" % status)
        self.expect(out.count("warning: ") == FINDINGS and "FIX-IT" not in out, "alone: " + out)
        self.expect("applied 8 of 8 fixes in 1 file" in err and "clang-tidy" not in err, "alone: " + err)
        self.expect(read(path) == self.fixed, "alone: not fixed")
        status, out, err = self.run(path, "--fix")
        self.expect((status, out, err) == (0, "", ""), "again: %d %s" % (status, out + err))
        write(path, self.old)
        status, out, err = self.run(path, "--fix", "--quiet")
        self.expect((status, err) == (1, ""), "quiet: %d %s" % (status, err))

    def patches(self):
        """What --diff prints is what --fix does."""
        for tool in (["git", "apply"], ["patch", "-p1", "--quiet", "--input"]):
            if not shutil.which(tool[0]):
                print("%s is not installed: not tried with patches" % tool[0])
                continue
            folder = self.folder("patch")
            texts = {"a b.cpp": (self.old, self.fixed), "dir/c.cpp": source(padding=100),
                     "crlf.cpp": [text.replace("\n", "\r\n") for text in source(padding=100)],
                     "end.cpp": [text[:-1] for text in source(padding=100)]}
            os.makedirs(folder + "/dir")
            for name, (text, _) in texts.items():
                write(folder + "/" + name, text)
            done = subprocess.run(self.command("dir/c.cpp", "--diff", "--quiet", "a b.cpp", "crlf.cpp", "end.cpp"),
                                  cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.expect(done.returncode == 1 and not done.stderr, "patch: %d %s" % (done.returncode, done.stderr))
            with open(folder + "/patch", "wb") as file:
                file.write(done.stdout)
            done = subprocess.run(tool + ["patch"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True)
            self.expect(done.returncode == 0, "%s: %s" % (tool[0], done.stdout))
            for name, (_, fixed) in texts.items():
                self.expect(read(folder + "/" + name) == fixed, "%s of %s is not what --fix does" % (tool[0], name))

    # --- two runs ---

    def pairs(self):
        ends = {}
        for number in range(self.rounds):
            folder = self.folder("pair")
            header = folder + "/shared.h"
            write(header, self.old)
            for name in "ab":
                write("%s/%s.cpp" % (folder, name), '#include "shared.h"\n' + function(100)[0])
            # One of every two pairs does not want the same of the header.
            half = [] if number % 2 else ['--line-filter=[{"name":"shared.h","lines":[[1,22]]},{"name":"b.cpp"}]']
            first = self.start(folder + "/a.cpp", "--fix", "--header-filter=shared")
            time.sleep(random.uniform(0, 0.3 * self.seconds))
            second = self.start(folder + "/b.cpp", "--fix", "--header-filter=shared", *half)
            wanted = {self.fixed}
            if half:
                # The filter counts lines: what is fixed without the other run.
                if not hasattr(self, "half"):
                    self.half = self.partly(half)
                wanted.add(self.half)
            for process in (first, second):
                err = process.communicate(timeout=120)[1]
                status = process.returncode
                self.expect(status in (1, 2), "pair: status %d: %s" % (status, err))
                self.expect((status == 2) == ("'%s' changed since it was analysed" % header in err),
                            "pair: %d without its reason: %s" % (status, err))
                end = "changed" if status == 2 else "another run" if "another run" in err else "applied"
                ends[end] = ends.get(end, 0) + 1
            self.expect(read(header) in wanted, "pair: damaged header:\n" + read(header))
            for name in "ab":
                self.expect(read("%s/%s.cpp" % (folder, name)) == '#include "shared.h"\n' + function(100)[1],
                            "pair: damaged source")
            self.expect(not self.leftovers(folder), "pair: a temporary is left")
        print("%d pairs, ends of the runs: %s" % (self.rounds, ends))

    def partly(self, options):
        folder = self.folder("partly")
        write(folder + "/shared.h", self.old)
        write(folder + "/b.cpp", '#include "shared.h"\n')
        self.run(folder + "/b.cpp", "--fix", "--header-filter=shared", *options)
        text = read(folder + "/shared.h")
        self.expect(text not in (self.old, self.fixed), "the line filter chooses nothing")
        return text

    # --- saves in the middle ---

    def saves(self, how):
        refused = 0
        for number in range(self.rounds):
            folder = self.folder("saved")
            path = folder + "/a.cpp"
            write(path, self.old)
            process = self.start(path, "--fix")
            outputs = []
            reader = threading.Thread(target=lambda: outputs.extend(process.communicate()))
            reader.start()
            for version in range(1, random.randint(2, 4)):
                # Now longer, now much shorter.
                text, fixed = source(version, random.choice((100, 20000, 40000)))
                time.sleep(random.uniform(0, 0.7 * self.seconds))
                how(path, text)
            reader.join()
            status = process.returncode
            self.expect(status in (0, 1, 2), "saved: status %d: %s" % (status, outputs[1]))
            for words in ("crashed", "Stack dump", "PLEASE submit"):
                self.expect(words not in outputs[1], "saved: " + outputs[1])
            refused += "changed since" in outputs[1]
            now = read(path)
            self.expect(now in (text, fixed), "saved: an edit is lost or damaged, %s: %s" %
                        (now.splitlines()[1:2], outputs[1]))
            self.expect(not self.leftovers(folder), "saved: a temporary is left")
        print("%d times saved in the middle (%s), refused: %d" % (self.rounds, how.__doc__, refused))

    @staticmethod
    def in_place(path, text):
        """into the file"""
        write(path, text)

    @staticmethod
    def by_rename(path, text):
        """another file in its place"""
        write(path + "~", text)
        os.rename(path + "~", path)

    # --- ends in the middle ---

    def kills(self):
        folder = self.folder("killed")
        path = folder + "/a.cpp"
        counts = {"as it was": 0, "fixed": 0, "leftovers": 0}
        for number in range(2 * self.rounds):
            write(path, self.old)
            process = self.start(path, "--fix")
            # The writing is at the end; half of them shall come there.
            time.sleep(random.uniform(0.6 if number % 2 else 0, 1.2) * self.seconds)
            process.kill()
            process.communicate()
            text = read(path)
            if self.expect(text in (self.old, self.fixed), "killed: damaged:\n" + text):
                counts["as it was" if text == self.old else "fixed"] += 1
            others = [name for name in os.listdir(folder) if name != "a.cpp"]
            counts["leftovers"] = max(counts["leftovers"], len(others))
            self.expect(all(LEFTOVER.fullmatch(name) for name in others), "killed: left are %s" % others)
        write(path, self.old)
        self.run(path, "--fix")
        self.expect(read(path) == self.fixed, "killed: the next run does not fix")
        self.expect(not self.leftovers(folder), "killed: the next run leaves the leftovers")
        print("%d times killed: %s" % (2 * self.rounds, counts))

    # --- full disks ---

    def limited(self):
        """A limit on the size of files, which needs no root."""
        folder = self.folder("limited")
        path = folder + "/a.cpp"
        write(path, self.old)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        status, _, err = self.run(path, "--fix", preexec_fn=limit)
        self.refused("limited", path, self.old, status, err, "'%s' cannot be written: File too large" % path)
        status, _, err = self.run(path, "--export-fixes=%s/fixes" % folder, preexec_fn=limit)
        self.expect(status == 2 and "cannot write '%s/fixes': File too large" % folder in err,
                    "limited: %d %s" % (status, err))
        self.expect(os.listdir(folder) == ["a.cpp"], "limited: left are %s" % os.listdir(folder))

    def full(self):
        folder = self.folder("full")
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "none", folder], stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            print("no tmpfs can be mounted here: full disks were not tried")
            return
        try:
            path = folder + "/a.cpp"
            write(path, self.old)
            write(folder + "/fixes", "before")
            with open(folder + "/filler", "wb", buffering=0) as filler:
                try:
                    while filler.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            os.truncate(folder + "/filler", os.path.getsize(folder + "/filler") - 8192)
            status, _, err = self.run(path, "--fix", "--export-fixes=" + folder + "/fixes", "-j2")
            self.refused("full", path, self.old, status, err,
                         "'%s' cannot be written: No space left on device" % path)
            status, _, err = self.run(path, "--fix", "--quiet")
            self.expect(status == 2, "full: status %d" % status)
            os.truncate(folder + "/filler", os.path.getsize(folder + "/filler") + 0)
            with open(folder + "/rest", "wb", buffering=0) as filler:
                try:
                    while filler.write(b"x" * 4096):
                        pass
                except OSError:
                    pass
            text = read(folder + "/fixes")
            status, _, err = self.run(path, "--export-fixes=" + folder + "/fixes")
            self.expect(status == 2 and "cannot write '%s/fixes': No space left" % folder in err,
                        "full: %d %s" % (status, err))
            self.expect(read(folder + "/fixes") == text, "full: the exported fixes are lost")
            os.remove(folder + "/filler")
            status, _, err = self.run(path, "--fix")
            self.expect(status == 1 and read(path) == self.fixed, "no longer full: %d %s" % (status, err))
        finally:
            subprocess.run(["umount", folder])
        print("a full disk was tried")

    # --- links, modes, places ---

    def attributes(self):
        folder = self.folder("modes")
        path, real = folder + "/a.cpp", folder + "/elsewhere/real.cpp"
        os.makedirs(folder + "/elsewhere")

        write(real, self.old)
        os.symlink("elsewhere/real.cpp", path)
        status, _, err = self.run(path, "--fix")
        self.expect(status == 1 and os.path.islink(path) and read(real) == self.fixed,
                    "symbolic link: %d %s" % (status, err))
        os.remove(path)

        for mode in (0o755, 0o600, 0o664):
            write(path, self.old)
            os.chmod(path, mode)
            self.run(path, "--fix")
            self.expect(read(path) == self.fixed and stat.S_IMODE(os.stat(path).st_mode) == mode, "mode %o" % mode)

        write(path, self.old)
        os.chmod(path, 0o644)
        os.link(path, folder + "/other")
        status, _, err = self.run(path, "--fix")
        self.refused("hard link", path, self.old, status, err, "'%s' has other names (hard links)" % path)
        self.expect(os.path.samefile(path, folder + "/other"), "hard link: it is broken")
        os.remove(folder + "/other")

        os.chmod(path, 0o444)
        status, _, err = self.run(path, "--fix")
        self.refused("mode 444", path, self.old, status, err, "'%s' is read-only" % path)
        os.chmod(path, 0o644)

        # root may write anywhere, so be somebody else.
        others = {}
        if os.geteuid() == 0:
            others["preexec_fn"] = lambda: (os.setgroups([]), os.setgid(NOBODY), os.setuid(NOBODY))
            os.chown(path, NOBODY, NOBODY)
        os.chmod(folder, 0o555)
        if os.path.exists(self.tool) and self.executable(others):
            status, _, err = self.run(path, "--fix", **others)
            self.refused("read-only folder", path, self.old, status, err, "no file can be created in its folder")
            os.chmod(folder, 0o755)
            if os.geteuid() == 0:
                os.chown(path, 0, 0)
                status, _, err = self.run(path, "--fix", **others)
                self.refused("another's file", path, self.old, status, err, "'%s' is read-only" % path)
                os.chown(path, NOBODY, NOBODY)
                status, _, err = self.run(path, "--fix")
                self.expect(status == 1 and read(path) == self.fixed and os.stat(path).st_uid == NOBODY,
                            "owner: %d %s" % (status, err))
        else:
            print("the tool cannot be run by another user here: read-only folders were not tried")
        os.chmod(folder, 0o755)

    def executable(self, others):
        try:
            return subprocess.run([self.tool, "--version"], stdout=subprocess.DEVNULL, **others).returncode == 0
        except OSError:
            return False

    def main(self):
        try:
            for part in (self.alone, self.patches, self.pairs, lambda: self.saves(self.in_place),
                         lambda: self.saves(self.by_rename), self.kills, self.limited, self.full, self.attributes):
                part()
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print("%d problems, %.0f s of CPU" % (len(self.problems), used.ru_utime + used.ru_stime))
        return 1 if self.problems else 0


if __name__ == "__main__":
    sys.exit(Test(settings.load(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20).main())
