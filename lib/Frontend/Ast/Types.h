//===- Types.h - what a C++ type is to a tensor program ---------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are told apart by their declarations, never by printed names, which
// differ between Clang versions.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_FRONTEND_AST_TYPES_H
#define TENSORTIDY_FRONTEND_AST_TYPES_H

#include "Models/ApiModel.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/StringSaver.h"
#include <map>

namespace tensortidy::frontend {

using namespace models;

/// What a value of a type is. References are looked through, and a wrapper
/// such as optional<T> is what its T is.
enum class Kind : uint8_t {
  Other,
  Void,
  Tensor,
  Int,
  Bool,
  Float,
  List,
  Options,
  Symbol,
  Scalar,
  Slice,
  Ellipsis,
  None,
};

/// Qualified name without inline and unnamed namespaces and without template
/// arguments: "c10::ArrayRef".
std::string qualifiedName(const clang::NamedDecl &D);

/// The record that \p T is or refers to, or null.
const clang::CXXRecordDecl *recordOf(clang::QualType T);

class Types {
public:
  explicit Types(const ApiModel &Model) : Model(Model) {}

  Kind kind(clang::QualType T) { return info(T).K; }
  bool isTensor(clang::QualType T) { return kind(T) == Kind::Tensor; }
  /// A pointer that is the handle (ggml_tensor *), references looked through.
  bool isPointerTensor(clang::QualType T) {
    return isTensor(T) && T.getNonReferenceType()->isPointerType();
  }
  /// at::Tensor itself, not a wrapper of one; references looked through.
  bool isPlainTensor(clang::QualType T);
  /// One of the two.
  bool isHandle(clang::QualType T) {
    return isPlainTensor(T) || isPointerTensor(T);
  }
  /// optional<T> and the like, references looked through.
  bool isWrapper(clang::QualType T);
  /// A tensor, or a list or tuple with one inside.
  bool hasTensor(clang::QualType T);
  TypeRole role(clang::QualType T);
  /// A pointer, a view of a list, an accessor, a container or a class without
  /// a destructor that holds such: the memory is another's.
  bool borrows(clang::QualType T, unsigned Depth = 0);
  bool freesNothing(const clang::CXXRecordDecl &R);
  /// A container of the standard library other than a list: std::map and kin.
  bool isContainer(clang::QualType T);
  /// A smart pointer to, or a container or optional of, tensors: who has it
  /// has them.
  bool ownsTensors(clang::QualType T, unsigned Depth = 0);
  /// Tensorish, or something else that keeps the tensors in it alive.
  bool holdsTensors(clang::QualType T) {
    return hasTensor(T) || ownsTensors(T);
  }
  /// A smart pointer to one tensor.
  bool isOwner(clang::QualType T);
  /// An image, as a model's `types` say it, or a class derived from one;
  /// references looked through.
  bool isImage(clang::QualType T);
  bool isImage(const clang::CXXRecordDecl *R);
  /// What the model says of a field of an image, or of its size.
  program::ImageField imageField(const clang::FieldDecl &F);
  /// The class whose forward() a module holder calls, or null.
  const clang::CXXRecordDecl *moduleOf(clang::QualType T);
  /// What the elements of a vector or array are, which has its own; null for
  /// any other type.
  clang::QualType elementType(clang::QualType T);
  /// A vector or array of integers.
  bool isIntVector(clang::QualType T) {
    const clang::QualType E = elementType(T);
    return !E.isNull() && kind(E) == Kind::Int;
  }
  /// One of tensors, or of lists or objects that own what they hold.
  bool isHandleVector(clang::QualType T);
  bool isListView(clang::QualType T);
  /// An `at::IntArrayRef`.
  bool isIntView(clang::QualType T);
  /// The runtime's pointer into what was a temporary.
  bool isPointerClass(clang::QualType T);
  /// Types of the elements of a tuple or pair; none for any other type.
  llvm::SmallVector<clang::QualType, 4> tupleTypes(clang::QualType T);
  unsigned tupleSize(clang::QualType T) { return tupleTypes(T).size(); }
  /// Number of elements of std::array, 0 otherwise.
  uint64_t arraySize(clang::QualType T);
  /// The fields of a class of the user's that is no more than these: a value of
  /// it is the list of theirs. Empty for any other type.
  llvm::ArrayRef<const clang::FieldDecl *> fields(clang::QualType T) {
    return fields(recordOf(T));
  }
  llvm::ArrayRef<const clang::FieldDecl *> fields(const clang::CXXRecordDecl *R,
                                                  unsigned Depth = 0);
  /// Code of a tensor library or of the standard library: see `namespaces`.
  bool isLibrary(const clang::Decl &D);
  /// Cached qualifiedName().
  llvm::StringRef name(const clang::NamedDecl &D);

  const ApiModel &model() const { return Model; }
  /// Cached ApiModel::attributes().
  program::Attributes attributes(llvm::StringRef Name, bool IsOperation);

private:
  struct Info {
    Kind K = Kind::Other;
    TypeRole Role = TypeRole::None;
    bool HasTensor = false;
  };
  Info info(clang::QualType T, unsigned Depth = 0);
  Info recordInfo(const clang::CXXRecordDecl &R, unsigned Depth);

  const ApiModel &Model;
  llvm::DenseMap<const void *, Info> Cache;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> Borrowing;
  std::map<const clang::CXXRecordDecl *,
           llvm::SmallVector<const clang::FieldDecl *, 4>>
      Fields;
  /// The text stays where it is while the map grows.
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Texts{Memory};
  llvm::DenseMap<const clang::NamedDecl *, llvm::StringRef> Names;
  llvm::StringMap<program::Attributes> Said[2]; ///< of calls, of operations
};

} // namespace tensortidy::frontend

#endif
