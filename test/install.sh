#!/usr/bin/env bash
# install.sh BUILD_DIR CXX: installs into a scratch directory and uses what is
# there: the command line, the plugin, and the CMake package with the runtime and
# tensortidy_lint().
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
for file in bash-completion/completions/tensortidy zsh/site-functions/_tensortidy fish/vendor_completions.d/tensortidy.fish; do
  [[ -s $prefix/share/$file ]] || { echo "no $file"; exit 1; }
done
for page in tensortidy tensortidy-changed; do
  [[ -s $prefix/share/man/man1/$page.1 ]] || ! command -v help2man >/dev/null || { echo "no man page of $page"; exit 1; }
done

# The language server finds Clang's own headers and our pages from there.
if [[ -x $build/bin/tensortidy-clangd ]]; then
  version=$("$prefix/bin/tensortidy-clangd" --version)
  [[ $version == "tensortidy-clangd "[0-9]*"clangd version "* ]] || { echo "no version: $version"; exit 1; }
  printf '#include <stdarg.h>\n#include <tensortidy/torch.h>\nat::Tensor f(int n) { return at::zeros({n, 2}).t().view(-1); }\n' >"$scratch/server.cpp"
  printf -- '-std=c++17\n-isystem\n%s/include\n' "$prefix" >"$scratch/compile_flags.txt"
  PYTHONPATH=$(dirname "${BASH_SOURCE[0]}") python3 - "$prefix" "$scratch" <<'END' || exit 1
import sys
from editor import Session
prefix, root = sys.argv[1:]
session = Session([prefix + "/bin/tensortidy-clangd", "--log=error", "--background-index=false"], root)
uri, path = "file://" + root + "/server.cpp", root + "/server.cpp"
session.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 0, "text": open(path).read()}})
shown = session.settle(uri)
assert [d["code"] for d in shown] == ["tensor-view-after-permute"], shown
page = shown[0]["codeDescription"]["href"]
assert page == "file://" + prefix + "/share/doc/tensortidy/checks/tensor-view-after-permute.md", page
open(page[len("file://"):]).close()
assert session.end() == 0
END
fi

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
cat >>"$scratch/CMakeLists.txt" <<'END'
add_library(linted OBJECT linted.cpp)
target_link_libraries(linted PRIVATE tensortidy::runtime)
set_target_properties(linted PROPERTIES CXX_CLANG_TIDY
  "$ENV{CLANG_TIDY};--load=${Tensortidy_PLUGIN};--checks=-*,tensor-*")
add_custom_target(version ALL COMMAND ${Tensortidy_EXECUTABLE} --version)

# Sources of every kind: relative and not, generated, with flags of their target.
enable_testing()
add_custom_command(OUTPUT made.cpp COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/linted.cpp made.cpp)
add_library(several STATIC clean.cpp notes.txt ${CMAKE_CURRENT_BINARY_DIR}/made.cpp)
add_library(alias ALIAS several)
target_link_libraries(several PRIVATE tensortidy::runtime)
target_compile_definitions(several PRIVATE CLEAN=1)
add_library(good OBJECT clean.cpp)
target_link_libraries(good PRIVATE tensortidy::runtime)
target_compile_definitions(good PRIVATE CLEAN=1)
tensortidy_lint(alias good OPTIONS --quiet)
tensortidy_lint(good NAME strict OPTIONS --checks=tensor-* NO_TEST)
if(WRONG)
  cmake_language(EVAL CODE "tensortidy_lint(${WRONG})")
endif()
END
printf '#ifdef CLEAN\n#include <tensortidy/torch.h>\nat::Tensor g(int n) { return at::zeros({n, 2}); }\n#else\n#error\n#endif\n' >"$scratch/clean.cpp"
echo none >"$scratch/notes.txt"
printf '#include <tensortidy/torch.h>\nat::Tensor f(int n) { return at::zeros({n, 2}).t().view(-1); }\n' >"$scratch/linted.cpp"
release=${plugin##*-} && release=${release%.so}
# Where it was installed, and where somebody has moved it.
for place in usr moved; do
  [[ -e $scratch/$place ]] || mv "$prefix" "$scratch/$place"
  CLANG_TIDY=clang-tidy-$release cmake -S "$scratch" -B "$scratch/build-$place" -DCMAKE_PREFIX_PATH="$scratch/$place" \
    -DCMAKE_CXX_COMPILER="$cxx" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/build-$place" >>"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
  grep -q '\[tensor-view-after-permute\]' "$scratch/log" || { cat "$scratch/log"; echo "$place: no finding in the build"; exit 1; }
  "$scratch/build-$place/uses"

  ! cmake --build "$scratch/build-$place" --target lint-several >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; echo "$place: lint-several finds nothing"; exit 1; }
  [[ $(grep -c 'made.cpp.*\[tensor-view-after-permute\]' "$scratch/log") == 1 ]] || { cat "$scratch/log"; exit 1; }
  for target in lint-good strict; do
    cmake --build "$scratch/build-$place" --target "$target" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
  done
  ! ctest --test-dir "$scratch/build-$place" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "$place: the tests pass"; exit 1; }
  grep -q 'lint-good \.* *Passed' "$scratch/log" && grep -q 'lint-several \.*\*\*\*Failed' "$scratch/log" &&
    ! grep -q strict "$scratch/log" || { cat "$scratch/log"; exit 1; }
done
while IFS='|' read -r wrong why; do
  ! cmake -S "$scratch" -B "$scratch/build-moved" -DWRONG="$wrong" >"$scratch/log" 2>&1 && grep -q "$why" "$scratch/log" ||
    { cat "$scratch/log"; echo "tensortidy_lint($wrong) is not refused"; exit 1; }
done <<'END'
OPTIONS --quiet|needs a target
nothing|there is no target nothing
tensortidy::runtime|has no sources
several good NAME both|NAME is for one target
END
echo "installed and used"
