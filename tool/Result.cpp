//===- Result.cpp - results as bytes --------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Result.h"
#include "Bytes.h"
#include "llvm/Support/xxhash.h"

using namespace clang::tidy;
using clang::tooling::DiagnosticMessage;
using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace tensortidy::tool {

namespace {

void transfer(Writer &W, const llvm::StringMap<Replacements> &Fix) {
  W.item(uint64_t(Fix.size()));
  for (const auto &Entry : Fix) {
    W.item(Entry.getKey().str());
    W.item(uint64_t(Entry.getValue().size()));
    for (const Replacement &R : Entry.getValue()) {
      W.item(R.getFilePath().str());
      W.item(R.getOffset());
      W.item(R.getLength());
      W.item(R.getReplacementText().str());
    }
  }
}
void transfer(Reader &R, llvm::StringMap<Replacements> &Fix) {
  uint64_t Files;
  R.item(Files);
  for (uint64_t I = 0; I < Files && R.Ok; ++I) {
    std::string Key;
    R.item(Key);
    uint64_t Count;
    R.item(Count);
    for (uint64_t J = 0; J < Count && R.Ok; ++J) {
      std::string Path, Text;
      unsigned Offset, Length;
      R.item(Path);
      R.item(Offset);
      R.item(Length);
      R.item(Text);
      // They were accepted together once and are again.
      llvm::consumeError(Fix[Key].add(Replacement(Path, Offset, Length, Text)));
    }
  }
}

template <class Archive, class Message>
void transferMessage(Archive &A, Message &M) {
  A.item(M.Message);
  A.item(M.FilePath);
  A.item(M.FileOffset);
  transfer(A, M.Fix);
  transferList(A, M.Ranges, [&](auto &Range) {
    A.item(Range.FilePath);
    A.item(Range.FileOffset);
    A.item(Range.Length);
  });
}

template <class Archive, class Counts>
void transferCounts(Archive &A, Counts &Map) {
  if constexpr (Archive::Reading) {
    uint64_t Size;
    A.item(Size);
    for (uint64_t I = 0; I < Size && A.Ok; ++I) {
      std::string Name;
      A.item(Name);
      A.item(Map[Name]);
    }
  } else {
    A.item(uint64_t(Map.size()));
    for (const auto &[Name, Count] : Map) {
      A.item(Name);
      A.item(Count);
    }
  }
}

template <class Archive, class Key> void transferKey(Archive &A, Key &K) {
  A.item(std::get<0>(K));
  A.item(std::get<1>(K));
  A.item(std::get<2>(K));
}

template <class Archive, class Names>
void transferFunctions(Archive &A, Names &Map) {
  if constexpr (Archive::Reading) {
    std::vector<std::pair<tidy::FindingKey, std::string>> Items;
    transferList(A, Items, [&](auto &Item) {
      transferKey(A, Item.first);
      A.item(Item.second);
    });
    Map.insert(Items.begin(), Items.end());
  } else {
    transferList(A, Map, [&](auto &Item) {
      transferKey(A, Item.first);
      A.item(Item.second);
    });
  }
}

template <class Archive, class Dims> void transferDims(Archive &A, Dims &D) {
  if constexpr (Archive::Reading) {
    std::vector<int64_t> Items;
    transferList(A, Items, [&](auto &N) { A.item(N); });
    D.assign(Items.begin(), Items.end());
  } else {
    transferList(A, D, [&](auto &N) { A.item(N); });
  }
}

template <class Archive, class Captioned>
void transferPicture(Archive &A, Captioned &C) {
  A.item(C.Caption);
  transferDims(A, C.P.L.Sizes);
  transferDims(A, C.P.L.Strides);
  A.item(C.P.L.Offset);
  A.item(C.P.Ggml);
  A.item(C.P.What);
  A.item(C.P.Where);
}

template <class Archive, class Findings>
void transferPictures(Archive &A, Findings &Map) {
  if constexpr (Archive::Reading) {
    std::vector<std::pair<tidy::FindingKey, std::vector<CaptionedPicture>>>
        Items;
    transferList(A, Items, [&](auto &Item) {
      transferKey(A, Item.first);
      transferList(A, Item.second, [&](auto &C) { transferPicture(A, C); });
    });
    Map.insert(Items.begin(), Items.end());
  } else {
    transferList(A, Map, [&](auto &Item) {
      transferKey(A, Item.first);
      transferList(A, Item.second, [&](auto &C) { transferPicture(A, C); });
    });
  }
}

template <class Archive, class Names>
void transferNames(Archive &A, Names &Set) {
  if constexpr (Archive::Reading) {
    std::vector<std::string> Items;
    transferList(A, Items, [&](auto &Item) { A.item(Item); });
    Set.insert(Items.begin(), Items.end());
  } else {
    transferList(A, Set, [&](auto &Item) { A.item(Item); });
  }
}

template <class Archive, class Error> void transferError(Archive &A, Error &E) {
  A.item(E.DiagnosticName);
  transferMessage(A, E.Message);
  transferList(A, E.Notes, [&](auto &Note) { transferMessage(A, Note); });
  A.item(E.BuildDirectory);
  A.item(E.IsWarningAsError);
  transferList(A, E.EnabledDiagnosticAliases,
               [&](auto &Name) { A.item(Name); });
}

template <class Archive, class Stats> void transferStats(Archive &A, Stats &S) {
  for (auto *Count :
       {&S.Seen, &S.WithTensors, &S.Analysed, &S.Modelled, &S.ViewSites,
        &S.ViewSitesDecided, &S.LayoutSites, &S.LayoutSitesDecided,
        &S.PointerSites, &S.PointerSitesDecided, &S.ContiguousSites,
        &S.ContiguousSitesDecided, &S.CopySites, &S.CopySitesDecided,
        &S.CallsFollowed, &S.CallsNotFollowed})
    A.item(*Count);
  for (auto *Time : {&S.Parse, &S.Find, &S.Lower, &S.Analyse, &S.Report})
    A.item(*Time);
  transferCounts(A, S.GivenUp);
  transferCounts(A, S.Open);
  transferCounts(A, S.Unmodelled);
  transferCounts(A, S.Silenced);
}

template <class Archive, class Result>
void transferRest(Archive &A, Result &R) {
  transferList(A, R.Sources, [&](auto &Source) {
    A.item(Source.Path);
    A.item(Source.Text);
    A.item(Source.Changed);
  });
  A.item(R.HasCompileErrors);
  transferFunctions(A, R.Functions);
  transferNames(A, R.Files);
  transferPictures(A, R.Pictures);
  transferList(A, R.Read, [&](auto &Path) { A.item(Path); });
  A.item(R.WithShared);
  A.item(R.Misfit);
  transferStats(A, R.Stats);
  A.item(R.Programs);
}

/// At the end, so that a result cut short is not taken for a whole one.
constexpr uint32_t EndMark = 0x7e57'71d1;

} // namespace

tidy::FindingKey keyOf(const ClangTidyError &E) {
  return {E.DiagnosticName, E.Message.FileOffset, E.Message.Message};
}

std::string FileResult::functionOf(const ClangTidyError &E) const {
  auto It = Functions.find(keyOf(E));
  return It == Functions.end() ? "" : It->second;
}

/// They have no default constructor.
static void writeErrors(Writer &W, const std::vector<ClangTidyError> &Errors) {
  W.item(uint64_t(Errors.size()));
  for (const ClangTidyError &E : Errors) {
    W.item(int(E.DiagLevel));
    transferError(W, E);
  }
}

static void readErrors(Reader &In, std::vector<ClangTidyError> &Errors) {
  uint64_t Count;
  In.item(Count);
  for (uint64_t I = 0; I < Count && In.Ok; ++I) {
    int Level;
    In.item(Level);
    Errors.emplace_back("", static_cast<ClangTidyError::Level>(Level), "",
                        false);
    transferError(In, Errors.back());
  }
}

std::string write(const FileResult &R) {
  Writer W;
  writeErrors(W, R.Errors);
  writeErrors(W, R.Silenced);
  transferRest(W, R);
  W.item(EndMark);
  return std::move(W.Bytes);
}

std::optional<FileResult> read(llvm::StringRef Bytes) {
  Reader In;
  In.Bytes = Bytes;
  FileResult R;
  readErrors(In, R.Errors);
  readErrors(In, R.Silenced);
  transferRest(In, R);
  uint32_t Mark;
  In.item(Mark);
  if (!In.Ok || Mark != EndMark)
    return std::nullopt;
  return R;
}

uint64_t digestOf(llvm::StringRef Bytes) {
  Writer Said;
  if (auto R = read(Bytes)) {
    writeErrors(Said, R->Errors);
    Said.item(R->HasCompileErrors);
  }
  return llvm::xxh3_64bits(Said.Bytes);
}

} // namespace tensortidy::tool
