#!/usr/bin/env python3
"""wheels.py TEST_BUILD_DIR [RELEASE...]: an extension is linted with libtorch as pip installs it.

Fetches the wheels of PyTorch from PyPI (2.6.0 and 2.14.1, 1.3 GB) and those of CUDA's runtime that go with them, and unpacks
their headers into environments below build/wheels, which are kept. A C++ and a CUDA source without compile commands must give
their findings there, with the headers of that release and, where no toolkit is, CUDA's of the wheels. Not part of continuous
integration.
"""

import os
import subprocess
import sys
import venv
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import settings  # noqa: E402

# What pip would install beside each: the runtime's headers alone are needed.
RELEASES = {
    "2.6.0": ["nvidia-cuda-runtime-cu12", "nvidia-cublas-cu12", "nvidia-cusparse-cu12", "nvidia-cusolver-cu12"],
    "2.14.1": ["nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cublas", "nvidia-cusparse", "nvidia-cusolver"],
}
SOURCE = """#include <torch/extension.h>
torch::Tensor f(torch::Tensor x) {
  auto y = torch::zeros({2, 3, 4}, x.options()).permute({0, 2, 1});
  return y.view({2, 12}) + x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }
"""
KERNEL = """#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
__global__ void copy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}
torch::Tensor f(torch::Tensor x) {
  auto y = torch::zeros({2, 3, 4}, x.options()).permute({0, 2, 1});
  copy<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), 24);
  return y.view({2, 12});
}
"""


def environment(place, release):
    """Where the headers of this release are installed, as pip would."""
    root = os.path.join(place, release)
    done = os.path.join(root, "done")
    if os.path.exists(done):
        return root
    venv.create(root)
    packages = os.path.join(root, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    fetched = os.path.join(root, "fetched")
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", fetched, "torch==" + release,
                    *RELEASES[release]], check=True)
    for name in os.listdir(fetched):
        with zipfile.ZipFile(os.path.join(fetched, name)) as wheel:
            wheel.extractall(packages, [entry for entry in wheel.namelist() if "/include/" in entry])
        os.unlink(os.path.join(fetched, name))
    with open(done, "w"):
        pass
    return root


def lint(tool, root, release, name):
    """What is wrong, or nothing."""
    env = dict(os.environ, VIRTUAL_ENV=root, CUDA_HOME=os.path.join(root, "none"))
    env.pop("LIBTORCH", None)
    run = subprocess.run([tool, "--stats", "--no-cache", "--use-color=0", name], env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    for expected in ("cannot merge dimensions 1 and 2 of 'y'", "libtorch %s (VIRTUAL_ENV)" % release,
                     "functions analysed: 1 of 1 (100 %)"):
        if expected not in run.stdout:
            return "%s with %s: no %r in\n%s" % (name, release, expected, run.stdout)
    return "" if run.returncode == 1 else "%s with %s: status %d\n%s" % (name, release, run.returncode, run.stdout)


def main():
    config = settings.load(os.path.abspath(sys.argv[1]))
    place = os.path.join(config.build_dir, "wheels")
    bad = 0
    for release in sys.argv[2:] or RELEASES:
        root = environment(place, release)
        for name, text in (("ext.cpp", SOURCE), ("kernel.cu", KERNEL)):
            path = os.path.join(root, name)
            with open(path, "w") as file:
                file.write(text)
            wrong = lint(config.build_dir + "/bin/tensortidy", root, release, path)
            print(wrong or "%s with libtorch %s: as expected" % (name, release), flush=True)
            bad += bool(wrong)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
