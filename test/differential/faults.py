"""faults.py PROGRAM COMPILER INCLUDE: every trap of docs/semantics.md, seeded as
a fault into the runtime, is caught, shrunk to few operations, and printed as C++
that compiles with libtorch and with the runtime; and so does every operation."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

program, compiler, include = sys.argv[1:]
failed = False
with tempfile.TemporaryDirectory() as folder:
    everything = "#include <ATen/ATen.h>\n"
    for fault in range(1, 16):
        cpp = Path(folder) / f"T{fault}.cpp"
        done = subprocess.run([program, "--seed", "7", "--programs", "200000", "--fault", f"T{fault}",
                               "--cpp", str(cpp)], capture_output=True, text=True)
        sizes = re.search(r"shrunk from (\d+) to (\d+) operations", done.stdout)
        print(f"T{fault}:", done.stdout.strip().splitlines()[-1], sizes.group(0) if sizes else "")
        if done.returncode or not sizes or int(sizes.group(2)) > 5:
            print(done.stdout)
            failed = True
        if cpp.exists():
            everything += (f"#define disagreement disagreement{fault}\n#define main main{fault}\n"
                           f'#include "{cpp}"\n#undef main\n#undef disagreement\n')
    cpp = Path(folder) / "every.cpp"
    done = subprocess.run([program, "--programs", "6000", "--every", str(cpp)], capture_output=True, text=True)
    if done.returncode or not cpp.exists():
        print(done.stdout)
        failed = True
    else:
        everything += f'#define main every\n#include "{cpp}"\n#undef main\n'
    both = Path(folder) / "both.cpp"
    both.write_text(everything)
    for flags in ([], ["-DRUNTIME", "-I", include]):
        if flags:
            both.write_text(everything.replace("ATen/ATen.h", "tensortidy/torch.h"))
        done = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-w", *flags, str(both)],
                              capture_output=True, text=True)
        if done.returncode:
            print("\n".join(line for line in done.stderr.splitlines() if "error" in line)[:4000])
            failed = True
sys.exit(failed)
