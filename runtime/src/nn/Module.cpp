//===- Module.cpp - networks of modules -----------------------------------===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tensortidy/module.h"
#include "tensortidy/io.h"
#include <cstdlib>
#include <cxxabi.h>
#include <ostream>
#include <typeinfo>

namespace tensortidy::nn {

const std::string &Module::name() const {
  if (Name.empty()) {
    int Status = 0;
    const std::unique_ptr<char, decltype(&std::free)> Text(
        abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &Status),
        std::free);
    Name = Status == 0 ? Text.get() : typeid(*this).name();
    const std::string Ours = "tensortidy::";
    if (Name.compare(0, Ours.size(), Ours) == 0)
      Name.replace(0, Ours.size(), "torch::");
  }
  return Name;
}
std::shared_ptr<Module> Module::clone(const optional<Device> &) const {
  throw Error("clone() has not been implemented for " + name() +
              ": derive it from torch::nn::Cloneable<" + name() + ">");
}
void Module::checkName(const std::string &Name) {
  if (Name.empty())
    throw Error("a parameter, buffer or module needs a name");
  if (Name.find('.') != std::string::npos)
    throw Error("the name '" + Name + "' must not contain a dot");
}

//===--- all that there is ----------------------------------------------===//

void Module::each(
    const std::string &Prefix,
    const std::function<void(const std::string &, const Module &)> &F) const {
  F(Prefix, *this);
  for (const auto &C : children_)
    if (C.value())
      C.value()->each(Prefix + (Prefix.empty() ? "" : ".") + C.key(), F);
}
static std::string joined(const std::string &Prefix, const std::string &Name) {
  return Prefix.empty() ? Name : Prefix + "." + Name;
}
void Module::apply(const std::function<void(Module &)> &function) {
  each("", [&](const std::string &, const Module &M) {
    function(const_cast<Module &>(M));
  });
}
void Module::apply(const std::function<void(const Module &)> &function) const {
  each("", [&](const std::string &, const Module &M) { function(M); });
}
void Module::apply(
    const std::function<void(const std::string &, Module &)> &function,
    const std::string &name_prefix) {
  each(name_prefix, [&](const std::string &Name, const Module &M) {
    function(Name, const_cast<Module &>(M));
  });
}
void Module::apply(
    const std::function<void(const std::shared_ptr<Module> &)> &function) {
  for (const auto &M : modules())
    function(M);
}
OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<std::string, Tensor> R("Parameter");
  each("", [&](const std::string &Name, const Module &M) {
    if (recurse || &M == this)
      for (const auto &P : M.parameters_)
        if (P.value().defined())
          R.insert(joined(Name, P.key()), P.value());
  });
  return R;
}
OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  OrderedDict<std::string, Tensor> R("Buffer");
  each("", [&](const std::string &Name, const Module &M) {
    if (recurse || &M == this)
      for (const auto &B : M.buffers_)
        if (B.value().defined())
          R.insert(joined(Name, B.key()), B.value());
  });
  return R;
}
OrderedDict<std::string, std::shared_ptr<Module>>
Module::named_modules(const std::string &name_prefix, bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> R("Module");
  each(name_prefix, [&](const std::string &Name, const Module &M) {
    if (include_self || &M != this)
      R.insert(Name, const_cast<Module &>(M).shared_from_this());
  });
  return R;
}
Tensor &Module::register_parameter(std::string name, Tensor tensor,
                                   bool requires_grad) {
  checkName(name);
  if (tensor.defined())
    tensor.set_requires_grad(requires_grad);
  return parameters_.insert(std::move(name), std::move(tensor));
}
Tensor &Module::register_buffer(std::string name, Tensor tensor) {
  checkName(name);
  return buffers_.insert(std::move(name), std::move(tensor));
}

//===--- what changes all -----------------------------------------------===//

void Module::train(bool on) {
  Training = on;
  for (const auto &C : children_)
    C.value()->train(on);
}
void Module::convert(const std::function<Tensor(const Tensor &)> &F) {
  apply([&](Module &M) {
    for (auto *Tensors : {&M.parameters_, &M.buffers_})
      for (auto &X : *Tensors)
        if (X.value().defined())
          X.value().set_data(F(X.value()));
  });
}
void Module::to(Device device, Dtype dtype, bool) {
  convert([&](const Tensor &X) {
    return X.to(device, X.is_floating_point() ? dtype : X.scalar_type());
  });
}
void Module::to(Dtype dtype, bool) {
  convert([&](const Tensor &X) {
    return X.to(X.is_floating_point() ? dtype : X.scalar_type());
  });
}
void Module::to(Device device, bool) {
  convert([&](const Tensor &X) { return X.to(device); });
}
void Module::zero_grad(bool) {} // there are no gradients
void Module::copyFrom(const Module &Other, const optional<Device> &device) {
  auto Same = [&](size_t Here, size_t There, const char *What) {
    if (Here != There)
      throw Error("after reset(), the copy of " + Other.name() + " has " +
                  std::to_string(Here) + " " + What + ", not " +
                  std::to_string(There) + ": register all of them in reset()");
  };
  Same(parameters_.size(), Other.parameters_.size(), "parameters");
  for (const auto &P : Other.named_parameters(false))
    parameters_[P.key()].set_data(P.value().clone());
  Same(buffers_.size(), Other.buffers_.size(), "buffers");
  for (const auto &B : Other.named_buffers(false))
    buffers_[B.key()].set_data(B.value().clone());
  Same(children_.size(), Other.children_.size(), "modules");
  for (const auto &C : Other.children_)
    children_[C.key()]->become(*C.value(), device);
}
void Module::save(serialize::OutputArchive &archive) const {
  for (const auto &P : parameters_)
    if (P.value().defined())
      archive.write(P.key(), P.value());
  for (const auto &B : buffers_)
    if (B.value().defined())
      archive.write(B.key(), B.value(), /*is_buffer=*/true);
  for (const auto &C : children_)
    if (C.value()->is_serializable()) {
      serialize::OutputArchive Child;
      C.value()->save(Child);
      archive.write(C.key(), Child);
    }
}
void Module::load(serialize::InputArchive &archive) {
  for (auto &P : parameters_)
    if (P.value().defined())
      archive.read(P.key(), P.value());
  for (auto &B : buffers_)
    if (B.value().defined())
      archive.read(B.key(), B.value(), /*is_buffer=*/true);
  for (const auto &C : children_)
    if (C.value()->is_serializable()) {
      serialize::InputArchive Child;
      archive.read(C.key(), Child);
      C.value()->load(Child);
    }
}

//===--- printing -------------------------------------------------------===//

void Module::pretty_print(std::ostream &stream) const { stream << name(); }
void Module::printed(std::ostream &Stream, const std::string &Indent) const {
  pretty_print(Stream);
  if (children_.is_empty())
    return;
  Stream << "(\n";
  for (const auto &C : children_) {
    Stream << Indent << "  (" << C.key() << "): ";
    C.value()->printed(Stream, Indent + "  ");
    Stream << '\n';
  }
  Stream << Indent << ')';
}
std::ostream &operator<<(std::ostream &stream, const Module &module) {
  module.printed(stream, "");
  return stream;
}

//===--- lists of modules -----------------------------------------------===//

void SequentialImpl::add(std::string Name, AnyModule M) {
  Modules.push_back(std::move(M));
  register_module(std::move(Name), Modules.back().ptr());
}
std::shared_ptr<Module>
SequentialImpl::clone(const optional<Device> &device) const {
  auto R = std::make_shared<SequentialImpl>();
  for (size_t K = 0; K < Modules.size(); ++K)
    R->add(children_[K].key(), Modules[K].clone(device));
  R->train(is_training());
  return R;
}
void SequentialImpl::pretty_print(std::ostream &stream) const {
  stream << "torch::nn::Sequential";
}
void ModuleListImpl::push_back(std::shared_ptr<Module> module) {
  Modules.push_back(module);
  register_module(std::to_string(Modules.size() - 1), std::move(module));
}
std::shared_ptr<Module>
ModuleListImpl::clone(const optional<Device> &device) const {
  auto R = std::make_shared<ModuleListImpl>();
  for (const auto &M : Modules)
    R->push_back(M->clone(device));
  return R;
}
void ModuleListImpl::pretty_print(std::ostream &stream) const {
  stream << "torch::nn::ModuleList";
}
void ModuleDictImpl::update(
    const std::vector<std::pair<std::string, std::shared_ptr<Module>>>
        &modules) {
  for (const auto &[Name, M] : modules)
    if (contains(Name))
      replace_module(Name, M);
    else
      register_module(Name, M);
}
std::shared_ptr<Module>
ModuleDictImpl::clone(const optional<Device> &device) const {
  auto R = std::make_shared<ModuleDictImpl>();
  for (const auto &C : children_)
    R->register_module(C.key(), C.value()->clone(device));
  return R;
}
void ModuleDictImpl::pretty_print(std::ostream &stream) const {
  stream << "torch::nn::ModuleDict";
}
static void printParameters(std::ostream &Stream, const char *Name,
                            const OrderedDict<std::string, Tensor> &Tensors) {
  Stream << "torch::nn::" << Name << "(\n";
  for (const auto &P : Tensors)
    Stream << '(' << P.key() << "): Parameter containing: ["
           << P.value().scalar_type() << " of size " << P.value().sizes()
           << "]\n";
  Stream << ')';
}
void ParameterListImpl::pretty_print(std::ostream &stream) const {
  printParameters(stream, "ParameterList", parameters_);
}
void ParameterDictImpl::pretty_print(std::ostream &stream) const {
  printParameters(stream, "ParameterDict", parameters_);
}

} // namespace tensortidy::nn
