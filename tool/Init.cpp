//===- Init.cpp - sets a project up for editor and CI ---------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Init.h"
#include "JsonText.h"
#include "Models/ReadFile.h"
#include "Replace.h"
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
  bool IsMapping = false;
  enum { Missing, Text, Block, List, Other } Kind = Missing;
  size_t Begin = 0, End = 0; ///< of the value as written; List: the last item
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
      R.Kind = Found::Other;
      llvm::yaml::Node *V = Pair.getValue();
      llvm::SmallString<256> Buffer;
      if (auto *S = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(V)) {
        R.Kind = Found::Text;
        R.Value = S->getValue(Buffer).str();
        R.Begin = static_cast<size_t>(S->getRawValue().data() - Text.data());
        R.End = R.Begin + S->getRawValue().rtrim().size();
      } else if (auto *B =
                     llvm::dyn_cast_or_null<llvm::yaml::BlockScalarNode>(V)) {
        R.Kind = Found::Block;
        R.Value = B->getValue().str();
        R.Begin = static_cast<size_t>(B->getSourceRange().Start.getPointer() -
                                      Text.data());
      } else if (auto *List =
                     llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(V)) {
        for (llvm::yaml::Node &Item : *List) {
          auto *S = llvm::dyn_cast<llvm::yaml::ScalarNode>(&Item);
          if (!S)
            break;
          R.Kind = Found::List;
          R.Value += S->getValue(Buffer).str() + ",";
          R.Begin = static_cast<size_t>(S->getRawValue().data() - Text.data());
          R.End = R.Begin + S->getRawValue().rtrim().size();
        }
      }
    }
  }
  if (Stream.failed() || !Complaint.empty())
    return problem(Complaint.empty() ? "it is not YAML" : Complaint);
  if (Documents && !R.IsMapping)
    return problem("it is not a mapping");
  return R;
}

/// \p Text and lines behind it, which end as its own do.
std::string withLines(StringRef Text, StringRef Lines) {
  const StringRef End = Text.contains("\r\n") ? "\r\n" : "\n";
  std::string R = Text.str();
  if (!R.empty() && R.back() != '\n')
    R += End;
  for (; !Lines.empty(); Lines = Lines.split('\n').second)
    R += Lines.split('\n').first.str() + End.str();
  return R;
}

/// The place behind the last line of a block scalar that begins at \p Begin
/// and belongs to a top-level key.
size_t endOfBlock(StringRef Text, size_t Begin) {
  size_t End = Text.find('\n', Begin);
  for (size_t At = End; At != StringRef::npos;) {
    StringRef Line =
        Text.substr(At + 1).take_until([](char C) { return C == '\n'; });
    if (!Line.trim().empty() && Line.front() != ' ')
      break;
    if (!Line.trim().empty())
      End = At + 1 + Line.rtrim().size();
    At = Text.find('\n', At + 1);
  }
  return End;
}

/// The text of a file; nothing when there is none.
llvm::Expected<std::string> textOf(StringRef Path) {
  if (!llvm::sys::fs::exists(Path))
    return "";
  auto Buffer = models::readRegularFile(Path, *llvm::vfs::getRealFileSystem());
  if (!Buffer)
    return Buffer.takeError();
  const StringRef Text = (*Buffer)->getBuffer();
  // Of JSON its own parser is asked.
  if (!Path.ends_with(".json"))
    if (llvm::Error E = models::checkYaml(Text, Path))
      return E;
  return Text.str();
}

using Change = llvm::function_ref<llvm::Expected<std::string>(StringRef)>;

/// Changes a file, or makes it; \p ByHand is what else somebody can do.
bool amend(StringRef Dir, StringRef Name, Change Make, StringRef ByHand = "") {
  llvm::SmallString<256> Path(Dir);
  llvm::sys::path::append(Path, Name);
  const auto Failed = [&](const llvm::Twine &Text) {
    llvm::errs() << "tensortidy: error: " << Text << '\n';
    if (!ByHand.empty())
      llvm::errs() << "tensortidy: note: add to it " << ByHand << '\n';
    return false;
  };
  auto Old = textOf(Path);
  if (!Old)
    return Failed(llvm::toString(Old.takeError()));
  auto New = Make(*Old);
  if (!New)
    return Failed("'" + Path +
                  "' is left alone: " + llvm::toString(New.takeError()));
  if (*New == *Old) {
    llvm::outs() << Path << ": nothing to change\n";
    return true;
  }
  StringRef Folder = llvm::sys::path::parent_path(Path);
  if (std::error_code Error = llvm::sys::fs::create_directories(Folder))
    return Failed("cannot create '" + Folder + "': " + Error.message());
  if (llvm::Error E = writeOutput(Path, *New))
    return Failed(llvm::toString(std::move(E)));
  llvm::outs() << Path << (Old->empty() ? ": written\n" : ": changed\n");
  return true;
}

} // namespace

llvm::Expected<std::string> withChecks(StringRef Text) {
  auto F = findKey(Text, "Checks");
  if (!F)
    return F.takeError();
  if (F->Kind == Found::Missing)
    return withLines(Text, F->IsMapping ? "Checks: 'tensor-*'\n"
                                        : "Checks: '-*,tensor-*'\n");
  if (StringRef(F->Value).contains("tensor-"))
    return Text.str();
  auto Insert = [&](size_t At, const llvm::Twine &What) {
    return (Text.take_front(At) + What + Text.substr(At)).str();
  };
  const StringRef NewLine = Text.contains("\r\n") ? "\r\n" : "\n";
  switch (F->Kind) {
  case Found::Block: {
    size_t End = endOfBlock(Text, F->Begin);
    if (End == StringRef::npos)
      break;
    StringRef Last = Text.take_front(End);
    Last = Last.substr(Last.rfind('\n') + 1);
    StringRef Indent = Last.take_while([](char C) { return C == ' '; });
    return Insert(End, (Last.ends_with(",") ? "" : ",") + NewLine + Indent +
                           "tensor-*");
  }
  case Found::List: {
    StringRef Before = Text.take_front(F->Begin);
    StringRef Line = Before.substr(Before.rfind('\n') + 1);
    if (!Line.ltrim().starts_with("- "))
      return Insert(F->End, ", 'tensor-*'"); // [a, b]
    size_t End = std::min(Text.find_first_of("\r\n", F->End), Text.size());
    return Insert(End, NewLine + Line.take_until([](char C) {
      return C == '-';
    }) + "- 'tensor-*'");
  }
  case Found::Text: {
    StringRef Raw = Text.slice(F->Begin, F->End);
    if (Raw.size() > 1 && (Raw.front() == '"' || Raw.front() == '\'')) {
      const size_t End = F->Begin + Raw.drop_back().rtrim(", \t\r\n").size();
      return (Text.take_front(End) + (End == F->Begin + 1 ? "" : ",") +
              "tensor-*" + Text.substr(F->End - 1))
          .str();
    }
    StringRef Plain = StringRef(F->Value).rtrim(", \t\n");
    return (Text.take_front(F->Begin) + "'" + Plain +
            (Plain.empty() ? "" : ",") + "tensor-*'" + Text.substr(F->End))
        .str();
  }
  default:
    break;
  }
  return problem("add tensor-* to its Checks by hand: they are neither a text "
                 "nor a list");
}

llvm::Expected<std::string> withLooseFilter(StringRef Text) {
  auto F = findKey(Text, "Diagnostics");
  if (!F)
    return F.takeError();
  if (Text.contains("FastCheckFilter"))
    return Text.str();
  // A fragment of its own: clangd merges the documents of the file.
  return withLines(Text,
                   std::string(Text.trim().empty() ? "" : "---\n") +
                       "# Stock clangd runs only the checks it knows to be "
                       "fast.\n"
                       "Diagnostics:\n  ClangTidy:\n    FastCheckFilter: "
                       "Loose\n");
}

llvm::Expected<std::string> withServer(StringRef Settings, StringRef Server) {
  return withMember(Settings, "clangd.path", Server, [](StringRef Other) {
    // One of ours that stood elsewhere.
    return llvm::sys::path::filename(Other) == "tensortidy-clangd";
  });
}

static int initProject(StringRef Dir, StringRef Server) {
  if (!llvm::sys::fs::is_directory(Dir)) {
    llvm::errs() << "tensortidy: error: no such directory: '" << Dir << "'\n";
    return 2;
  }
  const bool IsBuilt = llvm::sys::fs::exists(Server);
  const std::string Setting = ("\"clangd.path\": \"" + Server + "\"").str();
  bool Good = amend(Dir, ".clangd", withLooseFilter);
  Good &= amend(Dir, ".clang-tidy", withChecks);
  // An editor that is told of a program which is not there has none at all.
  if (IsBuilt)
    Good &= amend(
        Dir, ".vscode/settings.json",
        [&](StringRef Text) { return withServer(Text, Server); }, Setting);
  bool HasFlags = false;
  for (const char *Name : {"compile_commands.json", "compile_flags.txt",
                           "build/compile_commands.json"}) {
    llvm::SmallString<256> Path(Dir);
    llvm::sys::path::append(Path, Name);
    HasFlags |= llvm::sys::fs::exists(Path);
  }
  llvm::outs() << "\nLet the editor start this instead of clangd:\n  " << Server
               << "\n  VS Code (settings.json): " << Setting << "\n";
  if (!IsBuilt)
    llvm::outs() << "It is not built yet: configure with "
                    "-DTENSORTIDY_CLANGD=ON, or run tool/lint --clangd.\n";
  if (!HasFlags)
    llvm::outs() << "There is no compile_commands.json: add "
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON to the project's cmake "
                    "call.\n";
  return Good ? 0 : 2;
}

int initMain(const std::vector<std::string> &Words, StringRef Server) {
  const auto Failed = [](const llvm::Twine &Text) {
    llvm::errs() << "tensortidy: error: init" << Text << '\n';
    return 2;
  };
  const StringRef Dir = Words.empty() ? "." : StringRef(Words.front());
  if (Dir == "--help" || Dir == "-h") {
    llvm::outs()
        << "tensortidy init [DIR]\n\n"
           "Writes DIR/.clangd, adds tensor-* to the Checks of "
           "DIR/.clang-tidy and the server\nto "
           "DIR/.vscode/settings.json, keeps what they say, and prints "
           "the setting of\nother editors (docs/editors.md).\n";
    return 0;
  }
  if (Dir.starts_with("-"))
    return Failed(": unknown option '" + Dir + "'");
  if (Words.size() > 1)
    return Failed(" takes one directory");
  return initProject(Dir, Server);
}

} // namespace tensortidy::tool
