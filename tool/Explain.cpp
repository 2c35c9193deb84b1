//===- Explain.cpp - layout questions without a program -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Drawing.h"
#include "Layout/Error.h"
#include "Layout/Exceptions.h"
#include "Layout/Ggml.h"
#include "Layout/Overlap.h"
#include "Layout/Reshape.h"
#include "Question.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tensortidy::layout;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

using SymLayout = Layout<SymExpr>;
using SymDims = Dims<SymExpr>;
using Out = LayoutOutcome<Symbolic>;

struct Call {
  std::string Name; ///< "[]" for an index
  std::vector<Term> Args;
  std::string Text; ///< as written
  size_t At = 0;
};

/// What an operation takes, as libtorch and numpy name it. "..." is a list, or
/// all that is left.
struct Signature {
  const char *Names;
  std::vector<const char *> Parameters;
};

const Signature *signatureOf(StringRef Name) {
  static const std::vector<Signature> All = {
      {"permute", {"dims|axes..."}},
      {"transpose swapaxes swapdims", {"dim0|axis0|axis1|axes", "dim1|axis2"}},
      {"movedim moveaxis", {"source", "destination"}},
      {"view reshape", {"size|shape|newshape..."}},
      {"flatten ravel", {"start_dim", "end_dim"}},
      {"unflatten", {"dim", "sizes..."}},
      {"squeeze unsqueeze expand_dims", {"dim|axis"}},
      {"expand broadcast_to repeat tile", {"size|sizes|shape|reps|dims..."}},
      {"select", {"dim", "index"}},
      {"narrow", {"dim", "start", "length"}},
      {"slice", {"dim", "start", "end", "step"}},
      {"unfold", {"dimension", "size", "step"}},
      {"diagonal", {"offset", "dim1|axis1", "dim2|axis2"}},
      {"as_strided", {"size|shape", "stride|strides", "storage_offset"}},
      {"chunk", {"chunks", "dim"}},
      {"split",
       {"split_size|split_size_or_sections|indices_or_sections", "dim|axis"}},
      {"unbind", {"dim"}},
      {"flip", {"dims|axis..."}},
      {"T numpy_T t mT mH H contiguous ascontiguousarray asfortranarray clone "
       "copy to is_contiguous",
       {}},
  };
  for (const Signature &S : All) {
    llvm::SmallVector<StringRef, 16> Names;
    StringRef(S.Names).split(Names, ' ');
    if (llvm::is_contained(Names, Name))
      return &S;
  }
  return nullptr;
}

/// The number of plain arguments of an operation of ggml, or none.
std::optional<size_t> ggmlArity(StringRef Name) {
  size_t N = 0;
  if (Name == "permute")
    return 4;
  if (Name == "transpose" || Name == "cont")
    return 0;
  const auto [Base, Digit] = Name.split('_');
  StringRef Dims = Digit;
  if (!Dims.consume_back("d") || Dims.getAsInteger(10, N) || N < 1 || N > 4)
    return std::nullopt;
  if (Base == "reshape" || Base == "cont")
    return N;
  if (Base == "view")
    return 2 * N; // sizes, the strides above the first, the offset
  return std::nullopt;
}

bool isOneOf(StringRef Name, std::initializer_list<StringRef> Names) {
  return llvm::is_contained(Names, Name);
}

bool isCreation(StringRef Name) {
  return Name.starts_with("ggml_new_tensor_") ||
         isOneOf(Name, {"zeros", "ones", "empty", "full", "rand", "randn",
                        "randint", "arange", "tensor", "eye", "empty_strided",
                        "from_blob", "ndarray"});
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

class Explainer {
public:
  explicit Explainer(StringRef Question)
      : Ar(Table), In(Question, Table, Ar, [this](StringRef Name) {
          auto It = Known.find(Name.str());
          return It != Known.end() ? &It->second : HasTensor ? &L : nullptr;
        }) {}

  llvm::Expected<Explanation> run() {
    statement();
    while (!In.failed() && !Result.Failed && In.eat(';'))
      if (!In.atEnd())
        statement();
    if (!In.failed() && !Result.Failed && !In.atEnd())
      In.fail("expected an operation");
    if (In.failed())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     In.complaint());
    printRows();
    Result.Text += Remarks;
    draw();
    return std::move(Result);
  }

private:
  //--- the question

  /// [name =] tensor
  void statement() {
    std::string Name;
    for (;;) { // auto x =, at::Tensor x =
      const size_t Here = In.where();
      std::string Word = In.word();
      while (In.eat('&') || In.eat('*'))
        ;
      if (!Word.empty() && (In.eat('=') || In.eat(':'))) {
        Name = Word;
        if (Name == "ne" && In.peek('[')) { // ne = [64, 32]
          In.back(Here);
          Name.clear();
          break;
        }
        continue;
      }
      const bool IsType = Word == "auto" || Word == "const" ||
                          Word == "return" || lastPart(Word) == "Tensor" ||
                          Word == "ggml_tensor" || Word == "struct";
      if (IsType)
        continue;
      In.back(Here);
      break;
    }
    if (In.failed())
      return;
    tensor();
    if (!Name.empty() && !In.failed() && !Result.Failed) {
      Known[Name] = L;
      AtHand = Name;
    }
  }

  /// A tensor and what is done to it.
  void tensor() {
    if (!primary())
      return;
    while (!In.failed() && !Result.Failed && !In.atEnd() && !In.peek(';') &&
           !In.peek(',') && !In.peek(')')) {
      Call C;
      readCall(C);
      if (!In.failed())
        step(C);
    }
  }

  /// True if there is one; else a complaint was made.
  bool primary() {
    const size_t From = In.where();
    std::string Word = In.word();
    StringRef Last = lastPart(Word);
    // Behind a `;`, what is no tensor is a further step.
    const bool MayContinue = HasTensor && !Nested;
    if (auto It = Known.find(Word); It != Known.end()) {
      L = It->second;
      Storage.reset();
      if (Word != AtHand)
        row(Word, describe());
      return true;
    }
    if (Last == "ne" && (In.peek('[') || In.peek('{') || In.peek('='))) {
      Ggml = true;
      In.eat('=');
      return sizes(From);
    }
    if (Word.empty() && (In.peek('[') || In.peek('{') || In.peek('('))) {
      if (MayContinue && In.peek('[')) {
        In.back(From);
        return true;
      }
      return sizes(From);
    }
    if (isCreation(Last) && In.eat('('))
      return creation(From, Last);
    if (!Word.empty() && In.peek('[') && !HasTensor) // x[2,3,4]
      return sizes(From);
    const bool IsOperation = signatureOf(Last) || Last.starts_with("ggml_");
    if (IsOperation && In.peek('(') && !(MayContinue && !callsATensor()))
      return functionCall(From, Word);
    In.back(From);
    if (MayContinue && (IsOperation || In.peek('.')))
      return true;
    if (!Word.empty() && !IsOperation)
      In.failAt(From, "the sizes of '" + Word +
                          "' are not given: begin with "
                          "them, as in \"" +
                          Word + "=[2,3,4]; " + Word + ".t()\"");
    else
      In.failAt(From, "a question begins with sizes, as in \"[2,3,4] "
                      "permute(0,2,1) view(2,-1)\"");
    return false;
  }

  /// Whether the parenthesis ahead begins with a tensor that is known, or with
  /// a call.
  bool callsATensor() {
    const size_t Here = In.where();
    In.eat('(');
    bool Does = false;
    for (int I = 0; I < 2 && !Does; ++I) { // the first may be a ggml context
      std::string Word = In.word();
      Does = Known.count(Word) != 0 || (!Word.empty() && In.peek('('));
      if (!In.eat(','))
        break;
    }
    In.back(Here);
    return Does;
  }

  /// np.transpose(TENSOR, ...), ggml_permute(ctx, TENSOR, ...)
  bool functionCall(size_t From, StringRef Name) {
    Call C;
    C.At = From;
    C.Name = lastPart(Name).str();
    In.eat('(');
    if (StringRef(C.Name).starts_with("ggml_")) {
      const size_t Here = In.where();
      std::string Context = In.word();
      if (Context.empty() || Known.count(Context) || !In.eat(','))
        In.back(Here);
    }
    ++Nested;
    if (Nested > 50)
      In.fail("too many brackets");
    else
      tensor();
    --Nested;
    if (In.failed() || Result.Failed)
      return false;
    const size_t Rest = In.where();
    if (In.eat(','))
      C.Args = In.list(')');
    else if (!In.eat(')'))
      In.fail("expected ')'");
    if (In.failed())
      return false;
    StringRef Arguments = In.since(Rest);
    Arguments.consume_front(",");
    C.Text = Name.str() + "(" + Arguments.ltrim().str();
    step(C);
    return true;
  }

  SymDims sizesOf(const std::vector<Term> &Items) {
    SymDims Sizes;
    for (const Term &T : Items) {
      auto Known = Ar.known(T.N);
      if (T.K != Term::Number)
        In.failAt(T.At, "sizes are numbers or names");
      else if (Known && *Known < 0)
        In.failAt(T.At, "a size is not negative");
      Sizes.push_back(Ar.asSize(T.N));
    }
    return Sizes;
  }

  void begin(SymDims Sizes) {
    // Places are counted in 64 bits.
    double Count = 1;
    for (const SymExpr &E : Sizes)
      Count *=
          static_cast<double>(std::max<int64_t>(1, Ar.known(E).value_or(1)));
    if (Count > 9e18) {
      In.fail("more elements than can be counted");
      return;
    }
    if (Ggml) {
      if (Sizes.size() > ggml::Rank)
        In.fail("a ggml tensor has at most 4 dimensions");
      else
        L = ggml::packed(Ar, Sizes);
    } else {
      L = denseLayout(Ar, std::move(Sizes));
    }
    HasTensor = true;
    Storage = numel(Ar, L.Sizes);
  }

  static SymLayout layoutOf(Dims<SymExpr> Sizes, Dims<SymExpr> Strides) {
    SymLayout New;
    New.Sizes = std::move(Sizes);
    New.Strides = std::move(Strides);
    New.Offset = SymExpr(0);
    return New;
  }
  /// A new tensor, with as much storage as it needs.
  SymLayout fresh(SymLayout New) {
    Storage = numel(Ar, New.Sizes);
    return New;
  }

  static char closing(char Open) {
    return Open == '[' ? ']' : Open == '{' ? '}' : ')';
  }

  std::optional<std::vector<Term>> brackets() {
    for (char Open : {'[', '{', '('})
      if (In.eat(Open))
        return In.list(closing(Open));
    return std::nullopt;
  }

  /// A list of sizes and what is said about them.
  bool sizes(size_t From) {
    auto Items = brackets();
    if (In.failed() || !Items)
      return false;
    begin(sizesOf(*Items));
    while (!In.failed()) {
      const size_t Here = In.where();
      std::string Next = In.word();
      if (Next == "strides" || Next == "stride" || Next == "nb") {
        In.eat('=');
        const size_t At = In.where();
        auto Strides = brackets();
        if (!Strides || (!In.failed() && Strides->size() > L.rank()) ||
            (Strides->size() < L.rank() && !Ggml)) {
          In.failAt(At, "as many strides as sizes are needed, as in \"[2,3] "
                        "strides [3,1]\"");
          break;
        }
        for (size_t D = 0; D < Strides->size(); ++D) {
          const Term &T = (*Strides)[D];
          if (T.K != Term::Number)
            In.failAt(T.At, "strides are numbers or names");
          else if (auto N = Ar.known(T.N); N && *N < 0)
            In.failAt(T.At, "a stride is not negative in libtorch");
          L.Strides[Ggml ? ggml::at(D) : D] = T.N;
        }
        Storage.reset();
      } else if (Next == "offset" || Next == "storage_offset") {
        In.eat('=');
        const size_t At = In.where();
        auto N = Ar.known(number());
        if (!N || *N < 0)
          In.failAt(At, "an offset is a number, not negative");
        else
          L.Offset = SymExpr(*N);
        Storage.reset();
      } else if (auto F = formatNamed(lastPart(Next))) {
        auto T = formatStrides(Ar, L.Sizes, *F);
        if (!T.ok())
          In.failAt(Here, render(Ar, T.error(), name(*F)));
        else
          L.Strides = *T;
      } else {
        In.back(Here);
        break;
      }
    }
    if (In.failed())
      return false;
    row(In.since(From).str(), describe());
    return true;
  }

  /// A number after a word: `offset 4`.
  SymExpr number() {
    std::string Digits;
    while (!In.atEnd()) {
      char C = 0;
      for (char D = '0'; D <= '9'; ++D)
        if (In.eat(D)) {
          C = D;
          break;
        }
      if (!C)
        break;
      Digits += C;
      if (Digits.size() > 12)
        break;
    }
    int64_t N = -1;
    (void)StringRef(Digits).getAsInteger(10, N);
    return SymExpr(N);
  }

  /// torch.zeros(2, 3), at::empty({2, 3}), ggml_new_tensor_2d(ctx, type, ..)
  bool creation(size_t From, StringRef Name) {
    std::vector<Term> Args = In.list(')');
    if (In.failed())
      return false;
    Ggml |= Name.starts_with("ggml_");
    std::vector<Term> Sizes;
    const Term *Strides = nullptr;
    bool Fortran = false;
    std::optional<MemoryFormat> Format;
    for (const Term &T : Args) {
      if (T.K == Term::Word) {
        if (auto F = formatNamed(T.Name))
          Format = F;
        Fortran |= T.Key == "order" && T.Name == "F";
      } else if (T.K == Term::List &&
                 (T.Key.empty() || T.Key == "size" || T.Key == "shape")) {
        if (Sizes.empty())
          Sizes = T.Items;
        else
          Strides = &T;
      } else if (T.K == Term::Number && T.Key.empty() &&
                 !(T.IsName && Ggml && Sizes.empty() && &T == &Args[0])) {
        if (Args[0].K != Term::List) // full((2, 3), 7)
          Sizes.push_back(T);
      }
    }
    if (Name == "from_blob" && !Args.empty() && Args[0].IsName) {
      Sizes.clear();
      for (const Term &T : Args)
        if (T.K == Term::List) {
          Sizes = T.Items;
          break;
        }
    }
    if (Ggml) { // without the type, where that is a name of its own
      size_t Wanted = 0;
      Name.take_back(2).drop_back().getAsInteger(10, Wanted);
      if (Wanted && Sizes.size() > Wanted)
        Sizes.erase(Sizes.begin(), Sizes.end() - static_cast<long>(Wanted));
    } else if (Name == "arange" && Sizes.size() > 1) {
      Term Length = Sizes[1];
      Length.N = Ar.sub(Sizes[1].N, Sizes[0].N);
      if (Sizes.size() > 2 && Ar.known(Sizes[2].N).value_or(1) > 0)
        Length.N = Ar.ceilDiv(Length.N, Sizes[2].N);
      Sizes = {Length};
    } else if (Name == "eye" && Sizes.size() == 1) {
      Sizes.push_back(Sizes[0]);
    }
    begin(sizesOf(Sizes));
    if (In.failed())
      return false;
    if (Strides && Strides->Items.size() == L.rank())
      for (size_t D = 0; D < L.rank(); ++D)
        L.Strides[D] = Strides->Items[D].N;
    if (Fortran)
      L = inFortranOrder(L);
    if (Format) {
      auto T = formatStrides(Ar, L.Sizes, *Format);
      if (T.ok())
        L.Strides = *T;
      else
        In.failAt(From, render(Ar, T.error(), name(*Format)));
    }
    row(In.since(From).str(), describe());
    return !In.failed();
  }

  void readCall(Call &C) {
    In.eat('.');
    C.At = In.where();
    if (In.eat('[')) {
      C.Name = "[]";
      C.Args = In.list(']');
    } else {
      std::string Name = In.word();
      if (Name.empty()) {
        In.fail("expected an operation");
        return;
      }
      C.Name = lastPart(Name).str();
      if (In.eat('('))
        C.Args = In.list(')');
      if (C.Name == "index") {
        C.Name = "[]";
        if (C.Args.size() == 1 && C.Args[0].K == Term::List) {
          std::vector<Term> Items = C.Args[0].Items;
          C.Args = std::move(Items);
        }
      }
    }
    C.Text = In.since(C.At).str();
  }

  //--- arguments

  std::optional<MemoryFormat> formatNamed(StringRef Name) {
    if (Name == "channels_last" || Name == "ChannelsLast")
      return MemoryFormat::ChannelsLast;
    if (Name == "channels_last_3d" || Name == "ChannelsLast3d")
      return MemoryFormat::ChannelsLast3d;
    if (Name == "contiguous_format" || Name == "Contiguous")
      return MemoryFormat::Contiguous;
    if (Name == "preserve_format" || Name == "Preserve")
      return MemoryFormat::Preserve;
    return std::nullopt;
  }

  std::optional<MemoryFormat> format(const Call &C) {
    for (const Term &T : C.Args)
      if (T.K == Term::Word)
        if (auto F = formatNamed(T.Name))
          return F;
    return std::nullopt;
  }

  static bool asksForFortran(const Call &C) {
    return llvm::any_of(C.Args, [](const Term &T) {
      return T.K == Term::Word && T.Name == "F";
    });
  }

  /// The arguments in the order of \p S; a complaint where they do not fit.
  std::vector<std::optional<Term>> bind(const Call &C, const Signature &S) {
    std::vector<std::optional<Term>> R(S.Parameters.size());
    size_t Next = 0;
    for (const Term &T : C.Args) {
      if (T.K == Term::Word)
        continue; // a format, an order, a type
      if (!T.Key.empty()) {
        bool Any = T.Key == "inplace" || T.Key == "copy" || T.Key == "dtype";
        for (size_t I = 0; I < R.size(); ++I) {
          StringRef Spellings = S.Parameters[I];
          Spellings.consume_back("...");
          llvm::SmallVector<StringRef, 4> Names;
          Spellings.split(Names, '|');
          if (!llvm::is_contained(Names, T.Key))
            continue;
          R[I] = T;
          Any = true;
        }
        if (!Any)
          In.failAt(T.At, C.Name + " has no argument '" + T.Key + "'");
        continue;
      }
      const bool IsRest =
          Next < R.size() && StringRef(S.Parameters[Next]).ends_with("...");
      if (IsRest && (R[Next] || T.K != Term::List)) {
        if (!R[Next]) {
          R[Next].emplace();
          R[Next]->K = Term::List;
          R[Next]->At = T.At;
        }
        R[Next]->Items.push_back(T);
        continue;
      }
      if (Next >= R.size()) {
        In.failAt(T.At,
                  C.Name + " takes " +
                      (R.empty()       ? "no arguments"
                       : R.size() == 1 ? "one argument"
                                       : "at most " + std::to_string(R.size()) +
                                             " arguments"));
        break;
      }
      R[Next++] = T;
    }
    return R;
  }

  /// An argument of the operation at hand.
  std::optional<SymExpr> size(size_t I) {
    if (I >= Bound.size() || !Bound[I])
      return std::nullopt;
    if (Bound[I]->K != Term::Number) {
      if (Bound[I]->K != Term::None)
        In.failAt(Bound[I]->At, "expected a number");
      return std::nullopt;
    }
    return Bound[I]->N;
  }

  SymExpr sizeOr(size_t I, std::optional<int64_t> Default,
                 const char *Parameter = "") {
    if (auto E = size(I))
      return *E;
    if (!Default)
      In.failAt(Here->At, Here->Name + " needs " + Parameter);
    return SymExpr(Default.value_or(0));
  }

  int64_t integer(size_t I, std::optional<int64_t> Default,
                  const char *Parameter = "") {
    SymExpr E = sizeOr(I, Default, Parameter);
    auto N = Ar.known(E);
    if (!N)
      In.failAt(Bound[I]->At, "this must be a number, not a name");
    return N.value_or(0);
  }

  /// A list, or one number as a list of one.
  SymDims dims(size_t I, const char *Parameter) {
    SymDims R;
    if (I >= Bound.size() || !Bound[I]) {
      In.failAt(Here->At, Here->Name + " needs " + Parameter);
      return R;
    }
    const Term &T = *Bound[I];
    if (T.K == Term::Number)
      R.push_back(T.N);
    for (const Term &Item : T.Items) {
      if (Item.K != Term::Number || T.K != Term::List)
        In.failAt(Item.At, "expected numbers");
      R.push_back(Item.N);
    }
    return R;
  }

  std::vector<int64_t> integers(size_t I, const char *Parameter) {
    std::vector<int64_t> R;
    for (const SymExpr &E : dims(I, Parameter)) {
      auto N = Ar.known(E);
      if (!N)
        In.failAt(Bound[I]->At, "these must be numbers, not names");
      R.push_back(N.value_or(0));
    }
    return R;
  }

  //--- one operation

  void step(const Call &C) {
    Here = &C;
    if (!Pieces.empty()) {
      auto I =
          C.Name == "[]" && C.Args.size() == 1 && C.Args[0].K == Term::Number
              ? Ar.known(C.Args[0].N)
              : std::nullopt;
      const auto Count = static_cast<int64_t>(Pieces.size());
      if (!I || *I < -Count || *I >= Count) {
        In.failAt(C.At, "several tensors: choose one with [0] to [" +
                            llvm::Twine(Count - 1) + "]");
        return;
      }
      L = Pieces[static_cast<size_t>(*I < 0 ? *I + Count : *I)];
      Pieces.clear();
      row(C.Text, describe());
      return;
    }
    std::string Note;
    Out O = apply(C, Note);
    if (In.failed())
      return;
    if (O.ok()) {
      L = *O;
      row(C.Text, describe() + (Note.empty() ? "" : "; " + Note));
    } else if (O.isUnknown()) {
      row(C.Text, "depends on the sizes: not decided");
      Result.Failed = true;
      if (!Bound.empty() && (C.Name == "view" || C.Name == "reshape"))
        Remarks += "\n" + C.Text + " needs " + Ar.str(numel(Ar, L.Sizes)) +
                   condition(dims(0, "")) + "\n";
    } else {
      refusal(C, O, Note);
    }
  }

  /// What a shape asks of the number of elements.
  std::string condition(const SymDims &Sizes) {
    SymExpr Product(1);
    bool Infers = false;
    for (const SymExpr &E : Sizes)
      if (Ar.known(E) == std::optional<int64_t>(-1))
        Infers = true;
      else
        Product = Ar.mul(Product, E);
    return (Infers ? " to be a multiple of " : " to be ") + Ar.str(Product);
  }

  void refusal(const Call &C, const Out &O, const std::string &Note) {
    Result.Failed = true;
    row(C.Text, Ggml ? "aborts" : "throws");
    const bool OfStrides = O.error().R == Rule::ViewStrides;
    const std::string Count = Ar.str(numel(Ar, L.Sizes));
    if (Ggml && OfStrides)
      Remarks += "\n" + C.Text + " needs a contiguous tensor: ne " +
                 listText(Ar, inOrder(L.Sizes)) + ", nb / type size " +
                 listText(Ar, inOrder(L.Strides)) + "\n";
    else if (Ggml && O.error().R == Rule::ViewCount)
      Remarks += "\n" + C.Text + ": ne " +
                 listText(Ar, inOrder(O.error().NewSizes)) +
                 " does not fit the " + Count + " elements\n";
    else
      Remarks += "\n" + render(Ar, O.error(), C.Text) + "\n";
    const std::vector<SymExpr> Unless =
        OfStrides ? exceptions(Ar, O.unlessOne(),
                               [&](const Symbolic &With) {
                                 return Ggml
                                            ? isContiguous(With, L)
                                            : works(computeStride(
                                                  With, L, O.error().NewSizes));
                               })
                  : std::vector<SymExpr>(O.unlessOne());
    if (!Unless.empty())
      Remarks += "  unless " + exceptionText(Ar, Unless) + " is 1\n";
    if (!Note.empty())
      Remarks += "  " + Note + "\n";
    if (!OfStrides)
      return;
    const size_t Open = C.Text.find('(');
    const std::string Arguments =
        Open == std::string::npos ? "()" : C.Text.substr(Open);
    if (Ggml)
      Remarks += "  write ggml_cont before it: copies " + Count + " elements\n";
    else
      Remarks += "  write reshape" + Arguments + ": copies " + Count +
                 " elements\n  or contiguous().view" + Arguments +
                 ", which does the same\n";
  }

  Out apply(const Call &C, std::string &Note) {
    StringRef N = C.Name;
    if (N == "[]")
      return index(C, Note);
    if (N.consume_front("ggml_") || Ggml) {
      if (!Ggml) {
        In.failAt(C.At, "a question about ggml begins with ne[...], innermost "
                        "dimension first");
        return Out::unknown();
      }
      if (auto Arity = ggmlArity(N))
        return applyGgml(N, C, *Arity, Note);
      In.failAt(C.At, "'" + C.Name +
                          "' is no layout operation of ggml known "
                          "here");
      return Out::unknown();
    }
    // What every row says.
    if (isOneOf(N, {"sizes", "shape", "size", "strides", "stride", "numel",
                    "storage_offset", "dim", "ndim"}))
      return L;
    const Signature *S = signatureOf(N);
    if (!S) {
      In.failAt(C.At, "'" + C.Name + "' is no layout operation known here");
      return Out::unknown();
    }
    // numpy's transpose(0, 2, 1) is a permute.
    if (N == "transpose" && !C.Args.empty() &&
        (C.Args[0].K == Term::List || C.Args.size() > 2)) {
      N = "permute";
      S = signatureOf(N);
    }
    Bound = bind(C, *S);
    if (In.failed())
      return Out::unknown();
    return applyTorch(N, C, Note);
  }

  Out applyGgml(StringRef N, const Call &C, size_t Arity, std::string &Note) {
    std::vector<Term> Args = C.Args;
    // ggml_permute(ctx, x, 0, 2, 1, 3): the operand stands before it here.
    while (Args.size() > Arity && (Args[0].IsName || Args[0].K == Term::Word))
      Args.erase(Args.begin());
    if (Args.size() != Arity) {
      In.failAt(C.At, C.Name + " takes " + std::to_string(Arity) +
                          " numbers, not " + std::to_string(Args.size()));
      return Out::unknown();
    }
    SymDims All;
    for (const Term &T : Args) {
      if (T.K != Term::Number)
        In.failAt(T.At, "expected a number");
      All.push_back(T.N);
    }
    if (N == "permute") {
      std::vector<int64_t> Axes;
      for (size_t I = 0; I < All.size(); ++I) {
        auto Axis = Ar.known(All[I]);
        if (!Axis)
          In.failAt(Args[I].At, "this must be a number, not a name");
        Axes.push_back(Axis.value_or(0));
      }
      return ggml::permute(Ar, L, Axes);
    }
    if (N == "transpose")
      return transpose(Ar, L, 2, 3);
    if (N.starts_with("view_")) {
      const auto Rank = static_cast<long>(Arity / 2);
      SymDims Ne(All.begin(), All.begin() + Rank),
          Nb(All.begin() + Rank, All.end() - 1);
      Note = "strides and the offset count elements here, not bytes";
      return ggml::view(Ar, L, Ne, Nb, All[Arity - 1]);
    }
    SymDims Ne = Arity ? All : ggml::sizes(Ar, L);
    SymLayout New = ggml::packed(Ar, Ne);
    Out Counts = view(Ar, ggml::packed(Ar, ggml::sizes(Ar, L)), New.Sizes);
    if (!Counts.ok())
      return Counts;
    if (N.starts_with("cont")) {
      Note = copies();
      return fresh(New);
    }
    auto Is = isContiguous(Ar, L);
    if (Is.yes()) {
      New.Offset = L.Offset;
      return New;
    }
    if (!Is.no())
      return Out::unknown();
    LayoutError<SymExpr> E = refuse<Symbolic>(Rule::ViewStrides);
    E.Sizes = L.Sizes;
    E.Strides = L.Strides;
    E.NewSizes = New.Sizes;
    if (view(Ar, L, New.Sizes).ok())
      Note = "strides for it exist, but ggml does not look for them";
    return Out(std::move(E), Is.UnlessOne);
  }

  Out applyTorch(StringRef N, const Call &C, std::string &Note) {
    if (N == "T" || N == "numpy_T" || N == "H")
      return reverseDims(Ar, L);
    if (N == "transpose" && !Bound[0])
      return reverseDims(Ar, L);
    if (N == "permute")
      return permute(Ar, L, integers(0, "the dimensions in their new order"));
    if (N == "transpose" || N == "swapaxes" || N == "swapdims")
      return transpose(Ar, L, integer(0, std::nullopt, "two dimensions"),
                       integer(1, std::nullopt, "two dimensions"));
    if (N == "t")
      return t(Ar, L);
    if (N == "mT" || N == "mH")
      return mT(Ar, L);
    if (N == "movedim" || N == "moveaxis")
      return movedim(Ar, L, integers(0, "source and destination"),
                     integers(1, "source and destination"));
    if (N == "view" || N == "reshape")
      return reshapeTo(N, dims(0, "the new sizes"), asksForFortran(C), Note);
    if (N == "flatten" || N == "ravel") {
      auto New = flattenSizes(Ar, L, integer(0, 0), integer(1, -1));
      if (!New.ok())
        return std::move(New).template as<SymLayout>();
      return reshapeTo("reshape", *New, asksForFortran(C), Note);
    }
    if (N == "unflatten")
      return unflatten(Ar, L, integer(0, std::nullopt, "a dimension"),
                       dims(1, "the sizes"));
    if (N == "contiguous" || N == "ascontiguousarray")
      return contiguous(format(C).value_or(MemoryFormat::Contiguous), Note);
    if (N == "to" || N == "clone" || N == "copy")
      return copied(N, C, Note);
    if (N == "asfortranarray") {
      SymLayout New = inFortranOrder(L);
      Note =
          New.Strides == L.Strides ? "does nothing: the same tensor" : copies();
      return fresh(New);
    }
    if (N == "is_contiguous") {
      auto Is =
          isContiguous(Ar, L, format(C).value_or(MemoryFormat::Contiguous));
      Note = Is.yes() ? "yes" : Is.no() ? "no" : "by the sizes";
      return L;
    }
    if (N == "flip") {
      (void)integers(0, "the dimensions");
      Note = copies();
      return fresh(denseLayout(Ar, L.Sizes));
    }
    if (N == "repeat" || N == "tile")
      return repeat(dims(0, "how often"), Note);
    if (N == "squeeze")
      return Bound[0] ? squeeze(Ar, L, integer(0, 0)) : squeeze(Ar, L);
    if (N == "unsqueeze" || N == "expand_dims")
      return unsqueeze(Ar, L, integer(0, std::nullopt, "a dimension"));
    if (N == "expand" || N == "broadcast_to")
      return expand(Ar, L, dims(0, "the sizes"));
    if (N == "select")
      return select(Ar, L, integer(0, std::nullopt, "a dimension"),
                    sizeOr(1, std::nullopt, "a dimension and an index"));
    if (N == "narrow")
      return narrow(Ar, L, integer(0, std::nullopt, "a dimension"),
                    sizeOr(1, std::nullopt, "dimension, start and length"),
                    sizeOr(2, std::nullopt, "dimension, start and length"));
    if (N == "slice")
      return slice(Ar, L, integer(0, 0), sizeOr(1, 0), size(2), sizeOr(3, 1));
    if (N == "unfold")
      return unfold(Ar, L, integer(0, std::nullopt, "a dimension"),
                    sizeOr(1, std::nullopt, "dimension, size and step"),
                    sizeOr(2, std::nullopt, "dimension, size and step"));
    if (N == "diagonal")
      return diagonal(Ar, L, integer(0, 0), integer(1, 0), integer(2, 1));
    if (N == "as_strided")
      return asStrided(Ar, dims(0, "sizes and strides"),
                       dims(1, "sizes and strides"), size(2).value_or(L.Offset),
                       Storage);
    return pieces(N);
  }

  std::string copies() const {
    return "copies " + Ar.str(numel(Ar, L.Sizes)) + " elements";
  }

  /// The same sizes, the first dimension innermost.
  SymLayout inFortranOrder(const SymLayout &Of) {
    SymDims Turned(Of.Sizes.rbegin(), Of.Sizes.rend());
    return *reverseDims(Ar, denseLayout(Ar, Turned));
  }

  Out contiguous(MemoryFormat F, std::string &Note) {
    auto Is = isContiguous(Ar, L, F);
    Note = Is.yes()  ? "does nothing: the same tensor"
           : Is.no() ? copies()
                     : "copies unless it is so already";
    auto T = formatStrides(Ar, L.Sizes, F);
    if (!T.ok())
      return std::move(T).template as<SymLayout>();
    if (Is.yes())
      return L;
    return fresh(layoutOf(L.Sizes, *T));
  }

  /// clone(), copy(), to(): the order of the strides stays, unless a format is
  /// given.
  Out copied(StringRef N, const Call &C, std::string &Note) {
    auto F = format(C).value_or(MemoryFormat::Preserve);
    if (N == "to" && F != MemoryFormat::Preserve)
      return contiguous(F, Note);
    auto T = F == MemoryFormat::Preserve ? preserveStrides(Ar, L)
                                         : formatStrides(Ar, L.Sizes, F);
    if (!T.ok())
      return std::move(T).template as<SymLayout>();
    Note = N == "to" ? "copies if the type or device is another" : copies();
    return fresh(layoutOf(L.Sizes, *T));
  }

  Out repeat(const SymDims &Times, std::string &Note) {
    SymDims New = Times;
    if (Times.size() < L.rank()) {
      In.failAt(Here->At, "as many numbers as dimensions are needed");
      return Out::unknown();
    }
    const size_t More = Times.size() - L.rank();
    for (size_t D = 0; D < L.rank(); ++D)
      New[More + D] = Ar.asSize(Ar.mul(Times[More + D], L.Sizes[D]));
    Note = "a copy of " + Ar.str(numel(Ar, New)) +
           " elements; expand() of size 1 copies nothing";
    return fresh(denseLayout(Ar, New));
  }

  Out reshapeTo(StringRef N, const SymDims &Sizes, bool Fortran,
                std::string &Note) {
    if (Fortran) { // the other way round, and back
      L = *reverseDims(Ar, L);
      Out O = reshapeTo(N, SymDims(Sizes.rbegin(), Sizes.rend()), false, Note);
      if (!O.ok())
        L = *reverseDims(Ar, L);
      return O.ok() ? reverseDims(Ar, *O) : std::move(O);
    }
    auto New = inferSize(Ar, Sizes, numel(Ar, L.Sizes));
    if (!New.ok())
      return std::move(New).template as<SymLayout>();
    Out V = view(Ar, L, *New);
    if (N == "view" || V.isUnknown())
      return V;
    if (V.ok()) {
      Note = "a view: nothing is copied";
      return V;
    }
    Note = copies() + ": view() " + viewObstacle(V.error(), "");
    return fresh(denseLayout(Ar, *New));
  }

  Out pieces(StringRef N) {
    auto Many = [&] {
      if (N == "unbind")
        return unbind(Ar, L, integer(0, 0));
      if (N == "chunk")
        return chunk(Ar, L, integer(0, std::nullopt, "how many"),
                     integer(1, 0));
      return split(Ar, L, sizeOr(0, std::nullopt, "a size"), integer(1, 0));
    }();
    if (!Many.ok())
      return std::move(Many).template as<SymLayout>();
    Pieces = *Many;
    return Pieces.empty() ? Out(L) : Out(Pieces.front());
  }

  /// x[1, :, ::2, ..., None], dimension by dimension.
  Out index(const Call &C, std::string &Note) {
    size_t Used = 0;
    for (const Term &T : C.Args)
      Used += T.K != Term::None && T.K != Term::Ellipsis;
    if (Used > L.rank()) {
      In.failAt(C.At, "too many indices: the tensor has " +
                          llvm::Twine(L.rank()) + " dimensions");
      return Out::unknown();
    }
    SymLayout R = L;
    int64_t D = 0;
    for (const Term &T : C.Args) {
      Out O = R;
      switch (T.K) {
      case Term::Number:
        O = select(Ar, R, D, T.N);
        break;
      case Term::Slice: {
        auto Step = T.Given[2] ? Ar.known(T.Items[2].N) : 1;
        if (Step && *Step < 0)
          Note = "only numpy has negative strides; flip() copies";
        O = slice(Ar, R, D++, T.Given[0] ? T.Items[0].N : SymExpr(0),
                  T.Given[1] ? std::optional<SymExpr>(T.Items[1].N)
                             : std::nullopt,
                  T.Given[2] ? T.Items[2].N : SymExpr(1));
        break;
      }
      case Term::None:
        O = unsqueeze(Ar, R, D++);
        break;
      case Term::Ellipsis:
        D += static_cast<int64_t>(L.rank() - Used);
        continue;
      case Term::List:
        In.failAt(T.At, "an index by a list copies; slices and numbers make "
                        "views");
        return Out::unknown();
      case Term::Word:
        In.failAt(T.At, "expected an index");
        return Out::unknown();
      }
      if (!O.ok())
        return O;
      R = *O;
    }
    return R;
  }

  //--- printing

  struct Row {
    std::string What, Sizes, Strides, Says;
  };

  /// Dimensions as the question counts them.
  SymDims inOrder(SymDims D) const {
    if (Ggml)
      std::reverse(D.begin(), D.end());
    return D;
  }

  void row(std::string What, std::string Says) {
    AtHand.clear();
    bool Plain = Says == "throws" || Says == "aborts" ||
                 StringRef(Says).starts_with("depends");
    Rows.push_back(
        {std::move(What), Plain ? "" : listText(Ar, inOrder(L.Sizes)),
         Plain ? "" : listText(Ar, inOrder(L.Strides)), std::move(Says)});
  }

  std::string describe() {
    std::string R;
    auto Is = isContiguous(Ar, L);
    if (Is.yes())
      R = "contiguous";
    else if (isContiguous(Ar, L, MemoryFormat::ChannelsLast).yes())
      R = "channels_last";
    else if (isContiguous(Ar, L, MemoryFormat::ChannelsLast3d).yes())
      R = "channels_last_3d";
    else
      R = Is.no() ? "not contiguous" : "contiguous or not, by the sizes";
    if (Ar.known(L.Offset) != std::optional<int64_t>(0))
      R += ", offset " + Ar.str(L.Offset);
    if (!Pieces.empty())
      R += "; the first of " + std::to_string(Pieces.size());
    return R;
  }

  void printRows() {
    llvm::raw_string_ostream OS(Result.Text);
    Rows.insert(Rows.begin(), {"", Ggml ? "ne" : "sizes",
                               Ggml ? "nb / type size" : "strides", ""});
    size_t W[3] = {0, 0, 0};
    for (const Row &R : Rows) {
      W[0] = std::max(W[0], R.What.size());
      W[1] = std::max(W[1], R.Sizes.size());
      W[2] = std::max(W[2], R.Strides.size());
    }
    for (const Row &R : Rows) {
      std::string Line;
      llvm::raw_string_ostream LS(Line);
      LS << llvm::left_justify(R.What, W[0]) << "  "
         << llvm::left_justify(R.Sizes, W[1]) << "  "
         << llvm::left_justify(R.Strides, W[2]) << "  " << R.Says;
      LS.flush();
      OS << StringRef(Line).rtrim() << '\n';
    }
  }

  /// The last layout, with small sizes in place of names.
  void draw() {
    if (!HasTensor || L.rank() == 0)
      return;
    for (bool AllTwo : {false, true}) {
      std::map<SymbolId, SymExpr> Sizes;
      std::string Chosen;
      int64_t N = 2;
      for (const auto &[Name, Id] : In.names()) {
        Sizes[Id] = SymExpr(N);
        Chosen += (Chosen.empty() ? "" : ", ") + Name + "=" + std::to_string(N);
        N = AllTwo || N == 3 ? 2 : 3;
      }
      Picture P;
      bool Plain = true;
      auto Number = [&](const SymExpr &E) {
        auto Known = Ar.known(Ar.substitute(E, Sizes));
        Plain &= Known.has_value();
        return Known.value_or(0);
      };
      for (size_t D = 0; D < L.rank(); ++D) {
        P.L.Sizes.push_back(Number(L.Sizes[D]));
        P.L.Strides.push_back(Number(L.Strides[D]));
      }
      P.L.Offset = Number(L.Offset);
      if (!Plain)
        return;
      P.Ggml = Ggml;
      P.Where = Chosen;
      if (!P.fits() && !AllTwo && !Chosen.empty())
        continue; // all of it, with smaller sizes
      if (P.fits())
        Result.Text += "\nplace of each element in the storage" +
                       (Chosen.empty() ? "" : ", for " + Chosen) + ":\n" +
                       P.grid();
      Result.Svg = P.svg();
      return;
    }
  }

  Symbols Table;
  Symbolic Ar;
  std::map<std::string, SymLayout> Known; ///< x of `x = [2,3]`
  std::string AtHand;                     ///< the name of the latest row
  SymLayout L;
  std::optional<SymExpr> Storage; ///< its elements, where that is known
  bool HasTensor = false, Ggml = false;
  unsigned Nested = 0;
  Reader In;
  std::vector<SymLayout> Pieces;
  const Call *Here = nullptr; ///< the operation at hand, and its arguments
  std::vector<std::optional<Term>> Bound;
  std::string Remarks;
  std::vector<Row> Rows;
  Explanation Result;
};

} // namespace

llvm::Expected<Explanation> explain(StringRef Question) {
  return Explainer(Question).run();
}

int explainMain(StringRef Question, StringRef SvgFile) {
  auto E = explain(Question);
  if (!E) {
    llvm::errs() << "tensortidy: error: " << llvm::toString(E.takeError())
                 << '\n';
    return 2;
  }
  llvm::outs() << E->Text;
  llvm::outs().flush();
  if (!SvgFile.empty()) {
    if (E->Svg.empty()) {
      llvm::errs()
          << "tensortidy: error: nothing is drawn: the last tensor has "
             "no elements, no dimensions, or strides that its sizes "
             "do not give\n";
      return 2;
    }
    if (!writeSvg(SvgFile, E->Svg))
      return 2;
  }
  return E->Failed;
}

bool writeSvg(StringRef File, StringRef Svg) {
  llvm::Error Bad = llvm::writeToOutput(File, [&](llvm::raw_ostream &OS) {
    OS << Svg;
    return llvm::Error::success();
  });
  if (!Bad)
    return true;
  llvm::errs() << "tensortidy: error: cannot write '" << File
               << "': " << llvm::toString(std::move(Bad)) << '\n';
  return false;
}

} // namespace tensortidy::tool
