//===- Explain.cpp - layout questions without a program -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A question is read from left to right, and each step done as it is read:
//
//   QuestionReader (Question.h) -> Explainer -> Operations -> Answer
//   words and numbers      statements   layouts       rows, remarks, picture
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Answer.h"
#include "Layout/Error.h"
#include "Layout/Ggml.h"
#include "Operations.h"
#include "Question.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tensortidy::layout;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

bool isCreation(StringRef Name) {
  return Name.starts_with("ggml_new_tensor_") ||
         llvm::is_contained({"zeros", "ones", "empty", "full", "rand", "randn",
                             "randint", "arange", "tensor", "eye",
                             "empty_strided", "from_blob", "ndarray"},
                            Name);
}

class Explainer {
public:
  explicit Explainer(StringRef Question)
      : Ar(Table), In(Question, Table, Ar, [this](StringRef Name) {
          auto It = Known.find(Name.str());
          return It != Known.end() ? &It->second : X.IsThere ? &X.L : nullptr;
        }) {}

  llvm::Expected<Explanation> run() {
    statement();
    while (!In.failed() && !Says.failed() && In.eat(';'))
      if (!In.atEnd())
        statement();
    if (!In.failed() && !Says.failed() && !In.atEnd())
      In.fail("expected an operation");
    if (In.failed())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     In.complaint());
    return Says.take(In.names());
  }

private:
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
    if (!Name.empty() && !In.failed() && !Says.failed()) {
      Known[Name] = X.L;
      AtHand = Name;
    }
  }

  /// A tensor and what is done to it.
  void tensor() {
    if (!primary())
      return;
    while (!In.failed() && !Says.failed() && !In.atEnd() && !In.peek(';') &&
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
    const bool MayContinue = X.IsThere && !Nested;
    if (auto It = Known.find(Word); It != Known.end()) {
      X.L = It->second;
      X.Storage.reset();
      if (Word != AtHand)
        row(Word);
      return true;
    }
    if (Last == "ne" && (In.peek('[') || In.peek('{') || In.peek('='))) {
      X.Ggml = true;
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
    if (!Word.empty() && In.peek('[') && !X.IsThere) // x[2,3,4]
      return sizes(From);
    const bool IsOperation = isOperation(Last) || Last.starts_with("ggml_");
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
    if (In.failed() || Says.failed())
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
    if (X.Ggml) {
      if (Sizes.size() > ggml::Rank)
        In.fail("a ggml tensor has at most 4 dimensions");
      else
        X.L = ggml::packed(Ar, Sizes);
    } else {
      X.L = denseLayout(Ar, std::move(Sizes));
    }
    X.IsThere = true;
    X.Storage = numel(Ar, X.L.Sizes);
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
        if (!Strides || (!In.failed() && Strides->size() > X.L.rank()) ||
            (Strides->size() < X.L.rank() && !X.Ggml)) {
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
          X.L.Strides[X.Ggml ? ggml::at(D) : D] = T.N;
        }
        X.Storage.reset();
      } else if (Next == "offset" || Next == "storage_offset") {
        In.eat('=');
        const size_t At = In.where();
        auto N = Ar.known(number());
        if (!N || *N < 0)
          In.failAt(At, "an offset is a number, not negative");
        else
          X.L.Offset = SymExpr(*N);
        X.Storage.reset();
      } else if (auto F = formatNamed(lastPart(Next))) {
        auto T = formatStrides(Ar, X.L.Sizes, *F);
        if (!T.ok())
          In.failAt(Here, render(Ar, T.error(), name(*F)));
        else
          X.L.Strides = *T;
      } else {
        In.back(Here);
        break;
      }
    }
    if (In.failed())
      return false;
    row(In.since(From).str());
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
    X.Ggml |= Name.starts_with("ggml_");
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
                 !(T.IsName && X.Ggml && Sizes.empty() && &T == &Args[0])) {
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
    if (X.Ggml) { // without the type, where that is a name of its own
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
    if (Strides && Strides->Items.size() == X.L.rank())
      for (size_t D = 0; D < X.L.rank(); ++D)
        X.L.Strides[D] = Strides->Items[D].N;
    if (Fortran)
      X.L = inFortranOrder(Ar, X.L);
    if (Format) {
      auto T = formatStrides(Ar, X.L.Sizes, *Format);
      if (T.ok())
        X.L.Strides = *T;
      else
        In.failAt(From, render(Ar, T.error(), name(*Format)));
    }
    row(In.since(From).str());
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

  //--- one step

  void row(std::string What, StringRef Note = "") {
    AtHand.clear();
    Says.row(std::move(What), Note);
  }

  /// One of the several tensors that the step before gave.
  void choosePiece(const Call &C) {
    auto I = C.Name == "[]" && C.Args.size() == 1 && C.Args[0].K == Term::Number
                 ? Ar.known(C.Args[0].N)
                 : std::nullopt;
    const auto Count = static_cast<int64_t>(X.Pieces.size());
    if (!I || *I < -Count || *I >= Count) {
      In.failAt(C.At, "several tensors: choose one with [0] to [" +
                          llvm::Twine(Count - 1) + "]");
      return;
    }
    X.L = X.Pieces[static_cast<size_t>(*I < 0 ? *I + Count : *I)];
    X.Pieces.clear();
    row(C.Text);
  }

  void step(const Call &C) {
    if (!X.Pieces.empty())
      return choosePiece(C);
    std::string Note;
    Outcome O = Does.apply(C, Note);
    if (In.failed())
      return;
    if (O.ok()) {
      X.L = *O;
      row(C.Text, Note);
    } else if (O.isUnknown()) {
      Says.undecided(C, Does.sizesAsked(C));
    } else {
      Says.refused(C, O, Note);
    }
  }

  Symbols Table;
  Symbolic Ar;
  std::map<std::string, SymLayout> Known; ///< x of `x = [2,3]`
  std::string AtHand;                     ///< the name of the latest row
  Subject X;
  unsigned Nested = 0;
  QuestionReader In;
  Operations Does{Ar, In, X};
  Answer Says{Ar, X};
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
