#!/usr/bin/env python3
"""Sessions with tensortidy-clangd over LSP, as an editor has them.

  editor.py BUILD/test

Opens shipped examples in a fresh project without any configuration, compares
what the editor shows with what the command line says, asks for hover, hints,
completion and definitions, and types, rubs out and changes functions keystroke
by keystroke.
"""

import contextlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402

PATIENCE = 240  # seconds for one answer, on a slow and busy machine


class Session:
    def __init__(self, command, root, hover="markdown"):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=root)
        self.inbox, self.last_id, self.diagnostics = queue.Queue(), 0, {}
        threading.Thread(target=self._read, daemon=True).start()
        self.capabilities = self.request("initialize", {
            "processId": None, "rootUri": "file://" + root,
            "capabilities": {"textDocument": {
                "hover": {"contentFormat": [hover]},
                "publishDiagnostics": {"relatedInformation": True, "codeActionsInline": True,
                                       "codeDescriptionSupport": True, "versionSupport": True}}}})["capabilities"]
        self.notify("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            length = 0
            for header in iter(out.readline, b"\r\n"):
                if not header:
                    self.inbox.put(None)
                    return
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
            self.inbox.put(json.loads(out.read(length)))

    def _send(self, message):
        body = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def request(self, method, params):
        self.last_id += 1
        self._send({"id": self.last_id, "method": method, "params": params})
        while True:
            message = self.inbox.get(timeout=PATIENCE)
            assert message is not None, "the server died during %s" % method
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics[message["params"]["uri"]] = message["params"]
            elif message.get("id") == self.last_id and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def settle(self, uri):
        """What is shown once the current text has been parsed: a request about
        the text is answered after that."""
        self.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
        return self.diagnostics.get(uri, {}).get("diagnostics", [])

    def memory(self):
        with open("/proc/%d/status" % self.process.pid) as f:
            return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) // 1024

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=60)


def ours(diagnostics):
    return sorted((d["code"], d["range"]["start"]["line"] + 1,
                   d["message"].split("\n")[0].replace(" (fix available)", "").replace(" (fixes available)", ""))
                  for d in diagnostics if str(d.get("code", "")).startswith("tensor-"))


def command_line(tool, path, flags, *options):
    run = subprocess.run([tool, "--quiet", *options, path, "--", *flags], capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    rows = re.findall(r"^(.*?):(\d+):\d+: warning: (.*) \[(tensor-[\w-]+)\]$", run.stdout, re.M)
    return sorted((check, int(line), message) for file, line, message, check in rows
                  if os.path.realpath(file) == os.path.realpath(path))


def check_open(session, tool, root, name, flags):
    path = os.path.join(root, name)
    uri = "file://" + path
    with open(path) as f:
        text = f.read()
    session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": text}})
    shown = session.settle(uri)
    expected = command_line(tool, path, flags)
    assert ours(shown) == expected, "%s: editor %s\ncommand line %s" % (name, ours(shown), expected)
    assert expected, "%s: an example without findings shows nothing" % name
    for d in shown:
        if str(d.get("code", "")).startswith("tensor-"):
            notes = [n["message"] for n in d["relatedInformation"]]
            assert all(n[0] == n[0].lower() for n in notes), notes
            page = d["codeDescription"]["href"]
            assert page.startswith("file://") and os.path.exists(page[len("file://"):]), page
    return uri, text, shown


def position_of(text, what, offset=0):
    at = text.index(what) + offset
    line = text.count("\n", 0, at)
    return {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}


@contextlib.contextmanager
def light_project(config):
    """A folder whose <ATen/ATen.h> is the runtime's, parsed in no time."""
    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        os.makedirs(os.path.join(root, "include", "ATen"))
        with open(os.path.join(root, "include", "ATen", "ATen.h"), "w") as f:
            f.write("#include <tensortidy/torch.h>\n")
        with open(os.path.join(root, "compile_flags.txt"), "w") as f:
            f.write("\n".join(settings.flags(config)["%plain-runtime"].split() + ["-I" + root + "/include"]) + "\n")
        yield root


def check_features(server, root):
    session = Session([server, "--log=error", "--background-index=false"], root)
    path = os.path.join(root, "layout.cpp")
    text = ("#include <ATen/ATen.h>\n"
            "at::Tensor merge(int64_t B, int64_t H, int64_t T) {\n"
            "  /* \u00e4\U0001f600 */ at::Tensor ctx = at::zeros({B, H, T}).transpose(1, 2);\n"
            "  auto dense = ctx.contiguous();\n"
            "  return dense.view({B, T * H}).add(ctx.numel());\n"
            "}\n")
    with open(path, "w") as f:
        f.write(text)
    uri = "file://" + path
    session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": text}})
    assert ours(session.settle(uri)) == []
    # Positions count UTF-16 units: the emoji before `ctx` is two of them.
    line = text.split("\n")[2]
    column = len(line[:line.index("ctx")].encode("utf-16-le")) // 2
    hover = session.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": column}})
    assert "[B, T, H], strides [H*T, 1, T]" in hover["contents"]["value"], hover
    assert "transpose(1, 2)" in hover["contents"]["value"], hover
    hints = session.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": {
        "start": {"line": 2, "character": 0}, "end": {"line": 4, "character": 0}}})
    labels = {(h["position"]["line"], h["position"]["character"]):
              h["label"] if isinstance(h["label"], str) else "".join(p["value"] for p in h["label"]) for h in hints}
    assert labels.get((2, column + 3)) == ": [B, T, H], strides [H*T, 1, T]", labels
    assert labels.get((3, len("  auto dense"))) == ": Tensor [B, T, H], contiguous", labels
    # A hover is about the word it is on: not the call around it.
    for what, offset, expected in (("zeros(", 0, "`at::zeros({B, H, T})` (float32): `[B, H, T], contiguous`"),
                                   ("B, H, T}).", 0, None), ("1, 2)", 0, None), ("transpose", 0, "strides [H*T, 1, T]"),
                                   ("dense.view", 0, "`dense`"), ("dense.view", 6, "`[B, H*T], contiguous`"),
                                   ("B, T * H", 0, None), ("ctx.numel", 0, "strides [H*T, 1, T]"), ("return", 0, None)):
        at = position_of(text, what, offset)
        at["character"] = len(text.split("\n")[at["line"]][:at["character"]].encode("utf-16-le")) // 2
        hover = session.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
        value = hover["contents"]["value"] if hover else ""
        assert (expected in value) if expected else ("**layout**" not in value), (what, value)
    # What clangd itself can do still works.
    items = session.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": position_of(text, "dense.view", 8)})
    assert any(i.get("filterText", i["label"]).strip().startswith("view") for i in items["items"]), "no completion"
    where = session.request("textDocument/definition", {"textDocument": {"uri": uri}, "position": position_of(text, "dense.view", 1)})
    assert where[0]["range"]["start"]["line"] == 3, where
    session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert session.end() == 0


def check_stock(server, root, release):
    """What clangd itself says is said as stock clangd says it; ours comes on
    top of it."""
    stock = shutil.which("clangd-%s" % release)
    if not stock:
        print("skipped: no clangd-%s to compare with" % release)
        return
    path = os.path.join(root, "layout.cpp")
    uri = "file://" + path
    with open(path) as f:
        text = f.read()
    answers = []
    for command in (server, stock):
        session = Session([command, "--log=error", "--background-index=false"], root)
        session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": text}})
        session.settle(uri)
        said = {"capabilities": session.capabilities}
        for what, offset in (("dense.view", 1), ("dense.view", 7), ("ctx.contiguous", 1), ("at::zeros", 4), ("merge", 1),
                             ("int64_t B", 1), ("int64_t H", 8), ("Tensor ctx", 1)):
            at = {"textDocument": {"uri": uri}, "position": position_of(text, what, offset)}
            line = text.split("\n")[at["position"]["line"]][:at["position"]["character"]]
            at["position"]["character"] = len(line.encode("utf-16-le")) // 2
            for method in ("definition", "declaration", "references", "documentHighlight", "hover", "signatureHelp"):
                if method == "declaration" and what == "Tensor ctx":
                    continue  # of a class declared more than once: what is indexed first
                answer = session.request("textDocument/" + method, dict(at, context={"includeDeclaration": True}))
                if method == "hover" and answer:
                    answer = answer["contents"]["value"].split("\n\n---\n**layout**")[0]
                said[what, offset, method] = answer
        at = {"textDocument": {"uri": uri}, "position": position_of(text, "dense.view", 8)}
        items = session.request("textDocument/completion", at)["items"]
        said["completion"] = sorted((i["label"], i.get("detail", ""), json.dumps(i.get("textEdit"))) for i in items)
        said["symbols"] = session.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        said["rename"] = session.request("textDocument/rename", dict(at, position=position_of(text, "dense.view", 1), newName="n"))
        answers.append(said)
        assert session.end() == 0
    for key, answer in answers[1].items():
        assert answers[0][key] == answer, "%s:\n%s\nstock clangd:\n%s" % (key, answers[0][key], answer)
    assert answers[1]["completion"] and answers[1]["rename"]


def check_neovim(server, path, expected):
    """A Neovim without any set-up but the server shows the same and fixes it."""
    editor = shutil.which("nvim")
    if not editor:
        print("skipped: no nvim")
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neovim.lua")
    run = subprocess.run([editor, "--headless", "--clean", "-c", "luafile " + script, path], timeout=PATIENCE,
                         env=settings.for_editors(SERVER=server), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout
    shown = sorted(re.findall(r"^(tensor-[\w-]+):(\d+)\r?$", run.stdout, re.M))
    assert shown == sorted((check, str(line)) for check, line, _ in expected), run.stdout
    assert re.search(r"^fixed: ", run.stdout, re.M), run.stdout


def check_emacs(server, path, expected):
    """So does an Emacs with eglot, where there is one. It takes no related
    notes: clangd shows them as diagnostics of their own."""
    editor = shutil.which("emacs")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "emacs.el")
    if not editor or subprocess.run([editor, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"],
                                    stderr=subprocess.DEVNULL).returncode:
        print("skipped: no emacs with eglot (apt-get install emacs-nox elpa-eglot)")
        return
    run = subprocess.run([editor, "--batch", "-l", script, path], timeout=PATIENCE, env=settings.for_editors(SERVER=server),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    shown = sorted(re.findall(r"^(tensor-[\w-]+):(\d+)$", run.stdout, re.M))
    assert shown == sorted((check, str(line)) for check, line, _ in expected), run.stdout
    assert re.search(r"^hover: .*\*\*layout\*\* of ", run.stdout, re.M), run.stdout
    assert re.search(r"^fixed: ", run.stdout, re.M), run.stdout


def check_vim(server, path, expected):
    """And a Vim with ALE."""
    editor = shutil.which("vim")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ale.vim")
    with tempfile.NamedTemporaryFile("r") as out:
        if editor:
            subprocess.run([editor, "-N", "-u", "NONE", "-i", "NONE", "--not-a-term", "-T", "dumb", "-S", script, path],
                           timeout=PATIENCE, env=settings.for_editors(SERVER=server, OUT=out.name),
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = out.read() if editor else "no vim"
    if text.startswith("no "):
        print("skipped: no vim with ALE (apt-get install vim vim-ale)")
        return
    shown = re.findall(r"^(tensor-[\w-]+):(\d+)$", text, re.M)
    assert sorted(shown) == sorted((check, str(line)) for check, line, _ in expected), shown


class Typist:
    """Edits one open file key by key, and looks at what is shown meanwhile."""

    def __init__(self, session, uri, text, final):
        self.session, self.uri, self.text, self.final = session, uri, text, final
        self.whole = {(check, message) for check, _, message in final}
        self.version, self.keys, self.looks, self.before = 1, 0, 0, session.memory()

    def position(self, at):
        line = self.text.count("\n", 0, at)
        before = self.text[self.text.rfind("\n", 0, at) + 1:at]
        return {"line": line, "character": len(before.encode("utf-16-le")) // 2}

    def replace(self, begin, end, new):
        change = {"range": {"start": self.position(begin), "end": self.position(end)}, "text": new}
        self.text = self.text[:begin] + new + self.text[end:]
        self.version += 1
        self.session.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]})

    def look(self):
        """Nothing is shown that the whole code does not have."""
        now = {(check, message) for check, _, message in ours(self.session.settle(self.uri))}
        assert now <= self.whole, "a broken statement made %s in\n%s" % (now - self.whole, self.text)
        self.looks += 1

    def key(self, begin, end, new, every=41):
        self.replace(begin, end, new)
        self.keys += 1
        if self.keys % every == 0:
            self.look()

    def type(self, at, new, every=41):
        for i, c in enumerate(new):
            self.key(at + i, at + i, c, every)

    def rub_out(self, begin, end, every=41):
        for at in range(end, begin, -1):
            self.key(at - 1, at, "", every)

    def done(self):
        shown = ours(self.session.settle(self.uri))
        assert shown == self.final, "after typing: %s\nexpected %s" % (shown, self.final)
        assert self.looks > 3
        grown = self.session.memory() - self.before
        assert grown < 400, "memory grew by %d MiB over %d keystrokes" % (grown, self.keys)
        return self.keys


def body_of(text, marker):
    begin = text.index("{", text.index(marker)) + 1
    return begin, text.index("\n}", begin)


def write_function(typist, marker):
    """Deletes the body of a function at once and types it again."""
    begin, end = body_of(typist.text, marker)
    body = typist.text[begin:end]
    typist.replace(begin, end, "")
    typist.type(begin, body)


def change_function(typist, marker, words):
    """Rubs out the second half of a function from its end and types it again;
    then begins statements in its middle and thinks better of it."""
    begin, end = body_of(typist.text, marker)
    middle = typist.text.rindex("\n", begin, begin + (end - begin) // 2)
    rest = typist.text[middle:end]
    typist.rub_out(middle, end)
    typist.type(middle, rest)
    for word in words:
        # Every key of these leaves a statement that is none.
        typist.type(middle, "\n  " + word, 13)
        typist.rub_out(middle, middle + len(word) + 3, 13)


def check_settings(server, root):
    """.clangd's switch for hints holds for ours, and an editor that shows no
    Markdown gets none."""
    project = os.path.join(root, "settings")
    os.mkdir(project)
    path = os.path.join(project, "plain.cpp")
    text = "#include <ATen/ATen.h>\nvoid f(int64_t B) {\n  auto y = at::zeros({B, 3}).t();\n  y.zero_();\n}\n"
    shutil.copy(os.path.join(root, "compile_flags.txt"), project)
    for name, content in (("plain.cpp", text), (".clangd", "InlayHints:\n  Enabled: No\n")):
        with open(os.path.join(project, name), "w") as f:
            f.write(content)
    session = Session([server, "--log=error", "--background-index=false"], project, "plaintext")
    uri = "file://" + path
    session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": text}})
    hover = session.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 7}})
    assert hover["contents"]["kind"] == "plaintext", hover
    assert "layout of y (float32): [3, B], strides [1, 3]\nfrom t() of a contiguous [B, 3]" in hover["contents"]["value"], hover
    hints = session.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": {
        "start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}})
    assert hints == [], hints
    # The editor ends without "shutdown": so does the server, all of it.
    session.process.stdin.close()
    assert session.process.wait(timeout=60) == 1


def main():
    config = settings.load(sys.argv[1])
    server, tool = (os.path.join(config.build_dir, "bin", name) for name in ("tensortidy-clangd", "tensortidy"))
    if not os.path.exists(server):
        print("skipped: tensortidy-clangd is not built (TENSORTIDY_CLANGD)")
        return 77
    if not config.have_libtorch:
        print("skipped: the examples need libtorch's headers")
        return 77
    examples = os.path.join(config.source_dir, "docs", "examples")
    flags = config.torch_flags.split()
    fast = settings.flags(config)["%torch"].split()
    version = subprocess.run([server, "--version"], capture_output=True, text=True).stdout
    assert re.match(r"tensortidy-clangd \d+\.\d+\.\d+\n.*clangd version %s\." % config.release, version), version
    with tempfile.TemporaryDirectory() as root:
        root = os.path.realpath(root)
        for name in os.listdir(examples):
            if name.endswith((".h", ".cpp")):
                shutil.copy(os.path.join(examples, name), root)
        with open(os.path.join(root, "compile_flags.txt"), "w") as f:
            f.write("\n".join(flags) + "\n")
        with open(os.path.join(root, "CMakeLists.txt"), "w"):
            pass  # ALE starts no server without a project
        with light_project(config) as light:
            check_features(server, light)
            check_stock(server, light, config.release)
            check_settings(server, light)
        session = Session([server, "--log=error", "--background-index=false"], root)
        uri, text, _ = check_open(session, tool, root, "attention.cpp", fast)
        final = ours(session.diagnostics[uri]["diagnostics"])
        typist = Typist(session, uri, text, final)
        write_function(typist, "SelfAttentionImpl::weights")
        keys = typist.done()
        other, text, shown = check_open(session, tool, root, "kernel.cpp", fast)
        typist = Typist(session, other, text, ours(shown))
        change_function(typist, "softmaxOverKeys", ("auto half = Scores.view({", "for (int64_t i = 0; i < Scores.size("))
        keys += typist.done()
        # The editor skips the bodies in headers: what it shows of a file with
        # one is part of what the command line shows.
        check_open(session, tool, root, "train.cpp", fast)
        everything = command_line(tool, os.path.join(root, "train.cpp"), fast, "--header-filter=.*")
        shown = ours(session.diagnostics["file://" + os.path.join(root, "train.cpp")]["diagnostics"])
        assert set(shown) <= set(everything), set(shown) - set(everything)
        check_neovim(server, os.path.join(root, "attention.cpp"), final)
        check_emacs(server, os.path.join(root, "attention.cpp"), final)
        check_vim(server, os.path.join(root, "attention.cpp"), final)
        # A message that is none is clangd's to complain about, not ours to die of.
        session._send({"id": "odd", "method": "textDocument/hover", "params": {"textDocument": 3}})
        assert session.settle(uri) is not None
        assert session.end() == 0
    print("ok: %d keystrokes" % keys)
    return 0


if __name__ == "__main__":
    sys.exit(main())
