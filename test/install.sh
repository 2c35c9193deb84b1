#!/usr/bin/env bash
# install.sh BUILD_DIR CXX: installs into a scratch directory and uses what is
# there: the command line, the plugin, and the CMake package if it has a
# runtime.
set -euo pipefail
build=$1 cxx=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/usr

cmake --install "$build" --prefix "$prefix" >"$scratch/log" || { cat "$scratch/log"; exit 1; }

printf 'int main() { return 0; }\n' >"$scratch/empty.cpp"
"$prefix/bin/tensortidy" --quiet "$scratch/empty.cpp" -- -std=c++17
plugin=$("$prefix/bin/tensortidy" --plugin-path)
[[ $plugin == "$prefix"/* ]] || { echo "the plugin is not in the prefix: $plugin"; exit 1; }
[[ -e $prefix/share/tensortidy/cuda/include/cub/block/block_scan.cuh ]] || { echo "no stand-ins for CUDA"; exit 1; }
[[ -e $prefix/share/doc/tensortidy ]] || { echo "no documentation"; exit 1; }

targets=$(find "$prefix" -name TensortidyTargets.cmake)
grep -q tensortidy::runtime "$targets" || { echo "no runtime in the package"; exit 1; }
cat >"$scratch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(Uses CXX)
find_package(Tensortidy REQUIRED)
add_executable(uses uses.cpp)
target_link_libraries(uses PRIVATE tensortidy::runtime)
END
cat >"$scratch/uses.cpp" <<'END'
#include <tensortidy/torch.h>
int main() {
  auto y = torch::zeros({2, 3}).t();
  try {
    y.view({6});
  } catch (const std::exception &) {
    return y.reshape({6}).numel() == 6 ? 0 : 1;
  }
  return 1;
}
END
cmake -S "$scratch" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" >"$scratch/log" 2>&1 &&
  cmake --build "$scratch/build" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
"$scratch/build/uses"
echo "installed and used"
