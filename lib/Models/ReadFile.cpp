//===- ReadFile.cpp - read a file that anybody may have written -----------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models/ReadFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace tensortidy;
using llvm::StringRef;

/// Ours have five levels, and a .clang-tidy three.
static constexpr unsigned MostLevels = 64;

static llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

static llvm::Error tooLarge(const llvm::Twine &Name, uint64_t MostBytes) {
  return problem("'" + Name + "' is larger than " +
                 llvm::Twine(MostBytes >> 20) + " MiB");
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
models::readRegularFile(StringRef Path, llvm::vfs::FileSystem &FS,
                        uint64_t MostBytes, StringRef What) {
  auto Cannot = [&](const llvm::Twine &Why) {
    return problem("cannot read " + What + "'" + Path + "': " + Why);
  };
  // Not opened to find out: that alone waits for whoever writes to a pipe.
  llvm::ErrorOr<llvm::vfs::Status> Status = FS.status(Path);
  if (!Status)
    return Cannot(Status.getError().message());
  if (Status->isDirectory())
    return Cannot("it is a directory");
  if (!Status->isRegularFile())
    return Cannot("it is not a regular file");
  if (Status->getSize() > MostBytes)
    return tooLarge(Path, MostBytes);
  auto Buffer =
      FS.getBufferForFile(Path, /*FileSize=*/-1,
                          /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!Buffer)
    return Cannot(Buffer.getError().message());
  if ((*Buffer)->getBufferSize() > MostBytes)
    return tooLarge(Path, MostBytes);
  return std::move(*Buffer);
}

namespace {
/// Walks over a document with LLVM's parser, which parses as it is asked, and
/// stops asking below the deepest level that is allowed.
class LevelCounter {
public:
  bool isTooDeep(StringRef Text) {
    llvm::SourceMgr SM;
    SM.setDiagHandler(
        [](const llvm::SMDiagnostic &D, void *Raw) {
          auto &First = static_cast<LevelCounter *>(Raw)->Mistake;
          if (First.empty())
            First = (llvm::Twine(D.getLineNo()) + ":" +
                     llvm::Twine(D.getColumnNo() + 1) + ": " + D.getMessage())
                        .str();
        },
        this);
    llvm::yaml::Stream Stream(Text, SM, /*ShowColors=*/false);
    for (llvm::yaml::Document &Doc : Stream) {
      if (llvm::yaml::Node *Root = Doc.getRoot())
        walk(*Root);
      if (TooDeep || Stream.failed())
        break;
    }
    return TooDeep;
  }

  /// What the parser said first: "3:5: what".
  std::string Mistake;

private:
  void walk(llvm::yaml::Node &N) {
    if (++Level > MostLevels)
      TooDeep = true;
    if (!TooDeep) {
      if (auto *Map = llvm::dyn_cast<llvm::yaml::MappingNode>(&N))
        for (auto It = Map->begin(); !TooDeep && It != Map->end();)
          entry(*It, [&] { ++It; });
      else if (auto *List = llvm::dyn_cast<llvm::yaml::SequenceNode>(&N))
        for (auto It = List->begin(); !TooDeep && It != List->end();) {
          walk(*It);
          if (!TooDeep) // the next one is found by way of this one's end
            ++It;
        }
    }
    --Level;
  }

  template <class Fn> void entry(llvm::yaml::KeyValueNode &Entry, Fn Next) {
    if (llvm::yaml::Node *Key = Entry.getKey())
      walk(*Key);
    if (TooDeep)
      return;
    if (llvm::yaml::Node *Value = Entry.getValue())
      walk(*Value);
    if (!TooDeep)
      Next();
  }

  unsigned Level = 0;
  bool TooDeep = false;
};
} // namespace

llvm::Error models::checkYaml(StringRef Text, StringRef Name,
                              uint64_t MostBytes, std::string *Mistake) {
  if (Text.size() > MostBytes)
    return tooLarge(Name, MostBytes);
  LevelCounter Counter;
  if (Counter.isTooDeep(Text))
    return problem("'" + Name + "' nests more than " + llvm::Twine(MostLevels) +
                   " levels deep");
  if (Mistake)
    *Mistake = std::move(Counter.Mistake);
  return llvm::Error::success();
}

namespace {
class RegularFilesOnly : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    llvm::ErrorOr<llvm::vfs::Status> Status = status(Path);
    if (!Status)
      return Status.getError();
    if (!Status->isRegularFile() && !Status->isDirectory())
      return std::make_error_code(std::errc::operation_not_supported);
    return ProxyFileSystem::openFileForRead(Path);
  }
};
} // namespace

llvm::Error models::readResponseFiles(std::vector<std::string> &Words,
                                      StringRef Directory) {
  auto Names = [](StringRef Word) {
    // Those of install names are no files of options.
    return Word.size() > 1 && Word.starts_with("@") &&
           !Word.starts_with("@rpath/") && !Word.starts_with("@loader_path/") &&
           !Word.starts_with("@executable_path/");
  };
  if (llvm::none_of(Words, Names))
    return llvm::Error::success();
  llvm::BumpPtrAllocator Memory;
  llvm::SmallVector<const char *, 32> All;
  for (const std::string &Word : Words)
    All.push_back(Word.c_str());
  RegularFilesOnly FS(llvm::vfs::getRealFileSystem());
  llvm::cl::ExpansionContext Context(Memory, llvm::cl::TokenizeGNUCommandLine);
  Context.setVFS(&FS);
  if (!Directory.empty())
    Context.setCurrentDir(Directory);
  if (llvm::Error E = Context.expandResponseFiles(All)) {
    const std::string Why = llvm::toString(std::move(E));
    StringRef Text = Why;
    return problem(Text.consume_front("cannot not") ? "cannot" + Text : Text);
  }
  // One that is not there was left as it is.
  for (StringRef Word : All)
    if (Names(Word))
      return problem("there is no response file '" + Word.drop_front() + "'");
  Words = std::vector<std::string>(All.begin(), All.end());
  return llvm::Error::success();
}
