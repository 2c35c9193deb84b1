//===- Explain.cpp - layout questions without a program -------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "Layout/Error.h"
#include "Layout/Overlap.h"
#include "Layout/Reshape.h"
#include "Layout/Symbolic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tensortidy::layout;
using llvm::StringRef;

namespace tensortidy::tool {

namespace {

using SymLayout = Layout<SymExpr>;
using SymDims = Dims<SymExpr>;
using Out = LayoutOutcome<Symbolic>;

llvm::Error problem(const llvm::Twine &Text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// One argument: a number, a list, a slice a:b:c, `...` or None.
struct Term {
  enum Kind { Number, List, Slice, Ellipsis, None, Word } K = Number;
  SymExpr N;
  std::vector<Term> Items; ///< List; Slice: start, stop, step
  std::vector<bool> Given; ///< Slice: which are
  std::string Name;        ///< keyword, or the word
};

struct Call {
  std::string Name; ///< "[]" for an index
  std::vector<Term> Args;
  std::string Text; ///< as written
};

class Reader {
public:
  Reader(StringRef Text, Symbols &Table, Symbolic &Ar)
      : Text(Text), Table(Table), Ar(Ar) {}

  bool failed() const { return !Complaint.empty(); }
  const std::string &complaint() const { return Complaint; }
  bool atEnd() {
    skip();
    return At >= Text.size();
  }
  bool eat(char C) {
    skip();
    if (At < Text.size() && Text[At] == C) {
      ++At;
      return true;
    }
    return false;
  }
  bool peek(char C) {
    skip();
    return At < Text.size() && Text[At] == C;
  }
  std::string word() {
    skip();
    size_t From = At;
    while (At < Text.size()) {
      if (llvm::isAlnum(Text[At]) || Text[At] == '_')
        ++At;
      else if (StringRef(Text).substr(At, 2) == "::")
        At += 2;
      else
        break;
    }
    return Text.slice(From, At).str();
  }
  size_t where() const { return At; }
  StringRef since(size_t From) const { return Text.slice(From, At).trim(); }
  void back(size_t To) { At = To; }

  void fail(const llvm::Twine &Why) {
    if (Complaint.empty())
      Complaint = (Why + " at '" + Text.substr(At, 20) + "'").str();
  }

  /// Items up to \p Close.
  std::vector<Term> list(char Close) {
    std::vector<Term> Items;
    if (eat(Close))
      return Items;
    do {
      if (eat(Close)) // a comma at the end
        return Items;
      Items.push_back(item());
    } while (!failed() && eat(','));
    if (!failed() && !eat(Close))
      fail(llvm::Twine("expected '") + llvm::Twine(Close) + "'");
    return Items;
  }

private:
  void skip() {
    while (At < Text.size() && (llvm::isSpace(Text[At]) || Text[At] == ';'))
      ++At;
  }

  Term item() {
    Term T;
    for (auto [Open, Close] : {std::pair('[', ']'), {'{', '}'}, {'(', ')'}}) {
      size_t Start = At;
      if (!eat(Open))
        continue;
      std::vector<Term> Items = list(Close);
      // (H*D): one number in parentheses is an expression.
      if (Open == '(' && Items.size() == 1 && Items[0].K == Term::Number) {
        At = Start;
        skip();
        break;
      }
      T.K = Term::List;
      T.Items = std::move(Items);
      return T;
    }
    skip();
    if (Text.substr(At).starts_with("...")) {
      At += 3;
      T.K = Term::Ellipsis;
      return T;
    }
    size_t From = At;
    std::string Name = word();
    std::string Last = StringRef(Name).rsplit("::").second.str();
    if (Last.empty())
      Last = Name;
    if (!Name.empty() && eat('=')) {
      T = item();
      T.Name = Last;
      return T;
    }
    if (Last == "None" || Last == "nullopt" || Last == "newaxis" ||
        (Last == "np" && Text.substr(At).consume_front(".newaxis"))) {
      if (Last == "np")
        At += 8;
      T.K = Term::None;
      return T;
    }
    StringRef Format = llvm::StringSwitch<StringRef>(Last)
                           .Case("channels_last", "channels_last")
                           .Case("ChannelsLast", "channels_last")
                           .Case("contiguous_format", "contiguous")
                           .Case("Contiguous", "contiguous")
                           .Case("true", "true")
                           .Case("True", "true")
                           .Case("false", "false")
                           .Case("False", "false")
                           .Case("ctx", "ctx")
                           .Case("ctx0", "ctx")
                           .Default("");
    if (!Format.empty()) {
      T.K = Term::Word;
      T.Name = Format.str();
      return T;
    }
    At = From;
    return sliceOrNumber();
  }

  Term sliceOrNumber() {
    Term T;
    bool Any = false;
    for (unsigned Part = 0; Part < 3; ++Part) {
      Term P;
      bool Has = !peek(':') && !peek(',') && !peek(']');
      if (Has)
        P.N = sum();
      T.Items.push_back(P);
      T.Given.push_back(Has);
      Any |= Has;
      if (failed() || !eat(':'))
        break;
      T.K = Term::Slice;
    }
    if (T.K == Term::Slice) {
      T.Items.resize(3);
      T.Given.resize(3);
    } else {
      T.N = T.Items[0].N;
      T.Items.clear();
      if (!Any)
        fail("expected a number or a name");
    }
    return T;
  }

  SymExpr sum() {
    SymExpr E = product();
    while (!failed()) {
      if (eat('+'))
        E = Ar.add(E, product());
      else if (eat('-'))
        E = Ar.sub(E, product());
      else
        break;
    }
    return E;
  }

  SymExpr product() {
    SymExpr E = factor();
    while (!failed()) {
      if (eat('*')) {
        E = Ar.mul(E, factor());
      } else if (eat('/')) {
        eat('/');
        auto Q = Ar.divExact(E, factor());
        if (!Q)
          fail("this division is not exact");
        else
          E = *Q;
      } else {
        break;
      }
    }
    return E;
  }

  SymExpr factor() {
    if (eat('-'))
      return Ar.sub(SymExpr(0), factor());
    if (eat('(')) {
      SymExpr E = sum();
      if (!eat(')'))
        fail("expected ')'");
      return E;
    }
    skip();
    size_t From = At;
    while (At < Text.size() && llvm::isDigit(Text[At]))
      ++At;
    if (At > From) {
      int64_t N = 0;
      if (Text.slice(From, At).getAsInteger(10, N) || N > (int64_t(1) << 40))
        fail("too large a number");
      return SymExpr(N);
    }
    std::string Name = word();
    if (Name.empty()) {
      fail("expected a number or a name");
      return SymExpr(0);
    }
    auto [It, New] = Names.try_emplace(Name, 0);
    if (New)
      It->second = Table.fresh(SymbolInfo::Size, Name, true);
    return SymExpr::symbol(It->second);
  }

  StringRef Text;
  Symbols &Table;
  Symbolic &Ar;
  size_t At = 0;
  std::string Complaint;
  std::map<std::string, SymbolId> Names;
};

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

class Explainer {
public:
  explicit Explainer(StringRef Question) : Ar(Table), In(Question, Table, Ar) {}

  llvm::Expected<Explanation> run() {
    if (llvm::Error E = start())
      return E;
    row(StartText, describe());
    while (!In.atEnd() && !Result.Failed) {
      Call C;
      if (llvm::Error E = readCall(C))
        return E;
      if (llvm::Error E = step(C))
        return E;
    }
    printRows();
    Result.Text += Remarks;
    if (concrete()) {
      Result.Text += grid();
      Result.Svg = svg();
    }
    return std::move(Result);
  }

private:
  //--- the question

  llvm::Error start() {
    size_t From = In.where();
    std::string Word = In.word();
    if (Word == "ne")
      Ggml = true;
    else if (!Word.empty()) // x = [..], torch.zeros(..)
      while (!In.peek('[') && !In.peek('{') && !In.peek('(') && !In.atEnd())
        if (!In.eat('.') && !In.eat('=') && In.word().empty())
          break;
    In.eat('=');
    char Close = In.eat('[') ? ']' : In.eat('{') ? '}' : In.eat('(') ? ')' : 0;
    if (!Close)
      return problem("a question begins with sizes, as in \"[2,3,4] "
                     "permute(0,2,1) view(2,-1)\"");
    std::vector<Term> Items = In.list(Close);
    if (Items.size() == 1 && Items[0].K == Term::List) // zeros({2, 3})
      Items = std::vector<Term>(Items[0].Items);
    SymDims Sizes;
    for (const Term &T : Items) {
      if (T.K != Term::Number)
        return problem("sizes are numbers or names");
      auto Known = Ar.known(T.N);
      if (Known && *Known < 0)
        return problem("a size is not negative");
      Sizes.push_back(T.N);
    }
    if (In.failed())
      return problem(In.complaint());
    if (Ggml) {
      while (Sizes.size() < 4)
        Sizes.push_back(SymExpr(1));
      std::reverse(Sizes.begin(), Sizes.end());
    }
    L = denseLayout(Ar, Sizes);
    // What follows may say more about the start.
    for (;;) {
      size_t Here = In.where();
      std::string Next = In.word();
      if (Next == "strides" || Next == "stride") {
        In.eat('=');
        if (!In.eat('[') && !In.eat('(') && !In.eat('{'))
          return problem("strides are a list, as in \"[2,3] strides [3,1]\"");
        std::vector<Term> Strides = In.list(']');
        if (In.failed() || Strides.size() != L.rank())
          return problem("as many strides as sizes are needed");
        for (size_t D = 0; D < Strides.size(); ++D)
          L.Strides[D] = Strides[D].N;
      } else if (Next == "offset") {
        In.eat('=');
        std::string Digits = In.word();
        int64_t N = 0;
        if (StringRef(Digits).getAsInteger(10, N))
          return problem("an offset is a number");
        L.Offset = SymExpr(N);
      } else if (Next == "channels_last" || Next == "ChannelsLast") {
        auto T = formatStrides(Ar, L.Sizes, MemoryFormat::ChannelsLast);
        if (!T.ok())
          return problem(render(Ar, T.error(), "channels_last"));
        L.Strides = *T;
      } else {
        In.back(Here);
        break;
      }
    }
    StartText = In.since(From).str();
    return llvm::Error::success();
  }

  llvm::Error readCall(Call &C) {
    In.eat('.');
    size_t From = In.where();
    if (In.eat('[')) {
      C.Name = "[]";
      C.Args = In.list(']');
    } else {
      C.Name = In.word();
      StringRef Last = StringRef(C.Name).rsplit("::").second;
      if (!Last.empty())
        C.Name = Last.str();
      if (C.Name == "np" || C.Name == "torch") {
        In.eat('.');
        C.Name = In.word();
      }
      if (C.Name.empty())
        return problem("expected an operation at '" + In.since(From).str() +
                       "'");
      if (In.eat('('))
        C.Args = In.list(')');
    }
    if (In.failed())
      return problem(In.complaint());
    C.Text = In.since(From).str();
    return llvm::Error::success();
  }

  //--- arguments

  std::optional<int64_t> number(const Call &C, size_t I,
                                std::optional<int64_t> Default = {}) {
    if (I < C.Args.size() && C.Args[I].K == Term::Number)
      return Ar.known(C.Args[I].N);
    return Default;
  }

  /// All numbers, in a list or not, from argument \p From on.
  std::vector<SymExpr> numbers(const Call &C, size_t From = 0) {
    std::vector<SymExpr> R;
    for (size_t I = From; I < C.Args.size(); ++I) {
      if (C.Args[I].K == Term::Number)
        R.push_back(C.Args[I].N);
      for (const Term &T : C.Args[I].Items)
        if (C.Args[I].K == Term::List && T.K == Term::Number)
          R.push_back(T.N);
    }
    return R;
  }

  SymDims dims(const std::vector<SymExpr> &V) {
    SymDims D;
    for (const SymExpr &E : V)
      D.push_back(E);
    return D;
  }

  std::optional<std::vector<int64_t>> plain(const std::vector<SymExpr> &V) {
    std::vector<int64_t> R;
    for (const SymExpr &E : V) {
      auto N = Ar.known(E);
      if (!N)
        return std::nullopt;
      R.push_back(*N);
    }
    return R;
  }

  MemoryFormat format(const Call &C) {
    for (const Term &T : C.Args)
      if (T.K == Term::Word && T.Name == "channels_last")
        return MemoryFormat::ChannelsLast;
    return MemoryFormat::Contiguous;
  }

  //--- one operation

  llvm::Error step(const Call &C) {
    if (!Pieces.empty()) {
      auto I = number(C, 0);
      if (C.Name != "[]" || !I || *I < 0 ||
          *I >= static_cast<int64_t>(Pieces.size()))
        return problem("several tensors: choose one with [0] to [" +
                       llvm::Twine(Pieces.size() - 1) + "]");
      L = Pieces[static_cast<size_t>(*I)];
      Pieces.clear();
      row(C.Text, describe());
      return llvm::Error::success();
    }
    bool Known = true;
    std::string Note;
    Out O = apply(C, Known, Note);
    if (!Known)
      return problem("'" + C.Text +
                     "' is no layout operation known here, or its arguments "
                     "are not plain numbers");
    if (O.ok()) {
      L = *O;
      row(C.Text, describe() + (Note.empty() ? "" : "; " + Note));
      return llvm::Error::success();
    }
    if (O.isUnknown()) {
      row(C.Text, "depends on the sizes: not decided");
      Result.Failed = true;
      return llvm::Error::success();
    }
    refusal(C, O);
    return llvm::Error::success();
  }

  void refusal(const Call &C, const Out &O) {
    Result.Failed = true;
    row(C.Text, Ggml ? "aborts" : "throws");
    Remarks += "\n" + render(Ar, O.error(), C.Text) + "\n";
    // A product is 1 only where its factors are.
    std::vector<std::string> Unless;
    for (const SymExpr &E : O.unlessOne())
      if (E.asSymbol() && !llvm::is_contained(Unless, Ar.str(E)))
        Unless.push_back(Ar.str(E));
    if (!Unless.empty())
      Remarks += "  unless " + llvm::join(Unless, " or ") + " is 1\n";
    if (O.error().R != Rule::ViewStrides)
      return;
    const std::string Count = Ar.str(numel(Ar, L.Sizes));
    std::string Arguments =
        C.Text.substr(std::min(C.Text.size(), C.Name.size()));
    if (Ggml)
      Remarks += "  write ggml_cont before it: copies " + Count + " elements\n";
    else
      Remarks += "  write reshape" + Arguments + ": copies " + Count +
                 " elements\n  or contiguous().view" + Arguments +
                 ", which does the same\n";
  }

  Out apply(const Call &C, bool &Known, std::string &Note) {
    StringRef N = C.Name;
    N.consume_front("ggml_");
    bool G = N.size() != C.Name.size() || Ggml;
    auto All = numbers(C);
    auto Plain = plain(All);
    auto Unknown = [&] {
      Known = false;
      return Out::unknown();
    };
    auto I64 = [&](size_t I, int64_t Default) {
      return Plain && I < Plain->size() ? (*Plain)[I] : Default;
    };
    auto Need = [&](size_t Count) { return Plain && Plain->size() >= Count; };

    if (G) {
      if (N == "permute" && Need(4)) {
        // axis I of the source goes to place p[I], counted from the innermost.
        std::vector<int64_t> P(4);
        for (int64_t I = 0; I < 4; ++I)
          if ((*Plain)[static_cast<size_t>(I)] >= 0 &&
              (*Plain)[static_cast<size_t>(I)] < 4)
            P[static_cast<size_t>(3 - (*Plain)[static_cast<size_t>(I)])] =
                3 - I;
        return permute(Ar, L, P);
      }
      if (N == "transpose")
        return transpose(Ar, L, 2, 3);
      if (N.starts_with("cont") || N.starts_with("reshape_")) {
        SymDims D(4, SymExpr(1));
        if (N.contains('_')) {
          for (size_t I = 0; I < std::min<size_t>(All.size(), 4); ++I)
            D[3 - I] = All[I];
        } else {
          D = L.Sizes;
        }
        if (N.starts_with("cont")) {
          Note = "copies " + Ar.str(numel(Ar, L.Sizes)) + " elements";
          return denseLayout(Ar, D);
        }
        if (isContiguous(Ar, L).yes())
          return view(Ar, L, D);
        LayoutError<SymExpr> E = refuse<Symbolic>(Rule::ViewStrides);
        E.Sizes = L.Sizes;
        E.Strides = L.Strides;
        E.NewSizes = D;
        auto Real = view(Ar, L, D);
        if (Real.failed())
          return Real;
        Note = "ggml wants a contiguous tensor here, although strides exist";
        return E;
      }
      return Unknown();
    }

    if (N == "permute" || (N == "transpose" && All.size() > 2))
      return Plain ? permute(Ar, L, *Plain) : Unknown();
    if (N == "transpose" && All.empty())
      return reverseDims(Ar, L);
    if (N == "transpose" || N == "swapaxes" || N == "swapdims")
      return Need(2) ? transpose(Ar, L, I64(0, 0), I64(1, 0)) : Unknown();
    if (N == "T" || N == "numpy_T")
      return reverseDims(Ar, L);
    if (N == "t")
      return t(Ar, L);
    if (N == "mT" || N == "mH")
      return mT(Ar, L);
    if (N == "movedim" || N == "moveaxis") {
      if (!Plain || Plain->size() % 2)
        return Unknown();
      auto Half = Plain->begin() + static_cast<long>(Plain->size() / 2);
      return movedim(Ar, L, std::vector<int64_t>(Plain->begin(), Half),
                     std::vector<int64_t>(Half, Plain->end()));
    }
    if (N == "view") {
      auto New = inferSize(Ar, dims(All), numel(Ar, L.Sizes));
      if (!New.ok())
        return std::move(New).template as<SymLayout>();
      return view(Ar, L, *New);
    }
    if (N == "reshape") {
      auto New = inferSize(Ar, dims(All), numel(Ar, L.Sizes));
      if (!New.ok())
        return std::move(New).template as<SymLayout>();
      return copyOrView(*New, Note);
    }
    if (N == "flatten" || N == "ravel") {
      auto New = flattenSizes(Ar, L, I64(0, 0), I64(1, -1));
      if (!New.ok())
        return std::move(New).template as<SymLayout>();
      return copyOrView(*New, Note);
    }
    if (N == "unflatten") {
      if (All.size() < 2 || !Ar.known(All[0]))
        return Unknown();
      return unflatten(Ar, L, *Ar.known(All[0]),
                       dims({All.begin() + 1, All.end()}));
    }
    if (N == "contiguous" || N == "ascontiguousarray") {
      auto Is = isContiguous(Ar, L, format(C));
      Note = Is.yes()  ? "does nothing: the same tensor"
             : Is.no() ? "copies " + Ar.str(numel(Ar, L.Sizes)) + " elements"
                       : "copies unless it is so already";
      auto T = formatStrides(Ar, L.Sizes, format(C));
      if (!T.ok())
        return std::move(T).template as<SymLayout>();
      if (Is.yes())
        return L;
      SymLayout R;
      R.Sizes = L.Sizes;
      R.Strides = *T;
      R.Offset = SymExpr(0);
      return R;
    }
    if (N == "clone" || N == "copy") {
      Note = "copies " + Ar.str(numel(Ar, L.Sizes)) + " elements";
      auto T = preserveStrides(Ar, L);
      if (!T.ok())
        return std::move(T).template as<SymLayout>();
      SymLayout R;
      R.Sizes = L.Sizes;
      R.Strides = *T;
      R.Offset = SymExpr(0);
      return R;
    }
    if (N == "squeeze")
      return All.empty() ? squeeze(Ar, L)
             : Plain     ? squeeze(Ar, L, I64(0, 0))
                         : Unknown();
    if (N == "unsqueeze" || N == "expand_dims")
      return Need(1) ? unsqueeze(Ar, L, I64(0, 0)) : Unknown();
    if (N == "expand" || N == "broadcast_to")
      return expand(Ar, L, dims(All));
    if (N == "select")
      return All.size() == 2 && Ar.known(All[0])
                 ? select(Ar, L, *Ar.known(All[0]), All[1])
                 : Unknown();
    if (N == "narrow")
      return All.size() == 3 && Ar.known(All[0])
                 ? narrow(Ar, L, *Ar.known(All[0]), All[1], All[2])
                 : Unknown();
    if (N == "slice") {
      if (All.empty() || !Ar.known(All[0]))
        return Unknown();
      auto At = [&](size_t I) {
        return I < All.size() ? std::optional<SymExpr>(All[I]) : std::nullopt;
      };
      return slice(Ar, L, *Ar.known(All[0]), At(1).value_or(SymExpr(0)), At(2),
                   At(3).value_or(SymExpr(1)));
    }
    if (N == "unfold")
      return Need(3) ? unfold(Ar, L, I64(0, 0), All[1], I64(2, 1)) : Unknown();
    if (N == "diagonal")
      return Plain ? diagonal(Ar, L, I64(0, 0), I64(1, 0), I64(2, 1))
                   : Unknown();
    if (N == "as_strided") {
      if (C.Args.size() < 2 || C.Args[0].K != Term::List ||
          C.Args[1].K != Term::List)
        return Unknown();
      Call A, B;
      A.Args = {C.Args[0]};
      B.Args = {C.Args[1]};
      return asStrided(Ar, dims(numbers(A)), dims(numbers(B)),
                       C.Args.size() > 2 ? C.Args[2].N : L.Offset);
    }
    if (N == "chunk" || N == "split" || N == "unbind")
      return pieces(N, C, Known);
    if (N == "[]")
      return index(C, Known);
    return Unknown();
  }

  Out copyOrView(const SymDims &New, std::string &Note) {
    Out V = view(Ar, L, New);
    if (V.ok()) {
      Note = "a view: nothing is copied";
      return V;
    }
    if (V.isUnknown())
      return V;
    Note = "copies " + Ar.str(numel(Ar, L.Sizes)) + " elements: view() " +
           viewObstacle(V.error(), "");
    return denseLayout(Ar, New);
  }

  Out pieces(StringRef N, const Call &C, bool &Known) {
    auto Plain = plain(numbers(C));
    if (!Plain || (N != "unbind" && Plain->empty())) {
      Known = false;
      return Out::unknown();
    }
    auto At = [&](size_t I) { return I < Plain->size() ? (*Plain)[I] : 0; };
    auto Many = N == "unbind"  ? unbind(Ar, L, At(0))
                : N == "chunk" ? chunk(Ar, L, At(0), At(1))
                               : split(Ar, L, SymExpr(At(0)), At(1));
    if (!Many.ok())
      return std::move(Many).template as<SymLayout>();
    Pieces = *Many;
    return Pieces.empty() ? Out(L) : Out(Pieces.front());
  }

  /// x[1, :, ::2, ..., None], dimension by dimension.
  Out index(const Call &C, bool &Known) {
    size_t Used = 0;
    for (const Term &T : C.Args)
      Used += T.K != Term::None && T.K != Term::Ellipsis;
    SymLayout R = L;
    int64_t D = 0;
    for (const Term &T : C.Args) {
      Out O = R;
      switch (T.K) {
      case Term::Number:
        O = select(Ar, R, D, T.N);
        break;
      case Term::Slice: {
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
        if (L.rank() > Used)
          D += static_cast<int64_t>(L.rank() - Used);
        continue;
      default:
        Known = false;
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

  void row(std::string What, std::string Says) {
    bool Plain = Says == "throws" || Says == "aborts" ||
                 StringRef(Says).starts_with("depends");
    SymDims S = L.Sizes, T = L.Strides;
    if (Ggml) {
      std::reverse(S.begin(), S.end());
      std::reverse(T.begin(), T.end());
    }
    Rows.push_back({std::move(What), Plain ? "" : listText(Ar, S),
                    Plain ? "" : listText(Ar, T), std::move(Says)});
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

  bool concrete() const {
    int64_t Count = 1;
    if (L.rank() == 0 || L.rank() > 4 || !Ar.known(L.Offset))
      return false;
    for (size_t D = 0; D < L.rank(); ++D) {
      auto S = Ar.known(L.Sizes[D]);
      if (!S || !Ar.known(L.Strides[D]) || *S <= 0)
        return false;
      Count *= *S;
      if (Count > 64)
        return false;
    }
    return true;
  }

  template <class Fn> void forEachElement(Fn Visit) const {
    std::vector<int64_t> At(L.rank(), 0);
    for (;;) {
      int64_t Place = *Ar.known(L.Offset);
      for (size_t D = 0; D < At.size(); ++D)
        Place += At[D] * *Ar.known(L.Strides[D]);
      Visit(At, Place);
      size_t D = At.size();
      while (D > 0 && ++At[D - 1] == *Ar.known(L.Sizes[D - 1]))
        At[--D] = 0;
      if (D == 0)
        return;
    }
  }

  /// Rows of the last dimension, each cell the element's place in storage.
  std::string grid() const {
    std::string R = "\nplace of each element in the storage:\n";
    llvm::raw_string_ostream OS(R);
    int64_t Most = 0;
    forEachElement([&](const std::vector<int64_t> &, int64_t P) {
      Most = std::max(Most, P);
    });
    unsigned Width = static_cast<unsigned>(std::to_string(Most).size());
    forEachElement([&](const std::vector<int64_t> &At, int64_t P) {
      if (At.back() == 0) {
        std::string Label = "[";
        for (size_t D = 0; D + 1 < At.size(); ++D)
          Label += std::to_string(At[D]) + ",";
        OS << "  " << llvm::left_justify(Label + ":]", 10);
      }
      OS << ' ' << llvm::format_decimal(P, Width);
      if (At.back() + 1 == *Ar.known(L.Sizes.back()))
        OS << '\n';
    });
    return R;
  }

  /// The storage as a strip of cells; above it the walk along the elements in
  /// index order, an arc for each step.
  std::string svg() const {
    int64_t Most = 0, Count = 0;
    forEachElement([&](const std::vector<int64_t> &, int64_t P) {
      Most = std::max(Most, P);
      ++Count;
    });
    const int64_t Cell = 34, Left = 20, Base = 190;
    const int64_t Width = Left * 2 + (Most + 1) * Cell;
    std::string R;
    llvm::raw_string_ostream OS(R);
    OS << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
       << std::max<int64_t>(Width, 460) << "\" height=\"290\" "
       << "font-family=\"monospace\" font-size=\"12\">\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
       << "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" "
          "refX=\"6\" refY=\"3\" orient=\"auto\"><path d=\"M0,0 L6,3 L0,6 z\" "
          "fill=\"#555\"/></marker></defs>\n";
    OS << "<text x=\"" << Left << "\" y=\"22\">sizes " << listText(Ar, L.Sizes)
       << ", strides " << listText(Ar, L.Strides) << ", offset "
       << Ar.str(L.Offset) << "</text>\n";
    std::map<int64_t, std::string> Labels;
    forEachElement([&](const std::vector<int64_t> &At, int64_t P) {
      std::string &Label = Labels[P];
      if (!Label.empty()) {
        Label = "...";
        return;
      }
      for (size_t D = 0; D < At.size(); ++D)
        Label += (D ? "," : "") + std::to_string(At[D]);
    });
    for (int64_t P = 0; P <= Most; ++P) {
      bool Read = Labels.count(P) != 0;
      OS << "<rect x=\"" << Left + P * Cell << "\" y=\"" << Base
         << "\" width=\"" << Cell << "\" height=\"30\" fill=\""
         << (Read ? "#dbe9ff" : "#f2f2f2") << "\" stroke=\"#333\"/>\n"
         << "<text x=\"" << Left + P * Cell + Cell / 2 << "\" y=\"" << Base + 20
         << "\" text-anchor=\"middle\">" << P << "</text>\n";
      if (Read)
        OS << "<text transform=\"translate(" << Left + P * Cell + Cell / 2 + 4
           << "," << Base + 40
           << ") rotate(55)\" font-size=\"11\" fill=\"#225\">" << Labels[P]
           << "</text>\n";
    }
    int64_t Last = -1;
    forEachElement([&](const std::vector<int64_t> &, int64_t P) {
      if (Last >= 0 && Last != P) {
        int64_t X0 = Left + Last * Cell + Cell / 2,
                X1 = Left + P * Cell + Cell / 2;
        int64_t Height = std::min<int64_t>(130, 14 + 7 * std::abs(P - Last));
        OS << "<path d=\"M" << X0 << "," << Base << " Q" << (X0 + X1) / 2 << ","
           << Base - Height * 2 << " " << X1 << "," << Base - 2
           << "\" fill=\"none\" stroke=\"" << (P == Last + 1 ? "#8a8" : "#c66")
           << "\" marker-end=\"url(#tip)\"/>\n";
      }
      Last = P;
    });
    OS << "</svg>\n";
    return R;
  }

  Symbols Table;
  Symbolic Ar;
  Reader In;
  SymLayout L;
  std::vector<SymLayout> Pieces;
  bool Ggml = false;
  std::string StartText, Remarks;
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
      llvm::errs() << "tensortidy: error: only a tensor of at most 64 elements "
                      "and 4 dimensions, whose sizes are all numbers, is "
                      "drawn\n";
      return 2;
    }
    llvm::Error Bad = llvm::writeToOutput(SvgFile, [&](llvm::raw_ostream &OS) {
      OS << E->Svg;
      return llvm::Error::success();
    });
    if (Bad) {
      llvm::errs() << "tensortidy: error: cannot write '" << SvgFile
                   << "': " << llvm::toString(std::move(Bad)) << '\n';
      return 2;
    }
  }
  return E->Failed;
}

} // namespace tensortidy::tool
