//===- Machine.h - the interpreter's inside -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to Analysis. Engine.cpp moves worlds through blocks, Conditions.cpp
// evaluates and assumes conditions, Transfer.cpp says what each statement does
// to a world, by families of statements:
//
//   Transfer.cpp -> Values.cpp (numbers, conditions)    ViewOps.cpp   Ggml.cpp
//                   Lists.cpp                           CopyOps.cpp
//                                                       FreshOps.cpp
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_MACHINE_H
#define TENSORTIDY_ANALYSIS_MACHINE_H

#include "Analysis/DTypes.h"
#include "Analysis/Interpreter.h"
#include "Analysis/LoopFacts.h"
#include "Analysis/Names.h"
#include "Layout/Elementwise.h"
#include "Layout/Exceptions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SparseBitVector.h"

namespace tensortidy::program {
struct SizesNeed;
struct SizesNode;
} // namespace tensortidy::program

namespace tensortidy::analysis {

/// "x->ne[0]" for the last dimension of a layout, or "?".
std::string ggmlName(const std::string &Tensor, const char *Field, size_t Dim);
/// Bytes of an element, 0 when not known.
int64_t itemSize(llvm::StringRef DType);

/// The format called \p Text: "channels_last".
std::optional<layout::MemoryFormat> formatNamed(llvm::StringRef Text);
/// How many dimensions a tensor of a channels-last format has.
std::optional<unsigned> formatRank(layout::MemoryFormat F);

/// Whether what a world assumes by this name is of parameters and the like,
/// not of what each iteration of a loop makes anew.
bool outlivesLoops(llvm::StringRef Key);

class Machine {
public:
  Machine(const program::Function &F, Hypothesis H, const Budget &B,
          double Deadline, const Ranks &Given);
  RunResult run();

private:
  using Stmt = program::Stmt;
  using BlockId = program::BlockId;
  using VarId = program::VarId;
  using ValueId = program::ValueId;

  // Engine.cpp
  struct BlockState {
    std::vector<World> In; ///< every world that ran or will
    std::vector<bool> Pending;
    unsigned Visits = 0;
    bool IsHead = false;
    program::LoopId Loop = program::NoId; ///< loop this block heads
  };
  void prepare();
  void findLive();
  void dropDead(World &W, BlockId At) const;
  World entryWorld();
  void arrive(BlockId To, World W, BlockId From);
  bool testDecided(const World &W, BlockId Head, program::LoopId L);
  void enterLoop(World &W, BlockId Head, program::LoopId L);
  void skipLoop(World &W, program::LoopId L, BlockId From, BlockId To);
  void repeatLoop(World &W, BlockId Head, program::LoopId L);
  void chooseArms(World &W, program::BlockId To) const;
  void weaken(World &Into, const World &From);
  static void implications(World &Into, const World &From);
  static bool imply(World &W);
  World join(const World &A, const World &B, BlockId At);
  Value joinValue(World &Out, const World &A, const World &B, const Value &X,
                  const Value &Y, BlockId At, uint32_t Slot);
  Value joinLists(World &Out, const World &A, const World &B, const Value &X,
                  const Value &Y, BlockId At, uint32_t Slot);
  static bool sameButLists(const World &A, const World &B);
  Object joinObject(const World &A, const World &B, const Object &X,
                    const Object &Y, BlockId At, uint32_t Slot);
  uint32_t joinNumber(BlockId At, uint64_t What);
  SymExpr keyed(BlockId At, uint64_t Slot, unsigned Dim,
                layout::SymbolInfo::Kind K, const std::string &Name);
  SymExpr joined(BlockId At, uint64_t Slot, unsigned Dim,
                 layout::SymbolInfo::Kind K, const std::string &Name);
  void runBlock(BlockId B, World W);
  bool endsCount(BlockId B, BlockId To) const;
  bool leftOver(World &W, BlockId B, unsigned Arm);
  llvm::SmallVector<ValueId, 2> sizeTests(BlockId B, unsigned Arm);
  void runSwitch(BlockId B, const World &W,
                 llvm::function_ref<void(World, BlockId)> Leave);
  bool insideLoop(BlockId B, program::LoopId L) const;

  // Observe.cpp
  void observe(World &W, const Stmt &S);
  void noteNarrow(const World &W, const Stmt &S);
  void noteInLoop(const World &W, const Stmt &S, const Object &O);

  // Conditions.cpp
  Truth evaluate(const World &W, const Condition &C) const;
  /// Refines \p W; false when that leaves no path.
  bool assume(World &W, const Condition &C, bool Holds);
  bool assumeContiguous(World &W, ObjId T, layout::MemoryFormat F, bool Holds,
                        program::Range Where);
  CondRef atom(std::string Key, std::string Text);
  static CondRef negation(CondRef C);
  static CondRef equality(const Value &X, const Value &Y);
  static Truth byRange(const World &W, const Condition &C);
  bool limitRank(World &W, Object &O, const World::Range &Of);
  bool limitRanks(World &W, const Condition &C);
  bool wasOtherwise(const World &W, const Condition &C, bool Holds) const;
  std::string compareKey(const layout::Symbolic &Ar, const Condition &C) const;
  std::string conditionKey(const World &W, const Condition &C) const;
  std::optional<unsigned> mostRank(const World &W, const Object &O) const;
  void limit(World &W, const Condition &C, bool Holds);
  static bool refuted(const World &W, const Condition &C, bool Holds);
  static void limitTo(World &W, const Condition &C, bool Holds);
  static bool leftOne(const World &W, const std::vector<SymExpr> &Sizes);
  layout::Truth sameSizes(const World &W, const Condition &C) const;
  bool assumeSameSizes(World &W, const Condition &C);
  layout::Truth sameDType(const World &W, const Condition &C) const;
  CondRef toCondition(World &W, program::ValueId Of);
  void keepAnswer(World &W, program::ValueId Of, const Condition &C,
                  bool Holds);
  void keepTested();
  std::string testKey(const World &W, program::ValueId Of);
  CondRef test(const World &W, program::ValueId Of, std::string Text = "",
               const std::string &Case = "");
  void noteTest(program::ValueId Of, const std::string &Key);
  void addTold(program::ValueId Of, std::vector<Object> &Into,
               unsigned Depth) const;
  bool isVouchedFor(const World &W, const Object &O) const;
  bool sameTest(const World &W, program::ValueId Of, std::string &Key,
                unsigned Depth);
  std::string pathText(const World &W) const;
  static bool onlySizes(const World &W, const SymExpr &E);

  // Transfer.cpp
  /// False when the path ends here.
  bool execute(World &W, const Stmt &S);
  void load(World &W, const Stmt &S);
  void store(World &W, const Stmt &S);
  void havoc(World &W, VarId V, const Stmt &S);
  ObjId anyTensor(World &W, const Stmt &S);
  void executeOpaque(World &W, const Stmt &S);
  void executeTensor(World &W, const Stmt &S);
  void applyTensorOp(World &W, const Stmt &S);
  void executeQuery(World &W, const Stmt &S, Object *Self);
  void access(World &W, const Stmt &S, Object &O);
  std::optional<SymDims> computed(World &W, const Stmt &S);
  void executeInPlace(World &W, const Stmt &S, Object *Self);
  void changeLayout(World &W, const Stmt &S, Object &Self,
                    const layout::LayoutOutcome<Symbolic> &Out);
  void forget(Object &O) const;
  void metadataChanges(World &W, const Object &O) const;
  void unknownInt(World &W, const Stmt &S);
  std::optional<int64_t> dimArg(World &W, const Stmt &S, Object *Self,
                                llvm::StringRef Name,
                                std::optional<int64_t> Default = {});

  // Values.cpp
  CondRef askSkipped(World &W, program::ValueId Of);
  void executeValue(World &W, const Stmt &S);

  // Lists.cpp
  void executeList(World &W, const Stmt &S);
  Object *sizesOf(World &W, const Value &L) const;
  Value rank(World &W, ObjId T, const Object &O);
  Value anyOf(World &W, const Value &L, ValueId Slot);
  void someElement(World &W, const Stmt &S, const Value &L);
  void changeList(World &W, const Stmt &S);
  bool isEmptyLater(const World &W, const Stmt &S) const;
  void catenateEach(World &W, const Stmt &S, const Value &L,
                    std::optional<int64_t> Dim);

  // ViewOps.cpp
  void executeView(World &W, const Stmt &S, Object *Self);
  void view(World &W, const Stmt &S, Object &O, const SymDims &New,
            bool IsCheckSite);
  bool viewLike(World &W, const Stmt &S, const Object &O, const Object *Like);
  void assumeNoImage(World &W, Object &O) const;
  void transposeDims(World &W, const Stmt &S, Object *Self);
  void transposeMatrix(World &W, const Stmt &S, Object *Self);
  void squeezeDims(World &W, const Stmt &S, Object *Self);
  void splitDims(World &W, const Stmt &S, Object *Self);
  void expandAll(World &W, const Stmt &S);
  void expandUnsure(World &W, const Stmt &S, const Object &Self,
                    const SymDims &New);
  void indexAny(World &W, const Stmt &S, Object *Self);
  void index(World &W, const Stmt &S, Object &O);
  bool indexedByTensors(World &W, const Stmt &S, Object &Self,
                        const std::vector<Value> &Idx);
  std::vector<Value> indices(World &W, const Stmt &S) const;
  std::optional<Object> indexed(World &W, const Stmt &S, Object &O,
                                const std::vector<Value> &Idx);
  std::optional<SymExpr> scaled(World &W, const Stmt &S, size_t Dim,
                                const SymExpr &Size) const;
  void noElement(World &W, const Stmt &S, int64_t I, int64_t Count);
  Truth indexCopies(World &W, const Value &Index) const;

  // CopyOps.cpp
  void executeCopy(World &W, const Stmt &S, Object *Self);
  void reshape(World &W, const Stmt &S, Object *Self);
  void contiguousCall(World &W, const Stmt &S, Object &O);
  void convert(World &W, const Stmt &S, Object *Self);
  void sameSizesAs(World &W, const Stmt &S, Object *Self);
  void freshLike(World &W, const Stmt &S, Object *Self);
  void maskedFill(World &W, const Stmt &S, Object *Self);
  void packedLike(World &W, const Stmt &S, Object *Self);
  /// A MaybeCopy operation copies, or does not, on this path.
  void copies(const Stmt &S, Truth Copies,
              const std::vector<SymExpr> &UnlessOne, const World &W);
  void noteCopy(World &W, const Stmt &S, unsigned PathsBefore);
  void noteSelf(World &W, const Stmt &S);
  void noteFormat(World &W, const Stmt &S, const Object &O);
  void noteOperand(const World &W, const Stmt &S, const Object &O);
  std::string nameAt(const Stmt &S, const Object &O) const;
  /// What messages call variable \p V, as it is called in context \p At.
  std::string called(VarId V, uint32_t At) const {
    return F.Vars[V].Name.empty() ? "" : markVariable(F, V, At);
  }
  std::string called(VarId V) const { return called(V, F.Vars[V].Context); }
  void nameHere(const Stmt &S, const SymExpr &Size, const std::string &Text);
  std::string unlessText(const World &W,
                         const std::vector<SymExpr> &Ones) const;

  // FreshOps.cpp
  void executeFresh(World &W, const Stmt &S, Object *Self);
  void makeSized(World &W, const Stmt &S, Object *Self);
  void checkBlob(World &W, const Stmt &S, const std::optional<SymDims> &Sizes);
  std::optional<SymExpr> vectorSize(World &W, const Stmt &Data);
  std::optional<SymDims> literalSizes(World &W, const Stmt &S);
  void elementwise(World &W, const Stmt &S, const std::vector<Value> &Operands);
  void reduce(World &W, const Stmt &S, Object *Self);
  void product(World &W, const Stmt &S, llvm::StringRef Left,
               llvm::StringRef Right, unsigned Rank);
  bool rowsTimes(World &W, const Stmt &S, Object &X, const Object &Y);
  bool broadcastTails(World &W, const Stmt &S,
                      llvm::ArrayRef<const Object *> Of, bool Dense);
  void linear(World &W, const Stmt &S);
  bool catenateTails(World &W, const Stmt &S, llvm::ArrayRef<Object *> Of,
                     int64_t Dim);
  bool stackTails(World &W, const Stmt &S, llvm::ArrayRef<Object *> Of,
                  int64_t Dim);
  void catenate(World &W, const Stmt &S);
  void promote(World &W, const Stmt &S);
  bool isInteger(ValueId V) const;
  void sameDTypes(World &W, const Stmt &S, const Object *X, const Object *Y);
  std::vector<DTypeOperand> dtypeOperands(World &W, const Stmt &S) const;
  std::string computedDType(World &W, const Stmt &S) const;
  bool toldDType(World &W, const Stmt &S, std::string &DType) const;
  void setDType(World &W, const Stmt &S, Object &O) const;
  std::string sizeText(const World &W, const Object &O) const;
  void noteAllocation(World &W, const Stmt &S, const Object &O);

  // Objects.cpp
  Value operand(World &W, const Stmt &S, llvm::StringRef Name) const;
  Value value(const World &W, ValueId V) const;
  Object *tensor(World &W, const Value &V) const;
  Object *tensorArg(World &W, const Stmt &S, llvm::StringRef Name) const;
  std::optional<int64_t> intArg(World &W, const Stmt &S, llvm::StringRef Name,
                                std::optional<int64_t> Default = {}) const;
  std::optional<SymExpr> exprArg(World &W, const Stmt &S,
                                 llvm::StringRef Name) const;
  static SymExpr usedAsSize(World &W, const SymExpr &E);
  /// A list of known length as sizes; a single integer counts as a list.
  std::optional<SymDims> sizesArg(World &W, const Stmt &S,
                                  llvm::StringRef Name);
  std::optional<std::vector<int64_t>> dimsArg(World &W, const Stmt &S,
                                              llvm::StringRef Name) const;
  layout::MemoryFormat formatArg(World &W, const Stmt &S,
                                 layout::MemoryFormat Default,
                                 bool &Known) const;
  void setResult(World &W, const Stmt &S, Value V);
  ObjId newObject(World &W, const Stmt &S, Object O, unsigned Part = 0);
  void result(World &W, const Stmt &S, Object O);
  SymExpr countOf(World &W, const Stmt &S, const SymExpr &Product,
                  unsigned Part);
  void forgetOtherEnd(World &W, const Stmt &S, Object &O, const Object &Of);
  void resultView(World &W, const Stmt &S, const Object &Of,
                  layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
  void resultFresh(World &W, const Stmt &S, const Object *Of,
                   layout::LayoutOutcome<Symbolic> Out, int Segment = -1);
  void resultUnknown(World &W, const Stmt &S, bool Fresh, const Object *Of);
  void resultDense(World &W, const Stmt &S, std::optional<SymDims> Sizes,
                   const Object *Of);
  void resultSizes(World &W, const Stmt &S, const Object &Of, SymDims Sizes);
  void resultTail(World &W, const Stmt &S, const Object *Of, SymDims Tail,
                  bool Dense, unsigned AtLeast);
  void resultList(World &W, const Stmt &S, const Object &Of,
                  layout::Outcome<Symbolic, std::vector<SymLayout>> Out);
  Object opaque(World &W, const std::string &Name, uint64_t Key);
  Object denseUnknown(World &W, uint64_t Key);
  ProvRef provenance(World &W, const Stmt &S, const Object *Of, bool Fresh);
  std::string describe(const World &W, const Object &O) const;
  /// "transpose(1, 2)": the call as written, by its values.
  std::string callText(const Stmt &S, const World &W) const;
  std::string argText(ValueId V, const World &W, unsigned Depth) const;

  /// Turns a user's dimension into one of the pseudo layout, adding dimensions
  /// out of the segment as needed. Nothing: cannot be placed.
  std::optional<int64_t> place(World &W, Object &O, int64_t Dim,
                               bool ForInsert = false);
  void partOf(const SymExpr &Whole, const SymExpr &Part);
  void pullFront(World &W, Object &O, unsigned Count);
  void pullBack(World &W, Object &O, unsigned Count);
  bool meetEnds(World &W, Object &O, unsigned Rank);
  bool setRank(World &W, Object &O, unsigned Rank);
  static std::string rootName(const Object &O);
  uint64_t keyOf(const World &W, const Object &O) const;
  uint64_t strideKeyOf(const Object &O);

  // Ggml.cpp
  void executeGgml(World &W, const Stmt &S);
  void makeGgml(World &W, Object &O, ObjId Id);
  Object *ggmlArg(World &W, const Stmt &S, llvm::StringRef Name);
  SymExpr ggmlBytes(const std::string &DType);
  std::string ggmlText(const World &W, const SymLayout &L, bool Strides) const;
  void nameSizes(const Object &O);
  void nameGgml(const Object &O);
  SymDims ggmlSizes(World &W, const Stmt &S);
  bool ggmlNeeds(World &W, const Stmt &S, llvm::StringRef Name,
                 llvm::StringRef Need, bool IsReshape);
  void ggmlReads(World &W, const Stmt &S);
  void ggmlCont(World &W, const Stmt &S, Object &O, const SymDims &Ne);
  void ggmlResult(World &W, const Stmt &S, const Object *Of, SymLayout L);
  void ggmlView(World &W, const Stmt &S, const Object &Of, SymLayout L,
                bool Part = false);
  SymLayout ggmlUnknown(World &W, const Stmt &S);

  // GgmlSizes.cpp
  void ggmlNeedsSizes(World &W, const Stmt &S, llvm::StringRef Text);
  std::optional<SymExpr> ggmlNumber(World &W, const Stmt &S,
                                    const program::SizesNode &N);
  std::optional<SymExpr> ggmlSize(World &W, const Stmt &S,
                                  llvm::StringRef Name);
  void ggmlCount(World &W, const Stmt &S, const Object &Self,
                 const SymDims &New);
  void ggmlEqual(World &W, const Stmt &S, const SymExpr &A, const SymExpr &B,
                 llvm::function_ref<std::string()> Message);
  bool isCounted(const World &W, const SymExpr &E) const;
  void ggmlType(World &W, const Stmt &S, const program::SizesNeed &N);
  void ggmlMisfit(World &W, const Stmt &S, const std::string &Message,
                  const SymExpr &A, const SymExpr &B);
  void ggmlBytesOfView(World &W, const Stmt &S, const Object &Self,
                       const SymDims &New, const SymExpr &Offset);
  void ggmlFails(World &W, const Stmt &S, layout::Rule R,
                 const std::string &Message, const std::string &Verb,
                 const std::string &Unless = "", bool OneExcepted = false);
  std::string ggmlOperand(World &W, const Stmt &S, llvm::StringRef Name);
  std::optional<Note> ggmlSizesNote(const World &W, const Stmt &S,
                                    const Object &O) const;

  // Sites.cpp
  /// Records what \p Out says about \p S; true unless it fails for certain.
  template <class T>
  bool site(World &W, const Stmt &S, llvm::ArrayRef<const Object *> Of,
            const layout::Outcome<Symbolic, T> &Out, bool FromBack = false) {
    if (Out.failed()) {
      layoutFails(W, S, Of, Out.error(), Out.unlessOne(), "", FromBack);
      return !Out.unlessOne().empty();
    }
    ++(Out.ok() ? R.Sites[&S].Ok : R.Sites[&S].Unknown);
    return true;
  }
  void layoutFails(World &W, const Stmt &S, llvm::ArrayRef<const Object *> Of,
                   const layout::LayoutError<SymExpr> &E,
                   const std::vector<SymExpr> &UnlessOne,
                   const std::string &Role = "", bool FromBack = false);
  std::vector<SymbolId> restIn(const World &W,
                               const std::vector<SymExpr> &Exprs) const;
  bool hasQuotient(const World &W, const std::vector<SymExpr> &Exprs,
                   bool OrSum = false) const;
  static bool isLoose(const World &W, const std::vector<SymExpr> &Exprs);
  bool saysOne(const World &W, const Object *O,
               const layout::LayoutError<SymExpr> &E) const;
  void dtypeFails(World &W, const Stmt &S, const Object &O,
                  const std::string &Wanted, const std::string &Role = "");
  std::optional<Note> sizesNote(const World &W, const Stmt &S,
                                const Object &O) const;

  // Pointers.cpp
  /// `p[i] = v`: an element changes, the pointer stays.
  bool writesElement(const Stmt &S, const program::Arg &A) const {
    return S.O == program::Op::Opaque && S.Text == "=" &&
           A.Var < F.Vars.size() && F.Vars[A.Var].Borrows &&
           F.Vars[A.Var].Type == program::VarType::Other;
  }
  static Value pointerTo(const Stmt &S, const Object &O);
  /// Records what \p S does with the raw pointers it is given; gives the
  /// pointer it makes of them, if one.
  Value usePointers(World &W, const Stmt &S);
  void blobOf(World &W, const Stmt &S, const SymDims &Sizes);
  struct Walk;
  struct Access;
  struct Moves;
  layout::Answer<SymExpr> contiguity(const World &W, const Object &O) const;
  void passPointers(World &W, const Stmt &S);
  void copyPointers(World &W, const Stmt &S);
  void indexPointer(World &W, const Stmt &S);
  bool readPointer(World &W, const Stmt &S, std::vector<Access> &All) const;
  void pairPointers(World &W, const Stmt &S);
  void judgeAccesses(World &W, const Stmt &S, const std::vector<Access> &All,
                     const SymExpr *RawAt, bool OnlyBeside);
  Moves movesOf(VarId V);
  bool takeSteps(World &W, const Access &A, Walk &Into);
  std::optional<Walk> walk(World &W, const SymExpr &Index);
  std::optional<SymExpr> again(const World &W, ValueId V, unsigned Depth) const;
  bool namesStride(ValueId V, unsigned Depth) const;
  std::optional<SymExpr> lengthOf(const World &W, const Stmt *Size) const;
  bool isWhole(const World &W, const Stmt &S, const Pointee &P) const;
  std::optional<SymExpr> lastValue(World &W, const Stmt &S,
                                   llvm::StringRef Name);
  const LoopFacts &loops();
  bool leaves(World &W, const Stmt &S, const Pointee &P,
              const layout::Answer<SymExpr> &Is, bool Dense);
  PointerUse *pointerFails(World &W, const Stmt &S, const Pointee &P,
                           PointerUse::Kind K,
                           const layout::Answer<SymExpr> &Contiguous);
  // Overwrite.cpp
  void writes(World &W, const Stmt &S, llvm::StringRef Target);
  void inPlaceOperands(World &W, const Stmt &S, const Object &Out);

  void indexFits(World &W, const Stmt &S, const Object &O,
                 llvm::ArrayRef<Value> Indices);
  // Shapes.cpp
  void resultSized(World &W, const Stmt &S, SymDims Sizes,
                   llvm::StringRef Strides, const Object *Of,
                   int SegmentAt = -1);
  void sized(World &W, const Stmt &S);
  std::optional<SymDims> perDim(World &W, const Stmt &S, llvm::StringRef Name,
                                size_t N,
                                const std::optional<SymDims> &Default);
  std::optional<size_t> spatialDims(World &W, const Stmt &S,
                                    llvm::StringRef Weight);
  bool splitSpatial(World &W, Object &O, size_t N, SymDims &Front,
                    SymDims &Spatial);
  void resultWindows(World &W, const Stmt &S, const Object &Of, SymDims Sizes,
                     llvm::StringRef Strides);
  void convolution(World &W, const Stmt &S);
  void pool(World &W, const Stmt &S);
  void resample(World &W, const Stmt &S);
  void pad(World &W, const Stmt &S);
  void einsum(World &W, const Stmt &S);
  // Needs.cpp
  void needs(World &W, const Stmt &S);
  std::optional<SymDims> allSizes(World &W, const Stmt &S,
                                  const std::string &Name);
  void meetNeed(World &W, const Stmt &S, const program::SizesNode &N,
                const std::optional<SymExpr> &Equal);
  int64_t placeOf(World &W, const Stmt &S, const program::SizesNode &N,
                  const Object &O);
  std::optional<SymExpr> oneSize(World &W, const Stmt &S,
                                 const program::SizesNode &N);

  SymExpr valueSymbol(const Stmt &S, layout::SymbolInfo::Kind K,
                      const std::string &Name, unsigned Part = 0);
  void noteLayout(World &W, const Stmt &S);

  const program::Function &F;
  Hypothesis H;
  Budget Limits;
  double Deadline;    ///< of cpuSeconds()
  const Ranks &Given; ///< of opaque tensors
  std::shared_ptr<layout::Symbols> Shared;
  layout::Symbols &Table;
  /// Members that a call may have changed, or not: what they are then -> what
  /// they were. Most calls change none of those that a function asks of twice.
  std::map<std::string, std::string> WasAtom;
  std::map<SymbolId, SymExpr> WasInt;
  /// The tensors of calls that nobody models, by what they give and where that
  /// is kept, and of the tests of those by their key.
  std::map<program::ValueId, std::vector<Object>> ToldOf;
  std::map<program::VarId, std::vector<Object>> ToldIn;
  std::map<std::string, std::vector<Object>> Tested;
  std::set<SymbolId> Nameless; ///< called after an expression until stored
  Symbolic Base;
  std::vector<BlockState> States;
  std::vector<const Stmt *> DefOf; ///< by ValueId
  std::vector<bool> Keeps;         ///< by VarId: see keepTested()
  /// By block and arm: see leftOver().
  std::map<std::pair<BlockId, unsigned>, llvm::SmallVector<ValueId, 2>> Left;
  llvm::DenseMap<std::pair<BlockId, uint64_t>, uint32_t> JoinNumbers;
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
  std::map<std::tuple<uint64_t, uint64_t, unsigned>, SymbolId> Keyed;
  std::vector<BlockId> Order; ///< reverse post order position by block
  std::map<std::string, unsigned> GgmlTypes; ///< those of unknown size
  BlockId Current = 0;
  uint32_t Line = 0; ///< of the statement that runs
  /// What is assumed ends a loop over dimensions: that it may run 0 times does
  /// not mean that somebody thinks of a tensor without them.
  bool CountedOut = false;
  std::optional<LoopFacts> LoopsOf;
  std::vector<std::pair<VarId, Counter>> Counters; ///< with LoopsOf
  RunResult R;
};

} // namespace tensortidy::analysis

#endif
