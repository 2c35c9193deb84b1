//===- Init.cpp - sets a project up for editor and CI ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Init.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace tensortidy::tool {

namespace {

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

/// Where in a YAML text the value of a top-level key stands.
struct Found {
  bool IsMapping = false, Multiple = false;
  bool Has = false, IsText = false;
  size_t Begin = 0, End = 0; ///< of the value as written
  std::string Value;
};

llvm::Expected<Found> findKey(StringRef Text, StringRef Key) {
  Found R;
  llvm::SourceMgr Sources;
  std::string Complaint;
  Sources.setDiagHandler(
      [](const llvm::SMDiagnostic &D, void *Context) {
        auto *Out = static_cast<std::string *>(Context);
        if (Out->empty())
          *Out = ("line " + llvm::Twine(D.getLineNo()) + ": " + D.getMessage())
                     .str();
      },
      &Complaint);
  llvm::yaml::Stream Stream(Text, Sources);
  unsigned Documents = 0;
  for (auto It = Stream.begin(); It != Stream.end(); ++It) {
    llvm::yaml::Node *Root = It->getRoot();
    auto *Map = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(Root);
    if (Root && !llvm::isa<llvm::yaml::NullNode>(Root))
      ++Documents;
    if (!Map)
      continue;
    R.IsMapping = true;
    for (llvm::yaml::KeyValueNode &Pair : *Map) {
      auto *K = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Pair.getKey());
      llvm::SmallString<64> Storage;
      if (!K || K->getValue(Storage) != Key) {
        Pair.skip();
        continue;
      }
      R.Has = true;
      llvm::yaml::Node *V = Pair.getValue();
      llvm::SmallString<256> Buffer;
      if (auto *S = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(V)) {
        R.IsText = true;
        R.Value = S->getValue(Buffer).str();
        R.Begin = static_cast<size_t>(S->getRawValue().data() - Text.data());
        R.End = R.Begin + S->getRawValue().rtrim().size();
      } else if (auto *B =
                     llvm::dyn_cast_or_null<llvm::yaml::BlockScalarNode>(V)) {
        R.Value = B->getValue().str();
        R.Begin = static_cast<size_t>(B->getSourceRange().Start.getPointer() -
                                      Text.data());
        R.End = static_cast<size_t>(B->getSourceRange().End.getPointer() -
                                    Text.data());
      }
    }
  }
  R.Multiple = Documents > 1;
  if (Stream.failed() || !Complaint.empty())
    return problem(Complaint.empty() ? "it is not YAML" : Complaint);
  if (Documents && !R.IsMapping)
    return problem("it is not a mapping");
  return R;
}

std::string withNewline(StringRef Text) {
  std::string R = Text.str();
  if (!R.empty() && R.back() != '\n')
    R += '\n';
  return R;
}

/// Writes beside and renames: a killed run leaves the old file.
llvm::Error write(StringRef Path, StringRef Text) {
  return llvm::writeToOutput(Path, [&](llvm::raw_ostream &OS) {
    OS << Text;
    return llvm::Error::success();
  });
}

bool amend(StringRef Dir, StringRef Name,
           llvm::Expected<std::string> (*Change)(StringRef)) {
  llvm::SmallString<256> Path(Dir);
  llvm::sys::path::append(Path, Name);
  std::string Old;
  if (llvm::sys::fs::exists(Path)) {
    auto Buffer = llvm::MemoryBuffer::getFile(Path);
    if (!Buffer) {
      llvm::errs() << "tensortidy: error: cannot read '" << Path
                   << "': " << Buffer.getError().message() << '\n';
      return false;
    }
    Old = (*Buffer)->getBuffer().str();
  }
  auto New = Change(Old);
  if (!New) {
    llvm::errs() << "tensortidy: error: '" << Path
                 << "' is left alone: " << llvm::toString(New.takeError())
                 << '\n';
    return false;
  }
  if (*New == Old) {
    llvm::outs() << Path << ": nothing to change\n";
    return true;
  }
  if (llvm::Error E = write(Path, *New)) {
    llvm::errs() << "tensortidy: error: cannot write '" << Path
                 << "': " << llvm::toString(std::move(E)) << '\n';
    return false;
  }
  llvm::outs() << Path << (Old.empty() ? ": written\n" : ": changed\n");
  return true;
}

} // namespace

llvm::Expected<std::string> withChecks(StringRef Text) {
  auto F = findKey(Text, "Checks");
  if (!F)
    return F.takeError();
  if (!F->Has)
    return withNewline(Text) + "Checks: '" + (F->IsMapping ? "" : "-*,") +
           "tensor-*'\n";
  if (StringRef(F->Value).contains("tensor-"))
    return Text.str();
  if (!F->IsText)
    return problem("add tensor-* to its Checks by hand: they are not on one "
                   "line");
  StringRef Raw = Text.slice(F->Begin, F->End);
  std::string Value = F->Value;
  StringRef Trimmed = StringRef(Value).rtrim(", \t\n");
  std::string New = Trimmed.str() + (Trimmed.empty() ? "" : ",") + "tensor-*";
  char Quote = Raw.empty() || (Raw.front() != '"' && Raw.front() != '\'')
                   ? '\''
                   : Raw.front();
  return (Text.take_front(F->Begin) + llvm::Twine(Quote) + New +
          llvm::Twine(Quote) + Text.substr(F->End))
      .str();
}

llvm::Expected<std::string> withLooseFilter(StringRef Text) {
  auto F = findKey(Text, "Diagnostics");
  if (!F)
    return F.takeError();
  if (Text.contains("FastCheckFilter"))
    return Text.str();
  // A fragment of its own: clangd merges the documents of the file.
  return withNewline(Text) + (Text.trim().empty() ? "" : "---\n") +
         "# Stock clangd runs only the checks it knows to be fast.\n"
         "Diagnostics:\n  ClangTidy:\n    FastCheckFilter: Loose\n";
}

int initMain(StringRef Dir, StringRef ServerPath) {
  if (!llvm::sys::fs::is_directory(Dir)) {
    llvm::errs() << "tensortidy: error: no such directory: '" << Dir << "'\n";
    return 2;
  }
  bool Good = amend(Dir, ".clangd", withLooseFilter);
  Good &= amend(Dir, ".clang-tidy", withChecks);
  bool HasFlags = false;
  for (const char *Name : {"compile_commands.json", "compile_flags.txt",
                           "build/compile_commands.json"}) {
    llvm::SmallString<256> Path(Dir);
    llvm::sys::path::append(Path, Name);
    HasFlags |= llvm::sys::fs::exists(Path);
  }
  llvm::outs() << "\nLet the editor start this instead of clangd:\n  "
               << ServerPath << "\n  VS Code (settings.json): "
               << "\"clangd.path\": \"" << ServerPath << "\"\n";
  if (!llvm::sys::fs::exists(ServerPath))
    llvm::outs() << "It is not built yet: configure with "
                    "-DTENSORTIDY_CLANGD=ON, or run tool/lint --clangd.\n";
  if (!HasFlags)
    llvm::outs() << "There is no compile_commands.json: add "
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON to the project's cmake "
                    "call.\n";
  return Good ? 0 : 2;
}

} // namespace tensortidy::tool
