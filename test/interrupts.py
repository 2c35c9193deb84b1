#!/usr/bin/env python3
"""interrupts.py TEST_BUILD_DIR: whatever ends a run, it prints what it has found,
leaves no process behind and changes no file."""

import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import settings

WATCHDOG = 120  # seconds; the slow files take hours
SLOW = """
constexpr unsigned work(unsigned n) { unsigned s = 0; for (unsigned i = 0; i < n; ++i) s += i ^ s; return s; }
static_assert(work(4000000000u) != 1, "");
"""


def wait_until(what, question, run=None):
    end = time.monotonic() + WATCHDOG
    while not question():
        if run and run.poll() is not None:
            sys.exit("ended with %d before %s" % (run.returncode, what))
        if time.monotonic() > end:
            sys.exit("not seen: " + what)
        time.sleep(0.02)


def runs_in_group(group):
    """Whether a process of the group runs. One that has ended and waits for its
    parent does not: in a container without an init, nobody else takes it."""
    for entry in os.listdir("/proc"):
        try:
            # PID (name) state parent group ...
            state, _, of = open("/proc/%d/stat" % int(entry)).read().rpartition(")")[2].split()[:3]
        except (ValueError, OSError):
            continue  # no process, or it is gone by now
        if int(of) == group and state != "Z":
            return True
    return False


class Run:
    """A run of its own process group, with what it prints in files."""

    def __init__(self, command, ignored=(), **redirected):
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        self.files = {name: tempfile.TemporaryFile("w+b") for name in ("stdout", "stderr")}
        self.process = subprocess.Popen(command, preexec_fn=prepare, start_new_session=True,
                                        **{**self.files, **redirected})

    def text(self, name):
        size = os.fstat(self.files[name].fileno()).st_size
        return os.pread(self.files[name].fileno(), size, 0).decode()

    def has_said(self, text):
        wait_until(text, lambda: text in self.text("stderr"), self.process)

    def status(self):
        """Its exit status, once nothing of it is left."""
        try:
            status = self.process.wait(WATCHDOG)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            sys.exit("still running")

        wait_until("the end of every process", lambda: not runs_in_group(self.process.pid))
        return status


def expect(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, expected %r" % (what, got, wanted))


def main():
    config = settings.load(sys.argv[1])
    tool = config.build_dir + "/bin/tensortidy"
    flags = ["--"] + settings.flags(config)["%runtime"].split() + ["-fconstexpr-steps=4294967295"]
    finding = os.path.dirname(os.path.abspath(__file__)) + "/lit/command-line/Inputs/finding.cpp"
    with tempfile.TemporaryDirectory() as folder:
        # Two with findings, of which the second has to wait for a slow one's turn.
        files = ["%s/%d.cpp" % (folder, i) for i in range(10)]
        for i, path in enumerate(files):
            if i in (0, 2):
                shutil.copy(finding, path)
            else:
                open(path, "w").write(SLOW)
        quick = [files[0], files[2]]
        whole = subprocess.run([tool, "--quiet"] + quick + flags, stdout=subprocess.PIPE, text=True)
        expect("findings", whole.stdout.count(": warning: "), 2)
        command = [tool, "-j", "3"] + files + flags

        # One signal, to the parent or as a terminal and timeout(1) send it.
        for send, name in ((os.kill, "SIGINT"), (os.kill, "SIGTERM"), (os.kill, "SIGHUP"), (os.kill, "SIGQUIT"),
                           (os.killpg, "SIGINT"), (os.killpg, "SIGTERM")):
            number = getattr(signal, name)
            run = Run(command)
            run.has_said("2 of 10 files")
            send(run.process.pid, number)
            if send == os.killpg:
                send(run.process.pid, number)
            expect(name, run.status(), -number)
            expect(name + ": findings", run.text("stdout"), whole.stdout)
            expect(name + ": summary", run.text("stderr").splitlines()[-1],
                   "tensortidy: interrupted: 2 of 10 files analysed, 2 findings so far")

        # Nobody sees it coming.
        run = Run(command)
        run.has_said("2 of 10 files")
        run.process.kill()
        expect("SIGKILL", run.status(), -signal.SIGKILL)

        # What was to be ignored stays so.
        run = Run(command, ignored=[signal.SIGHUP])
        run.has_said("2 of 10 files")
        os.kill(run.process.pid, signal.SIGHUP)
        time.sleep(1)
        os.kill(run.process.pid, signal.SIGTERM)
        expect("nohup", run.status(), -signal.SIGTERM)

        # Fixes are all or none.
        fixes = folder + "/fixes.yaml"
        before = open(files[0]).read()
        run = Run([tool, "--fix", "--export-fixes=" + fixes] + command[1:])
        run.has_said("2 of 10 files")
        os.kill(run.process.pid, signal.SIGINT)
        expect("--fix", run.status(), -signal.SIGINT)
        expect("--fix: findings", run.text("stdout"), whole.stdout)
        expect("--fix: summary", run.text("stderr").splitlines()[-1],
               "tensortidy: interrupted: 2 of 10 files analysed, 2 findings so far; no fix was applied; "
               "'%s' was not written" % fixes)
        expect("--fix: source", open(files[0]).read(), before)
        expect("--fix: file of fixes", os.path.exists(fixes), False)

        # `| head`: ended by the pipe, and quiet.
        ours, theirs = os.pipe()
        os.close(ours)
        run = Run(command, stdout=theirs)
        os.close(theirs)
        expect("closed pipe", run.status(), -signal.SIGPIPE)
        if "error" in run.text("stderr") or "interrupted" in run.text("stderr"):
            sys.exit("closed pipe: " + run.text("stderr"))

        # A pipe that nobody reads does not keep it.
        body = open(finding).read().split("\n\n", 1)
        noisy = folder + "/noisy.cpp"
        with open(noisy, "w") as out:
            out.write(body[0])
            for i in range(200):
                out.write("\n\nnamespace n%d {\n%s\n}\n" % (i, body[1]))
        ours, theirs = os.pipe()
        run = Run([tool, "-j", "3", noisy] + files + flags, stdout=theirs)
        os.close(theirs)
        poll = select.poll()
        poll.register(ours, select.POLLIN)
        poll.poll(WATCHDOG * 1000)
        time.sleep(1)  # until it is full
        os.kill(run.process.pid, signal.SIGINT)
        expect("full pipe", run.status(), -signal.SIGINT)
        os.close(ours)

        # Nor does a full disk pass for a run without findings.
        run = Run([tool, "-j", "3"] + files + flags, stdout=open("/dev/full", "w"))
        expect("full disk", run.status(), 2)
        expect("full disk: message", run.text("stderr").splitlines()[-1],
               "tensortidy: error: cannot write to standard output: No space left on device")
    print("every run ended as it should")


main()
