//===- Cache.cpp - results kept from run to run ---------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "Bytes.h"
#include "Program/Program.h"
#include "Replace.h"
#include "Tidy/Compat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

/// What a file of the cache begins with; another format has another number.
constexpr llvm::StringLiteral Magic = "tensortidy cache 2\n";
/// Of one command, the states of the disk that are remembered: branches between
/// which one switches.
constexpr size_t MostStates = 8;

/// Of the bytes of a file and of its name, so that none stands for another.
std::string sealOf(const std::string &Path, llvm::ArrayRef<StringRef> Pieces) {
  llvm::BLAKE3 Hash;
  Hash.update(llvm::sys::path::filename(Path));
  Hash.update("\n");
  for (const StringRef Piece : Pieces)
    Hash.update(Piece);
  const auto Sum = Hash.final<16>();
  return std::string(Sum.begin(), Sum.end());
}

/// The bytes of a file that is there, which counts as a use of it.
std::unique_ptr<llvm::MemoryBuffer> open(const std::string &Path,
                                         bool IsVolatile) {
  auto Fd = fs::openNativeFileForRead(Path, fs::OF_UpdateAtime);
  if (!Fd) {
    llvm::consumeError(Fd.takeError());
    return nullptr;
  }
  auto Buffer = llvm::MemoryBuffer::getOpenFile(
      *Fd, Path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false, IsVolatile);
  fs::closeFile(*Fd);
  return Buffer ? std::move(*Buffer) : nullptr;
}

/// Takes the last \p Size bytes off.
StringRef takeLast(StringRef &Bytes, size_t Size) {
  Size = std::min(Size, Bytes.size());
  const StringRef Last = Bytes.take_back(Size);
  Bytes = Bytes.drop_back(Size);
  return Last;
}

/// The bytes behind the magic, if all of them are as they were written.
std::optional<std::string> readWhole(const std::string &Path) {
  const auto Buffer = open(Path, /*IsVolatile=*/true);
  StringRef Bytes = Buffer ? Buffer->getBuffer() : "";
  if (!Bytes.consume_front(Magic))
    return std::nullopt;
  const StringRef Seal = takeLast(Bytes, hashOf("").size());
  if (sealOf(Path, Bytes) != Seal)
    return std::nullopt;
  return Bytes.str();
}

/// Whole or not at all.
void writePieces(const std::string &Directory, const std::string &Path,
                 llvm::ArrayRef<StringRef> Pieces) {
  CriticalSection Section;
  auto Temp = fs::TempFile::create(Directory + "/Thin-%%%%%%%%.tmp");
  if (!Temp)
    return llvm::consumeError(Temp.takeError());
  llvm::raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
  for (const StringRef Piece : Pieces)
    OS << Piece;
  OS.flush();
  const bool Failed = OS.has_error();
  OS.clear_error();
  llvm::consumeError(Failed ? Temp->discard() : Temp->keep(Path));
}

void writeWhole(const std::string &Directory, const std::string &Path,
                StringRef Bytes) {
  writePieces(Directory, Path, {Magic, Bytes, sealOf(Path, Bytes)});
}

/// Paths are in order: of each, only what differs from the one before.
template <class Archive, class List>
void transferAccesses(Archive &A, List &Asked) {
  std::string Last;
  transferList(A, Asked, [&](auto &One) {
    uint64_t Same = 0;
    std::string Rest;
    if constexpr (!Archive::Reading) {
      while (Same < Last.size() && Same < One.Path.size() &&
             Last[Same] == One.Path[Same])
        ++Same;
      Rest = One.Path.substr(Same);
    }
    A.item(Same);
    A.item(Rest);
    if constexpr (Archive::Reading) {
      A.Ok &= Same <= Last.size();
      One.Path = Last.substr(0, A.Ok ? Same : 0) + Rest;
      uint8_t Asked = 0;
      A.item(Asked);
      A.Ok &= Asked <= static_cast<uint8_t>(Question::RealPath);
      One.Asked = static_cast<Question>(A.Ok ? Asked : 0);
    } else {
      A.item(static_cast<uint8_t>(One.Asked));
    }
    A.item(One.Said);
    A.item(One.Twin);
    Last = One.Path;
  });
}

/// Whether a second analysis would surely say the same.
bool isLasting(const FileResult &R) {
  return !R.Stats.GivenUp.count(
             program::giveUpName(program::GiveUp::TooSlow).str()) &&
         llvm::none_of(R.Sources,
                       [](const SourceText &S) { return S.Changed; });
}

} // namespace

std::string defaultCacheDir() {
  llvm::SmallString<256> Dir;
  if (!llvm::sys::path::cache_directory(Dir))
    return "";
  llvm::sys::path::append(Dir, "tensortidy");
  return Dir.str().str();
}

Cache::Cache(StringRef Given) {
  llvm::SmallString<256> Absolute(Given);
  Problem = fs::make_absolute(Absolute);
  Directory = Absolute.str().str();
  if (Problem)
    return;
  // Results hold pieces of sources: they are for their owner's eyes.
  Problem =
      fs::create_directories(Directory, /*IgnoreExisting=*/true, fs::owner_all);
  if (!Problem && !fs::is_directory(Directory))
    Problem = std::make_error_code(std::errc::not_a_directory);
}

std::string Cache::keyOf(llvm::ArrayRef<std::string> Inputs,
                         const std::string &Tool) {
  // Its text: a version does not tell two builds from each other.
  static const std::string ToolHash = [&] {
    auto Program = llvm::MemoryBuffer::getFile(
        Tool, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    return Program ? hashOf((*Program)->getBuffer()) : "";
  }();
  if (Inputs.empty() || ToolHash.empty())
    return "";
  Writer W;
  W.item(ToolHash);
  transferList(W, Inputs, [&](const std::string &One) { W.item(One); });
  return hashOf(W.Bytes);
}

std::string Cache::pathOf(StringRef Key, char Kind) const {
  return Directory + "/llvmcache-" + llvm::toHex(Key, /*LowerCase=*/true) +
         "-" + Kind;
}

std::vector<Cache::Known> Cache::manifest(StringRef Key) const {
  std::vector<Known> All;
  const std::optional<std::string> Bytes = readWhole(pathOf(Key, 'm'));
  if (!Bytes)
    return All;
  Reader In;
  In.Bytes = *Bytes;
  transferList(In, All, [&](Known &K) {
    In.item(K.Result);
    In.item(K.Seconds);
    transferAccesses(In, K.Asked);
  });
  if (!In.Ok)
    All.clear();
  return All;
}

Cache::Entry Cache::find(StringRef Key) {
  Entry Found;
  if (Problem || Key.empty())
    return Found;
  std::vector<Known> All = manifest(Key);
  if (!All.empty()) {
    Found.Seconds = All.front().Seconds;
    for (const Access &A : All.front().Asked)
      if (A.Asked == Question::Text || A.Asked == Question::Status)
        Found.Read.push_back(A.Path);
  }
  for (Known &K : All)
    if (Now.saysAll(K.Asked)) {
      Found.Asked = std::move(K.Asked);
      Found.Result = readWhole(pathOf(K.Result, 'r'));
      break;
    }
  return Found;
}

void Cache::keep(StringRef Key, const Accesses &Asked, FileResult Result) {
  if (Problem || Key.empty() || Asked.unstable() || !isLasting(Result))
    return;
  // Finding it again takes none of this.
  tidy::Statistics &S = Result.Stats;
  Known New;
  New.Seconds = S.Parse + S.Find + S.Lower + S.Analyse + S.Report;
  S.Parse = S.Find = S.Lower = S.Analyse = S.Report = 0;
  Result.WithShared = 0;
  Result.Misfit = false;

  New.Asked = Asked.list();
  Writer Name;
  Name.item(Key.str());
  transferAccesses(Name, New.Asked);
  New.Result = hashOf(Name.Bytes);
  writeWhole(Directory, pathOf(New.Result, 'r'), write(Result));

  std::vector<Known> All = manifest(Key);
  llvm::erase_if(All, [&](const Known &K) { return K.Result == New.Result; });
  All.insert(All.begin(), std::move(New));
  if (All.size() > MostStates)
    All.resize(MostStates);
  Writer W;
  transferList(W, All, [&](const Known &K) {
    W.item(K.Result);
    W.item(K.Seconds);
    transferAccesses(W, K.Asked);
  });
  writeWhole(Directory, pathOf(Key, 'm'), W.Bytes);
}

bool Cache::hasHeader(StringRef Key) const {
  return !Problem && fs::exists(pathOf(Key, 'h'));
}

bool Cache::hasHeaders() const {
  std::error_code Why;
  for (fs::directory_iterator It(Directory, Why), End;
       !Problem && !Why && It != End; It.increment(Why))
    if (StringRef(It->path()).ends_with("-h"))
      return true;
  return false;
}

// The precompiled header comes first, where clang finds it aligned:
//
//   bytes | what it depended on | the size of that | seal

template <class Archive, class FileList, class AccessList>
static void transferHeader(Archive &A, FileList &Files, AccessList &Asked) {
  transferList(A, Files, [&](auto &One) {
    A.item(One.Name);
    A.item(One.IsSystem);
  });
  transferAccesses(A, Asked);
}

std::optional<SharedHeader> Cache::findHeader(StringRef Key) {
  if (Problem || Key.empty())
    return std::nullopt;
  const std::string Path = pathOf(Key, 'h');
  SharedHeader Found;
  // Mapped: these are large. They are replaced whole, and never written to.
  Found.Holder = open(Path, /*IsVolatile=*/false);
  if (!Found.Holder)
    return std::nullopt;
  StringRef Bytes = Found.Holder->getBuffer();
  const StringRef Seal = takeLast(Bytes, hashOf("").size());
  if (sealOf(Path, Bytes) != Seal)
    return std::nullopt;
  Reader Size, In;
  uint64_t Length = 0;
  Size.Bytes = takeLast(Bytes, sizeof Length);
  Size.item(Length);
  In.Bytes = takeLast(Bytes, Length);
  transferHeader(In, Found.Files, Found.Asked);
  if (!Size.Ok || !In.Ok || !Now.saysAll(Found.Asked))
    return std::nullopt;
  for (const Access &A : Found.Asked) {
    fs::UniqueID Id;
    if (A.Asked == Question::Text)
      fs::getUniqueID(A.Path, Id);
    Found.Ids.push_back(Id);
  }
  Found.Key = llvm::toHex(Key, /*LowerCase=*/true);
  Found.Bytes = Bytes;
  return Found;
}

void Cache::keepHeader(StringRef Key, StringRef Bytes,
                       const std::vector<SharedHeader::Read> &Files,
                       const std::vector<Access> &Asked) const {
  if (Problem || Key.empty())
    return;
  Writer W, Size;
  transferHeader(W, Files, Asked);
  Size.item(uint64_t(W.Bytes.size()));
  const std::string Path = pathOf(Key, 'h');
  writePieces(
      Directory, Path,
      {Bytes, W.Bytes, Size.Bytes, sealOf(Path, {Bytes, W.Bytes, Size.Bytes})});
}

void Cache::forget(StringRef Key) const {
  if (!Problem && !Key.empty())
    fs::remove(pathOf(Key, 'm'));
}

llvm::CachePruningPolicy Cache::policy() {
  llvm::CachePruningPolicy P;
  P.Expiration = std::chrono::hours(24 * 30);
  P.MaxSizeBytes = uint64_t(2) << 30;
  P.MaxSizePercentageOfAvailableSpace = 25;
  return P;
}

void Cache::prune() const {
  if (!Problem)
    compat::pruneCache(Directory, policy());
}

} // namespace tensortidy::tool
