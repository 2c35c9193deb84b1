//===- Facts.h - what runs found out, by statement -*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transfer functions record here what each path shows of a statement; checks
// ask afterwards. A site counts the paths, so that a check can ask for one of
// them or for all:
//
//   x.view({n, -1})    LayoutSite: 2 Ok, 1 Failed: "cannot merge dimensions"
//   y.contiguous()     ContiguousSite: 3 Redundant
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_ANALYSIS_FACTS_FACTS_H
#define TENSORTIDY_ANALYSIS_FACTS_FACTS_H

#include "Analysis/Domain/State.h"
#include "Analysis/Facts/Budget.h"
#include "Layout/Ggml.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tensortidy::analysis {

/// Why a fact is not told.
enum class Silence : uint8_t {
#define TENSORTIDY_REASON(Id, Name, Text) Id,
#include "Analysis/Relevance.def"
};

/// What opaque tensors (parameters, members, results of unknown calls) are
/// taken to be.
enum class Hypothesis : uint8_t { Opaque, Contiguous, ChannelsLast };

/// What a fact does not hold for.
struct Excepted {
  std::string Sizes;             ///< "T or H is 1"
  std::string Divisor, Multiple; ///< sizes: where the one divides the other
  bool NoElements = false;       ///< tensors that are empty
  bool Axes = false;             ///< Sizes says that two of them are equal
  bool isOfSizes() const { return !Sizes.empty() || !Divisor.empty(); }
  bool empty() const { return !isOfSizes() && !NoElements; }
};

/// What branches decided on the way to a fact.
struct Path {
  std::vector<std::pair<bool, Asked>> Answers;
  bool Repeats = false; ///< a later iteration of a loop
  bool empty() const { return Answers.empty() && !Repeats; }
};

/// A number of bytes, or of elements.
struct Amount {
  std::string Number; ///< "4*T", or empty
  bool Bytes = false;
  bool known() const {
    return !Number.empty() && Number.find('?') == std::string::npos;
  }
  bool operator==(const Amount &O) const {
    return Number == O.Number && Bytes == O.Bytes;
  }
};

/// Where an operand got what does not fit.
struct Origin {
  enum Kind : uint8_t { Sizes, GgmlSizes, DType } K = Sizes;
  program::Range Where;
  std::string Name;  ///< the operand's variable, or empty
  std::string Shape; ///< its sizes
  std::string Call;  ///< the operation that made it
  /// They say the same.
  bool operator==(const Origin &O) const {
    return K == O.K && Name == O.Name && Shape == O.Shape && Call == O.Call;
  }
};

/// Where code goes on only if a size is at least so much.
struct Proof {
  program::Range Where;
  std::string Size, Least;
};

/// A tensor among the operands of a call.
struct OperandName {
  std::string Name;   ///< the variable, or empty
  unsigned Place = 0; ///< counted from 1; 0: not one of them
};

/// A number that ggml compares with another.
struct GgmlNumber {
  enum Kind : uint8_t {
    Given,    ///< by ggml itself
    Argument, ///< the argument called Name
    Elements, ///< of Of
    Size,     ///< ne[Dim] of Of
    Multiple, ///< Factor times that
  } K = Given;
  std::string Is; ///< its value
  std::string Name;
  OperandName Of;
  unsigned Dim = 0;
  int64_t Factor = 1;
};

/// What an operation refuses, or does wrong without a word.
struct Refusal {
  enum Kind : uint8_t {
    ByRule,     ///< Text says it: a rule of lib/Layout
    PastEnd,    ///< element Left of a list of Right
    OtherDType, ///< the operand has Right, and not one of DTypes
    // ggml
    NotPacked,      ///< as Packing asks for: ne is Left, nb is Right
    SizesDiffer,    ///< Numbers
    SizeExceeds,    ///< Numbers: the first is more than the second
    DoesNotDivide,  ///< Numbers: the first does not divide the second
    CountDiffers,   ///< shape Left for the Right elements of Of
    RepeatedAxis,   ///< dimension Left
    OtherGgmlType,  ///< Of is of Left, Other of DTypes; or not of these
    NotInside,      ///< Left elements, from Text on, of the Right of Of
    EndsBeyond,     ///< Left elements from the start of Of, which has Right
    RowsOverlap,    ///< stride Text of Left bytes, rows of Right
    OffsetInCounts, ///< offset of Left bytes, not the Right of so many
                    ///< elements; or argument Text
    StridesTurned,  ///< stride Text of Left bytes is Right times the one within
    PartsApart,     ///< parts of a row: one starts at Left, none ends there but
                    ///< one at Right
    CountsBlocks,   ///< Left blocks of Of, not its Right elements
    EndsInBlock,    ///< rows of Left elements, of Of
    StartsInBlock,  ///< argument Text is Left bytes: inside a block of Of
    BlocksTurned,   ///< rows of Of are not those its blocks lie along
  } K = ByRule;
  enum Effect : uint8_t {
    Throws,
    Aborts,
    AbortsOnCpu,
    ReadsOthersOnCpu, ///< the CPU backend reads other elements
    ReadsOthers,
    ReadsPart,
    ReadsPastEnd,
    Overlaps, ///< rows of the view do
    StartsElsewhere,
  } E = Throws;
  /// OtherDType: how the call asks for it.
  enum Demand : uint8_t { Needs, NeedsOfBoth, AsksFor, Gives } Asks = Needs;
  std::string Call; ///< "view({B, T, C})"
  std::string Text, Left, Right;
  std::string Role; ///< of the operand, as the call names it; or empty
  std::vector<std::string> DTypes;
  bool UnlessAutocast = false; ///< which converts the operand
  layout::ggml::Packing Packing = layout::ggml::Packing::Contiguous;
  std::string Stored; ///< type of what is stored in blocks
  int64_t BlockElements = 1, BlockBytes = 0;
  OperandName Of, Other;
  bool OfWhole = false; ///< Of is a view: the tensor it is a view of
  GgmlNumber Numbers[2];
};

/// One failing path of a layout operation, taken down while its state was at
/// hand.
struct LayoutFailure {
  layout::Rule R;
  Refusal Why;
  Excepted Unless;
  std::string Copies; ///< elements: "B*T*C"
  std::string Name;   ///< the tensor's variable
  ProvRef Prov;
  Path Taken;
  std::vector<Origin> Origins; ///< where the operands got their sizes
  std::vector<Proof> Proofs;   ///< where it is proved how large they are
  std::string Instead;    ///< ggml: callee that does what was meant, or empty
  bool OnBackend = false; ///< when computed, by one of the backends
  bool Apart = true;      ///< false: if no dimension was counted from both ends
};

/// Ranks of opaque tensors, by what they are made from (Object::Key).
using Ranks = std::map<SymbolKey, unsigned>;

/// What every path said about one operation on layouts that can fail: views
/// their strides forbid, sizes that do not match, dimensions out of range.
struct LayoutSite {
  unsigned Ok = 0, Failed = 0, Unknown = 0;
  bool AsksStrides = false; ///< and not only sizes
  bool IsView = true;       ///< or another operation that asks for a layout
  std::vector<LayoutFailure> Failures; ///< the first few

  /// The first failure of (or, with \p Other, not of) rule \p R, or null.
  const LayoutFailure *first(layout::Rule R, bool Other = false) const {
    for (const LayoutFailure &F : Failures)
      if ((F.R == R) != Other)
        return &F;
    return nullptr;
  }
};

struct ContiguousSite {
  unsigned Redundant = 0, Other = 0, Unknown = 0;
  /// Copies nothing, which is not said: for rare sizes (Object::Resized) it
  /// does, or a function without a visible body was asked (isVouchedFor()).
  unsigned Unreported = 0;
  std::string Name, Format;
  ProvRef Prov;
  // ggml_cont(), which always copies; Format is the call.
  bool Ggml = false;
  bool Moved = false;       ///< dimensions of size 1 have been moved
  bool View = false;        ///< the operand is one
  bool Rewritten = false;   ///< what is copied is written in place later
  bool CopyWritten = false; ///< its copy is
  std::string Copies;       ///< "D*H*T"
  std::set<ObjId> Storages;
};

/// Whether an operation that copies or shares, as the layout decides, copies.
struct CopySite {
  unsigned Copies = 0, Shares = 0, Unknown = 0;
  Excepted Unless; ///< it shares then
  /// Of Unknown: an index of the function's input that may have no dimensions,
  /// when it is a number and copies nothing.
  std::string MayBeNumber;
  Amount Size;  ///< of the copy; none where paths differ
  ProvRef Prov; ///< how the operand got its layout

  /// It copies, but for the exception that Unless names.
  bool always() const { return Copies && !Shares && !Unknown; }
  unsigned paths() const { return Copies + Shares + Unknown; }
};

/// What every path said about the operand of a clone() or to().
struct OperandSite {
  unsigned Dense = 0, Other = 0, Unknown = 0; ///< contiguous or not
  bool Mixed = false;                         ///< of several dtypes
  std::string DType;                          ///< or empty
};

/// A contiguous() or to() that asks for a memory format.
struct FormatSite {
  std::string Format; ///< "contiguous", "channels_last" ...
  bool Mixed = false; ///< it differs between paths
  bool Plain = false; ///< it asks for nothing else
  /// to() returns a tensor as it is that is_contiguous(format) refuses.
  unsigned Unchanged = 0, Other = 0;
  unsigned WasLast = 0, WasOther = 0; ///< the operand is channels-last
  Excepted Unless;
  ProvRef Prov;
};

/// A write in place that meets one element twice.
struct Overlap {
  enum Kind : uint8_t {
    ZeroStride,   ///< a dimension of size Size has stride 0
    Windows,      ///< dimensions whose steps overlap
    ReadsTarget,  ///< the target is an operand, too
    ReadsPart,    ///< an operand is a part of the target
    SharesMemory, ///< an operand has a part of the same memory
    Shifted,      ///< it is the same memory, Steps further
    Transposed,   ///< it is the same memory, two dimensions swapped
    OtherOrder,   ///< it is the same memory in some other order
    OneOfSame,    ///< one index of a dimension of size Size with stride 0
  } K = ZeroStride;
  enum Effect : uint8_t {
    Throws,
    WrongValues,
    ChangesTogether,   ///< elements that share memory become the same
    ReadsOverwritten,  ///< elements are read after they were overwritten
    ThrowsIfDense,     ///< ... and where they are not, ReadsOverwritten
    ThrowsIfBothDense, ///< ... and where one is not, WrongValues
    WrongInThreads     ///< one thread would do it right, several do not
  } E = Throws;
  std::string Target, Operand; ///< variables; or empty
  std::string Size, Steps;
};

/// What every path said about a write in place.
struct WriteSite {
  unsigned Paths = 0, Bad = 0; ///< states that came by, and those it describes
  bool Open = false;           ///< what parameters are decides
  ProvRef Prov;                ///< of what is written
  Overlap What;                ///< of the first of those
  Excepted Unless;
  Path Taken;
  std::vector<Origin> Origins;
};

/// What a question about a tensor was answered.
struct Answered {
  enum Kind : uint8_t { DType, Sizes, GgmlSizes } K = Sizes;
  std::string Name;    ///< the tensor's variable, or empty
  std::string Is;      ///< its dtype or sizes
  std::string Strides; ///< or empty: they were not asked for
  bool operator==(const Answered &O) const {
    return K == O.K && Name == O.Name && Is == O.Is && Strides == O.Strides;
  }
};

/// Why a check of the code can never hold.
struct AssertFailure {
  const program::Stmt *Part = nullptr; ///< the question that is refuted
  std::vector<uint32_t> Calls; ///< the contexts it stands in, outermost last
  std::vector<Answered> Answers;
  Excepted Unless;
  ProvRef Prov; ///< of the first tensor it is about
  std::vector<Origin> Origins;
};

/// What every path said about a check of the code: TORCH_CHECK, assert.
struct AssertSite {
  unsigned Failed = 0, Open = 0; ///< paths it fails on; others, or around it
  bool AsksStrides = false;      ///< of what is made of an opaque tensor
  AssertFailure First;
};

/// How long the lists are that a return gives, on the paths that come to it.
struct ReturnSite {
  std::set<size_t> Lengths;
  bool Other = false; ///< one whose length is not known
};

/// What all paths agree on about a tensor.
struct TensorFact {
  int Rank = -1;                  ///< -1: not known, or not the same
  std::vector<std::string> Sizes; ///< with Rank; "" where paths differ
  std::vector<bool> Stays; ///< with Sizes: a loop gives it no other value
  std::string DType;       ///< or empty
};

/// What a call of from_blob() gets wrong.
struct BlobSite {
  enum Kind : uint8_t {
    Right,
    OtherDevice,      ///< memory of Have, and it is told no device
    HostMemory,       ///< and it is told Wants; with Of: unless that is the CPU
    ElementsApart,    ///< objects of Have, which have their elements elsewhere
    OtherDType,       ///< memory of Have, taken for Wants
    StrideCount,      ///< Wants sizes, and Have strides
    NegativeStride,   ///< Have
    TooSmall,         ///< Wants elements, of which there are Have
    TooFewBytes,      ///< Wants elements of Type, and Have bytes
    ImageOtherDType,  ///< image Of has Have, taken for Wants
    ImageTooSmall,    ///< Wants elements of Type; Of has Shape of Have
    ChannelsAsPlanes, ///< of image Of, which has Shape
    ColumnsAsRows,
    RowsApart,   ///< rows of Have pixels, Wants apart; Shape: unless equal
    RowsPadded,  ///< rows of Have pixels, and a gap that the device decides on
    StepInBytes, ///< rows are Have bytes apart, taken for elements of Wants
  } K = Right;
  std::string Wants, Have, Type;
  std::string Of, Shape;  ///< the image's variable, or empty; its sizes
  bool HasPixels = false; ///< ColumnsAsRows: of several channels
  bool IsDefault = false; ///< the element type: nobody said so
  program::Range Made;    ///< where the memory is made, if that is seen
};

/// Rows of an image that are padded, copied as one block.
struct PaddedSite {
  std::string Of; ///< the image's variable, or empty
  std::string Shape;
  std::string Row; ///< bytes, unless they need no padding; empty: they need it
};

/// What every path says of an operation whose operands must be on one device,
/// and of memory that is read where it is not.
struct DeviceSite {
  enum Kind : uint8_t {
    Operands,  ///< One and Other, of one operation
    Index,     ///< Other, an index of One
    Input,     ///< Other is given to module One
    HostReads, ///< One's memory; there is no Other
    HostWrites,
    Kernel,  ///< is given One's memory
    Pointers ///< a function is given One's memory and Other's
  };
  struct DeviceName {
    std::string Name; ///< "cuda", or the variable that holds it; or empty
    bool IsVariable = false;
    bool OfModule = false; ///< wherever the unit moves the module
  };
  struct Tensor {
    std::string Name; ///< the variable, or empty
    std::string Call; ///< of what has none: the operation that made it
    std::string Role; ///< of the operand, or empty
    DeviceName Device;
    program::Range Put;  ///< where it was put there, if that says something
    bool MayFit = false; ///< nobody counted its dimensions: a number fits
  };
  unsigned Ok = 0, Failed = 0;
  // Of the first that fails:
  Kind What = Operands;
  std::string Call;
  Tensor One, Other;
  DeviceName UnlessCpu; ///< a device that code names by a variable
  Path Taken;
};

/// A copy from a device to the host that is asked not to wait for its end.
struct FetchSite {
  unsigned Later = 0, Other = 0; ///< it does not wait; or that is not known
  DeviceSite::Tensor From;
  bool IntoHost = false; ///< what it writes is on the CPU for certain
};

/// An operation along a dimension of one element.
struct SingleSite {
  unsigned One = 0, Other = 0;
  int64_t Dim = 0;   ///< counted from the end where it is negative
  int64_t Rank = -1; ///< of One; -1: not known
  int64_t Dims = -1; ///< of all operands; -1: not known, or of several ranks
  std::string Call;
};

/// A part of the rows of a ggml tensor that a view takes, from Start on.
struct RowPart {
  const program::Stmt *By = nullptr;
  SymExpr Start, Width;
};

/// Code that takes a tensor's memory for that of a contiguous one.
struct PointerUse {
  enum Kind : uint8_t {
    Shape,  ///< sizes in their order, with the strides of a contiguous tensor
    Beside, ///< element by element with a tensor of other strides
    Row,    ///< as many elements in a row, and there are gaps
    Order,  ///< copies the elements in the order of memory
    Step,   ///< addresses Given elements apart, where a stride is Real
    Beyond, ///< reaches element Given of memory that has Real
    Bytes,  ///< copies Given bytes for each of Count elements, of Real bytes
    Rows,   ///< the same, of rows of Count elements each
    Mixed,  ///< copies elements of Given bytes where these have Real
    Short,  ///< copies Given bytes of memory that has Real
    Start,  ///< starts Given bytes behind the first one, a number of elements
    Type,   ///< takes elements of dtype Real for those of Given
    Pixels, ///< takes planes for the channels of pixels, [..., Given]
    Subscript, ///< index Given of dimension Count, which has Real
    Unchecked, ///< any of that, and the layout is not known
  } K = Shape;
  const program::Stmt *Use = nullptr; ///< of the pointer
  std::string Name;                   ///< the tensor's variable
  std::string Sizes, Strides;         ///< "[B, T, C]"
  std::string Dense;                  ///< the strides it is taken to have
  std::string Memory; ///< sizes in the order of memory: "[B, C, T]"
  std::string Count;  ///< "B*T*C"
  std::string Other;  ///< Beside: the other tensor's variable; Bytes: dtype,
                      ///< or empty
  std::string Given, Real;
  Excepted Unless;
  Path Taken;
  ProvRef Prov;
  bool LastStride = false; ///< Unchecked: but for its last stride
  bool Gradient = false;   ///< Unchecked: of what autograd gives
};

/// What all paths do with the pointer that one data_ptr() gives.
struct PointerSite {
  unsigned Ok = 0, Failed = 0, Unknown = 0;
  bool Derived = false;         ///< of Unknown: of a tensor the function made
  std::vector<PointerUse> Uses; ///< the first few that fail
  std::optional<PointerUse> Unchecked;
};

/// A loss of tensors that broadcast to more elements than either of them has.
struct SpreadSite {
  bool Usual = false;              ///< where layers are given matrices
  std::string Several;             ///< of the other tensor; empty: all of them
  std::string Call;                ///< "mse_loss(y, target)"
  std::string Left, Right, Result; ///< sizes: "[b, 1]", "[b]", "[b, b]"
  Excepted Unless;
};

/// A dimension that is taken for another one: what comes of it throws nothing
/// and has wrong values.
struct AxisSite {
  const program::Stmt *By = nullptr; ///< softmax(); null: S is a reshape
  std::string Call;                  ///< "view({B, H, T, D})", "bmm(w, v)"
  std::string Axis;  ///< "T"; of a product the number of what it sums over
  std::string Sizes; ///< "[B, T, H*D]"
  /// The elements from one T to the next, before and here: "H*D", "D"; of a
  /// product, Was is the number of the dimension that adds up to 1.
  std::string Was, Is;
  Excepted Unless;
  Path Taken;
};

/// What a function shows of its sizes, wherever that stands in it.
struct Evidence {
  /// A statement in block At proves that a size is at least so much.
  struct Floor {
    program::BlockId At;
    SymbolId Of;
    SymExpr Least;
    program::Range Where;
  };
  std::vector<Floor> Floors;
  using Pair = layout::Axes::Pair;
  /// The sizes of tensors.
  std::set<SymDims> Shapes;
  bool Ggml = false; ///< some are ggml's
  /// Sizes that are sums, of tensors of any rank.
  std::set<SymExpr> Sums;
  /// What is compared.
  std::set<Pair> Related;
  std::set<std::pair<SymbolId, int64_t>> RelatedNumbers;
  /// A size and what it is made of, where one shape is taken for another.
  std::set<Pair> Split;
  /// What a run asked in vain, before it had seen all of the above.
  layout::OpenQuestions Open;
  bool AsksShapes = false; ///< the same of two sizes: are they of one tensor?
};

/// How the tensor that an expression stands for was on one path.
struct ShownLayout {
  enum Order : uint8_t {
    Contiguous,
    ChannelsLast,
    ChannelsLast3d,
    Strided,
    Unknown ///< the strides are
  } O = Unknown;
  bool Ggml = false; ///< in ggml's order
  std::string Sizes, Strides;
  bool operator==(const ShownLayout &X) const {
    return O == X.O && Ggml == X.Ggml && Sizes == X.Sizes &&
           Strides == X.Strides;
  }
};

/// What is observed of an expression, for editors.
struct ObservedLayout {
  LayoutFact Of; ///< without words
  std::vector<ShownLayout> Paths;
  ProvRef Prov; ///< on the first of them
  /// Why its layout cannot be drawn.
  enum Obstacle : uint8_t {
    None,
    UnknownRank,
    UnknownStrides,
    NoElements,
    NoDimensions
  } NotDrawn = None;
};

/// Everything one run tells.
struct RunResult {
  program::GiveUp Reason = program::GiveUp::No;
  llvm::MapVector<const program::Stmt *, LayoutSite> Sites;
  /// By block: some path comes to it.
  std::vector<bool> Comes;
  /// By what is tested, or by the assertion.
  llvm::MapVector<const program::Stmt *, AssertSite> Asserts;
  /// Questions about a dimension that some path has.
  llvm::DenseSet<const program::Stmt *> Answered;
  llvm::MapVector<const program::Stmt *, ContiguousSite> Contiguous;
  llvm::MapVector<const program::Stmt *, CopySite> Copies;
  /// ggml: of each tensor with rows of a sum of sizes, what views take.
  std::map<ObjId, std::vector<RowPart>> RowParts;
  llvm::MapVector<const program::Stmt *, WriteSite> Writes;
  llvm::MapVector<const program::Stmt *, BlobSite> Blobs;
  llvm::MapVector<const program::Stmt *, PaddedSite> Padded;
  llvm::MapVector<const program::Stmt *, DeviceSite> Devices;
  llvm::MapVector<const program::Stmt *, FetchSite> Fetches;
  llvm::MapVector<const program::Stmt *, SingleSite> Singles;
  /// Of operations that find places: whether their operand is a vector.
  llvm::DenseMap<const program::Stmt *, bool> OfVector;
  llvm::MapVector<const program::Stmt *, SpreadSite> Spread;
  /// Whether a layer is given a tensor of unknown rank, and a loss as well.
  bool LayersOfAnyRank = false, AsksRanks = false;
  llvm::MapVector<const program::Stmt *, AxisSite> Axes;
  llvm::MapVector<const program::Stmt *, PointerSite> Pointers; ///< by data_ptr
  /// Of functions that give gradients back.
  llvm::MapVector<const program::Stmt *, ReturnSite> Returns;
  /// Numbers of elements that become 32-bit integers, and may not fit; how many
  /// they are where they do not.
  llvm::MapVector<const program::Stmt *, std::optional<int64_t>> Narrowed;
  /// Operations that may return what they are called on: whether they do.
  struct SelfSite {
    unsigned Shares = 0, Other = 0;
  };
  llvm::DenseMap<const program::Stmt *, SelfSite> SelfSites;
  llvm::DenseMap<const program::Stmt *, OperandSite> Operands;
  llvm::DenseMap<const program::Stmt *, FormatSite> Formats;
  /// Conversions that change the dtype for certain.
  llvm::DenseSet<const program::Stmt *> SureCopies;
  /// How much an allocation statement makes.
  llvm::DenseMap<const program::Stmt *, Amount> AllocationSize;
  /// Of the tensors that statements in loops make or read.
  llvm::DenseMap<const program::Stmt *, TensorFact> InLoops;
  /// What was not told, by the reason.
  std::map<Silence, std::set<const program::Stmt *>> Silenced;
  /// The least rank of tensors whose dimensions were counted from both ends.
  Ranks LeastRanks;
  Evidence Shown;
  /// What symbols are by what is written to the members, wherever that is.
  std::map<SymbolId, SymExpr> Given;
  /// Storages of the outputs of ggml's graphs, and of what has a name
  /// or is kept in an array.
  std::set<ObjId> Outputs, Named;
  /// What reads a storage: nodes of a graph, calls without a model.
  std::map<ObjId, std::set<const program::Stmt *>> Readers;
  /// With Budget::Observe.
  llvm::MapVector<const program::Stmt *, ObservedLayout> Layouts;
  std::map<program::ValueId, std::string> ValueLayouts; ///< see FunctionResult
  /// What the marks in all these texts stand for (Names.h).
  std::shared_ptr<const layout::Symbols> Table;
};

} // namespace tensortidy::analysis

#endif
