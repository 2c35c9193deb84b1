//===- Archive.cpp - zip archives -----------------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "io/Archive.h"
#include "tensortidy/types.h"
#include <algorithm>
#include <array>
#include <cstring>
#if TENSORTIDY_ZLIB
#include <zlib.h>
#endif

namespace tensortidy::detail {

namespace {

uint32_t crc(uint32_t C, const char *Data, size_t Bytes) {
  static const auto Table = [] {
    std::array<uint32_t, 256> T{};
    for (uint32_t I = 0; I < 256; ++I) {
      uint32_t V = I;
      for (int K = 0; K < 8; ++K)
        V = V & 1 ? V >> 1 ^ 0xedb88320U : V >> 1;
      T[I] = V;
    }
    return T;
  }();
  C = ~C;
  for (size_t I = 0; I < Bytes; ++I)
    C = Table[(C ^ static_cast<unsigned char>(Data[I])) & 0xff] ^ C >> 8;
  return ~C;
}

#if TENSORTIDY_ZLIB
std::string deflated(std::string_view Head, std::string_view Data) {
  z_stream Z{};
  if (deflateInit2(&Z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("zlib cannot compress");
  std::string Out;
  std::array<char, 65536> Piece{};
  auto Feed = [&](const char *From, size_t Length, bool Last) {
    size_t Done = 0;
    do {
      const size_t Part = std::min(Length - Done, size_t(1) << 30);
      Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(From + Done));
      Z.avail_in = static_cast<uInt>(Part);
      Done += Part;
      do {
        Z.next_out = reinterpret_cast<Bytef *>(Piece.data());
        Z.avail_out = static_cast<uInt>(Piece.size());
        deflate(&Z, Last && Done == Length ? Z_FINISH : Z_NO_FLUSH);
        Out.append(Piece.data(), Piece.size() - Z.avail_out);
      } while (Z.avail_out == 0);
    } while (Done < Length);
  };
  Feed(Head.data(), Head.size(), false);
  Feed(Data.data(), Data.size(), true);
  deflateEnd(&Z);
  return Out;
}
#endif

/// \p Size bytes that were compressed; empty when they were not.
bool inflated(const std::string &From, uint64_t Size, std::string &To) {
#if TENSORTIDY_ZLIB
  z_stream Z{};
  if (inflateInit2(&Z, -MAX_WBITS) != Z_OK)
    return false;
  std::array<char, 65536> Piece{};
  size_t Fed = 0;
  int Status = Z_OK;
  // In pieces: a damaged size must not make us ask for that much memory.
  while (Status == Z_OK && To.size() <= Size) {
    if (Z.avail_in == 0 && Fed < From.size()) {
      const size_t Part = std::min(From.size() - Fed, size_t(1) << 30);
      Z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(&From[Fed]));
      Z.avail_in = static_cast<uInt>(Part);
      Fed += Part;
    }
    Z.next_out = reinterpret_cast<Bytef *>(Piece.data());
    Z.avail_out = static_cast<uInt>(Piece.size());
    Status = inflate(&Z, Z_NO_FLUSH);
    To.append(Piece.data(), Piece.size() - Z.avail_out);
  }
  inflateEnd(&Z);
  return Status == Z_STREAM_END && To.size() == Size;
#else
  (void)From, (void)Size, (void)To;
  throw Error("this build has no zlib");
#endif
}

constexpr uint32_t LocalMark = 0x04034b50, EntryMark = 0x02014b50,
                   EndMark = 0x06054b50, End64Mark = 0x06064b50;
constexpr uint64_t No32 = 0xffffffff;

} // namespace

ArchiveReader::ArchiveReader(InFile &F)
    : Name(F.name()), Size(F.size()),
      Read([&F](uint64_t At, void *To, uint64_t Bytes) {
        F.seek(At);
        F.read(To, Bytes);
      }) {
  readDirectory();
}
ArchiveReader::ArchiveReader(std::string Name, std::string_view Data)
    : Name(std::move(Name)), Size(Data.size()),
      Read([Data](uint64_t At, void *To, uint64_t Bytes) {
        if (Bytes)
          std::memcpy(To, Data.data() + At, Bytes);
      }) {
  readDirectory();
}
void ArchiveReader::damaged(const std::string &What) const {
  throw Error(Name + " is not a whole archive: " + What);
}

/// The entries the directory at the end names.
void ArchiveReader::readDirectory() {
  if (Size < 22)
    damaged("it is too short");
  const uint64_t TailSize = std::min<uint64_t>(Size, 22 + 65535 + 20);
  std::string Tail(TailSize, '\0');
  Read(Size - TailSize, Tail.data(), TailSize);
  size_t At = TailSize - 22;
  while (getNumber(Tail, At, 4) != EndMark)
    if (At-- == 0)
      damaged("it has no directory");
  uint64_t Count = getNumber(Tail, At + 10, 2),
           Length = getNumber(Tail, At + 12, 4);
  uint64_t Start = getNumber(Tail, At + 16, 4);
  if (Start == No32 || Count == 0xffff || Length == No32) {
    // The 64-bit end stands before; 20 bytes in between say where.
    if (At < 20)
      damaged("it has no 64-bit directory");
    const uint64_t End64 = getNumber(Tail, At - 20 + 8, 8);
    if (Size < 56 || End64 > Size - 56)
      damaged("its 64-bit directory lies outside");
    std::string E(56, '\0');
    Read(End64, E.data(), 56);
    if (getNumber(E, 0, 4) != End64Mark)
      damaged("it has no 64-bit directory");
    Count = getNumber(E, 32, 8);
    Length = getNumber(E, 40, 8);
    Start = getNumber(E, 48, 8);
  }
  if (Start > Size || Length > Size - Start)
    damaged("its directory lies outside");
  std::string D(Length, '\0');
  Read(Start, D.data(), Length);
  size_t P = 0;
  for (uint64_t I = 0; I < Count; ++I) {
    if (D.size() - P < 46 || getNumber(D, P, 4) != EntryMark)
      damaged("its directory is damaged at entry " + std::to_string(I));
    ArchiveEntry E;
    E.Flags = static_cast<unsigned>(getNumber(D, P + 8, 2));
    E.Method = static_cast<unsigned>(getNumber(D, P + 10, 2));
    E.Crc = static_cast<uint32_t>(getNumber(D, P + 16, 4));
    E.Packed = getNumber(D, P + 20, 4);
    E.Size = getNumber(D, P + 24, 4);
    E.Offset = getNumber(D, P + 42, 4);
    const size_t NameSize = getNumber(D, P + 28, 2),
                 ExtraSize = getNumber(D, P + 30, 2);
    const size_t Comment = getNumber(D, P + 32, 2);
    if (D.size() - P - 46 < NameSize + ExtraSize + Comment)
      damaged("its directory is damaged at entry " + std::to_string(I));
    E.Name = D.substr(P + 46, NameSize);
    // Numbers of 64 bits stand in an extra field, in this order.
    const std::string_view Extra =
        std::string_view(D).substr(P + 46 + NameSize, ExtraSize);
    for (size_t X = 0; X + 4 <= Extra.size();) {
      const size_t Length = getNumber(Extra, X + 2, 2);
      if (Length > Extra.size() - X - 4)
        damaged("an extra field of '" + E.Name + "' is damaged");
      size_t V = X + 4;
      if (getNumber(Extra, X, 2) == 1)
        for (uint64_t *N : {&E.Size, &E.Packed, &E.Offset})
          if (*N == No32 && V + 8 <= X + 4 + Length) {
            *N = getNumber(Extra, V, 8);
            V += 8;
          }
      X += 4 + Length;
    }
    P += 46 + NameSize + ExtraSize + Comment;
    Entries.push_back(std::move(E));
  }
}

std::string ArchiveReader::contents(const ArchiveEntry &E) const {
  auto Bad = [&](const std::string &What) {
    throw Error(Name + ": '" + E.Name + "' " + What);
  };
  if (E.Flags & 1)
    Bad("is encrypted");
  if (Size < 30 || E.Offset > Size - 30)
    Bad("lies outside the file");
  std::string H(30, '\0');
  Read(E.Offset, H.data(), 30);
  if (getNumber(H, 0, 4) != LocalMark)
    Bad("is not where the directory says");
  const uint64_t At = E.Offset + 30 + getNumber(H, 26, 2) + getNumber(H, 28, 2);
  if (At > Size || E.Packed > Size - At)
    Bad("is cut short");
  std::string Packed(E.Packed, '\0'), Whole;
  Read(At, Packed.data(), E.Packed);
  if (E.Method == 0)
    Whole = std::move(Packed);
  else if (E.Method != 8)
    Bad("is compressed by method " + std::to_string(E.Method) +
        ", which is not supported");
  else if (!inflated(Packed, E.Size, Whole))
    Bad("cannot be decompressed: it is damaged");
  if (Whole.size() != E.Size || crc(0, Whole.data(), Whole.size()) != E.Crc)
    Bad("is damaged: its checksum does not match");
  return Whole;
}

bool ArchiveWriter::add(const std::string &Name, std::string_view Head,
                        std::string_view Data, bool Compressed) {
  const uint64_t Size = Head.size() + Data.size();
  uint64_t Packed = Size;
  std::string Small;
#if TENSORTIDY_ZLIB
  if (Compressed) {
    Small = deflated(Head, Data);
    Packed = Small.size();
  }
#endif
  if (Size >= No32 || Packed >= No32 || Offset >= No32 - Packed ||
      Name.size() > 0xffff || Count >= Most)
    return false;
  uint32_t Crc = crc(0, Head.data(), Head.size());
  Crc = crc(Crc, Data.data(), Data.size());
  // Version, flags (UTF-8 names), method, time and date (1980-01-01).
  std::string Common;
  putNumber(Common, 20, 2);
  putNumber(Common, 0x800, 2);
  putNumber(Common, Compressed ? 8 : 0, 2);
  putNumber(Common, 0, 2);
  putNumber(Common, 0x21, 2);
  putNumber(Common, Crc, 4);
  putNumber(Common, Packed, 4);
  putNumber(Common, Size, 4);
  putNumber(Common, Name.size(), 2);
  putNumber(Common, 0, 2);
  std::string Local;
  putNumber(Local, LocalMark, 4);
  Local += Common + Name;
  putNumber(Directory, EntryMark, 4);
  putNumber(Directory, 20, 2);
  Directory += Common;
  putNumber(Directory, 0, 2 + 2 + 2 + 4); // comment, disk, attributes
  putNumber(Directory, Offset, 4);
  Directory += Name;
  Out(Local);
  if (Compressed) {
    Out(Small);
  } else {
    Out(Head);
    Out(Data);
  }
  Offset += Local.size() + Packed;
  ++Count;
  return true;
}
void ArchiveWriter::end() {
  std::string End;
  putNumber(End, EndMark, 4);
  putNumber(End, 0, 4);
  putNumber(End, Count, 2);
  putNumber(End, Count, 2);
  putNumber(End, Directory.size(), 4);
  putNumber(End, Offset, 4);
  putNumber(End, 0, 2);
  Out(Directory + End);
}

} // namespace tensortidy::detail
