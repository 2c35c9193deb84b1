#!/usr/bin/env python3
"""editor.py TEST_BUILD_DIR [EDITS [EXAMPLE]]: from a change to its diagnostics.

Opens an example in tensortidy-clangd and in stock clangd of the same release,
both at once in projects of their own, and changes one number in a function body
EDITS times in turn. EXAMPLE is kernel.cpp, which includes <ATen/ATen.h>, or
another of docs/examples, such as attention.cpp, which includes <torch/torch.h>.
Prints, per server, the median and the 90th percentile of the wall time from the
change to the diagnostics of that version, the CPU time of one change, and the
ratios. Needs clangd-19 (or the release of the build)."""

import os
import shutil
import statistics
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import settings  # noqa: E402
from editor import PATIENCE, Session  # noqa: E402


class Timed:
    def __init__(self, name, server, root, path, options=()):
        self.name, self.session, self.version = name, Session([server, "--log=error", "--background-index=false", *options], root), 1
        self.uri = "file://" + path
        with open(path) as f:
            self.text = f.read()
        self.wall, self.cpu = [], []
        self.session.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri, "languageId": "cpp", "version": 1, "text": self.text}})
        self.wait()

    def wait(self):
        while True:
            message = self.session.inbox.get(timeout=PATIENCE)
            assert message is not None, self.name + " died"
            if message.get("method") == "textDocument/publishDiagnostics" and \
                    message["params"]["uri"] == self.uri and message["params"].get("version") == self.version:
                return

    def seconds(self):
        with open("/proc/%d/stat" % self.session.process.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def change(self, number):
        self.version += 1
        text = self.text + "\nint editor_bench() { return %d; }\n" % number
        cpu, start = self.seconds(), time.perf_counter()
        self.session.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"text": text}],
            "wantDiagnostics": True})
        self.wait()
        self.wall.append(time.perf_counter() - start)
        time.sleep(0.3)  # what the server does after the diagnostics counts as well
        self.cpu.append(self.seconds() - cpu)


def main():
    config = settings.load(sys.argv[1])
    edits = int(sys.argv[2]) if len(sys.argv) > 2 else 30
    example = sys.argv[3] if len(sys.argv) > 3 else "kernel.cpp"
    stock = shutil.which("clangd-%s" % config.release)
    if not stock or not config.have_libtorch:
        sys.exit("editor.py: error: needs clangd-%s and libtorch-dev" % config.release)
    ours = os.path.join(config.build_dir, "bin", "tensortidy-clangd")
    examples = os.path.join(config.source_dir, "docs", "examples")
    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        servers = []
        for name, server, options in (("stock clangd", stock, ()), ("  without clang-tidy", stock, ("--clang-tidy=0",)),
                                      ("tensortidy-clangd", ours, ())):
            project = os.path.join(root, str(len(servers)))
            os.mkdir(project)
            for file in os.listdir(examples):
                if file.endswith((".h", ".cpp")):
                    shutil.copy(os.path.join(examples, file), project)
            with open(os.path.join(project, "compile_flags.txt"), "w") as f:
                f.write("\n".join(config.torch_flags.split()) + "\n")
            servers.append(Timed(name, server, project, os.path.join(project, example), options))
        for edit in range(edits + 3):
            for server in servers:
                server.change(edit)
        print("%-22s %10s %10s %10s" % ("milliseconds", "median", "90 %", "CPU"))
        rows = []
        for server in servers:
            wall, cpu = sorted(server.wall[3:]), server.cpu[3:]
            rows.append((statistics.median(wall), wall[int(len(wall) * .9)], statistics.mean(cpu)))
            print("%-22s %10.0f %10.0f %10.0f" % (server.name, *(1000 * x for x in rows[-1])))
            server.session.end()
        print("%-22s %10.2f %10.2f %10.2f" % ("ours / stock", *(a / b for a, b in zip(rows[-1], rows[0]))))


if __name__ == "__main__":
    main()
