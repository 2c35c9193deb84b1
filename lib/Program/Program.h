//===- Program.h - the tensor program of one function -----------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor program is what a function does to tensors and to the integers that
// shape them, and nothing else. Frontend writes it, Analysis reads it, and its
// text form (Text.h) can be printed and parsed back.
//
//   at::Tensor f(const at::Tensor &x) {        function "f"
//     auto y = x.permute({0, 2, 1});             var $0 x tensor param ref
//     return y.view({x.size(0), -1});            var $1 y tensor local
//   }                                            block 0 -> 1
//                                                  %1 = load $0
//                                                  %2 = const 0 ...
//                                                  %5 = list %2 %3 %4
//                                                  %6 = permute self=%1 dims=%5
//                                                  store $1 %6
//                                                  ...
//
// Rules of the form:
//  * every value %n has exactly one defining statement;
//  * a variable $n is a storage location; `load` reads what it holds (for a
//    tensor: the handle, so two variables may hold one tensor object);
//  * a reference that only renames a variable is that variable;
//  * a C++ full expression ends with `full_expr_end`, a variable's lifetime
//    with `scope_end`;
//  * what has no model is `opaque`, and its operands may be read, and changed
//    or kept as their roles say.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_PROGRAM_PROGRAM_H
#define TENSORTIDY_PROGRAM_PROGRAM_H

#include "Program/Attributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tensortidy::program {

/// %n; 0 is "no value".
using ValueId = uint32_t;
using VarId = uint32_t;
using BlockId = uint32_t;
using LoopId = uint32_t;
constexpr uint32_t NoId = ~0u;

/// What a statement does. Ops.def gives each op its text name and class.
enum class Op : uint16_t {
#define TENSORTIDY_OP(Id, Name, Class, Operands, Text) Id,
#include "Program/Ops.def"
};

/// The class of an op says which rule of thumb holds when nothing more precise
/// is known about it.
enum class OpClass : uint8_t {
  Structure,   ///< const, load, store, list, scope_end ...
  Integer,     ///< integer arithmetic
  Condition,   ///< comparisons and logic, results are bool
  Query,       ///< reads metadata of a tensor: size, dim, is_contiguous ...
  View,        ///< shares storage, new metadata
  MaybeCopy,   ///< self, a view, or a fresh tensor, as the layout decides
  Copy,        ///< always a fresh tensor with the operand's values
  Factory,     ///< fresh tensor from sizes
  Compute,     ///< fresh tensor computed from operands
  InPlaceMeta, ///< changes the metadata of self (t_, unsqueeze_, resize_ ...)
  InPlaceData, ///< writes the storage of self, result is self
  Access,      ///< data_ptr, accessor, item: reads or exposes memory
  Graph,       ///< makes a node of a ggml graph
  Effect,      ///< opaque, escape, return
};

llvm::StringRef opName(Op O);
OpClass opClass(Op O);
/// Whether \p O says what a call does to storage at most, and nothing of the
/// layout of its result.
bool leavesLayoutOpen(Op O);
/// Products of matrices: most of a model's work, and kept for its gradient.
inline bool isProduct(Op O) {
  return O == Op::MatMul || O == Op::MM || O == Op::BMM || O == Op::AddMM ||
         O == Op::Linear || O == Op::Conv;
}
/// + - * / of what are no integers.
inline bool isFloatArithmetic(Op O) { return O >= Op::Plus && O <= Op::Divide; }
/// An operator that is built in, of what are no integers.
inline bool isOperator(Op O) { return O >= Op::Deref && O <= Op::Operator; }
/// Whether the op stands in the section of ggml.
inline bool isGgml(Op O) { return O >= Op::GgmlNe && O <= Op::GgmlDense; }
/// C++ that is no operation on tensors, and calls without a model: what happens
/// to the operands is what their roles say.
inline bool isOpaque(Op O) { return O >= Op::Assign && O <= Op::Opaque; }
/// The op with this text name, or Op::Opaque and false.
bool findOp(llvm::StringRef Name, Op &O);

/// A source range. `Begin`/`End` are cookies only the front end understands
/// (encoded clang locations); line and column (1-based, of the start) are for
/// the text form and for tests.
struct Range {
  uint32_t Begin = 0, End = 0;
  uint32_t Line = 0, Column = 0;
};

/// How an opaque statement may treat an operand.
enum class Role : uint8_t {
  Read,  ///< passed by value or const reference to something that only reads
  Write, ///< passed by non-const reference or pointer: the variable, or the
         ///< data it refers to, may change
  Keep,  ///< may be stored somewhere that outlives the call
};

/// One operand: the parameter name of the API ("dims", "self"; empty when
/// positional) and the value. For an opaque statement `R` is its role and
/// `Var` the variable passed by reference, if any.
struct Arg {
  std::string Name;
  ValueId Value = 0;
  Role R = Role::Read;
  VarId Var = NoId;
  bool Implied = false; ///< not written there: the API model adds it
  /// A pointer, of what moves bytes: the bytes of the number it points to; 0:
  /// not known.
  uint32_t Unit = 0;
};

/// What runs in an opaque statement, and so what it can reach unnamed.
enum class Reach : uint8_t {
  Arguments, ///< a library's code: what it is given
  Pointees,  ///< const user code: also what members and globals point to
  Members,   ///< user code: also members and globals
  All,       ///< a callable of this function: also the locals around a lambda
};

/// Names a body that a call may be replaced by (Inline.h). Only a
/// FunctionSource knows what it stands for.
using BodyId = uint32_t;

/// What one parameter of a body is bound to: a variable, when it is a reference
/// to one, else a value; neither: not known.
struct Binding {
  ValueId Value = 0;
  VarId Var = NoId;
  VarId Pointee = NoId; ///< of a pointer: the object, if it has a name
};

/// What `this` is in a body.
enum class ThisKind : uint8_t {
  None,     ///< there is none, or nothing is known of it
  Same,     ///< the caller's own
  Variable, ///< a variable of the caller
};

/// The body behind an opaque statement.
struct Call {
  BodyId Body = NoId;
  ThisKind This = ThisKind::None;
  /// The body is a callable passed on: it runs any number of times, and the
  /// statement stays.
  bool PassedOn = false;
  /// The body is a lambda called where it is written, and runs nowhere else.
  bool IsHere = false;
  VarId ThisVar = NoId;
  llvm::SmallVector<Binding, 0> Params;
  /// What the body may write through a pointer, or inside a container, without
  /// naming it.
  llvm::SmallVector<VarId, 0> Pointees;
};

/// What a `const` statement holds.
enum class ConstKind : uint8_t {
  None,   ///< not a constant statement, or nullopt / undefined / null
  Int,    ///< Imm
  Bool,   ///< Imm is 0 or 1
  Float,  ///< Text (spelling)
  Symbol, ///< Text: dtype or format, e.g. "float32", "channels_last"
  String, ///< Text
};

struct Stmt {
  Op O = Op::Opaque;
  ConstKind Const = ConstKind::None;
  ValueId Result = 0; ///< 0: no result
  VarId Var = NoId;   ///< load, store, scope_end
  int64_t Imm = 0;    ///< const int/bool; list_get and tuple_get index
  std::string Text;   ///< const text; callee name as written ("x.view")
  llvm::SmallVector<Arg, 3> Args;
  Range Where;  ///< whole expression
  Range Callee; ///< just the callee's name, for renames
  Range Object; ///< the object expression of a member call, `x` of x.view()
  bool InMacro = false;   ///< any part stems from a macro: no fix-it
  bool TypesVary = false; ///< a macro or template around it chooses the types
  bool IsScalar = false;  ///< the result is a number, not a tensor
  bool InTry = false;     ///< inside `try`: not all that follows may run
  bool Expected = false;  ///< and of EXPECT_THROW, say: it is to throw
  bool Discarded = false; ///< a statement of its own: the result is not used
  bool Before = false;    ///< what a constructor did, told again: known, and
                          ///< not what this function does
  bool Moves = false;     ///< store: what it held was moved elsewhere
  bool Swaps = false;     ///< store: of std::swap
  bool Forward = false;   ///< runs the forward() of a module
  bool Launches = false;  ///< opaque: starts a kernel, which runs on a device
  bool Keeps = false;     ///< temporary: of a variable's list, and something
                          ///< longer-lived gets the view
  bool Binds = false;     ///< store: a reference gets its referent
  bool Derives = false;   ///< the result points where an operand does: p + 1,
                          ///< a cast, a view of a view, an object that holds p
  bool IsNamed = false;   ///< const: what a name stands for, or an expression;
                          ///< not a number that is written there
  bool Narrows = false;   ///< the result becomes an integer of 32 bits
  bool ToSigned = false;  ///< narrows: that integer has a sign
  bool Strided = false;   ///< opaque: it is told how its memory lies, by its
                          ///< own name or by that of a parameter
  Op Computes = Op::Opaque; ///< out_write, update_: whose result is written,
                            ///< where it is known
  /// The statement's text edits that Frontend has vetted (see Edit).
  uint8_t Edits = 0;
  Attributes Has;                   ///< what models say of the call
  Reach Reaches = Reach::Arguments; ///< opaque
  /// Which call brought it here (Function::Contexts); 0: its own text.
  uint32_t Context = 0;
  std::shared_ptr<const Call> Calls; ///< opaque: a body that can be seen

  /// Where a message about it points: the callee's name, if it has one.
  const Range &point() const { return Callee.Begin ? Callee : Where; }
  bool isOpaque() const { return program::isOpaque(O); }
  bool is(Attribute A) const { return Has.has(A); }
  /// Whether it is a call without a model, of something that does \p A.
  bool calls(Attribute A) const { return O == Op::Opaque && is(A); }
  /// a[i] = x, a.push_back(x) and the like.
  bool keepsElement() const {
    return O == Op::Assign || calls(Attribute::Appends);
  }
};

/// Edits Frontend vetted for a statement; Tidy renders them over the ranges.
enum EditKind : uint8_t {
  EditRenameCallee = 1, ///< the callee name is one token outside any macro
  EditDropCall = 2,     ///< `x.f(...)` may be written `x` with no other change
                        ///< (value category, lifetime and overloads stay)
  EditAssign = 8,       ///< `x.f(...)` may be written `x = x.f(...)`
  EditHoist = 4,        ///< the declaration this initialises may move before
                        ///< the enclosing loop: a single declarator in the
                        ///< loop body's own block, plain type, no macro
  EditNameObject = 16,  ///< `Object` may get a name before the declaration it
                        ///< initialises: a single declarator in a block
};

enum class VarType : uint8_t { Tensor, Int, Bool, List, Other };

/// What a field of an image, or of its size, says of it.
enum class ImageField : uint8_t { None, Rows, Columns, Data, Pitch };

struct Variable {
  std::string Name; ///< "x", "this->weight", "cfg.w"
  VarType Type = VarType::Other;
  bool IsParam = false;
  bool IsReference = false; ///< reference whose referent is not known
  bool InTemporary =
      false;             ///< an element of an unnamed list, which a range-for
                         ///< goes through: handles that are only there
  bool IsMember = false; ///< this->..., object members, globals: lives on
  bool IsStatic = false;
  bool IsCaptured = false;  ///< captured by reference, or address taken: any
                            ///< opaque call may read or change it
  bool Borrows = false;     ///< a pointer, view of a list or accessor: points
                            ///< to memory of something else
  bool OfInts = false;      ///< a list of integers, such as sizes
  bool IsContainer = false; ///< of the standard library, but no list: a map
  bool IsOwnNumber = false; ///< that its Base, a tensor, was made with: what
                            ///< it was called there says nothing of others
  bool IsGgml = false;      ///< ggml_tensor *: four dimensions, and no call
                            ///< changes the layout of what it points to
  /// Innermost loop whose body declares it; NoId outside loops.
  LoopId DeclaredIn = NoId;
  Range Where;
  /// The whole declaration statement, for hoisting; empty when not plain.
  Range Decl;
  bool IsConst = false;     ///< declared so: nothing assigns to it
  bool IsEnclosing = false; ///< a local of the function around this lambda
  bool IsCopy = false;      ///< of those: captured by value
  /// A member names what it is part of: a variable, or ThisBase.
  VarId Base = NoId;
  /// Of an object whose value is the list of its fields: which of them; or -1.
  int Field = -1;
  ImageField Of = ImageField::None; ///< of an image: which field it is
  bool IsPointee = false;           ///< what Base points to: "*p"
  /// Of a pointee and of a field: the class of the object, or of what it is
  /// part of; 0 when it may be any.
  uint64_t Class = 0;
  /// What a reference of unknown referent may refer to; none: anything.
  llvm::SmallVector<VarId, 0> Refers;
  /// The call whose body declares it, of those that were replaced
  /// (Function::Contexts); 0: the function itself.
  uint32_t Context = 0;
  bool IsResult = false; ///< takes what such a call returns, until it is read
  /// Tells members, globals and captured locals apart across functions; 0 for
  /// what only this function names.
  uint64_t Identity = 0;
};
/// Base of `this->field`.
constexpr VarId ThisBase = NoId - 1;

enum class LoopKind : uint8_t { For, RangeFor, While, Do };

struct Loop {
  LoopKind Kind = LoopKind::For;
  LoopId Parent = NoId;
  BlockId Head = NoId; ///< block that starts an iteration's test
  Range Where;         ///< the whole loop statement
  /// `do {...} while (false)` and the like: the body runs at most once.
  bool RunsOnce = false;
  bool Parallel = false; ///< its iterations run at the same time
  /// Condition or range is not a compile-time matter, for messages; e.g. "i".
  std::string Induction;
};

/// What a switch compares its value with: an integer, or the name of a dtype or
/// format; with neither it is the default.
struct CaseLabel {
  std::optional<int64_t> Value;
  std::string Name;
  bool isDefault() const { return !Value && Name.empty(); }
};

/// The integer that \p S is, where the code writes one.
inline std::optional<int64_t> writtenNumber(const Stmt *S) {
  return S && S->O == Op::Const && S->Const == ConstKind::Int
             ? std::optional<int64_t>(S->Imm)
             : std::nullopt;
}

/// The same of any number.
std::optional<double> writtenReal(const Stmt *S);

struct Block {
  llvm::SmallVector<Stmt, 0> Stmts;
  /// Last value of `Stmts` tested by the branch, 0 when unconditional.
  ValueId Condition = 0;
  /// Two entries for a branch: [0] when Condition is true, [1] when false; an
  /// unreachable arm is NoId. Without condition any of them may follow.
  llvm::SmallVector<BlockId, 2> Succs;
  /// Of a switch over Condition: the label beside each successor. Empty for
  /// branches.
  llvm::SmallVector<CaseLabel, 0> Cases;
  LoopId InLoop = NoId; ///< innermost loop
};

/// The most blocks of a function that is lowered and analysed: generated code
/// has more, and is not read by anybody.
constexpr unsigned MaxBlocks = 100000;

/// Why a function was not lowered, or not to the end. Shown by --stats.
enum class GiveUp : uint8_t {
  No,
  TooManyBlocks,
  NoCfg,
  HasErrors,
  Coroutine,
  Dependent,
  TooDeep,
  TooLong,
  TooSlow,
  Malformed, ///< verify() refuses what it was lowered to: a defect of ours
};
llvm::StringRef giveUpName(GiveUp G);

/// A call that was replaced by its body.
struct CallContext {
  Range Where;         ///< of the call
  uint32_t Parent = 0; ///< the context the call itself stands in
  std::string Callee;  ///< for people
  /// Of a lambda: the context it was written in, whose names it can use too.
  uint32_t Around = NoId;
  bool IsForward = false; ///< of a module's forward()
  bool IsLambda = false;
};

/// What the body of a call names a variable of its caller: a parameter that is
/// a reference to it.
struct VariableAlias {
  uint32_t Context = 0;
  VarId Var = NoId;
  std::string Name;
};

struct Function {
  std::string Name; ///< qualified, for people
  Range Where;
  bool IsLambda = false;
  bool ReturnsTensor = false;
  bool ReturnsBorrowed = false; ///< a pointer, view of a list or accessor
  VarType Returns = VarType::Other;
  /// Tells functions apart, and the one around a lambda; 0 when of no interest.
  uint64_t Identity = 0, Around = 0;
  /// Internal linkage, or a lambda: what callers pass can be seen.
  bool CallersVisible = false;
  bool IsForward = false; ///< forward() of a torch::nn::Module
  /// Who calls it may have switched autograd off, as far as the unit shows.
  bool PerhapsUnrecorded = false;
  /// What its lists hold are gradients, whose strides may be any.
  bool TakesGradients = false;
  /// How many gradients are taken back from it: one for each input that
  /// forward() was given; 0: not known.
  unsigned LeastGradients = 0, MostGradients = 0;
  GiveUp Reason = GiveUp::No;
  BlockId Entry = 0;
  std::vector<Block> Blocks; ///< Blocks[0] is the entry
  std::vector<Variable> Vars;
  unsigned Params = 0; ///< the first variables are the parameters, in order
  /// Variables by Variable::Identity, for the lambdas in it.
  llvm::DenseMap<uint64_t, VarId> Named;
  std::vector<Loop> Loops;
  /// Bodies that calls were replaced by; [0] stands for the function itself.
  std::vector<CallContext> Contexts;
  std::vector<VariableAlias> Aliases;
  /// Lambdas that became part of the function itself: they are called where
  /// they are written.
  std::vector<BodyId> Absorbed;
  /// Calls with a body that was not looked into, by reason (for --stats).
  unsigned NotFollowed = 0, Followed = 0;
  ValueId NextValue = 1;
  /// Calls on tensors (for --stats): how many have a model that determines
  /// their result, the names of those whose model leaves its layout open, and
  /// of those without one.
  llvm::SmallVector<std::string, 4> Open, Unmodelled;
  unsigned Modelled = 0;
};

/// How \p V is written in the text of context \p At: callees have names of
/// their own for what they are given by reference.
llvm::StringRef nameIn(const Function &F, VarId V, uint32_t At);

/// Whether \p S calls a method that leaves a container's memory where it is,
/// and its elements as many as they are.
bool leavesMemory(const Stmt &S);

/// Whether \p S calls a method that puts an element into a container.
bool fillsContainer(const Stmt &S);

/// Visits every statement with its block.
template <class Fn> void forEachStmt(const Function &F, Fn &&Call) {
  for (BlockId B = 0; B < F.Blocks.size(); ++B)
    for (const Stmt &S : F.Blocks[B].Stmts)
      Call(B, S);
}

/// The argument called \p Name, or null.
const Arg *findArg(const Stmt &S, llvm::StringRef Name);

/// How many of ggml's sizes, ne0 to ne3, \p S is given one by one.
unsigned givenSizes(const Stmt &S);

/// Checks the rules of the form and the operands that Ops.def gives each
/// operation; returns an empty string or what is wrong.
/// A call whose model found less than its operation needs is let pass, unless
/// \p Strict: users write models, too, and its result is not known then.
std::string verify(const Function &F, bool Strict = true);

} // namespace tensortidy::program

#endif
