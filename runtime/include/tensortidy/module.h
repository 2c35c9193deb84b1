//===- module.h - networks of modules ---------------------------*- C++ -*-===//
//
// Part of Tensortidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::nn::Module, what holds one, and lists of them. Networks are run, not
// trained: there is no autograd. <tensortidy/modules.h> has the layers.
//
//   struct NetImpl : torch::nn::Module {
//     NetImpl() : fc(register_module("fc", torch::nn::Linear(4, 2))) {}
//     torch::Tensor forward(torch::Tensor x) { return torch::relu(fc(x)); }
//     torch::nn::Linear fc;
//   };
//   TORCH_MODULE(Net);
//
//===----------------------------------------------------------------------===//

#ifndef TENSORTIDY_MODULE_H
#define TENSORTIDY_MODULE_H

#include "tensortidy/tensor.h"
#include <any>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tensortidy {

/// Entries in the order in which they came.
template <class Key, class Value> class OrderedDict {
public:
  class Item {
  public:
    Item(Key K, Value V) : Entry(std::move(K), std::move(V)) {}
    Value &operator*() { return Entry.second; }
    const Value &operator*() const { return Entry.second; }
    Value *operator->() { return &Entry.second; }
    const Value *operator->() const { return &Entry.second; }
    const Key &key() const { return Entry.first; }
    Value &value() { return Entry.second; }
    const Value &value() const { return Entry.second; }
    const std::pair<Key, Value> &pair() const { return Entry; }

  private:
    std::pair<Key, Value> Entry;
  };
  explicit OrderedDict(std::string key_description = "Key")
      : Description(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> initializer_list)
      : OrderedDict("Key") {
    for (const Item &I : initializer_list)
      insert(I.key(), I.value());
  }
  const std::string &key_description() const { return Description; }
  Item &front() { return Items.front(); }
  const Item &front() const { return Items.front(); }
  Item &back() { return Items.back(); }
  const Item &back() const { return Items.back(); }
  Item &operator[](size_t index) { return Items.at(index); }
  const Item &operator[](size_t index) const { return Items.at(index); }
  Value &operator[](const Key &key) {
    return const_cast<Value &>(std::as_const(*this)[key]);
  }
  const Value &operator[](const Key &key) const {
    if (const Value *V = find(key))
      return *V;
    throw Error(Description + " '" + key + "' is not defined");
  }
  Value *find(const Key &key) {
    return const_cast<Value *>(std::as_const(*this).find(key));
  }
  const Value *find(const Key &key) const {
    for (const Item &I : Items)
      if (I.key() == key)
        return &I.value();
    return nullptr;
  }
  bool contains(const Key &key) const { return find(key) != nullptr; }
  auto begin() { return Items.begin(); }
  auto end() { return Items.end(); }
  auto begin() const { return Items.begin(); }
  auto end() const { return Items.end(); }
  size_t size() const { return Items.size(); }
  bool is_empty() const { return Items.empty(); }
  Value &insert(Key key, Value value) {
    if (contains(key))
      throw Error(Description + " '" + key + "' already defined");
    return Items.emplace_back(std::move(key), std::move(value)).value();
  }
  void update(const OrderedDict &other) {
    for (const Item &I : other)
      insert(I.key(), I.value());
  }
  void erase(const Key &key) {
    for (size_t K = 0; K < Items.size(); ++K)
      if (Items[K].key() == key) {
        Items.erase(Items.begin() + static_cast<std::ptrdiff_t>(K));
        return;
      }
    throw Error(Description + " '" + key + "' doesn't exist");
  }
  void clear() { Items.clear(); }
  const std::vector<Item> &items() const { return Items; }
  std::vector<Key> keys() const {
    std::vector<Key> R;
    for (const Item &I : Items)
      R.push_back(I.key());
    return R;
  }
  std::vector<Value> values() const {
    std::vector<Value> R;
    for (const Item &I : Items)
      R.push_back(I.value());
    return R;
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> R;
    for (const Item &I : Items)
      R.push_back(I.pair());
    return R;
  }

private:
  std::string Description;
  std::vector<Item> Items;
};

namespace serialize {
class OutputArchive;
class InputArchive;
} // namespace serialize

namespace nn {

class Module;
template <class Contained> class ModuleHolder;
namespace detail {
struct Held {}; // what every holder is
} // namespace detail

/// Parameters, buffers and other modules by name.
class Module : public std::enable_shared_from_this<Module> {
public:
  explicit Module(std::string name) : Name(std::move(name)) {}
  Module() = default;
  virtual ~Module() = default;

  /// The given one, or that of the class.
  const std::string &name() const;
  virtual std::shared_ptr<Module>
  clone(const optional<Device> &device = nullopt) const;
  void apply(const std::function<void(Module &)> &function);
  void apply(const std::function<void(const Module &)> &function) const;
  void apply(const std::function<void(const std::string &, Module &)> &function,
             const std::string &name_prefix = "");
  void
  apply(const std::function<void(const std::shared_ptr<Module> &)> &function);

  std::vector<Tensor> parameters(bool recurse = true) const {
    return named_parameters(recurse).values();
  }
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const {
    return named_buffers(recurse).values();
  }
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const {
    return named_modules("", include_self).values();
  }
  OrderedDict<std::string, std::shared_ptr<Module>>
  named_modules(const std::string &name_prefix = "",
                bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const {
    return children_.values();
  }
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const {
    return children_;
  }

  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return Training; }
  virtual void to(Device device, Dtype dtype, bool non_blocking = false);
  virtual void to(Dtype dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);
  virtual void zero_grad(bool set_to_none = false);
  virtual void save(serialize::OutputArchive &archive) const;
  virtual void load(serialize::InputArchive &archive);
  virtual void pretty_print(std::ostream &stream) const;
  virtual bool is_serializable() const { return true; }

  template <class M> typename M::ContainedType *as() noexcept {
    return dynamic_cast<typename M::ContainedType *>(this);
  }
  template <class M> const typename M::ContainedType *as() const noexcept {
    return dynamic_cast<const typename M::ContainedType *>(this);
  }
  template <class M,
            class = std::enable_if_t<!std::is_base_of_v<detail::Held, M>>>
  M *as() noexcept {
    return dynamic_cast<M *>(this);
  }
  template <class M,
            class = std::enable_if_t<!std::is_base_of_v<detail::Held, M>>>
  const M *as() const noexcept {
    return dynamic_cast<const M *>(this);
  }

  Tensor &register_parameter(std::string name, Tensor tensor,
                             bool requires_grad = true);
  Tensor &register_buffer(std::string name, Tensor tensor);
  template <class M>
  std::shared_ptr<M> register_module(std::string name,
                                     std::shared_ptr<M> module) {
    checkName(name);
    children_.insert(std::move(name), module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(std::string name, ModuleHolder<M> holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string &name,
                                    std::shared_ptr<M> module) {
    children_[name] = module;
    return module;
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string &name,
                                    ModuleHolder<M> holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string &name) { children_.erase(name); }

  friend std::ostream &operator<<(std::ostream &stream, const Module &module);

protected:
  OrderedDict<std::string, Tensor> parameters_{"Parameter"};
  OrderedDict<std::string, Tensor> buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};
  /// A copy that was reset gets what \p Other has: its tensors' elements, and
  /// a copy of each of its modules.
  void copyFrom(const Module &Other, const optional<Device> &device);
  /// Becomes a copy of \p Other, of the same class.
  virtual void become(const Module &, const optional<Device> &) {}

private:
  static void checkName(const std::string &Name);
  void
  each(const std::string &Prefix,
       const std::function<void(const std::string &, const Module &)> &F) const;
  void convert(const std::function<Tensor(const Tensor &)> &F);
  void printed(std::ostream &Stream, const std::string &Indent) const;

  mutable std::string Name;
  bool Training = true;
};

/// A module that can be copied: reset() registers all of it anew.
template <class Derived> class Cloneable : public Module {
public:
  using Module::Module;
  virtual void reset() = 0;
  std::shared_ptr<Module>
  clone(const optional<Device> &device = nullopt) const override {
    const auto &Self = static_cast<const Derived &>(*this);
    auto Copy = std::make_shared<Derived>(Self);
    Copy->parameters_.clear();
    Copy->buffers_.clear();
    Copy->children_.clear();
    Copy->reset();
    static_cast<Cloneable &>(*Copy).copyFrom(*this, device);
    return Copy;
  }

private:
  void become(const Module &Other, const optional<Device> &device) final {
    auto Copy = std::dynamic_pointer_cast<Derived>(Other.clone(device));
    if (!Copy)
      throw Error("a module was to be copied into one of another class");
    static_cast<Derived &>(*this) = std::move(*Copy);
  }
};

/// A handle of a module: copies name the same one.
template <class Contained> class ModuleHolder : detail::Held {
protected:
  std::shared_ptr<Contained> impl_;

public:
  using ContainedType = Contained;
  ModuleHolder() : impl_(std::make_shared<Contained>()) {}
  ModuleHolder(std::nullptr_t) : impl_(nullptr) {}
  template <class Head, class... Tail,
            class = std::enable_if_t<
                !(sizeof...(Tail) == 0 &&
                  (std::is_base_of_v<ModuleHolder, std::decay_t<Head>> ||
                   std::is_convertible_v<Head, std::shared_ptr<Contained>>))>>
  explicit ModuleHolder(Head &&head, Tail &&...tail)
      : impl_(std::make_shared<Contained>(std::forward<Head>(head),
                                          std::forward<Tail>(tail)...)) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}

  explicit operator bool() const noexcept { return !is_empty(); }
  bool is_empty() const noexcept { return impl_ == nullptr; }
  Contained *operator->() { return get(); }
  const Contained *operator->() const { return get(); }
  Contained &operator*() { return *get(); }
  const Contained &operator*() const { return *get(); }
  const std::shared_ptr<Contained> &ptr() const {
    get();
    return impl_;
  }
  Contained *get() const {
    if (!impl_)
      throw Error("Accessing empty ModuleHolder");
    return impl_.get();
  }
  template <class... Args> auto operator()(Args &&...args) {
    return get()->forward(std::forward<Args>(args)...);
  }
  template <class Arg> decltype(auto) operator[](Arg &&arg) {
    return (*get())[std::forward<Arg>(arg)];
  }
};
template <class M>
std::ostream &operator<<(std::ostream &stream, const ModuleHolder<M> &module) {
  return stream << static_cast<const Module &>(*module);
}

namespace detail {
template <class F> struct ForwardOf;
template <class M, class R, class... A> struct ForwardOf<R (M::*)(A...)> {
  template <size_t... K>
  static std::any call(M &Of, std::vector<std::any> &In,
                       std::index_sequence<K...>) {
    if constexpr (std::is_void_v<R>) {
      Of.forward(std::any_cast<std::decay_t<A> &>(In[K])...);
      return {};
    } else {
      return Of.forward(std::any_cast<std::decay_t<A> &>(In[K])...);
    }
  }
  /// The first parameter alone, where the others have defaults.
  template <class T, class First, class... Rest>
  static auto callOne(T &Of, std::vector<std::any> &In)
      -> decltype(std::any(Of.forward(std::declval<First>()))) {
    return Of.forward(std::any_cast<std::decay_t<First> &>(In[0]));
  }
};
template <class M, class R, class... A>
struct ForwardOf<R (M::*)(A...) const> : ForwardOf<R (M::*)(A...)> {};
template <class M, class First, class = void>
struct TakesOne : std::false_type {};
template <class M, class First>
struct TakesOne<
    M, First,
    std::void_t<decltype(std::declval<M &>().forward(std::declval<First>()))>>
    : std::true_type {};

template <class M, class R, class C, class First, class... Rest>
std::any forwardErased(M &Of, R (C::*)(First, Rest...),
                       std::vector<std::any> &In) {
  try {
    if constexpr (sizeof...(Rest) > 0 && TakesOne<M, First>::value)
      if (In.size() == 1)
        return std::any(
            Of.forward(std::any_cast<std::decay_t<First> &>(In[0])));
    if (In.size() != 1 + sizeof...(Rest))
      throw Error("forward() of " + Of.name() + " expects " +
                  std::to_string(1 + sizeof...(Rest)) + " argument(s), got " +
                  std::to_string(In.size()));
    return ForwardOf<R (M::*)(First, Rest...)>::call(
        Of, In, std::make_index_sequence<1 + sizeof...(Rest)>());
  } catch (const std::bad_any_cast &) {
    throw Error("forward() of " + Of.name() +
                " was called with an argument of another type");
  }
}
template <class M, class R, class C, class First, class... Rest>
std::any forwardErased(M &Of, R (C::*)(First, Rest...) const,
                       std::vector<std::any> &In) {
  return forwardErased(Of, static_cast<R (C::*)(First, Rest...)>(nullptr), In);
}
} // namespace detail

/// Any module with a forward().
class AnyModule {
public:
  AnyModule() = default;
  template <class M, class = std::enable_if_t<std::is_base_of_v<Module, M>>>
  AnyModule(std::shared_ptr<M> module)
      : Content(module), Call([Of = module.get()](std::vector<std::any> &In) {
          return detail::forwardErased(*Of, &M::forward, In);
        }),
        Same([](const std::shared_ptr<Module> &Other) {
          return AnyModule(std::dynamic_pointer_cast<M>(Other));
        }) {}
  template <class M, class = std::enable_if_t<std::is_base_of_v<Module, M>>,
            class = void>
  AnyModule(M &&module)
      : AnyModule(std::make_shared<std::decay_t<M>>(std::forward<M>(module))) {}
  template <class M>
  AnyModule(const ModuleHolder<M> &module_holder)
      : AnyModule(module_holder.ptr()) {}

  template <class R = Tensor, class... Args> R forward(Args &&...args) {
    std::vector<std::any> In{std::any(std::forward<Args>(args))...};
    return std::any_cast<R>(any_forward(In));
  }
  std::any any_forward(std::vector<std::any> &In) const {
    if (is_empty())
      throw Error("Cannot call forward() on an empty AnyModule");
    return Call(In);
  }
  const std::shared_ptr<Module> &ptr() const { return Content; }
  template <class M, class = std::enable_if_t<std::is_base_of_v<Module, M>>>
  std::shared_ptr<M> ptr() const {
    get<M>();
    return std::dynamic_pointer_cast<M>(Content);
  }
  template <class M, class = std::enable_if_t<std::is_base_of_v<Module, M>>>
  M &get() const {
    if (M *R = dynamic_cast<M *>(Content.get()))
      return *R;
    throw Error("Attempted to cast module to another type");
  }
  template <class M, class C = typename M::ContainedType, class = void>
  M get() const {
    return M(ptr<C>());
  }
  bool is_empty() const noexcept { return Content == nullptr; }
  AnyModule clone(const optional<Device> &device = nullopt) const {
    return is_empty() ? AnyModule() : Same(Content->clone(device));
  }

private:
  std::shared_ptr<Module> Content;
  std::function<std::any(std::vector<std::any> &)> Call;
  /// The same of another module of this class.
  std::function<AnyModule(const std::shared_ptr<Module> &)> Same;
};
/// A module with its name.
class NamedAnyModule {
public:
  template <class M>
  NamedAnyModule(std::string name, M &&module)
      : Name(std::move(name)), Content(std::forward<M>(module)) {}
  const std::string &name() const { return Name; }
  AnyModule &module() { return Content; }
  const AnyModule &module() const { return Content; }

private:
  std::string Name;
  AnyModule Content;
};

} // namespace nn
} // namespace tensortidy

#define TORCH_MODULE_IMPL(NAME, IMPL)                                          \
  class NAME : public ::tensortidy::nn::ModuleHolder<IMPL> {                   \
  public:                                                                      \
    using ::tensortidy::nn::ModuleHolder<IMPL>::ModuleHolder;                  \
    using Impl [[maybe_unused]] = IMPL;                                        \
  }
#define TORCH_MODULE(NAME) TORCH_MODULE_IMPL(NAME, NAME##Impl)
/// A member that NAME(value) sets and NAME() answers.
#define TORCH_ARG(T, NAME)                                                     \
public:                                                                        \
  inline auto NAME(const T &new_##NAME) -> decltype(*this) {                   \
    this->NAME##_ = new_##NAME;                                                \
    return *this;                                                              \
  }                                                                            \
  inline auto NAME(T &&new_##NAME) -> decltype(*this) {                        \
    this->NAME##_ = std::move(new_##NAME);                                     \
    return *this;                                                              \
  }                                                                            \
  inline const T &NAME() const noexcept { return this->NAME##_; }              \
  inline T &NAME() noexcept { return this->NAME##_; }                          \
                                                                               \
private:                                                                       \
  T NAME##_

namespace tensortidy::nn {

namespace detail {
/// What is kept in order.
template <class Derived, class Kept> class ListOf : public Cloneable<Derived> {
public:
  using Iterator = typename std::vector<Kept>::iterator;
  void reset() override {}
  template <class Container> void extend(const Container &container) {
    for (const auto &M : container)
      static_cast<Derived &>(*this).push_back(M);
  }
  size_t size() const noexcept { return Modules.size(); }
  bool is_empty() const noexcept { return Modules.empty(); }
  Iterator begin() { return Modules.begin(); }
  Iterator end() { return Modules.end(); }
  auto begin() const { return Modules.begin(); }
  auto end() const { return Modules.end(); }

protected:
  std::vector<Kept> Modules;
};
/// What is kept under names, as the parameters or the children of a module.
template <class Derived, class Kept> class DictOf : public Cloneable<Derived> {
public:
  void reset() override {}
  bool contains(const std::string &key) const {
    return entries().contains(key);
  }
  std::vector<std::string> keys() const { return entries().keys(); }
  std::vector<Kept> values() const { return entries().values(); }
  size_t size() const noexcept { return entries().size(); }
  bool empty() const noexcept { return entries().is_empty(); }
  void clear() { entries().clear(); }
  auto begin() { return entries().begin(); }
  auto end() { return entries().end(); }

protected:
  auto &entries() {
    if constexpr (std::is_same_v<Kept, Tensor>)
      return this->parameters_;
    else
      return this->children_;
  }
  const auto &entries() const { return const_cast<DictOf &>(*this).entries(); }
};
} // namespace detail

/// One after the other.
class SequentialImpl : public detail::ListOf<SequentialImpl, AnyModule> {
public:
  SequentialImpl() = default;
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> named_modules) {
    for (const NamedAnyModule &M : named_modules)
      push_back(M.name(), M.module());
  }
  explicit SequentialImpl(OrderedDict<std::string, AnyModule> ordered_dict) {
    for (const auto &I : ordered_dict)
      push_back(I.key(), I.value());
  }
  template <class... Ms,
            class = std::enable_if_t<
                sizeof...(Ms) != 0 &&
                !(std::is_same_v<std::decay_t<Ms>, SequentialImpl> || ...)>>
  explicit SequentialImpl(Ms &&...modules) {
    (push_back(std::forward<Ms>(modules)), ...);
  }
  std::shared_ptr<Module>
  clone(const optional<Device> &device = nullopt) const override;
  void pretty_print(std::ostream &stream) const override;

  template <class R = Tensor, class... Inputs> R forward(Inputs &&...inputs) {
    if (is_empty())
      throw Error("Cannot call forward() on an empty Sequential");
    std::vector<std::any> In{
        std::any(std::decay_t<Inputs>(std::forward<Inputs>(inputs)))...};
    for (const AnyModule &M : Modules) {
      std::any Out = M.any_forward(In);
      In.assign(1, std::move(Out));
    }
    if (R *Out = std::any_cast<R>(&In[0]))
      return *Out;
    throw Error("The type of the return value is not that of the last module");
  }
  template <class M> void push_back(M &&module) {
    push_back(std::to_string(Modules.size()), std::forward<M>(module));
  }
  template <class M> void push_back(std::string name, M &&module) {
    add(std::move(name), AnyModule(std::forward<M>(module)));
  }
  template <class T> T &at(size_t index) {
    return Modules.at(index).template get<T>();
  }
  std::shared_ptr<Module> ptr(size_t index) const {
    return Modules.at(index).ptr();
  }
  template <class T> std::shared_ptr<T> ptr(size_t index) const {
    return Modules.at(index).template ptr<T>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }

private:
  void add(std::string Name, AnyModule M);
};
class Sequential : public ModuleHolder<SequentialImpl> {
public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> named_modules)
      : ModuleHolder(std::make_shared<SequentialImpl>(named_modules)) {}
};

/// Modules that the user runs.
class ModuleListImpl
    : public detail::ListOf<ModuleListImpl, std::shared_ptr<Module>> {
public:
  ModuleListImpl() = default;
  template <class... Ms,
            class = std::enable_if_t<
                sizeof...(Ms) != 0 &&
                !(std::is_same_v<std::decay_t<Ms>, ModuleListImpl> || ...)>>
  explicit ModuleListImpl(Ms &&...modules) {
    (push_back(std::forward<Ms>(modules)), ...);
  }
  std::shared_ptr<Module>
  clone(const optional<Device> &device = nullopt) const override;
  void pretty_print(std::ostream &stream) const override;
  void push_back(std::shared_ptr<Module> module);
  template <class M> void push_back(const ModuleHolder<M> &module) {
    push_back(std::shared_ptr<Module>(module.ptr()));
  }
  template <class M, class = std::enable_if_t<
                         std::is_base_of_v<Module, std::decay_t<M>>>>
  void push_back(M &&module) {
    push_back(std::shared_ptr<Module>(
        std::make_shared<std::decay_t<M>>(std::forward<M>(module))));
  }
  std::shared_ptr<Module> ptr(size_t index) const { return Modules.at(index); }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  template <class T> std::shared_ptr<T> ptr(size_t index) const {
    return std::dynamic_pointer_cast<T>(ptr(index));
  }
  template <class T> T &at(size_t index) {
    if (T *R = dynamic_cast<T *>(ptr(index).get()))
      return *R;
    throw Error("Unable to cast module[" + std::to_string(index) + "]");
  }
};
TORCH_MODULE(ModuleList);

/// The same by name.
class ModuleDictImpl
    : public detail::DictOf<ModuleDictImpl, std::shared_ptr<Module>> {
public:
  ModuleDictImpl() = default;
  explicit ModuleDictImpl(
      const std::vector<std::pair<std::string, std::shared_ptr<Module>>>
          &modules) {
    update(modules);
  }
  explicit ModuleDictImpl(
      const OrderedDict<std::string, std::shared_ptr<Module>> &modules) {
    update(modules.pairs());
  }
  std::shared_ptr<Module>
  clone(const optional<Device> &device = nullopt) const override;
  void pretty_print(std::ostream &stream) const override;
  template <class M> void insert(const std::string &key, const M &module) {
    update({{key, module}});
  }
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>
                  &modules);
  std::vector<std::pair<std::string, std::shared_ptr<Module>>> items() const {
    return children_.pairs();
  }
  std::shared_ptr<Module> pop(const std::string &key) {
    auto R = children_[key];
    children_.erase(key);
    return R;
  }
  std::shared_ptr<Module> operator[](const std::string &key) const {
    return children_[key];
  }
  template <class T> T &at(const std::string &key) {
    if (T *R = dynamic_cast<T *>(children_[key].get()))
      return *R;
    throw Error("Unable to cast module " + key);
  }
};
TORCH_MODULE(ModuleDict);

class ParameterListImpl : public detail::DictOf<ParameterListImpl, Tensor> {
public:
  ParameterListImpl() = default;
  template <class... Ts, class = std::enable_if_t<
                             sizeof...(Ts) != 0 &&
                             (std::is_convertible_v<Ts, Tensor> && ...)>>
  explicit ParameterListImpl(Ts &&...tensors) {
    (append(std::forward<Ts>(tensors)), ...);
  }
  void pretty_print(std::ostream &stream) const override;
  void append(const Tensor &param) {
    register_parameter(std::to_string(size()), param, param.requires_grad());
  }
  template <class Container> void extend(const Container &container) {
    for (const Tensor &X : container)
      append(X);
  }
  bool is_empty() const noexcept { return empty(); }
  Tensor &at(size_t idx) { return parameters_[std::to_string(idx)]; }
  Tensor &operator[](size_t idx) { return at(idx); }
};
TORCH_MODULE(ParameterList);

class ParameterDictImpl : public detail::DictOf<ParameterDictImpl, Tensor> {
public:
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(
      const OrderedDict<std::string, Tensor> &parameters) {
    parameters_ = parameters;
  }
  void pretty_print(std::ostream &stream) const override;
  Tensor &insert(std::string key, Tensor param) {
    const bool Grad = param.requires_grad();
    return register_parameter(std::move(key), std::move(param), Grad);
  }
  Tensor &get(const std::string &key) { return parameters_[key]; }
  Tensor &operator[](const std::string &key) { return parameters_[key]; }
};
TORCH_MODULE(ParameterDict);

} // namespace tensortidy::nn

#endif
