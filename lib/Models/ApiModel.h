//===- ApiModel.h - what the calls of a tensor library mean -----*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models are data (Frontend/models/*.yaml; libtorch.yaml documents the format).
// This file reads them and answers three questions: what part does a class
// play, which operation of the tensor program does a call mean, and what else
// is known of who is called so. No Clang here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODELS_APIMODEL_H
#define TENSORTIDY_MODELS_APIMODEL_H

#include "Layout/Release.h"
#include "Models/ImageModel.h"
#include "Program/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tensortidy::models {

/// The part a class plays; `Enum` is an enumeration listed under `symbols`.
enum class TypeRole : uint8_t {
  None,
  Tensor,
  Pointee,
  Wrapper,
  List,
  Scalar,
  Options,
  Slice,
  Ellipsis,
  NoValue,
  Module,
  Image,
  ImageSize,   ///< of rows and columns
  ImagePart,   ///< the same, and where they begin
  ImageInput,  ///< what a function that reads an image takes
  ImageOutput, ///< and one that writes it
  Enum,
};

/// Kinds a `when` condition can ask about a parameter.
enum class ParamKind : uint8_t { Any, Tensor, List, Int, Bool, Float, Scalar };

enum class ApiForm : uint8_t { Both, Method, Function };

/// One condition of `when`.
struct ApiCondition {
  std::string Param;
  bool Absent = false;
  ParamKind Kind = ParamKind::Any;
  /// The argument is this constant, or with Differs another constant.
  std::optional<int64_t> Is = std::nullopt;
  bool Differs = false;
};

/// A further operand with a constant value.
struct ApiConstant {
  std::string Name;
  program::ConstKind Kind =
      program::ConstKind::None; ///< None: `Ints` is a list
  std::string Text;
  std::vector<int64_t> Ints; ///< a list, or the one value
};

using layout::Release;

/// The releases an entry is for: from `From`, if given, to before `Below`.
struct Releases {
  Release From = 0, Below = 0;
  bool hold(Release R) const {
    return (!From && !Below) || (R && R >= From && (!Below || R < Below));
  }
};

/// What one call means.
struct Api {
  program::Op O = program::Op::Opaque;
  ApiForm Form = ApiForm::Both;
  std::vector<std::string> Names;
  std::vector<ApiCondition> When;
  std::vector<std::string> Params;
  std::vector<std::pair<std::string, std::string>> Rename;
  std::vector<ApiConstant> Set;
  std::vector<std::string> Template; ///< operands the template arguments are
  std::string Declared; ///< a function that releases with this meaning have
  Releases In;
  program::Attributes Has;
  /// Operand -> what it is the list of: operands, integers, and sizes of the
  /// tensor, as in size = rows, -1, self[2].
  std::vector<std::pair<std::string, std::vector<std::string>>> Join;
};

/// What reading a field of a tensor's class means.
struct FieldApi {
  program::Op O = program::Op::Opaque;
  std::vector<std::string> Names; ///< with their class: "ggml_tensor::ne"
  std::string Index; ///< not empty: `field[i]`, and the operand that i is
  unsigned All = 0;  ///< with Index: the field itself is a list of so many
  std::vector<ApiConstant> Set;
};

/// One size of a module's weight: `out`, `in/groups`, `kernel_size*2`.
struct WeightSize {
  std::string Name;
  std::string DividedBy; ///< a setting, where it is given; or empty
  unsigned Times = 0;    ///< a list of so many, or a number so many times
};

/// What a module does that is made with settings and called on one tensor.
struct ModuleApi {
  program::Op O = program::Op::Opaque;
  std::vector<std::string> Names;
  std::vector<std::string> Made;  ///< what the first arguments of its
                                  ///< constructor are; they must be there
  bool Alone = false;             ///< and nothing else may be set
  std::vector<ApiCondition> When; ///< of settings: only whether they are given
  std::string Input = "self";     ///< the operand that the tensor is
  std::vector<WeightSize> Weight; ///< operand `weight`, made with these sizes
  /// Setting -> operand. What is not set is no operand.
  std::vector<std::pair<std::string, std::string>> Options;
  std::vector<ApiConstant> Set; ///< where no setting says otherwise
};

/// Whether one call's arguments meet a condition, but for Absent; the entry may
/// name them. An empty name asks whether its operation fits the call at all.
using ParamQuery = llvm::function_ref<bool(const Api &, const ApiCondition &)>;

/// Whose model a file is: ours, which describes libraries, or the user's.
enum class ModelOwner : uint8_t { Tool, User };

class ApiModel {
public:
  ApiModel() = default;
  // StringMap moves without promising not to throw.
  // NOLINTBEGIN(performance-noexcept-move-constructor)
  ApiModel(ApiModel &&) = default;
  ApiModel &operator=(ApiModel &&) = default;
  // NOLINTEND(performance-noexcept-move-constructor)

  /// Reads one model file; an error names the file, line and column.
  static llvm::Expected<ApiModel> parse(llvm::StringRef Text,
                                        llvm::StringRef FileName,
                                        ModelOwner Owner = ModelOwner::Tool);

  /// Adds \p Other; its operations are asked first.
  void add(ApiModel Other);

  TypeRole role(llvm::StringRef QualifiedName) const;
  /// Whether code of this namespace (qualified name) is library code.
  bool isLibrary(llvm::StringRef QualifiedNamespace) const;
  /// Whether a global function of this name belongs to a C library.
  bool isLibraryFunction(llvm::StringRef Name) const;
  /// Whether `#include <Path>` is a header of a library that is described.
  bool isLibraryHeader(llvm::StringRef Path) const;
  /// The text of an enumerator, e.g. "float32"; empty when not listed.
  llvm::StringRef symbol(llvm::StringRef Enum, llvm::StringRef Name) const;

  /// The operation of a call to \p Name (plain) declared as \p Qualified, or
  /// null.
  const Api *find(llvm::StringRef Name, llvm::StringRef Qualified,
                  bool IsMethod, ParamQuery HasParam) const;
  /// What modules of the class \p Qualified may do: the first entry that holds.
  llvm::ArrayRef<const ModuleApi *> modules(llvm::StringRef Qualified) const;
  /// What is known of images by the function \p Qualified, or null.
  const ImageApi *images(llvm::StringRef Qualified) const;
  /// What the field \p Qualified, or an element of it, is; null: not listed.
  const FieldApi *field(llvm::StringRef Qualified, bool Element) const;
  /// Every entry that lists \p Name.
  llvm::ArrayRef<const Api *> named(llvm::StringRef Name) const;
  /// Whether a user's model lists operations under this qualified name: it
  /// need not be in a library's namespace then.
  bool isUsers(llvm::StringRef Qualified) const {
    return UserNames.contains(Qualified);
  }
  /// Whether this tensor type is of a user's model: of its methods only those
  /// are known that are listed with their class.
  bool isUsersType(llvm::StringRef Qualified) const {
    return UserTypes.contains(Qualified);
  }
  /// Whether parameter \p Index, called \p Name, of \p Function is contiguous
  /// by contract.
  bool isContiguous(llvm::StringRef Function, unsigned Index,
                    llvm::StringRef Name) const;

  /// The operation that the ending of \p Name stands for, or false.
  bool findSuffix(llvm::StringRef Name, program::Op &O) const;

  /// What is known of whatever is called \p Name, without its class and
  /// namespace: of an operation, or of other calls.
  program::Attributes attributes(llvm::StringRef Name, bool IsOperation) const;
  /// What is known of the one function of this qualified name.
  program::Attributes attributesOf(llvm::StringRef Qualified,
                                   bool IsOperation) const {
    return Known.lookup(Qualified).of(IsOperation);
  }

private:
  std::string Name;
  llvm::StringMap<TypeRole> Roles;
  llvm::StringSet<> Namespaces;
  std::vector<std::string> Prefixes;
  llvm::StringSet<> Headers;            ///< "ATen", "torch/csrc"
  llvm::StringMap<std::string> Symbols; ///< "c10::ScalarType::Float"
  std::vector<std::pair<std::string, program::Op>> Suffixes;
  llvm::StringMap<program::Attributes> Known;
  struct Pattern {
    std::unique_ptr<std::string> Text; ///< Glob refers to it
    llvm::GlobPattern Glob;
    program::Attributes Has;
  };
  std::vector<Pattern> KnownLike;
  std::deque<Api> Apis; ///< addresses stay
  llvm::StringMap<std::vector<const Api *>> ByName;
  std::deque<ModuleApi> Modules;
  llvm::StringMap<std::vector<const ModuleApi *>> ModulesByName;
  std::vector<ImageApi> Images;
  std::deque<FieldApi> Fields;
  llvm::StringMap<std::vector<const FieldApi *>> FieldsByName;
  llvm::StringSet<> UserNames, UserTypes;
  /// Function -> the parameters that are contiguous, by position or name.
  llvm::StringMap<std::vector<std::string>> Contracts;

  void index();
};

} // namespace tensortidy::models

#endif
