//===- Dangling.h - following a tensor and pointers into it -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tensor-dangling-data-pointer knows of one tensor on one path: who holds
// it, and which pointers go into it. DanglingDataPointer.cpp follows the
// statements, DanglingElements.cpp tells elements of lists and containers
// apart.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_DANGLING_H
#define TENSORTIDY_ANALYSIS_DANGLING_H

#include "Analysis/Checks/CheckRun.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace tensortidy::analysis::dangling {

using namespace program;

/// What a pointer points into: the elements, or the sizes and strides that
/// belong to the tensor object.
enum class Target : uint8_t { Storage, Object };

/// One path's view of one tensor.
struct State {
  std::set<ValueId> Owners; ///< temporaries and values that hold it
  std::set<VarId> Holders;  ///< variables that do
  std::map<ValueId, const Stmt *> Pointers; ///< made by data_ptr() and others
  std::map<VarId, const Stmt *> Carriers;
  const Stmt *Lost = nullptr;   ///< took the last holder away
  const Stmt *Broken = nullptr; ///< moved the memory under a living tensor
  bool Immortal = false;        ///< a caller's, or till the statement's end
  std::set<VarId> LastIn;       ///< lists whose last element it is
  std::map<VarId, std::string> Slots; ///< which element of a list or container
  const Stmt *Detached = nullptr;     ///< the pointer in a thread never joined
  bool Vague = false;  ///< some pointer may go to another element instead
  bool OnHeap = false; ///< made by `new`: only `delete` ends it
  Tested Known;

  bool alive() const { return Immortal || !Owners.empty() || !Holders.empty(); }
  bool operator<(const State &O) const {
    return std::tie(Owners, Holders, Pointers, Carriers, Lost, Broken, Immortal,
                    LastIn, Slots, Detached, Vague, OnHeap, Known) <
           std::tie(O.Owners, O.Holders, O.Pointers, O.Carriers, O.Lost,
                    O.Broken, O.Immortal, O.LastIn, O.Slots, O.Detached,
                    O.Vague, O.OnHeap, O.Known);
  }
};

using Definitions = std::vector<const Stmt *>; ///< by ValueId

/// How long lists are, where the function says: by the value of a list, or of
/// the question after its length.
class ListLengths {
public:
  ListLengths(const Function &F, const Definitions &DefOf);

  std::optional<int64_t> of(ValueId V) const {
    auto It = Of.find(V);
    return It == Of.end() ? std::nullopt : std::optional(It->second);
  }

  /// The number that \p V is.
  std::optional<int64_t> number(ValueId V, unsigned Depth = 0) const;

private:
  using Lengths = std::map<VarId, int64_t>;

  Lengths after(BlockId B, Lengths Now);

  const Function &F;
  const Definitions &DefOf;
  std::map<ValueId, int64_t> Of;
};

/// Follows one tensor through a function.
class Follower {
public:
  Follower(CheckRun &C, const Definitions &DefOf, const ListLengths &Lengths,
           const PathConditions &Paths, Target T, const Stmt *Maker,
           VarId Param)
      : C(C), F(C.F), DefOf(DefOf), Lengths(Lengths), Paths(Paths), T(T),
        Maker(Maker), Param(Param) {}

  void run();

private:
  bool step(State &S, const Block &B, const Stmt &At);
  void store(State &S, const Stmt &At);
  bool opaque(State &S, const Block &B, const Stmt &At);
  std::string keyOf(ValueId V) const;
  std::string slotIn(const State &S, ValueId List, unsigned Depth = 0) const;
  bool isElement(const State &S, const Stmt &At, const Arg &A,
                 bool &Vague) const;
  std::optional<bool> inContainer(State &S, const Stmt &At, const Arg &A);
  const Stmt *changeBefore(const Block &B, const Stmt &At, VarId List) const;
  bool keepsInList(const Block &B, const Stmt &At) const;
  bool erases(const Block &B, const Stmt &At, VarId List) const;
  bool holdsPointee(const State &S, VarId V) const;
  bool mayReach(const Arg &A, const Stmt &At) const;
  bool isPointerTo(ValueId V) const;
  void dropPointer(State &S, VarId V) const;
  void leave(State &S, const Stmt &At);
  bool sharesSelf(const Stmt &At) const;
  bool mayBeSelf(const Stmt &At) const;
  void endCall(State &S, const Stmt &At);
  void dropEnded(State &S, uint32_t Now) const;
  /// A container that its statement makes and uses.
  bool isTemporary() const {
    return Maker && Maker->O == Op::Temporary && Maker->Derives;
  }
  bool isDead(const State &S) const { return S.Broken || !S.alive(); }
  /// A pointer, or a tensor that from_blob() made of one.
  bool mayBorrow(VarId V) const {
    return F.Vars[V].Borrows || F.Vars[V].Type == VarType::Tensor;
  }
  bool holds(const State &S, VarId V) const;
  const Stmt *usedContainer(const State &S, const Arg &A, const Stmt &At) const;
  void report(const State &S, const Stmt *Borrow, const Stmt &Use,
              const std::string &KeptIn = "");
  std::string whenText(bool &Never) const;
  std::string nameOf(ValueId V) const;
  std::string nameOfMaker() const;
  std::string lossOf(const Stmt &Lost) const;
  bool addsToList(const Stmt &At) const;
  bool isBack(ValueId Index, ValueId List) const;
  bool isLast(const State &S, ValueId List) const;
  bool takesLast(State &S, const Stmt &At) const;
  bool outlives(VarId V) const;
  bool isWithin(uint32_t Context, uint32_t Outer) const;
  uint32_t calledFromRoot(uint32_t Context) const;

  CheckRun &C;
  const Function &F;
  const Definitions &DefOf;
  const ListLengths &Lengths;
  const PathConditions &Paths;
  Target T;
  const Stmt *Maker; ///< null: the tensor of Param
  VarId Param;
  std::set<const Stmt *> Reported;
  /// Some path keeps the tensor. Whether that is the path on which a pointer is
  /// kept, too, may hang on conditions that are not followed.
  bool MayBeKept = false;
  struct Kept {
    State S;
    const Stmt *Borrow, *Use;
    std::string In;
  };
  std::vector<Kept> KeptPointers;
};

/// Puts something in the place of all that was there.
bool assigns(const Stmt &S);
/// Methods of containers that read no element.
bool changesContainer(const Stmt &S);
/// Methods that read an element of a container.
bool readsElement(const Stmt &S);
/// begin() and end().
bool isIterator(const Stmt &S);

} // namespace tensortidy::analysis::dangling

#endif
