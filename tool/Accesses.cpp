//===- Accesses.cpp - what an analysis asked of the disk ------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"
#include "Bytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace tensortidy::tool {

std::string hashOf(StringRef Bytes) {
  auto Hash = llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(Bytes));
  return std::string(Hash.begin(), Hash.end());
}

Answer Answer::of(Question Q, const llvm::vfs::Status &S) {
  Writer W;
  W.item(int(S.getType()));
  if (Q == Question::Stamp) {
    W.item(S.getSize());
    W.item(S.getLastModificationTime().time_since_epoch().count());
  }
  return {std::move(W.Bytes), {}};
}

Answer Answer::failed(std::error_code Why) {
  return {"!" + std::to_string(Why.value()), {}};
}

Answer
Answer::ofText(const llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> &Text,
               const llvm::ErrorOr<llvm::vfs::Status> &S) {
  // Whether reading or mapping it fails, and so with what, is no matter.
  if (S && !S->isRegularFile() && !Text)
    return failed(std::make_error_code(std::errc::is_a_directory));
  if (!Text || !S)
    return failed(Text ? S.getError() : Text.getError());
  return {hashOf((*Text)->getBuffer()), S->getUniqueID()};
}

Answer Answer::ofNames(std::vector<std::string> Names) {
  llvm::sort(Names);
  Writer W;
  transferList(W, Names, [&](const std::string &Name) { W.item(Name); });
  return {hashOf(W.Bytes), {}};
}

void Accesses::note(Question Q, const std::string &Path, const Answer &A) {
  auto [It, New] = Known.try_emplace({Path, Q}, A);
  Unstable |= !New && It->second.Bytes != A.Bytes;
}

void Accesses::forget(const std::string &Path) {
  for (auto It = Known.begin(); It != Known.end();)
    It = It->first.first == Path ? Known.erase(It) : std::next(It);
}

std::vector<Access> Accesses::list() const {
  std::vector<Access> All;
  std::map<llvm::sys::fs::UniqueID, uint32_t> First;
  for (const auto &[Key, A] : Known) {
    const auto &[Path, Q] = Key;
    if (Q == (Precompiled ? Question::Status : Question::Stamp))
      continue;
    const auto Here = static_cast<uint32_t>(All.size());
    All.push_back({Q, Path, A.Bytes, Here});
    if (A.Id != llvm::sys::fs::UniqueID())
      All.back().Twin = First.try_emplace(A.Id, Here).first->second;
  }
  return All;
}

std::vector<std::string> filesOf(llvm::ArrayRef<Access> Asked) {
  const size_t HashSize = hashOf("").size(); // errors are shorter
  std::vector<std::string> Files;
  for (const Access &A : Asked)
    if (A.Asked == Question::Text && A.Said.size() == HashSize)
      Files.push_back(A.Path);
  return Files;
}

static Answer askDisk(Question Q, StringRef Path) {
  llvm::vfs::FileSystem &FS = *llvm::vfs::getRealFileSystem();
  switch (Q) {
  case Question::Status:
  case Question::Stamp: {
    auto S = FS.status(Path);
    return S ? Answer::of(Q, *S) : Answer::failed(S.getError());
  }
  case Question::Text: {
    // To open a pipe is to wait for somebody who writes.
    auto Before = FS.status(Path);
    if (!Before)
      return Answer::failed(Before.getError());
    if (!Before->isRegularFile() && !Before->isDirectory())
      return Answer::failed(std::make_error_code(std::errc::not_supported));
    auto File = FS.openFileForRead(Path);
    if (!File)
      return Answer::failed(File.getError());
    auto S = (*File)->status();
    auto Text = (*File)->getBuffer(Path, /*FileSize=*/-1,
                                   /*RequiresNullTerminator=*/false,
                                   /*IsVolatile=*/false);
    return Answer::ofText(Text, S);
  }
  case Question::Listing: {
    std::error_code Why;
    std::vector<std::string> Names;
    for (auto It = FS.dir_begin(Path, Why),
              End = llvm::vfs::directory_iterator();
         !Why && It != End; It.increment(Why))
      Names.push_back(It->path().str());
    return Why ? Answer::failed(Why) : Answer::ofNames(std::move(Names));
  }
  case Question::RealPath: {
    llvm::SmallString<256> Real;
    const std::error_code Why = FS.getRealPath(Path, Real);
    return Why ? Answer::failed(Why) : Answer{Real.str().str(), {}};
  }
  }
  return {};
}

const Answer &Disk::ask(Question Q, StringRef Path) {
  auto [It, New] = Known[static_cast<size_t>(Q)].try_emplace(Path);
  if (New)
    It->second = askDisk(Q, Path);
  return It->second;
}

bool Disk::saysAll(llvm::ArrayRef<Access> Asked) {
  constexpr std::chrono::seconds Good(5);
  if (Clock::now() - Since > Good) {
    for (auto &Map : Known)
      Map.clear();
    Since = Clock::now();
  }
  std::map<llvm::sys::fs::UniqueID, uint32_t> First;
  for (uint32_t I = 0; I < Asked.size(); ++I) {
    const Access &A = Asked[I];
    const Answer &Now = ask(A.Asked, A.Path);
    if (Now.Bytes != A.Said)
      return false;
    if (Now.Id != llvm::sys::fs::UniqueID() &&
        First.try_emplace(Now.Id, I).first->second != A.Twin)
      return false;
  }
  return true;
}

} // namespace tensortidy::tool
