//===- ExplainWords.cpp - what `tensortidy explain` is given --------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainWords.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace tensortidy::tool {

const char ExplainHelp[] =
    R"help(tensortidy explain QUESTION [--svg FILE]
tensortidy explain FILE:LINE [--svg FILE] [-p BUILD_DIR] [-- COMPILER FLAGS]

QUESTION is a tensor and what is done to it, as in
  "[2,3,4] permute(0,2,1) view(2,-1)"
  "[B,T,H*D] view(B,T,H,D) transpose(1,2)"
  "np.arange(24).reshape(2,3,4).T[::2]"
  "ne[64,32,8] ggml_permute(0,2,1,3) ggml_cont"
  "x=[2,3,4]; y=x.transpose(1,2); y.view(x.size(0), -1)"
docs/editors.md has all of it.

FILE:LINE is a place in a source file: says the layout of each tensor there and
how it came about.

--svg draws the last tensor and its storage: of a large one the first elements,
and with small numbers in place of sizes that are not known, which it names.

Exit status: 0 every step works, 1 a step throws, 2 not understood.
)help";

static llvm::Error mistake(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

namespace {
/// FILE:LINE or FILE:LINE:COLUMN, as compilers print it.
struct SourceLine {
  StringRef File;
  unsigned Line = 0;

  static std::optional<SourceLine> parse(StringRef Word) {
    SourceLine R;
    if (Word.find_first_of("[]{}()= ") != StringRef::npos)
      return std::nullopt; // a question, x:[2,3]
    auto [Rest, Last] = Word.rsplit(':');
    if (Last.getAsInteger(10, R.Line))
      return std::nullopt;
    R.File = Rest;
    unsigned Line = 0;
    if (auto [File, Middle] = Rest.rsplit(':'); !Middle.getAsInteger(10, Line))
      R = {File, Line};
    return R;
  }
};
} // namespace

/// That the line is there.
static llvm::Error check(const SourceLine &Place) {
  if (!llvm::sys::fs::exists(Place.File))
    return mistake("no such file: '" + Place.File + "'");
  auto Text = llvm::MemoryBuffer::getFile(Place.File, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/true,
                                          /*IsVolatile=*/true);
  if (!Text)
    return mistake("cannot read '" + Place.File +
                   "': " + Text.getError().message());
  const size_t Lines = (*Text)->getBuffer().count('\n') + 1;
  if (!Place.Line || Place.Line > Lines)
    return mistake("'" + Place.File + "' has the lines 1 to " +
                   llvm::Twine(Lines));
  return llvm::Error::success();
}

llvm::Expected<ExplainWords>
ExplainWords::parse(llvm::ArrayRef<const char *> Words) {
  ExplainWords R;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (R.File.empty() && (Word == "--help" || Word == "-h")) {
      R.Help = true;
      return R;
    }
    if (Word == "--svg" && I + 1 == Words.size())
      return mistake("explain: --svg needs a file");
    if (Word == "--svg") {
      R.Svg = Words[++I];
    } else if (Word.starts_with("--svg=")) {
      R.Svg = Word.drop_front(6).str();
    } else if (auto Place = SourceLine::parse(Word);
               Place && R.File.empty() && R.Question.empty()) {
      if (llvm::Error E = check(*Place))
        return E;
      R.File = Place->File.str();
      R.Line = Place->Line;
    } else if (R.Question.empty() && R.File.empty() &&
               llvm::sys::fs::exists(Word)) {
      return mistake("explain which line? " + Word + ":LINE");
    } else if (!R.File.empty() || Word.starts_with("-")) {
      R.Rest.assign(Words.begin() + I, Words.end());
      break;
    } else {
      R.Question += (R.Question.empty() ? "" : " ") + Word.str();
    }
  }
  if (R.File.empty() && !R.Rest.empty())
    return mistake("explain: unknown option '" + llvm::Twine(R.Rest[0]) + "'");
  if (R.File.empty() && R.Question.empty())
    return mistake("explain what? \"[2,3,4] permute(0,2,1) view(2,-1)\", or "
                   "FILE:LINE");
  return R;
}

} // namespace tensortidy::tool
