//===- State.h - what is known on one path -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is what holds on one set of paths: what each variable holds, the
// layout of each tensor object, the equations between sizes, and the branch
// conditions it assumes. A program point has a small set of states.
//
//   state 1: swap is true,  y -> object 7 [N, M] strides [1, N]
//   state 2: swap is false, y -> object 3 [M, N] strides [N, 1]
//
// States are ordered: A.leq(B) when whatever A describes, B describes too. What
// two paths have in common is made by Joiner (Join.h). Objects are named by
// what made them (Identity.h); two variables may hold one object. A tensor of
// unknown rank keeps its unknown dimensions as one pseudo-dimension, the
// segment: its size is their element count, its stride that of the innermost.
// Dimensions counted from the front and from the back may be the same ones,
// unless the rank is known to be large enough for both:
//
//   x.size(0), x.size(-1)   [d, ..., e], of rank 1 or more: d may be e
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DOMAIN_STATE_H
#define TENSORTIDY_ANALYSIS_DOMAIN_STATE_H

#include "Analysis/Domain/Identity.h"
#include "Layout/Layout.h"
#include "Layout/Symbolic.h"
#include "Program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace tensortidy::analysis {

using layout::Symbolic;
using layout::SymExpr;
using layout::Truth;
using SymLayout = layout::Layout<SymExpr>;
using SymDims = layout::Dims<SymExpr>;
struct Condition;
struct Image;
struct Pointee;
using CondRef = std::shared_ptr<const Condition>;

/// What a value %n or a variable holds.
struct Value {
  enum Kind : uint8_t {
    Unknown,
    None,
    Int,
    Bool,
    Tensor,
    List,
    Each, ///< a list of any number of tensors, each of which is like T, or
          ///< undefined
    Symbol,
    Slice,
    Ellipsis,
    NewAxis,
    Pointer,  ///< I elements behind the first one of what P points into
    Accessor, ///< of what P points into
    Image,    ///< M, or the address of its first pixel
  };
  Kind K = Unknown;
  SymExpr I;
  ObjId T; ///< AnyTensor in an unknown value: some tensor
  CondRef C;
  std::shared_ptr<const std::vector<Value>>
      Elems;        ///< List; Slice: start stop step; Unknown: elements that
                    ///< were read of a list, if it is one
  std::string Text; ///< Symbol
  std::shared_ptr<const Pointee> P;
  std::shared_ptr<const analysis::Image> M;

  static Value image(analysis::Image Of);
  static Value integer(SymExpr E) {
    Value V;
    V.K = Int;
    V.I = std::move(E);
    return V;
  }
  static Value tensor(ObjId T) {
    Value V;
    V.K = Tensor;
    V.T = T;
    return V;
  }
  static Value condition(CondRef C) {
    Value V;
    V.K = Bool;
    V.C = std::move(C);
    return V;
  }
  static Value list(std::vector<Value> E) {
    Value V;
    V.K = List;
    V.Elems = std::make_shared<const std::vector<Value>>(std::move(E));
    return V;
  }
  static Value each(ObjId Like = {}) {
    Value V;
    V.K = Each;
    V.T = Like;
    return V;
  }
  /// A number whose value does not matter.
  static Value number() {
    Value V;
    V.K = Symbol;
    V.Text = "%number";
    return V;
  }
  bool isList() const { return K == List || K == Each; }
  /// An empty list.
  bool hasNone() const { return K == List ? Elems->empty() : K == Each && !T; }
  /// Entirely unknown, not even known to be a tensor.
  bool isNothing() const { return K == Unknown && !T && !Elems; }
  bool operator==(const Value &O) const;
};

/// A boolean as a tree over atoms, so that assuming it refines the state.
struct Condition {
  enum Kind : uint8_t {
    Constant, ///< Flag
    Atom,     ///< Key: something opaque, but the same each time
    Not,
    And,
    Or,
    Equal,
    Less,       ///< of two integers
    Contiguous, ///< of object T in format F
    Defined,    ///< of object T
    SameSizes,  ///< of T as of Other, or as Dims
    SameDType,  ///< of T as of Other, or as Text
    Suggested,  ///< suggest_memory_format() of T is F
    SameDevice, ///< device Key is device Text
  } K = Constant;
  bool Flag = false;
  std::string Key;
  std::string Text; ///< as a person would say it: "swap"
  CondRef L, R;
  SymExpr A, B;
  ObjId T, Other;
  std::vector<SymExpr> Dims;
  layout::MemoryFormat F = layout::MemoryFormat::Contiguous;
  program::Range Where;
};
/// A question called \p Key, which messages call \p Text.
CondRef atom(std::string Key, std::string Text);
/// Whether what a state assumes by this name is of parameters and the like,
/// not of what each iteration of a loop makes anew.
bool outlivesLoops(llvm::StringRef Key);

/// How a tensor was, as far as its name, sizes and strides say.
struct Appearance {
  enum Kind : uint8_t {
    Unknown,
    Named,      ///< Name
    Contiguous, ///< Sizes
    Sized,      ///< Sizes; the strides have no names
    Strided,    ///< Sizes and Strides
    Ggml,       ///< the same in ggml's order
    GgmlContiguous,
  } K = Unknown;
  std::string Name, Sizes, Strides;
  bool operator==(const Appearance &O) const {
    return K == O.K && Name == O.Name && Sizes == O.Sizes &&
           Strides == O.Strides;
  }
};

/// How an object got its layout: the operation, where, and from what.
struct Provenance {
  program::Range Where;
  std::string What; ///< "transpose(1, 2)"
  program::Op O = program::Op::Opaque;
  Appearance Of;               ///< the operand, before
  bool FromContiguous = false; ///< the operand was contiguous
  bool Fresh = false;          ///< made new storage here
  bool Checked = false;        ///< known by a test, not by an operation
  std::shared_ptr<const Provenance> Parent;
  std::string Assumed; ///< name of the opaque tensor at the root, if any
};
using ProvRef = std::shared_ptr<const Provenance>;
/// The operation that made what \p P is of as it is, or null.
inline const Provenance *maker(const ProvRef &P) {
  const Provenance *At = P.get();
  while (At && (At->What.empty() || At->Checked))
    At = At->Parent.get();
  return At;
}

/// A tensor object (libtorch's TensorImpl).
struct Object {
  bool HasLayout = false; ///< sizes are known, maybe with a segment
  SymLayout L;
  int Segment = -1; ///< index of the segment in L, or -1: rank known
  bool SegmentDense = false;
  unsigned AtLeast = 0; ///< with a segment: the least rank it may have
  unsigned AtMost = 0;  ///< the greatest rank it may have; 0: any
  bool Merged = false;  ///< the segment has taken in what may not be there
  SymbolKey Key;        ///< opaque tensor that its rank goes back to, or none
  int Over = 0;         ///< dimensions it has more than that one
  bool Root = false;    ///< opaque: parameter, member, result of a call
  bool Listed = false;  ///< a list without a known length may hold it
  bool NotContiguous = false; ///< a test said so
  /// Dense, unless it had these sizes before, or is what reshape() may give
  /// where a size is 1.
  bool Resized = false;
  bool Ggml = false; ///< of four dimensions, see Layout/Ggml.h; never changes
  bool Own = false;  ///< ggml: its memory is not visible outside
  bool Part = false; ///< ggml: of a larger tensor
  ObjId Storage;
  std::optional<SymExpr>
      Holds;         ///< elements of the storage, if it was made here
  std::string Name;  ///< the user's variable
  std::string DType; ///< "float32", or empty
  /// "cuda", a device that has a name only (Transfer/Devices.h), or empty.
  std::string Device;
  program::Range Placed; ///< where it was put there
  ProvRef Prov;

  /// Whether each dimension of L stands for another one of the tensor.
  bool isApart() const {
    return Segment < 0 || (!Merged && L.rank() - 1 <= AtLeast);
  }
  /// The dimensions behind the segment: all, where the rank is known.
  SymDims tail() const {
    return SymDims(L.Sizes.begin() + (Segment + 1), L.Sizes.end());
  }
  /// The least rank it may have.
  unsigned leastRank() const {
    return Segment < 0
               ? static_cast<unsigned>(L.rank())
               : std::max(AtLeast, static_cast<unsigned>(tail().size()));
  }
  /// The greatest rank it may have; 0: any.
  unsigned mostRank() const {
    return Segment < 0 ? static_cast<unsigned>(L.rank()) : AtMost;
  }
  /// \p More dimensions came or went.
  void changeRank(int More) {
    AtLeast =
        static_cast<unsigned>(std::max(0, static_cast<int>(AtLeast) + More));
    if (AtMost)
      AtMost =
          static_cast<unsigned>(std::max(0, static_cast<int>(AtMost) + More));
    Over += More;
  }
  /// What is \p O but for dimensions that came or went.
  void rankFrom(const Object &O) {
    if (O.Segment < 0 || Segment < 0)
      return;
    AtLeast = O.AtLeast;
    AtMost = O.AtMost;
    Merged = O.Merged;
    Key = O.Key;
    Over = O.Over;
    changeRank(static_cast<int>(L.rank()) - static_cast<int>(O.L.rank()));
  }

  bool operator==(const Object &O) const {
    return HasLayout == O.HasLayout && Segment == O.Segment &&
           SegmentDense == O.SegmentDense && AtLeast == O.AtLeast &&
           AtMost == O.AtMost && Merged == O.Merged &&
           NotContiguous == O.NotContiguous && Resized == O.Resized &&
           Storage == O.Storage && Holds == O.Holds && DType == O.DType &&
           Device == O.Device && L.Sizes == O.L.Sizes &&
           L.Strides == O.L.Strides && L.Offset == O.L.Offset;
  }
};

/// A map whose copies share their entries until one of them changes: a state
/// with many live tensors is copied at each branch, and changes few of them.
template <class K, class T> class SharedMap {
  using Entry = std::pair<K, std::shared_ptr<T>>;

public:
  const T *find(K Key) const {
    auto It = at(Entries, Key);
    return It == Entries.end() || It->first != Key ? nullptr : It->second.get();
  }
  /// To be changed before the map is copied again; null when there is none.
  T *edit(K Key) {
    auto It = at(Entries, Key);
    return It == Entries.end() || It->first != Key ? nullptr : own(*It);
  }
  T *assign(K Key, T X) {
    auto It = at(Entries, Key);
    auto New = std::make_shared<T>(std::move(X));
    if (It == Entries.end() || It->first != Key)
      It = Entries.insert(It, {Key, nullptr});
    It->second = std::move(New);
    return It->second.get();
  }
  void erase(K Key) {
    auto It = at(Entries, Key);
    if (It != Entries.end() && It->first == Key)
      Entries.erase(It);
  }
  template <class Predicate> void eraseIf(Predicate P) {
    llvm::erase_if(Entries, [&](const Entry &E) {
      return P(E.first, std::as_const(*E.second));
    });
  }
  template <class Function> void forEach(Function Run) const {
    for (const Entry &E : Entries)
      Run(E.first, std::as_const(*E.second));
  }
  /// Runs \p Change on those entries that \p P admits.
  template <class Predicate, class Function>
  void change(Predicate P, Function Change) {
    for (Entry &E : Entries)
      if (P(E.first, std::as_const(*E.second)))
        Change(*own(E));
  }
  /// Runs \p Run(Key, A, B) on what either has and they do not share; null
  /// where one has nothing.
  template <class Function>
  static void difference(const SharedMap &A, const SharedMap &B, Function Run) {
    auto I = A.Entries.begin(), J = B.Entries.begin();
    const T *const None = nullptr;
    while (I != A.Entries.end() || J != B.Entries.end()) {
      if (J == B.Entries.end() ||
          (I != A.Entries.end() && I->first < J->first)) {
        Run(I->first, I->second.get(), None);
        ++I;
      } else if (I == A.Entries.end() || J->first < I->first) {
        Run(J->first, None, J->second.get());
        ++J;
      } else {
        if (I->second != J->second)
          Run(I->first, I->second.get(), J->second.get());
        ++I, ++J;
      }
    }
  }
  bool operator==(const SharedMap &O) const {
    return std::equal(Entries.begin(), Entries.end(), O.Entries.begin(),
                      O.Entries.end(), [](const Entry &A, const Entry &B) {
                        return A.first == B.first &&
                               (A.second == B.second || *A.second == *B.second);
                      });
  }

private:
  template <class List> static auto at(List &Entries, K Key) {
    return llvm::partition_point(Entries,
                                 [&](const Entry &E) { return E.first < Key; });
  }
  static T *own(Entry &E) {
    if (E.second.use_count() > 1)
      E.second = std::make_shared<T>(*E.second);
    return E.second.get();
  }
  std::vector<Entry> Entries; ///< by key
};

/// What the variables hold; most are not known, or dead.
class Variables : public SharedMap<program::VarId, Value> {
public:
  const Value &operator[](program::VarId V) const {
    static const Value Nothing;
    const Value *X = find(V);
    return X ? *X : Nothing;
  }
  void set(program::VarId V, Value X) {
    if (X.isNothing())
      erase(V);
    else
      assign(V, std::move(X));
  }
};

/// A tensor as it was when a raw pointer to its elements was taken.
struct Pointee {
  Object Of;
  const program::Stmt *Taken = nullptr;
};

/// Rows of pixels: of one element type, with as many channels each. What is not
/// known of it has no value.
struct Image {
  std::optional<SymExpr> Rows, Columns, Channels;
  /// From one row to the next, in columns, where it may be a part of a larger
  /// image; nothing: the rows are packed.
  std::optional<SymExpr> Pitch;
  std::string Type; ///< "uint8", or empty
  ProvRef Prov;     ///< with Pitch: what made it a part
  /// Whether each row may be followed by bytes of no pixel: those of a device
  /// begin where it wants them.
  enum Padding : uint8_t { None, Unknown, Some } Padded = None;

  bool operator==(const Image &O) const {
    return Rows == O.Rows && Columns == O.Columns && Channels == O.Channels &&
           Pitch == O.Pitch && Type == O.Type && Padded == O.Padded;
  }
};

inline Value Value::image(analysis::Image Of) {
  Value V;
  V.K = Image;
  V.M = std::make_shared<const analysis::Image>(std::move(Of));
  return V;
}

/// What a branch was about, for messages.
struct Asked {
  std::string Of; ///< "swap", "x.dim()"; empty: nothing is said of it
  std::optional<int64_t> Is; ///< an integer that Of is; else it is a condition
  bool operator==(const Asked &O) const { return Of == O.Of && Is == O.Is; }
};

/// What branches decided: key -> answer, with what messages call it. Copies
/// share their entries until one of them changes.
class Answers {
  using Map = std::map<std::string, std::pair<bool, Asked>>;

public:
  using const_iterator = Map::const_iterator;
  const_iterator begin() const { return All->begin(); }
  const_iterator end() const { return All->end(); }
  const_iterator find(const std::string &Key) const { return All->find(Key); }
  size_t size() const { return All->size(); }
  void set(const std::string &Key, bool Holds, const Asked &What) {
    All.own()[Key] = {Holds, What};
  }
  /// Whether \p Key is answered so, now or before.
  bool agree(const std::string &Key, bool Holds, Asked What = Asked()) {
    if (auto It = find(Key); It != end())
      return It->second.first == Holds;
    All.own().emplace(Key, std::make_pair(Holds, std::move(What)));
    return true;
  }
  template <class Predicate> void eraseIf(Predicate P) {
    if (!llvm::any_of(*All, P))
      return;
    Map &Own = All.own();
    for (auto It = Own.begin(); It != Own.end();)
      It = P(*It) ? Own.erase(It) : std::next(It);
  }
  void clear() { All.clear(); }
  bool operator==(const Answers &O) const { return All == O.All; }

private:
  layout::CopyOnWrite<Map> All;
};

struct State {
  explicit State(const Symbolic &Ar) : Ar(Ar) {}
  Variables Vars;
  SharedMap<program::ValueId, Value> Temps;
  SharedMap<ObjId, Object> Objects;
  Symbolic Ar;
  Answers Assumed;
  /// What one answer says of another, learned where paths met: once `a || b`
  /// was asked, b is true where a is false.
  struct Implication {
    std::string If;
    bool Is;
    std::string Then;
    bool Holds;
    bool operator==(const Implication &O) const {
      return If == O.If && Is == O.Is && Then == O.Then && Holds == O.Holds;
    }
  };
  std::vector<Implication> Implied;
  /// What comparisons with constants leave of an integer.
  struct Range {
    std::optional<int64_t> Least, Most;
    bool within(const Range &O) const {
      return (!O.Least || (Least && *Least >= *O.Least)) &&
             (!O.Most || (Most && *Most <= *O.Most));
    }
    bool operator==(const Range &O) const {
      return Least == O.Least && Most == O.Most;
    }
  };
  std::map<SymbolId, Range> Ranges;
  /// What an integer that a loop changes is in the first iteration, as long as
  /// this is the first.
  std::map<SymbolId, SymExpr> Initial;
  /// The loops this is in of which an iteration has been finished.
  llvm::SmallVector<program::LoopId, 2> Repeats;
  /// Those of which none has been.
  llvm::SmallVector<program::LoopId, 2> First;
  /// Sizes of which several paths knew something, and not the same: nothing is
  /// known of them here, but they are not just any size.
  std::set<SymbolId> PathDependent;
  /// Assumes a condition that holds only for tensors without elements, which
  /// no layout harms, or a loop that runs no time: what fails here is no
  /// matter.
  bool Degenerate = false;
  /// Some tensors of unknown rank are known to have the same sizes.
  bool SameUnknownRanks = false;
  /// Rank symbols of objects of unknown rank.
  std::map<SymbolId, ObjId> RankOf;

  /// Whether whatever this describes is described by \p B as well: false also
  /// where that cannot be told.
  bool leq(const State &B) const;
  bool operator==(const State &B) const;
  /// Equal but for assumptions and facts.
  bool sameState(const State &O) const {
    return Vars == O.Vars && Temps == O.Temps && Objects == O.Objects;
  }
  /// Whether question \p Key was answered with \p As.
  bool answers(const std::string &Key, bool As) const;
  bool implies(const Implication &I) const;
  /// Adds what the answers say of others; false where these are otherwise.
  bool imply();
  /// Drops objects nothing refers to any more.
  void collect();
};

/// Whether a loop may give \p E another value in each iteration.
bool isOfLoop(const layout::Symbols &Table, const layout::SymExpr &E);

} // namespace tensortidy::analysis

#endif
