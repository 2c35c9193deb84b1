// Files and other libraries: what goes out comes back, and what is damaged is
// refused, never followed.

#include "tensortidy/io.h"
#include "tensortidy/memory.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlpack/dlpack.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <unistd.h>

using namespace tensortidy;
using testing::HasSubstr;

namespace {

constexpr ScalarType Types[] = {kByte, kChar,  kShort,  kInt,  kLong,
                                kHalf, kFloat, kDouble, kBool, kBFloat16};

/// A directory of this process alone: several builds of these tests may run at
/// once.
struct Directory {
  std::string Name = testing::TempDir() + "tensortidy-XXXXXX";
  const pid_t Owner = getpid();
  Directory() { EXPECT_NE(mkdtemp(Name.data()), nullptr); }
  ~Directory() {
    if (getpid() == Owner)
      std::filesystem::remove_all(Name);
  }
};

std::string path(const std::string &Name) {
  static const Directory Here;
  return Here.Name + "/" + Name;
}
std::string slurp(const std::string &File) {
  std::ifstream In(File, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(In), {});
}
void spit(const std::string &File, const std::string &Text) {
  std::ofstream(File, std::ios::binary) << Text;
}
Tensor fromText(const std::string &Text) {
  return from_npy(Text.data(), Text.size());
}
template <class F> std::string errorOf(F Function) {
  try {
    Function();
  } catch (const Error &E) {
    return E.what();
  }
  return "";
}

/// A .npy file by the documented format.
std::string npy(const std::string &Dict, const std::string &Data,
                char Major = 1) {
  std::string R = "\x93NUMPY";
  R += Major;
  R += '\0';
  std::string Head = Dict;
  while ((R.size() + (Major == 1 ? 2 : 4) + Head.size() + 1) % 64)
    Head += ' ';
  Head += '\n';
  for (int I = 0; I < (Major == 1 ? 2 : 4); ++I)
    R += static_cast<char>(Head.size() >> (8 * I));
  return R + Head + Data;
}

TEST(Npy, IsWhatTheFormatSays) {
  const Tensor X = arange(6, kInt).view({2, 3});
  std::string Data;
  for (int I = 0; I < 6; ++I)
    Data += std::string({static_cast<char>(I), 0, 0, 0});
  EXPECT_EQ(
      to_npy(X),
      npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", Data));
  EXPECT_EQ(to_npy(X[0]),
            npy("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }",
                Data.substr(0, 12)));
  EXPECT_EQ(to_npy(X[0][2]),
            npy("{'descr': '<i4', 'fortran_order': False, 'shape': (), }",
                Data.substr(8, 4)));
}

TEST(Npy, EveryTypeAndLayoutComesBack) {
  for (const ScalarType T : Types) {
    const Tensor X = arange(24).remainder(2).to(T).view({2, 3, 4});
    for (const Tensor &Y :
         {X, X.permute({2, 1, 0}), X.permute({1, 0, 2}), X.slice(2, 1, 4, 2),
          X.select(0, 1), X[0][0][0], X.narrow(1, 0, 0)}) {
      save_npy(Y, path("a.npy"));
      const Tensor Z = load_npy(path("a.npy"));
      EXPECT_EQ(Z.scalar_type(), T);
      EXPECT_TRUE(Z.equal(Y)) << describe(Y);
    }
  }
}

TEST(Npy, ColumnMajorStaysSo) {
  const Tensor X = arange(6).view({2, 3}).t();
  const std::string Text = to_npy(X);
  EXPECT_THAT(Text, HasSubstr("'fortran_order': True, 'shape': (3, 2)"));
  const Tensor Y = fromText(Text);
  EXPECT_EQ(Y.strides().vec(), std::vector<int64_t>({1, 3}));
  EXPECT_TRUE(Y.equal(X));
}

TEST(Npy, ReadsWhatOthersWrite) {
  const std::string Big({0, 1, 0, 2});
  const Tensor X = fromText(
      npy("{\"shape\":(2L,),'fortran_order':False ,'descr':'>i2'}", Big, 2));
  EXPECT_TRUE(X.equal(tensor({1, 2}).to(kShort))) << "big-endian";
  const Tensor B = fromText(npy(
      "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\x05\x01"));
  EXPECT_TRUE(B.all().item<bool>());
}

TEST(Npy, RefusesWithReasons) {
  auto Try = [](const std::string &Dict) {
    return errorOf([&] { fromText(npy(Dict, std::string(64, 'x'))); });
  };
  const std::string Rest = ", 'fortran_order': False, 'shape': (2,), }";
  EXPECT_THAT(Try("{'descr': '<c8'" + Rest),
              HasSubstr("no element type for '<c8'"));
  EXPECT_THAT(Try("{'descr': '|O'" + Rest), HasSubstr("no element type"));
  EXPECT_THAT(Try("{'descr': '<u2'" + Rest), HasSubstr("no element type"));
  EXPECT_THAT(Try("{'descr': [('a', '<f4')]" + Rest), HasSubstr("structures"));
  EXPECT_THAT(Try("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }"),
              HasSubstr("has no size at character"));
  EXPECT_THAT(Try("{'descr': '<f4', 'fortran_order': False, 'shape': "
                  "(9999999999, 9999999999), }"),
              HasSubstr("too large"));
  EXPECT_THAT(Try("{'descr': '<f4', 'fortran_order': False, 'shape': "
                  "(99999999999999999999,), }"),
              HasSubstr("too large"));
  EXPECT_THAT(Try("{'descr': '<f4', 'fortran_order': False, 'shape': (17,), }"),
              HasSubstr("need 68 bytes, there are 64"));
  EXPECT_THAT(Try("{'descr': '<f4', 'shape': (2,), }"), HasSubstr("lacks"));
  EXPECT_THAT(errorOf([] { fromText("hello, world"); }),
              HasSubstr("not a .npy"));
  EXPECT_THAT(errorOf([] { load_npy("/nowhere/x.npy"); }),
              HasSubstr("cannot read /nowhere/x.npy"));
  EXPECT_THAT(errorOf([] { save_npy(zeros({1}), "/nowhere/x.npy"); }),
              HasSubstr("cannot write /nowhere/x.npy"));
}

TEST(Npy, EveryTruncationAndEveryFlippedByteIsSurvived) {
  const std::string Whole = to_npy(arange(5, kInt));
  for (size_t N = 0; N < Whole.size(); ++N)
    EXPECT_THROW(fromText(Whole.substr(0, N)), Error) << N;
  for (size_t N = 0; N < Whole.size(); ++N)
    for (const int Flip : {1, 2, 0x10, 0x80, 0xff}) {
      std::string Bad = Whole;
      Bad[N] = static_cast<char>(Bad[N] ^ Flip);
      try {
        fromText(Bad);
      } catch (const Error &) {
      }
    }
}

TEST(Npz, StoredAndCompressed) {
  NamedTensors In;
  for (const ScalarType T : Types)
    In[toString(T)] = arange(20).remainder(2).to(T).view({4, 5}).t();
  In["empty"] = zeros({0, 3});
  In["long"] = zeros({100000});
  for (const bool Compressed : {false, true}) {
    save_npz(In, path("a.npz"), Compressed);
    const NamedTensors Out = load_npz(path("a.npz"));
    ASSERT_EQ(Out.size(), In.size());
    for (const auto &[Name, X] : In)
      EXPECT_TRUE(Out.at(Name).equal(X)) << Name;
  }
  EXPECT_LT(slurp(path("a.npz")).size(), 10000u) << "zeros compress";
  save_npz({}, path("none.npz"));
  EXPECT_TRUE(load_npz(path("none.npz")).empty());
}

TEST(Npz, TruncationAndFlippedBytesAreSurvived) {
  for (const bool Compressed : {false, true}) {
    const std::string File = path("broken.npz");
    save_npz({{"a", arange(5, kInt)}, {"b", zeros({2})}}, File, Compressed);
    const std::string Whole = slurp(File);
    for (size_t N = Compressed; N < Whole.size(); N += 3) {
      spit(File, Whole.substr(0, N));
      EXPECT_THROW(load_npz(File), Error) << N;
      std::string Bad = Whole;
      Bad[N] = static_cast<char>(Bad[N] ^ 0x81);
      spit(File, Bad);
      try { // names, dates and attributes may be anything
        load_npz(File);
      } catch (const Error &) {
      }
    }
  }
  const std::string File = path("damaged.npz");
  save_npz({{"a", arange(5, kInt)}}, File);
  std::string Whole = slurp(File);
  Whole[Whole.find("\x02\0\0\0\x03", 0, 5)] = 7;
  spit(File, Whole);
  EXPECT_THAT(errorOf([&] { load_npz(File); }), HasSubstr("checksum"));
}

TEST(Saved, EveryTypeAndLayoutComesBack) {
  for (const ScalarType Type : Types) {
    const Tensor X = arange(24).to(Type).view({2, 3, 4}).permute({2, 0, 1});
    std::stringstream Stream;
    save(X, Stream);
    Tensor Y;
    load(Y, Stream);
    EXPECT_EQ(Y.scalar_type(), Type);
    EXPECT_EQ(Y.strides(), X.strides());
    EXPECT_TRUE(Y.equal(X)) << toString(Type);
  }
}
TEST(Saved, ListsKeepWhatTheyShare) {
  const Tensor X = rand({3, 5}), Number = scalar_tensor(7, kLong);
  save(std::vector<Tensor>{X, X.t(), X.select(1, 2), Number, empty({0, 4}),
                           X.view(kInt)},
       path("list.pt"));
  std::vector<Tensor> L{Number};
  load(L, path("list.pt"));
  ASSERT_EQ(L.size(), 7U) << "they are appended";
  EXPECT_TRUE(L[1].equal(X));
  EXPECT_EQ(L[4].item<int64_t>(), 7);
  EXPECT_EQ(L[5].sizes(), IntArrayRef({0, 4}));
  EXPECT_TRUE(L[6].equal(X.view(kInt)));
  L[1][1][2] = 100;
  EXPECT_EQ(L[2][2][1].item<float>(), 100);
  EXPECT_EQ(L[3][1].item<float>(), 100);
  std::vector<Tensor> None;
  save(None, path("none.pt"));
  load(None, path("none.pt"));
  EXPECT_TRUE(None.empty());
}
TEST(Saved, OtherHandlesSeeWhatIsLoaded) {
  save(ones({2, 3}).requires_grad_(), path("one.pt"));
  Tensor X = zeros({4}), Same = X, View = X.view({2, 2});
  load(X, path("one.pt"));
  EXPECT_TRUE(Same.equal(ones({2, 3})));
  EXPECT_TRUE(View.equal(zeros({2, 2})));
  Tensor New;
  load(New, path("one.pt"));
  EXPECT_TRUE(New.requires_grad());
  Tensor Whole = zeros({1}, kLong);
  EXPECT_THAT(errorOf([&] { load(Whole, path("one.pt")); }),
              HasSubstr("elements of Float"));
}
TEST(Saved, RefusesWithReasons) {
  Tensor X;
  EXPECT_THAT(errorOf([&] { load(X, path("nowhere.pt")); }),
              HasSubstr("cannot read"));
  save_npz({{"a", ones({2})}}, path("other.npz"));
  EXPECT_THAT(errorOf([&] { load(X, path("other.npz")); }),
              HasSubstr("not written by torch::save()"));
  save(std::vector<Tensor>{}, path("none.pt"));
  EXPECT_THAT(errorOf([&] { load(X, path("none.pt")); }),
              HasSubstr("no tensor in the file"));
  EXPECT_THAT(errorOf([&] { save(Tensor(), path("undefined.pt")); }),
              HasSubstr("undefined"));
}
TEST(Saved, TruncationAndFlippedBytesAreSurvived) {
  std::ostringstream Stream;
  save(std::vector<Tensor>{rand({2, 3}), arange(4)}, Stream);
  const std::string Whole = Stream.str();
  auto Try = [](const std::string &Text) {
    std::istringstream In(Text);
    std::vector<Tensor> L;
    load(L, In);
  };
  for (size_t N = 0; N < Whole.size(); ++N)
    EXPECT_THROW(Try(Whole.substr(0, N)), Error) << N;
  // A checksum guards each entry, so that what is read as a pickle is whole;
  // its machine must also bear any program.
  const size_t Begin = Whole.find("\x80\x02""c__torch__"),
               End = Whole.find("PK\x03\x04", Begin);
  ASSERT_LT(End, Whole.size());
  for (size_t At = 0; At < Whole.size(); ++At)
    for (const int Flip : {1, 0x80}) {
      std::string Text = Whole;
      Text[At] = static_cast<char>(Text[At] ^ Flip);
      try {
        Try(Text);
      } catch (const Error &) {
      }
    }
}

TEST(Files, AreWholeOrNotThere) {
  const std::string File = path("kept.npz");
  save_npz({{"a", ones({3})}}, File);
  // The second tensor is undefined: writing fails half way.
  EXPECT_THROW(save_npz({{"a", zeros({3})}, {"b", Tensor()}}, File), Error);
  EXPECT_TRUE(load_npz(File)["a"].equal(ones({3}))) << "the old file is whole";
}

TEST(Raw, BytesInOrderOfIndex) {
  const Tensor X = arange(6, kShort).view({2, 3}).t();
  const std::vector<uint8_t> Bytes = to_bytes(X);
  EXPECT_EQ(Bytes, (std::vector<uint8_t>{0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0}));
  EXPECT_TRUE(from_bytes(Bytes.data(), 12, {3, 2}, kShort).equal(X));
  save_raw(X, path("a.raw"));
  EXPECT_TRUE(load_raw(path("a.raw"), {3, 2}, kShort).equal(X));
  EXPECT_THAT(errorOf([&] { load_raw(path("a.raw"), {3, 3}, kShort); }),
              HasSubstr("need 18 bytes"));
  EXPECT_THROW(from_bytes(Bytes.data(), 12, {-1}, kShort), Error);
  EXPECT_THROW(from_bytes(Bytes.data(), 12, {int64_t(1) << 62, 4}), Error);
}

TEST(DLPack, HandsOutTheSameMemory) {
  const size_t Before = memory_allocated();
  Tensor X = arange(12, kInt).view({3, 4}).t().narrow(0, 1, 2);
  DLManagedTensor *M = toDLPack(X);
  EXPECT_EQ(M->dl_tensor.data, X.data_ptr());
  EXPECT_EQ(M->dl_tensor.ndim, 2);
  EXPECT_EQ(M->dl_tensor.shape[0], 2);
  EXPECT_EQ(M->dl_tensor.strides[1], 4);
  EXPECT_EQ(M->dl_tensor.dtype.bits, 32);
  X.t_(); // does not show outside
  EXPECT_EQ(M->dl_tensor.shape[0], 2);
  X = Tensor();
  EXPECT_GT(memory_allocated(), Before);
  M->deleter(M);
  EXPECT_EQ(memory_allocated(), Before);
}

struct Foreign {
  float Data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  int64_t Shape[2] = {2, 3}, Strides[2] = {1, 2};
  int Deleted = 0;
  DLManagedTensor M{};
  Foreign() {
    M.dl_tensor = {Data, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, Shape, Strides, 8};
    M.manager_ctx = this;
    M.deleter = [](DLManagedTensor *T) {
      ++static_cast<Foreign *>(T->manager_ctx)->Deleted;
    };
  }
};

TEST(DLPack, TakesStridesOffsetAndDeleter) {
  Foreign F;
  Tensor View;
  {
    const Tensor X = fromDLPack(&F.M);
    EXPECT_EQ(X.strides().vec(), std::vector<int64_t>({1, 2}));
    EXPECT_EQ(X[1][2].item<float>(), 7) << "2 + 1 + 2*2, byte_offset 8";
    View = X.select(0, 0);
  }
  EXPECT_EQ(F.Deleted, 0);
  View = Tensor();
  EXPECT_EQ(F.Deleted, 1);
  F.M.dl_tensor.strides = nullptr;
  EXPECT_TRUE(fromDLPack(&F.M).is_contiguous());
  EXPECT_EQ(F.Deleted, 2);
}

TEST(DLPack, RefusesWhatItCannotHold) {
  auto Try = [](auto Change) {
    Foreign F;
    Change(F.M.dl_tensor);
    const std::string E = errorOf([&] { fromDLPack(&F.M); });
    EXPECT_EQ(F.Deleted, 0) << "still the caller's";
    return E;
  };
  EXPECT_THAT(Try([](DLTensor &T) { T.device.device_type = kDLCUDA; }),
              HasSubstr("not on the CPU"));
  EXPECT_THAT(Try([](DLTensor &T) { T.dtype.lanes = 4; }), HasSubstr("lanes"));
  EXPECT_THAT(Try([](DLTensor &T) { T.dtype.code = kDLComplex; }),
              HasSubstr("no element type"));
  EXPECT_THAT(Try([](DLTensor &T) { T.shape[0] = -2; }), HasSubstr("invalid size -2"));
  EXPECT_THROW(fromDLPack(nullptr), Error);
}

TEST(Span, IsTypedAndContiguous) {
  const Tensor X = arange(6, kFloat).view({2, 3});
  float Sum = 0;
  for (const float V : as_span<const float>(X))
    Sum += V;
  EXPECT_EQ(Sum, 15);
  as_span<float>(X)[5] = 50;
  EXPECT_EQ((X[1][2].item<float>()), 50);
  EXPECT_THROW(as_span<double>(X), Error);
  const Tensor Turned = X.t();
  EXPECT_THAT(errorOf([&] { as_span<float>(Turned); }), HasSubstr("in order"));
#if TENSORTIDY_CHECKED
  EXPECT_THROW(as_span<float>(X)[6], IndexError);
#endif
  const Tensor None = X.narrow(0, 0, 0);
  EXPECT_TRUE(as_span<float>(None).empty());
}

// Through links, so that nothing but they could be replaced.
TEST(Files, LinksAndDevicesStayWhatTheyAre) {
  const std::string Link = path("link"), File = path("linked.npy");
  const Tensor X = ones({2, 3});
  std::remove(Link.c_str());
  ASSERT_EQ(symlink("/dev/full", Link.c_str()), 0);
  EXPECT_THAT(errorOf([&] { save_npy(X, Link); }),
              HasSubstr("No space left on device"));
  char To[64] = {};
  ASSERT_EQ(readlink(Link.c_str(), To, sizeof To - 1), 9);
  EXPECT_STREQ(To, "/dev/full");
  std::remove(Link.c_str());
  save_npy(X, File);
  ASSERT_EQ(symlink(File.c_str(), Link.c_str()), 0);
  save_npy(X * 2, Link);
  EXPECT_TRUE(load_npy(File).equal(X * 2));
  EXPECT_GT(readlink(Link.c_str(), To, sizeof To - 1), 0);
  std::remove(Link.c_str());
  std::remove(File.c_str());
}

} // namespace
