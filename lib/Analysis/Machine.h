//===- Machine.h - the interpreter's inside -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Analysis. Engine.cpp moves states through blocks, Conditions.cpp
// evaluates and assumes conditions, Transfer.cpp says what each statement does
// to a state, by families of statements:
//
//   Transfer.cpp -> Values.cpp (numbers, conditions)    ViewOps.cpp   Ggml.cpp
//                   Lists.cpp                           CopyOps.cpp
//                                                       FreshOps.cpp
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_MACHINE_H
#define TENSORTIDY_ANALYSIS_MACHINE_H

#include "Analysis/DTypes.h"
#include "Analysis/Domain/Join.h"
#include "Analysis/Domain/Names.h"
#include "Analysis/Interpreter.h"
#include "Analysis/LoopFacts.h"
#include "Layout/Elementwise.h"
#include "Layout/Exceptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SparseBitVector.h"

namespace tensortidy::program {
struct SizesNeed;
struct SizesNode;
} // namespace tensortidy::program

namespace tensortidy::analysis {

/// Bytes of an element, 0 when not known.
int64_t itemSize(llvm::StringRef DType);

/// The format called \p Text: "channels_last".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Text);
/// How many dimensions a tensor of a channels-last format has.
std::optional<unsigned> formatRank(layout::MemoryFormat F);

/// Whether what a state assumes by this name is of parameters and the like,
/// not of what each iteration of a loop makes anew.
bool outlivesLoops(llvm::StringRef Key);

class Machine {
public:
  Machine(const program::Function &F, Hypothesis H, const Budget &B,
          double Deadline, const Ranks &Given, StateObserver *Sees);
  RunResult run();

private:
  using Stmt = program::Stmt;
  using BlockId = program::BlockId;
  using VarId = program::VarId;
  using ValueId = program::ValueId;

  // Engine.cpp
  struct BlockState {
    std::vector<State> In; ///< every state that ran or will
    std::vector<bool> Pending;
    unsigned Visits = 0;
    bool IsHead = false;
    program::LoopId Loop = program::NoId; ///< loop this block heads
  };
  void prepare();
  void findLive();
  void dropDead(State &W, BlockId At) const;
  State entryWorld();
  void arrive(BlockId To, State W, BlockId From);
  bool testDecided(const State &W, BlockId Head, program::LoopId L);
  void enterLoop(State &W, BlockId Head, program::LoopId L);
  void skipLoop(State &W, program::LoopId L, BlockId From, BlockId To);
  void repeatLoop(State &W, BlockId Head, program::LoopId L);
  void chooseArms(State &W, program::BlockId To) const;
  static void replace(BlockState &S, size_t Of, State J);
  void runBlock(BlockId B, State W);
  bool endsCount(BlockId B, BlockId To) const;
  bool failsBySizeAlone(State &W, BlockId B, unsigned Arm);
  llvm::SmallVector<ValueId, 2> sizeTests(BlockId B, unsigned Arm);
  void runSwitch(BlockId B, const State &W,
                 llvm::function_ref<void(State, BlockId)> Leave);
  bool insideLoop(BlockId B, program::LoopId L) const;

  // Observe.cpp
  void observe(State &W, const Stmt &S);
  void noteNarrow(const State &W, const Stmt &S);
  void noteInLoop(const State &W, const Stmt &S, const Object &O);

  // Conditions.cpp
  Truth evaluate(const State &W, const Condition &C) const;
  /// Refines \p W; false when that leaves no path.
  bool assume(State &W, const Condition &C, bool Holds);
  bool assumeContiguous(State &W, ObjId T, layout::MemoryFormat F, bool Holds,
                        program::Range Where);
  CondRef atom(std::string Key, std::string Text);
  static CondRef negation(CondRef C);
  static CondRef equality(const Value &X, const Value &Y);
  static Truth byRange(const State &W, const Condition &C);
  bool limitRank(State &W, Object &O, const State::Range &Of);
  bool limitRanks(State &W, const Condition &C);
  bool wasOtherwise(const State &W, const Condition &C, bool Holds) const;
  std::string compareKey(const layout::Symbolic &Ar, const Condition &C) const;
  std::string conditionKey(const State &W, const Condition &C) const;
  std::optional<unsigned> mostRank(const State &W, const Object &O) const;
  void limit(State &W, const Condition &C, bool Holds);
  static bool refuted(const State &W, const Condition &C, bool Holds);
  static void limitTo(State &W, const Condition &C, bool Holds);
  static bool leftOne(const State &W, const std::vector<SymExpr> &Sizes);
  layout::Truth sameSizes(const State &W, const Condition &C) const;
  bool assumeSameSizes(State &W, const Condition &C);
  layout::Truth sameDType(const State &W, const Condition &C) const;
  CondRef toCondition(State &W, program::ValueId Of);
  void keepAnswer(State &W, program::ValueId Of, const Condition &C,
                  bool Holds);
  void findStableVariables();
  std::string testKey(const State &W, program::ValueId Of);
  CondRef test(const State &W, program::ValueId Of, std::string Text = "",
               const std::string &Case = "");
  void noteTest(program::ValueId Of, const std::string &Key);
  void addGiven(program::ValueId Of, std::vector<Object> &Into,
                unsigned Depth) const;
  bool isVouchedFor(const State &W, const Object &O) const;
  bool sameTest(const State &W, program::ValueId Of, std::string &Key,
                unsigned Depth);
  std::string pathText(const State &W) const;
  static bool onlySizes(const State &W, const SymExpr &E);

  // Transfer.cpp
  /// False when the path ends here.
  bool execute(State &W, const Stmt &S);
  void load(State &W, const Stmt &S);
  void store(State &W, const Stmt &S);
  void havoc(State &W, VarId V, const Stmt &S);
  ObjId anyTensor(State &W, const Stmt &S);
  void executeOpaque(State &W, const Stmt &S);
  void executeTensor(State &W, const Stmt &S);
  void applyTensorOp(State &W, const Stmt &S);
  void executeQuery(State &W, const Stmt &S, Object *Self);
  void access(State &W, const Stmt &S, Object &O);
  std::optional<SymDims> computed(State &W, const Stmt &S);
  void executeInPlace(State &W, const Stmt &S, Object *Self);
  void changeLayout(State &W, const Stmt &S, Object &Self,
                    const layout::LayoutOutcome<Symbolic> &Out);
  void forget(Object &O) const;
  void metadataChanges(State &W, const Object &O) const;
  void unknownInt(State &W, const Stmt &S);
  std::optional<int64_t> dimArg(State &W, const Stmt &S, Object *Self,
                                llvm::StringRef Name,
                                std::optional<int64_t> Default = {});

  // Values.cpp
  CondRef askSkipped(State &W, program::ValueId Of);
  void executeValue(State &W, const Stmt &S);

  // Lists.cpp
  void executeList(State &W, const Stmt &S);
  Object *sizesOf(State &W, const Value &L) const;
  Value rank(State &W, ObjId T, const Object &O);
  Value anyOf(State &W, const Value &L, ValueId V);
  void someElement(State &W, const Stmt &S, const Value &L);
  void changeList(State &W, const Stmt &S);
  bool isEmptyLater(const State &W, const Stmt &S) const;
  void catenateEach(State &W, const Stmt &S, const Value &L,
                    std::optional<int64_t> Dim);

  // ViewOps.cpp
  void executeView(State &W, const Stmt &S, Object *Self);
  void view(State &W, const Stmt &S, Object &O, const SymDims &New,
            bool IsCheckSite);
  bool viewLike(State &W, const Stmt &S, const Object &O, const Object *Like);
  void assumeNoImage(State &W, Object &O) const;
  void transposeDims(State &W, const Stmt &S, Object *Self);
  void transposeMatrix(State &W, const Stmt &S, Object *Self);
  void squeezeDims(State &W, const Stmt &S, Object *Self);
  void splitDims(State &W, const Stmt &S, Object *Self);
  void expandAll(State &W, const Stmt &S);
  void expandUnsure(State &W, const Stmt &S, const Object &Self,
                    const SymDims &New);
  void indexAny(State &W, const Stmt &S, Object *Self);
  void index(State &W, const Stmt &S, Object &O);
  bool indexedByTensors(State &W, const Stmt &S, Object &Self,
                        const std::vector<Value> &Idx);
  std::vector<Value> indices(State &W, const Stmt &S) const;
  std::optional<Object> indexed(State &W, const Stmt &S, Object &O,
                                const std::vector<Value> &Idx);
  std::optional<SymExpr> scaled(State &W, const Stmt &S, size_t Dim,
                                const SymExpr &Size) const;
  void noElement(State &W, const Stmt &S, int64_t I, int64_t Count);
  Truth indexCopies(State &W, const Value &Index) const;

  // CopyOps.cpp
  void executeCopy(State &W, const Stmt &S, Object *Self);
  void reshape(State &W, const Stmt &S, Object *Self);
  void contiguousCall(State &W, const Stmt &S, Object &O);
  void convert(State &W, const Stmt &S, Object *Self);
  void sameSizesAs(State &W, const Stmt &S, Object *Self);
  void freshLike(State &W, const Stmt &S, Object *Self);
  void maskedFill(State &W, const Stmt &S, Object *Self);
  void packedLike(State &W, const Stmt &S, Object *Self);
  /// A MaybeCopy operation copies, or does not, on this path.
  void copies(const Stmt &S, Truth Copies,
              const std::vector<SymExpr> &UnlessOne, const State &W);
  void noteCopy(State &W, const Stmt &S, unsigned PathsBefore);
  void noteSelf(State &W, const Stmt &S);
  void noteFormat(State &W, const Stmt &S, const Object &O);
  void noteOperand(const State &W, const Stmt &S, const Object &O);
  std::string nameAt(const Stmt &S, const Object &O) const;
  /// What messages call variable \p V, as it is called in context \p At.
  std::string called(VarId V, uint32_t At) const {
    return F.Vars[V].Name.empty() ? "" : markVariable(F, V, At);
  }
  std::string called(VarId V) const { return called(V, F.Vars[V].Context); }
  void nameHere(const Stmt &S, const SymExpr &Size, const std::string &Text);
  std::string unlessText(const State &W,
                         const std::vector<SymExpr> &Ones) const;

  // FreshOps.cpp
  void executeFresh(State &W, const Stmt &S, Object *Self);
  void makeSized(State &W, const Stmt &S, Object *Self);
  void checkBlob(State &W, const Stmt &S, const std::optional<SymDims> &Sizes);
  std::optional<SymExpr> vectorSize(State &W, const Stmt &Data);
  std::optional<SymDims> literalSizes(State &W, const Stmt &S);
  void elementwise(State &W, const Stmt &S, const std::vector<Value> &Operands);
  void reduce(State &W, const Stmt &S, Object *Self);
  void product(State &W, const Stmt &S, llvm::StringRef Left,
               llvm::StringRef Right, unsigned Rank);
  bool rowsTimes(State &W, const Stmt &S, Object &X, const Object &Y);
  bool broadcastTails(State &W, const Stmt &S,
                      llvm::ArrayRef<const Object *> Of, bool Dense);
  void linear(State &W, const Stmt &S);
  bool catenateTails(State &W, const Stmt &S, llvm::ArrayRef<Object *> Of,
                     int64_t Dim);
  bool stackTails(State &W, const Stmt &S, llvm::ArrayRef<Object *> Of,
                  int64_t Dim);
  void catenate(State &W, const Stmt &S);
  void promote(State &W, const Stmt &S);
  bool isInteger(ValueId V) const;
  void sameDTypes(State &W, const Stmt &S, const Object *X, const Object *Y);
  std::vector<DTypeOperand> dtypeOperands(State &W, const Stmt &S) const;
  std::string computedDType(State &W, const Stmt &S) const;
  bool toldDType(State &W, const Stmt &S, std::string &DType) const;
  void setDType(State &W, const Stmt &S, Object &O) const;
  std::string sizeText(const State &W, const Object &O) const;
  void noteAllocation(State &W, const Stmt &S, const Object &O);

  // Objects.cpp
  Value operand(State &W, const Stmt &S, llvm::StringRef Name) const;
  Value value(const State &W, ValueId V) const;
  Object *tensor(State &W, const Value &V) const;
  Object *tensorArg(State &W, const Stmt &S, llvm::StringRef Name) const;
  std::optional<int64_t> intArg(State &W, const Stmt &S, llvm::StringRef Name,
                                std::optional<int64_t> Default = {}) const;
  std::optional<SymExpr> exprArg(State &W, const Stmt &S,
                                 llvm::StringRef Name) const;
  static SymExpr usedAsSize(State &W, const SymExpr &E);
  /// A list of known length as sizes; a single integer counts as a list.
  std::optional<SymDims> sizesArg(State &W, const Stmt &S,
                                  llvm::StringRef Name);
  std::optional<std::vector<int64_t>> dimsArg(State &W, const Stmt &S,
                                              llvm::StringRef Name) const;
  layout::MemoryFormat formatArg(State &W, const Stmt &S,
                                 layout::MemoryFormat Default,
                                 bool &Known) const;
  void setResult(State &W, const Stmt &S, Value V);
  ObjId newObject(State &W, const Stmt &S, Object O, unsigned Part = 0);
  void result(State &W, const Stmt &S, Object O);
  SymExpr countOf(State &W, const Stmt &S, const SymExpr &Product,
                  unsigned Part);
  void forgetOtherEnd(State &W, const Stmt &S, Object &O, const Object &Of);
  void resultView(State &W, const Stmt &S, const Object &Of,
                  layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
  void resultFresh(State &W, const Stmt &S, const Object *Of,
                   layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
  void resultUnknown(State &W, const Stmt &S, bool Fresh, const Object *Of);
  void resultDense(State &W, const Stmt &S, std::optional<SymDims> Sizes,
                   const Object *Of);
  void resultSizes(State &W, const Stmt &S, const Object &Of, SymDims Sizes);
  void resultTail(State &W, const Stmt &S, const Object *Of, SymDims Tail,
                  bool Dense, unsigned AtLeast);
  void resultList(State &W, const Stmt &S, const Object &Of,
                  layout::Outcome<Symbolic, std::vector<SymLayout>> Out);
  Object opaque(State &W, const std::string &Name, SymbolKey Key);
  Object denseUnknown(SymbolKey Key);
  ProvRef provenance(State &W, const Stmt &S, const Object *Of, bool Fresh);
  std::string describe(const State &W, const Object &O) const;
  /// "transpose(1, 2)": the call as written, by its values.
  std::string callText(const Stmt &S, const State &W) const;
  std::string argText(ValueId V, const State &W, unsigned Depth) const;

  /// Turns a user's dimension into one of the pseudo layout, adding dimensions
  /// out of the segment as needed. Nothing: cannot be placed.
  std::optional<int64_t> place(State &W, Object &O, int64_t Dim,
                               bool ForInsert = false);
  void partOf(const SymExpr &Whole, const SymExpr &Part);
  void pullFront(State &W, Object &O, unsigned Count);
  void pullBack(State &W, Object &O, unsigned Count);
  bool meetEnds(State &W, Object &O, unsigned Rank);
  bool setRank(State &W, Object &O, unsigned Rank);
  static std::string rootName(const Object &O);
  static SymbolKey dimensionKey(const Object &O);
  SymbolKey strideKey(const Object &O);

  // Ggml.cpp
  void executeGgml(State &W, const Stmt &S);
  void makeGgml(State &W, Object &O, ObjId Id);
  Object *ggmlArg(State &W, const Stmt &S, llvm::StringRef Name);
  SymExpr ggmlBytes(const std::string &DType);
  std::string ggmlText(const State &W, const SymLayout &L, bool Strides) const;
  void nameSizes(const Object &O);
  void nameGgml(const Object &O);
  SymDims ggmlSizes(State &W, const Stmt &S);
  bool ggmlNeeds(State &W, const Stmt &S, llvm::StringRef Name,
                 llvm::StringRef Need, bool IsReshape);
  void ggmlReads(State &W, const Stmt &S);
  void ggmlCont(State &W, const Stmt &S, Object &O, const SymDims &Ne);
  void ggmlResult(State &W, const Stmt &S, const Object *Of, SymLayout L);
  void ggmlView(State &W, const Stmt &S, const Object &Of, SymLayout L,
                bool Part = false);
  SymLayout ggmlUnknown(State &W, const Stmt &S);

  // GgmlSizes.cpp
  void ggmlNeedsSizes(State &W, const Stmt &S, llvm::StringRef Text);
  std::optional<SymExpr> ggmlNumber(State &W, const Stmt &S,
                                    const program::SizesNode &N);
  std::optional<SymExpr> ggmlSize(State &W, const Stmt &S,
                                  llvm::StringRef Name);
  void ggmlCount(State &W, const Stmt &S, const Object &Self,
                 const SymDims &New);
  void ggmlEqual(State &W, const Stmt &S, const SymExpr &A, const SymExpr &B,
                 llvm::function_ref<std::string()> Message);
  bool isCounted(const State &W, const SymExpr &E) const;
  void ggmlType(State &W, const Stmt &S, const program::SizesNeed &N);
  void ggmlMisfit(State &W, const Stmt &S, const std::string &Message,
                  const SymExpr &A, const SymExpr &B);
  void ggmlBytesOfView(State &W, const Stmt &S, const Object &Self,
                       const SymDims &New, const SymExpr &Offset);
  void ggmlFails(State &W, const Stmt &S, layout::Rule R,
                 const std::string &Message, const std::string &Verb,
                 const std::string &Unless = "", bool OneExcepted = false);
  std::string ggmlOperand(State &W, const Stmt &S, llvm::StringRef Name);
  std::optional<Note> ggmlSizesNote(const State &W, const Stmt &S,
                                    const Object &O) const;

  // Sites.cpp
  /// Records what \p Out says about \p S; true unless it fails for certain.
  template <class T>
  bool site(State &W, const Stmt &S, llvm::ArrayRef<const Object *> Of,
            const layout::Outcome<Symbolic, T> &Out, bool FromBack = false) {
    if (Out.failed()) {
      layoutFails(W, S, Of, Out.error(), Out.unlessOne(), "", FromBack);
      return !Out.unlessOne().empty();
    }
    ++(Out.ok() ? R.Sites[&S].Ok : R.Sites[&S].Unknown);
    return true;
  }
  void layoutFails(State &W, const Stmt &S, llvm::ArrayRef<const Object *> Of,
                   const layout::LayoutError<SymExpr> &E,
                   const std::vector<SymExpr> &UnlessOne,
                   const std::string &Role = "", bool FromBack = false);
  std::vector<SymbolId> restIn(const State &W,
                               const std::vector<SymExpr> &Exprs) const;
  bool hasQuotient(const State &W, const std::vector<SymExpr> &Exprs,
                   bool OrSum = false) const;
  static bool isLoose(const State &W, const std::vector<SymExpr> &Exprs);
  bool saysOne(const State &W, const Object *O,
               const layout::LayoutError<SymExpr> &E) const;
  void dtypeFails(State &W, const Stmt &S, const Object &O,
                  const std::string &Wanted, const std::string &Role = "");
  std::optional<Note> sizesNote(const State &W, const Stmt &S,
                                const Object &O) const;

  // Pointers.cpp
  /// `p[i] = v`: an element changes, the pointer stays.
  bool writesElement(const Stmt &S, const program::Arg &A) const {
    return S.O == program::Op::Assign && A.Var < F.Vars.size() &&
           F.Vars[A.Var].Borrows &&
           F.Vars[A.Var].Type == program::VarType::Other;
  }
  static Value pointerTo(const Stmt &S, const Object &O);
  /// Records what \p S does with the raw pointers it is given; gives the
  /// pointer it makes of them, if one.
  Value usePointers(State &W, const Stmt &S);
  void blobOf(State &W, const Stmt &S, const SymDims &Sizes);
  struct Walk;
  struct Access;
  struct Moves;
  layout::Answer<SymExpr> contiguity(const State &W, const Object &O) const;
  void passPointers(State &W, const Stmt &S);
  void copyPointers(State &W, const Stmt &S);
  void indexPointer(State &W, const Stmt &S);
  bool readPointer(State &W, const Stmt &S, std::vector<Access> &All) const;
  void pairPointers(State &W, const Stmt &S);
  void judgeAccesses(State &W, const Stmt &S, const std::vector<Access> &All,
                     const SymExpr *RawAt, bool OnlyBeside);
  Moves movesOf(VarId V);
  bool takeSteps(State &W, const Access &A, Walk &Into);
  std::optional<Walk> walk(State &W, const SymExpr &Index);
  std::optional<SymExpr> again(const State &W, ValueId V, unsigned Depth) const;
  bool namesStride(ValueId V, unsigned Depth) const;
  std::optional<SymExpr> lengthOf(const State &W, const Stmt *Size) const;
  bool isWhole(const State &W, const Stmt &S, const Pointee &P) const;
  std::optional<SymExpr> lastValue(State &W, const Stmt &S,
                                   llvm::StringRef Name);
  const LoopFacts &loops();
  bool leaves(State &W, const Stmt &S, const Pointee &P,
              const layout::Answer<SymExpr> &Is, bool Dense);
  PointerUse *pointerFails(State &W, const Stmt &S, const Pointee &P,
                           PointerUse::Kind K,
                           const layout::Answer<SymExpr> &Contiguous);
  // Overwrite.cpp
  void writes(State &W, const Stmt &S, llvm::StringRef Target);
  void inPlaceOperands(State &W, const Stmt &S, const Object &Out);

  void indexFits(State &W, const Stmt &S, const Object &O,
                 llvm::ArrayRef<Value> Indices);
  // Shapes.cpp
  void resultSized(State &W, const Stmt &S, SymDims Sizes,
                   llvm::StringRef Strides, const Object *Of,
                   int SegmentAt = -1);
  void sized(State &W, const Stmt &S);
  std::optional<SymDims> perDim(State &W, const Stmt &S, llvm::StringRef Name,
                                size_t N,
                                const std::optional<SymDims> &Default);
  std::optional<size_t> spatialDims(State &W, const Stmt &S,
                                    llvm::StringRef Weight);
  bool splitSpatial(State &W, Object &O, size_t N, SymDims &Front,
                    SymDims &Spatial);
  void resultWindows(State &W, const Stmt &S, const Object &Of, SymDims Sizes,
                     llvm::StringRef Strides);
  void convolution(State &W, const Stmt &S);
  void pool(State &W, const Stmt &S);
  void resample(State &W, const Stmt &S);
  void pad(State &W, const Stmt &S);
  void einsum(State &W, const Stmt &S);
  // Needs.cpp
  void needs(State &W, const Stmt &S);
  std::optional<SymDims> allSizes(State &W, const Stmt &S,
                                  const std::string &Name);
  void meetNeed(State &W, const Stmt &S, const program::SizesNode &N,
                const std::optional<SymExpr> &Equal);
  int64_t placeOf(State &W, const Stmt &S, const program::SizesNode &N,
                  const Object &O);
  std::optional<SymExpr> oneSize(State &W, const Stmt &S,
                                 const program::SizesNode &N);

  SymExpr valueSymbol(const Stmt &S, layout::SymbolInfo::Kind K,
                      const std::string &Name, unsigned Part = 0);
  void noteLayout(State &W, const Stmt &S);

  const program::Function &F;
  Hypothesis H;
  Budget Limits;
  double Deadline;     ///< of cpuSeconds()
  const Ranks &Given;  ///< of opaque tensors
  StateObserver *Sees; ///< or null
  std::shared_ptr<layout::Symbols> Shared;
  layout::Symbols &Table;
  /// Members that a call may have changed, or not: what they are then -> what
  /// they were. Most calls change none of those that a function asks of twice.
  std::map<std::string, std::string> WasAtom;
  std::map<SymbolId, SymExpr> WasInt;
  /// The tensors of calls that nobody models, by what they give and where that
  /// is kept, and of the tests of those by their key.
  std::map<program::ValueId, std::vector<Object>> GivenToCall;
  std::map<program::VarId, std::vector<Object>> GivenToVariable;
  std::map<std::string, std::vector<Object>> Tested;
  /// Sizes that are called after an expression until they are stored.
  std::set<SymbolId> NamedByExpression;
  Symbolic Base;
  Identities Ids;
  Joiner Join;
  std::vector<BlockState> States;
  std::vector<const Stmt *> DefOf; ///< by ValueId
  std::vector<bool> StableVars;    ///< by VarId: see findStableVariables()
  /// By block and arm: see failsBySizeAlone().
  std::map<std::pair<BlockId, unsigned>, llvm::SmallVector<ValueId, 2>>
      SizeTests;
  std::vector<BlockId> BlockOf; ///< of the defining statement, by ValueId
  std::vector<bool> CrossBlock; ///< value used outside its block
  /// What is read at a block or after it: variables, then the values that
  /// several blocks use (at their place in CrossAt).
  std::vector<llvm::SparseBitVector<>> Live;
  std::vector<uint32_t> CrossAt;       ///< by ValueId
  std::vector<VarId> Captured;         ///< variables any opaque call may change
  std::vector<std::set<VarId>> Stored; ///< per loop: variables it stores
  std::vector<std::set<VarId>> Filled; ///< of those, lists it adds elements to
  std::vector<std::set<VarId>> Replaced; ///< lists whose elements it assigns
  std::vector<BlockId> Order; ///< reverse post order position by block
  std::map<std::string, unsigned> GgmlTypes; ///< those of unknown size
  BlockId Current = 0;
  /// What is assumed ends a loop over dimensions: that it may run 0 times does
  /// not mean that somebody thinks of a tensor without them.
  bool CountedOut = false;
  std::optional<LoopFacts> LoopsOf;
  std::vector<std::pair<VarId, Counter>> Counters; ///< with LoopsOf
  RunResult R;
};

} // namespace tensortidy::analysis

#endif
