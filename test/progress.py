#!/usr/bin/env python3
"""progress.py TEST_BUILD_DIR: a run shows how far it has come, on a terminal in a
line that leaves nothing behind, elsewhere in a few plain lines."""

import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

import settings


def expect(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, expected %r" % (what, got, wanted))


def on_terminal(command, columns, term="xterm", stdout=None):
    """What a terminal of so many columns gets; from standard error, too, unless
    that is to be read from `stdout`."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    process = subprocess.Popen(command, stdin=slave, stdout=stdout or slave, stderr=slave,
                               env={**environment, "TERM": term})
    os.close(slave)
    said = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:  # the end, on Linux
            break
        if not chunk:
            break
        said += chunk
    os.close(master)
    process.wait()
    return said.decode().replace("\r\n", "\n")


def screen(said):
    """The lines that stand there in the end; all but \\r is as in a file."""
    lines = [""]
    column = 0
    for letter in said:
        if letter == "\n":
            lines.append("")
            column = 0
        elif letter == "\r":
            column = 0
        else:
            line = lines[-1].ljust(column)
            lines[-1] = line[:column] + letter + line[column + 1:]
            column += 1
    return [line.rstrip() for line in lines]


def main():
    config = settings.load(sys.argv[1])
    tool = [config.build_dir + "/bin/tensortidy", "--use-color=0", "-j", "2"]
    flags = ["--"] + settings.flags(config)["%runtime"].split()
    finding = os.path.dirname(os.path.abspath(__file__)) + "/lit/command-line/Inputs/finding.cpp"
    with tempfile.TemporaryDirectory() as folder:
        files = ["%s/a-rather-long-name-of-a-file-%02d.cpp" % (folder, i) for i in range(10)]
        for path in files:
            shutil.copy(finding, path)

        # No terminal: a line for each tenth, nothing for a few files.
        done = subprocess.run(tool + files + flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        expect("findings", done.stdout.count(": warning: "), 10)
        expect("findings alone", "of 10 files" in done.stdout, False)
        lines = done.stderr.splitlines()
        counts = [int(line.split()[1]) for line in lines[:-1]]
        expect("counts", counts == sorted(set(counts)) and 3 <= len(counts) <= 9 and counts[-1] < 10, True)
        for line in lines[:-1]:
            if not re.fullmatch(r"tensortidy: \d of 10 files, \d findings?(, about \d+ (s|min) left)?", line):
                sys.exit("not a line of progress: " + line)
        expect("summary", lines[-1], "10 findings in 10 files")
        few = subprocess.run(tool + files[:3] + flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        expect("a few files", few.stderr, "3 findings in 3 files\n")
        quiet = subprocess.run(tool + ["--quiet"] + files + flags, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
        expect("--quiet", quiet.stderr, "")

        # A terminal: the findings and the summary are what is left on it.
        for columns in (80, 30, 5):
            said = on_terminal(tool + ["-j1"] + files[:3] + flags, columns)
            expect("what stands on the terminal", screen(said), (few.stdout + few.stderr).split("\n"))
            rewritten = [part for part in said.split("\r") if part.strip() and "\n" not in part]
            expect("progress", bool(rewritten), True)
            expect("too wide", [part for part in rewritten if len(part) >= columns], [])
            if columns == 80:
                expect("finished ones", any(part.startswith("[2/3] ") for part in rewritten), True)
        said = on_terminal(tool + files[:3] + flags, 80, stdout=subprocess.DEVNULL)
        expect("findings elsewhere", screen(said), ["3 findings in 3 files", ""])
        said = on_terminal(tool + ["--quiet"] + files[:3] + flags, 80)
        expect("--quiet on a terminal", said, few.stdout)
        said = on_terminal(tool + files[:3] + flags, 80, term="dumb")
        expect("a dumb terminal", said, few.stdout + few.stderr)
    print("progress is shown as it should be")


if __name__ == "__main__":
    main()
