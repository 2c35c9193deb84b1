#!/usr/bin/env python3
"""jobs.py TEST_BUILD_DIR: how many files are analysed at once, in which order, and again when they are saved."""

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402
from blocks import write  # noqa: E402

FOUND = '#include "light.h"\nat::Tensor f(at::Tensor x) { auto y = x.t().contiguous(); return y.contiguous(); }\n'
CLEAN = '#include "light.h"\n'
FILES = 8


def children_of(process):
    try:
        with open("/proc/%d/task/%d/children" % (process, process)) as file:
            return file.read().split()
    except OSError:
        return []


def most_at_once(command, **how):
    """The exit status, and the most children that were seen at the same time."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    most = 0
    while process.poll() is None:
        most = max(most, len(children_of(process.pid)))
        time.sleep(0.002)
    return process.returncode, most


def check_jobserver(tool, root):
    for number in range(FILES):
        # Long enough to be seen.
        write("%s/f%d.cpp" % (root, number), FOUND + "int a[] = {%s};\n" % ",".join(map(str, range(60000))))
    command = [tool, "--no-cache", *("f%d.cpp" % n for n in range(FILES)), "--", "-std=c++17", "-I."]
    for tokens in (0, 2):
        fifo = "%s/fifo%d" % (root, tokens)
        os.mkfifo(fifo)
        end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        os.write(end, b"ab"[:tokens])
        got = most_at_once(command, cwd=root, env=dict(os.environ, MAKEFLAGS=" -j9 --jobserver-auth=fifo:" + fifo))
        assert got == (1, tokens + 1), (got, tokens)
        assert sorted(os.read(end, 10) if tokens else b"") == sorted(b"ab"[:tokens])
        os.close(end)
    reads, writes = os.pipe()
    os.write(writes, b"++")
    auth = "-j9 --jobserver-auth=%d,%d" % (reads, writes)
    got = most_at_once(command, cwd=root, pass_fds=(reads, writes), env=dict(os.environ, MAKEFLAGS=auth))
    assert got == (1, 3), got
    assert os.get_blocking(reads) and os.read(reads, 10) == b"++"
    # One that was not handed down; and -j is what counts.
    assert most_at_once(command, cwd=root, env=dict(os.environ, MAKEFLAGS=auth)) == (1, 1)
    got = most_at_once(command[:1] + ["-j", "4"] + command[1:], cwd=root, env=dict(os.environ, MAKEFLAGS=auth))
    assert got == (1, 4), got
    # Interrupted, all tokens are given back.
    os.write(writes, b"++")
    process = subprocess.Popen(command, cwd=root, pass_fds=(reads, writes), env=dict(os.environ, MAKEFLAGS=auth),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(children_of(process.pid)) < 3:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    assert process.wait() == -signal.SIGINT
    assert os.read(reads, 10) == b"++"
    if shutil.which("make"):
        write(root + "/Makefile", "lint:\n\t+@%s; test $$? = 1\n" % " ".join(command).replace("--no-cache", "--no-cache --quiet"))
        done = subprocess.run(["make", "-j3"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0 and done.stdout.count("warning: contiguous()") == FILES and "jobserver" not in done.stdout, done.stdout


def check_order(tool, root):
    """What took longest begins: it is the last of the list."""
    names = ["o%d.cpp" % n for n in range(4)]
    for name in names:
        write(root + "/" + name, FOUND)
    write(root + "/o3.cpp", FOUND + "int a[] = {%s};\n" % ",".join(map(str, range(200000))))
    command = [tool, "--cache-dir=order", "-j1", *names, "--", "-std=c++17", "-I."]
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    write(root + "/light.h", settings.LIGHT + "// changed\n")
    # The output is in the order of the list, whatever began.
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert re.findall(r"(o\d)\.cpp:2:\d+: warning", done.stdout) == ["o0", "o1", "o2", "o3"], done.stdout
    kept = [root + "/order/" + name for name in os.listdir(root + "/order") if name.endswith("-r")]
    kept = sorted(kept, key=lambda path: os.stat(path).st_mtime_ns)[-len(names):]
    with open(kept[0], "rb") as file:
        assert b"o3.cpp" in file.read()


class Watched:
    def __init__(self, command, root):
        self.process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out, self.err = b"", b""
        for pipe in (self.process.stdout, self.process.stderr):
            os.set_blocking(pipe.fileno(), False)

    def until_waiting(self):
        """What was printed until it waits for something to be saved."""
        self.out, self.err = b"", b""
        end = time.monotonic() + 120
        while b"watching" not in self.err:
            assert time.monotonic() < end and self.process.poll() is None, (self.out, self.err)
            select.select([self.process.stdout, self.process.stderr], [], [], 1)
            self.out += self.process.stdout.read() or b""
            self.err += self.process.stderr.read() or b""
        self.out += self.process.stdout.read() or b""
        return sorted(set(re.findall(r"(w\d\.cpp):\d+:\d+: warning", self.out.decode())))


def check_watch(tool, root):
    for number in range(3):
        write("%s/w%d.cpp" % (root, number), FOUND if number != 1 else CLEAN)
    command = [tool, "--watch", "--cache-dir=watch", "w0.cpp", "w1.cpp", "w2.cpp", "--", "-std=c++17", "-I."]
    watched = Watched(command, root)
    try:
        assert watched.until_waiting() == ["w0.cpp", "w2.cpp"], watched.out
        write(root + "/w1.cpp", FOUND)
        assert watched.until_waiting() == ["w1.cpp"], watched.out
        # Saved as editors do: written beside it and moved.
        write(root + "/new", CLEAN + FOUND)
        os.replace(root + "/new", root + "/w2.cpp")
        assert watched.until_waiting() == ["w2.cpp"], watched.out
        # Gone, and back later, as when a branch is left and taken again.
        os.remove(root + "/w2.cpp")
        watched.until_waiting()
        write(root + "/w2.cpp", CLEAN)
        assert watched.until_waiting() == [], watched.out
        # A mistake that is made again is told again.
        write(root + "/w2.cpp", CLEAN + FOUND)
        assert watched.until_waiting() == ["w2.cpp"], watched.out
        write(root + "/light.h", settings.LIGHT + "// saved\n")
        assert watched.until_waiting() == ["w0.cpp", "w1.cpp", "w2.cpp"], watched.out
        write(root + "/w0.cpp", "int = 3;\n")
        watched.until_waiting()
        assert b"w0.cpp:1:5: error" in watched.out + watched.err, (watched.out, watched.err)
    finally:
        watched.process.send_signal(signal.SIGINT)
    assert watched.process.wait() == -signal.SIGINT
    for option in ("--fix", "--no-cache", "--add-nolint=x"):
        done = subprocess.run(command[:2] + [option] + command[2:], cwd=root, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 2 and "--watch and --" in done.stderr, done
    assert subprocess.run([tool, "--watch", "none.cpp"], cwd=root, stderr=subprocess.DEVNULL).returncode == 2


def main():
    config = settings.load(os.path.abspath(sys.argv[1]))
    tool = config.build_dir + "/bin/tensortidy"
    os.environ.pop("MAKEFLAGS", None)
    with tempfile.TemporaryDirectory(prefix="tensortidy-jobs-") as root:
        write(root + "/light.h", settings.LIGHT)
        check_jobserver(tool, root)
        check_watch(tool, root)
        check_order(tool, root)
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
