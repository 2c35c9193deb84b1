//===- Types.cpp - what a C++ type is to a tensor program -----------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontend/Ast/Types.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace tensortidy;
using namespace tensortidy::frontend;

std::string frontend::qualifiedName(const NamedDecl &D) {
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  for (const DeclContext *C = D.getDeclContext(); C; C = C->getParent()) {
    if (const auto *N = dyn_cast<NamespaceDecl>(C)) {
      if (!N->isInline() && !N->isAnonymousNamespace())
        Parts.push_back(N->getName());
    } else if (const auto *R = dyn_cast<RecordDecl>(C)) {
      if (R->getIdentifier())
        Parts.push_back(R->getName());
    }
  }
  std::string Out;
  for (llvm::StringRef P : llvm::reverse(Parts))
    Out.append(P.str()).append("::");
  // typedef struct { ... } DLTensor;
  const auto *Tag = dyn_cast<TagDecl>(&D);
  if (const TypedefNameDecl *Named = Tag && !Tag->getIdentifier()
                                         ? Tag->getTypedefNameForAnonDecl()
                                         : nullptr)
    return Out + Named->getName().str();
  return Out + D.getDeclName().getAsString();
}

const CXXRecordDecl *frontend::recordOf(QualType T) {
  if (T.isNull())
    return nullptr;
  return T.getNonReferenceType()->getAsCXXRecordDecl();
}

llvm::StringRef Types::name(const NamedDecl &D) {
  auto [It, New] = Names.try_emplace(cast<NamedDecl>(D.getCanonicalDecl()));
  if (New)
    It->second = Texts.save(qualifiedName(D));
  return It->second;
}

program::Attributes Types::attributes(llvm::StringRef Name, bool IsOperation) {
  auto [It, New] = Said[IsOperation].try_emplace(Name);
  if (New)
    It->second = Model.attributes(Name, IsOperation);
  return It->second;
}

/// The types of the template arguments of \p R, packs expanded.
static llvm::SmallVector<QualType, 4> templateTypes(const CXXRecordDecl &R) {
  llvm::SmallVector<QualType, 4> Out;
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(&R);
  if (!S)
    return Out;
  for (const TemplateArgument &A : S->getTemplateArgs().asArray()) {
    if (A.getKind() == TemplateArgument::Type)
      Out.push_back(A.getAsType());
    if (A.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &P : A.pack_elements())
        if (P.getKind() == TemplateArgument::Type)
          Out.push_back(P.getAsType());
  }
  return Out;
}

Types::Info Types::recordInfo(const CXXRecordDecl &R, unsigned Depth) {
  TypeRole Role = Model.role(name(R));
  Info I;
  I.Role = Role;
  llvm::SmallVector<QualType, 4> Args = templateTypes(R);
  switch (Role) {
  case TypeRole::Tensor:
    I.K = Kind::Tensor;
    break;
  case TypeRole::Wrapper:
    // A class that wraps without a parameter wraps a tensor.
    I.K = Args.empty() ? Kind::Tensor : info(Args[0], Depth + 1).K;
    break;
  case TypeRole::List:
    for (QualType A : Args)
      I.HasTensor |= info(A, Depth + 1).HasTensor;
    // Numbers in these stay where they are when others come.
    if (I.HasTensor || (name(R) != "std::deque" && name(R) != "std::list"))
      I.K = Kind::List;
    break;
  case TypeRole::Scalar:
    I.K = Kind::Scalar;
    break;
  case TypeRole::Options:
    I.K = Kind::Options;
    break;
  case TypeRole::Slice:
    I.K = Kind::Slice;
    break;
  case TypeRole::Ellipsis:
    I.K = Kind::Ellipsis;
    break;
  case TypeRole::NoValue:
    I.K = Kind::None;
    break;
  case TypeRole::Pointee: // what its pointers point to, see info()
    break;
  case TypeRole::Module:
  case TypeRole::Image:
  case TypeRole::ImageSize:
  case TypeRole::ImagePart:
  case TypeRole::ImageInput:
  case TypeRole::ImageOutput:
  case TypeRole::Enum:
  case TypeRole::None:
    // A class derived from a list or tensor class is one (DimVector).
    if (R.hasDefinition() && R.getNumBases() == 1 && Depth < 8)
      if (const auto *B = recordOf(R.bases_begin()->getType())) {
        Info Base = recordInfo(*B, Depth + 1);
        if (Base.K == Kind::List || Base.K == Kind::Tensor)
          I = Base;
      }
    break;
  }
  if (I.K == Kind::Tensor)
    I.HasTensor = true;
  return I;
}

Types::Info Types::info(QualType T, unsigned Depth) {
  Info I;
  if (T.isNull() || T->isDependentType() || Depth > 8)
    return I;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  auto [It, New] = Cache.try_emplace(T.getAsOpaquePtr());
  if (!New)
    return It->second;
  if (const auto *R = T->getAsCXXRecordDecl())
    I = recordInfo(*R, Depth);
  else if (T->isPointerType()) {
    const RecordDecl *R = T->getPointeeType()->getAsRecordDecl();
    if (R && Model.role(name(*R)) == TypeRole::Pointee) {
      I.K = Kind::Tensor;
      I.Role = TypeRole::Tensor;
      I.HasTensor = true;
    }
  } else if (const auto *E = T->getAs<EnumType>()) {
    I.Role = Model.role(name(*E->getDecl()));
    I.K = I.Role == TypeRole::Enum ? Kind::Symbol : Kind::Int;
  } else if (T->isBooleanType())
    I.K = Kind::Bool;
  else if (T->isIntegerType())
    I.K = Kind::Int;
  else if (T->isFloatingType())
    I.K = Kind::Float;
  else if (T->isVoidType())
    I.K = Kind::Void;
  else if (T->isArrayType()) {
    Info Element =
        info(QualType(T->getArrayElementTypeNoTypeQual(), 0), Depth + 1);
    I.HasTensor = Element.HasTensor;
    I.K = Kind::List;
  }
  Cache[T.getAsOpaquePtr()] = I;
  return I;
}

bool Types::isPlainTensor(QualType T) {
  Info I = info(T);
  return I.K == Kind::Tensor && I.Role == TypeRole::Tensor;
}
bool Types::isWrapper(QualType T) { return info(T).Role == TypeRole::Wrapper; }
bool Types::hasTensor(QualType T) { return info(T).HasTensor; }
TypeRole Types::role(QualType T) { return info(T).Role; }

QualType Types::elementType(QualType T) {
  if (T.isNull() || T->isDependentType())
    return QualType();
  T = T.getNonReferenceType().getCanonicalType();
  if (T->isArrayType())
    return QualType(T->getArrayElementTypeNoTypeQual(), 0);
  const CXXRecordDecl *R = recordOf(T);
  if (!R || (name(*R) != "std::vector" && name(*R) != "std::array" &&
             name(*R) != "std::deque" && name(*R) != "std::list" &&
             name(*R) != "c10::SmallVector"))
    return QualType();
  const auto Elements = templateTypes(*R);
  return Elements.empty() ? QualType() : Elements.front();
}

bool Types::isHandleVector(QualType T) {
  const QualType E = elementType(T);
  const CXXRecordDecl *R = recordOf(E);
  return !E.isNull() && !borrows(E) &&
         (kind(E) == Kind::Tensor || kind(E) == Kind::List ||
          !fields(E).empty() || (R && name(*R) == "c10::IValue"));
}

bool Types::isContainer(QualType T) {
  static const llvm::StringSet<> Names{"std::map",
                                       "std::unordered_map",
                                       "std::set",
                                       "std::multimap",
                                       "std::unordered_multimap",
                                       "std::unordered_set",
                                       "std::deque",
                                       "std::list",
                                       "std::forward_list",
                                       "std::queue",
                                       "std::stack",
                                       "std::priority_queue"};
  const CXXRecordDecl *R = recordOf(T);
  return R && Names.contains(name(*R)) && kind(T) != Kind::List;
}

bool Types::ownsTensors(QualType T, unsigned Depth) {
  if (Depth > 3 || T.isNull())
    return false;
  const CXXRecordDecl *R = recordOf(T);
  if (!R)
    return false;
  const llvm::StringRef N = name(*R);
  if (N == "c10::IValue") // of any kind
    return true;
  if (!N.starts_with("std::") && !N.starts_with("torch::data::"))
    return false;
  return llvm::any_of(templateTypes(*R), [&](QualType A) {
    return hasTensor(A) || ownsTensors(A, Depth + 1);
  });
}

bool Types::isPointerClass(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && name(*R) == "tensortidy::TemporaryPointer";
}

bool Types::isIntView(QualType T) {
  if (!isListView(T))
    return false;
  const auto Of = templateTypes(*recordOf(T));
  return !Of.empty() && kind(Of[0]) == Kind::Int;
}

bool Types::isListView(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  return R && llvm::is_contained({"c10::ArrayRef", "c10::HeaderOnlyArrayRef",
                                  "tensortidy::ArrayRef"},
                                 name(*R));
}

/// Whether objects of class \p R only let go of closures when they die.
bool Types::freesNothing(const CXXRecordDecl &R) {
  if (R.isUnion())
    return false;
  if (R.hasTrivialDestructor())
    return true;
  return !R.hasUserDeclaredDestructor() && R.getNumBases() == 0 &&
         llvm::all_of(R.fields(), [&](const FieldDecl *F) {
           const CXXRecordDecl *Of = recordOf(F->getType());
           return !Of || !Of->hasDefinition() || Of->hasTrivialDestructor() ||
                  name(*Of) == "std::function";
         });
}

bool Types::borrows(QualType T, unsigned Depth) {
  if (T.isNull() || T->isDependentType() || Depth > 4)
    return false;
  T = T.getNonReferenceType();
  if (T->isPointerType())
    return !isPointerTensor(T) && !T->isFunctionPointerType();
  if (T->isArrayType())
    return borrows(QualType(T->getArrayElementTypeNoTypeQual(), 0), Depth + 1);
  const CXXRecordDecl *R = recordOf(T);
  if (!R || !R->hasDefinition())
    return false;
  R = R->getDefinition();
  auto [It, New] = Borrowing.try_emplace(R, false);
  if (!New)
    return It->second;
  llvm::StringRef N = name(*R);
  bool Result = false;
  if (R->isLambda()) {
    // What it captures by value; who keeps a tensor keeps it alive.
    for (const FieldDecl *F : R->fields())
      Result |=
          !F->getType()->isReferenceType() && borrows(F->getType(), Depth + 1);
  } else if (isListView(T) || N == "std::span" || N == "std::function" ||
             N == "std::thread" || N == "std::jthread" || N == "std::future" ||
             N == "std::shared_future" || // of what they run
             N == "std::initializer_list" ||
             ((N.starts_with("at::") || N.starts_with("torch::headeronly::") ||
               N.starts_with("tensortidy::")) &&
              N.contains("Accessor")) ||
             isPointerClass(T) || isImage(T)) { // it may own its memory, or not
    Result = true;
  } else if (N == "std::vector" || N == "std::array" || N == "std::pair" ||
             N == "std::tuple" || N == "c10::SmallVector" ||
             N == "std::optional" || N == "std::deque") {
    for (QualType A : templateTypes(*R))
      Result |= borrows(A, Depth + 1);
  } else if (isContainer(T)) {
    // A key, and an element of a set, is only compared.
    const auto Args = templateTypes(*R);
    const bool IsMap = N.ends_with("map");
    if (!N.ends_with("set") && Args.size() > IsMap)
      Result = borrows(Args[IsMap], Depth + 1);
  } else if (!N.starts_with("std::") && !N.starts_with("c10::") &&
             !N.starts_with("at::") && !N.starts_with("torch::") &&
             !N.starts_with("tensortidy::") && freesNothing(*R)) {
    // What frees nothing owns nothing: its pointers are another's.
    for (const FieldDecl *F : R->fields())
      Result |= borrows(F->getType(), Depth + 1);
  }
  return Borrowing[R] = Result;
}

llvm::SmallVector<QualType, 4> Types::tupleTypes(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  if (!R || role(T) != TypeRole::List)
    return {};
  llvm::StringRef N = name(*R);
  if (N != "std::tuple" && N != "std::pair")
    return {};
  return templateTypes(*R);
}

uint64_t Types::arraySize(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  if (!R || name(*R) != "std::array")
    return 0;
  const auto &Args =
      cast<ClassTemplateSpecializationDecl>(R)->getTemplateArgs();
  return Args.size() == 2 && Args[1].getKind() == TemplateArgument::Integral
             ? Args[1].getAsIntegral().getZExtValue()
             : 0;
}

/// Whether \p M copies or moves objects as its author wrote.
static bool copiesItsWay(const CXXMethodDecl *M) {
  const auto *Ctor = dyn_cast<CXXConstructorDecl>(M);
  return M->isUserProvided() && (Ctor ? Ctor->isCopyOrMoveConstructor()
                                      : M->isCopyAssignmentOperator() ||
                                            M->isMoveAssignmentOperator());
}

/// Whether a \p T holds the address of a tensor, a number or a pointer.
static bool pointsToPlace(QualType T, Types &Kinds) {
  if (!T->isPointerType() || Kinds.isPointerTensor(T))
    return false;
  const QualType To = T->getPointeeType();
  return Kinds.isPlainTensor(To) || To->isPointerType() ||
         (Kinds.kind(To) == Kind::Int && To->isIntegerType() &&
          !To.isConstQualified());
}

llvm::ArrayRef<const FieldDecl *> Types::fields(const CXXRecordDecl *R,
                                                unsigned Depth) {
  constexpr unsigned MaxFields = 16, MaxDepth = 3;
  if (!R || !R->hasDefinition() || Depth > MaxDepth ||
      recordInfo(*R, 0).K != Kind::Other)
    return {};
  R = R->getDefinition();
  auto [It, New] = Fields.try_emplace(R);
  if (!New)
    return It->second;
  // A copy must be a copy of each field, and what it is, no more than these.
  if (Model.role(name(*R)) == TypeRole::ImageInput || R->isUnion() ||
      R->isLambda() || R->isPolymorphic() || R->getNumBases() != 0 ||
      R->isDependentContext() || isLibrary(*R) ||
      llvm::any_of(R->methods(), copiesItsWay))
    return {};
  bool Matters = false;
  llvm::SmallVector<const FieldDecl *, 4> All;
  for (const FieldDecl *F : R->fields()) {
    if (All.size() == MaxFields || (F->isBitField() && !F->getDeclName()) ||
        F->getType()->isReferenceType())
      return {};
    const Kind K = kind(F->getType());
    Matters = Matters || K == Kind::Tensor || K == Kind::List ||
              K == Kind::Int || pointsToPlace(F->getType(), *this) ||
              !fields(recordOf(F->getType()), Depth + 1).empty();
    All.push_back(F);
  }
  if (Matters)
    It->second = std::move(All);
  return It->second;
}

bool Types::isLibrary(const Decl &D) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&D);
  const DeclContext *C = D.getDeclContext();
  for (; C && !C->isFileContext(); C = C->getParent()) {
    if (C->isFunctionOrMethod())
      return false; // a lambda, whoever wrote the function around it
    if (const auto *Around = dyn_cast<CXXRecordDecl>(C))
      Class = Around;
  }
  // A C library's function, unless the user has taken its name.
  if (const auto *F = dyn_cast<FunctionDecl>(&D);
      F && F->getIdentifier() && isa_and_nonnull<TranslationUnitDecl>(C))
    return (F->getBuiltinID() || Model.isLibraryFunction(F->getName())) &&
           !F->isDefined();
  const auto *N = dyn_cast_or_null<NamespaceDecl>(C);
  return N && Model.isLibrary(Class ? name(*Class) : name(*N));
}

bool Types::isOwner(QualType T) {
  const auto *R =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(recordOf(T));
  if (!R || (name(*R) != "std::unique_ptr" && name(*R) != "std::shared_ptr"))
    return false;
  const QualType Of = R->getTemplateArgs()[0].getAsType();
  return !Of->isArrayType() && isPlainTensor(Of);
}

bool Types::isImage(QualType T) { return isImage(recordOf(T)); }

bool Types::isImage(const CXXRecordDecl *R) {
  for (unsigned Depth = 0; R && Depth < 4; ++Depth) {
    if (Model.role(name(*R)) == TypeRole::Image)
      return true;
    R = R->hasDefinition() && R->getNumBases()
            ? recordOf(R->bases_begin()->getType())
            : nullptr;
  }
  return false;
}

program::ImageField Types::imageField(const FieldDecl &F) {
  using program::ImageField;
  const FieldApi *Api =
      Model.field((name(*F.getParent()) + "::" + F.getName()).str(), false);
  if (Api && Api->O == program::Op::DataPtr)
    return ImageField::Data;
  if (Api && Api->O == program::Op::Stride)
    return ImageField::Pitch;
  if (Api && Api->O == program::Op::Size)
    for (const ApiConstant &K : Api->Set)
      if (K.Name == "dim" && K.Ints.size() == 1 && K.Ints[0] < 2)
        return K.Ints[0] ? ImageField::Columns : ImageField::Rows;
  return ImageField::None;
}

const CXXRecordDecl *Types::moduleOf(QualType T) {
  const CXXRecordDecl *R = recordOf(T);
  for (unsigned Depth = 0; R && R->hasDefinition() && Depth < 4; ++Depth) {
    if (Model.role(name(*R)) == TypeRole::Module)
      if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R))
        return recordOf(S->getTemplateArgs()[0].getAsType());
    R = R->getNumBases() ? recordOf(R->bases_begin()->getType()) : nullptr;
  }
  return nullptr;
}
