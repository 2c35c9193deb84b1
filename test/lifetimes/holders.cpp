// Which element of a list or container a pointer goes to, smart pointers to
// tensors, references to elements: see lifetimes.h.

#include "lifetimes.h"
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

using namespace lifetimes;

// --- lists ---

DANGLES(elementReplaced) {
  auto x = rows();
  std::vector<at::Tensor> all{x * 2, x * 3};
  const float *p = all[0].data_ptr<float>();
  all[0] = x + 1;
  return sum(p, 24) == 48;
}
LIVES(otherReplaced) {
  auto x = rows();
  std::vector<at::Tensor> all{x * 2, x * 3};
  const float *p = all[0].data_ptr<float>();
  all[1] = x + 1;
  return sum(p, 24) == 48;
}
DANGLES(elementErased) {
  auto x = rows();
  std::vector<at::Tensor> all;
  all.push_back(x * 2);
  all.push_back(x * 3);
  const float *p = all[0].data_ptr<float>();
  all.erase(all.begin());
  return sum(p, 24) == 48;
}
LIVES(otherErased) {
  auto x = rows();
  std::vector<at::Tensor> all;
  all.push_back(x * 2);
  all.push_back(x * 3);
  const float *p = all[1].data_ptr<float>();
  all.erase(all.begin());
  return sum(p, 24) == 72;
}
DANGLES(erasedAfterMoving) {
  auto x = rows();
  std::vector<at::Tensor> all{x * 2, x * 3};
  const float *p = all[1].data_ptr<float>();
  all.erase(all.begin());
  all[0] = x;
  return sum(p, 24) == 72;
}
DANGLES(shrunk) {
  auto x = rows();
  std::vector<at::Tensor> all{x.clone(), x.clone()};
  const float *p = all.back().data_ptr<float>();
  all.resize(1);
  return sum(p, 24) == 24;
}
LIVES(grown) {
  auto x = rows();
  std::vector<at::Tensor> all{x.clone(), x.clone()};
  const float *p = all.back().data_ptr<float>();
  all.resize(8);
  return sum(p, 24) == 24;
}
LIVES(someReplaced) {
  auto x = rows();
  std::vector<at::Tensor> all{x * 2, x * 3};
  const float *p = all[number(0)].data_ptr<float>();
  all[1] = x + 1;
  return sum(p, 24) == 48;
}
LIVES(copiedOut) {
  auto x = rows();
  std::vector<at::Tensor> all{x * 2, x * 3}, more;
  const float *p = all[0].data_ptr<float>();
  more.insert(more.end(), all.begin(), all.end());
  all[0] = x;
  return sum(p, 24) == 48;
}
DANGLES(pairReplaced) {
  auto x = rows();
  std::pair<at::Tensor, int> pair{x.clone(), 1};
  const float *p = pair.first.data_ptr<float>();
  pair.first = x + 1;
  return sum(p, 24) == 24;
}

// --- maps ---

DANGLES(keyErased) {
  auto x = rows();
  std::map<std::string, at::Tensor> weights;
  weights["w"] = x.clone();
  const float *p = weights["w"].data_ptr<float>();
  weights.erase("w");
  return sum(p, 24) == 24;
}
LIVES(otherKeyErased) {
  auto x = rows();
  std::map<std::string, at::Tensor> weights;
  weights["w"] = x.clone();
  weights["b"] = x.clone();
  const float *p = weights["w"].data_ptr<float>();
  weights.erase("b");
  weights["b"] = x;
  return sum(p, 24) == 24;
}
DANGLES(keyReplaced) {
  auto x = rows();
  std::unordered_map<int, at::Tensor> cache;
  cache.emplace(1, x * 2);
  const float *p = cache.at(1).data_ptr<float>();
  cache[1] = x;
  return sum(p, 24) == 48;
}
DANGLES(mapCleared) {
  auto x = rows();
  std::unordered_map<int, at::Tensor> cache;
  cache.emplace(1, x * 2);
  const float *p = cache.at(1).data_ptr<float>();
  cache.clear();
  return sum(p, 24) == 48;
}
LIVES(foundAndKept) {
  auto x = rows();
  std::map<int, at::Tensor> cache;
  cache[1] = x * 2;
  const float *p = cache[1].data_ptr<float>();
  at::Tensor kept = cache.find(1)->second;
  cache.clear();
  return sum(p, 24) == 48;
}
LIVES(mapCopied) {
  auto x = rows();
  std::map<int, at::Tensor> cache;
  cache[1] = x * 2;
  auto copy = cache;
  const float *p = cache[1].data_ptr<float>();
  cache.clear();
  return sum(p, 24) == 48;
}
LIVES(mapOfParameter) {
  auto x = rows();
  std::map<int, at::Tensor> cache;
  cache[1] = x;
  const float *p = cache[1].data_ptr<float>();
  cache.clear();
  return sum(p, 24) == 24;
}
DANGLES(mapOfPointers) {
  auto x = rows();
  std::map<int, const float *> all;
  all[0] = x.clone().data_ptr<float>();
  return sum(all.at(0), 24) == 24;
}

// --- smart pointers ---

DANGLES(uniqueReset) {
  auto t = std::make_unique<at::Tensor>(rows() * 2);
  const float *p = t->data_ptr<float>();
  t.reset();
  return sum(p, 24) == 48;
}
DANGLES(uniqueReplaced) {
  std::unique_ptr<at::Tensor> t(new at::Tensor(rows() * 2));
  const float *p = t->data_ptr<float>();
  t = std::make_unique<at::Tensor>(rows());
  return sum(p, 24) == 48;
}
DANGLES(pointeeReplaced) {
  auto t = std::make_unique<at::Tensor>(rows() * 2);
  const float *p = t->data_ptr<float>();
  *t = rows();
  return sum(p, 24) == 48;
}
LIVES(uniqueMoved) {
  auto t = std::make_unique<at::Tensor>(rows() * 2);
  const float *p = t->data_ptr<float>();
  std::vector<std::unique_ptr<at::Tensor>> all;
  all.push_back(std::move(t));
  t.reset();
  return sum(p, 24) == 48;
}
LIVES(uniqueHandedOn) {
  auto t = std::make_unique<at::Tensor>(rows() * 2);
  const float *p = t->data_ptr<float>();
  auto u = std::move(t);
  t = nullptr;
  return sum(p, 24) == 48;
}
DANGLES(sharedReset) {
  std::shared_ptr<at::Tensor> t = std::make_shared<at::Tensor>(rows() * 2);
  const float *p = t->data_ptr<float>();
  t.reset();
  return sum(p, 24) == 48;
}
LIVES(sharedTwice) {
  auto t = std::make_shared<at::Tensor>(rows() * 2);
  auto u = t;
  const float *p = t->data_ptr<float>();
  t.reset();
  return sum(p, 24) == 48;
}
LIVES(sharedCaptured) {
  auto t = std::make_shared<at::Tensor>(rows() * 2);
  auto later = [t] { return t->numel(); };
  const float *p = t->data_ptr<float>();
  t.reset();
  return sum(p, 24) == 48 && later() == 24;
}
DANGLES(deleted) {
  auto *t = new at::Tensor(rows() * 2);
  const float *p = t->data_ptr<float>();
  delete t;
  return sum(p, 24) == 48;
}
LIVES(neverDeleted) {
  const float *p = nullptr;
  {
    static at::Tensor *kept = nullptr;
    auto *t = new at::Tensor(rows() * 2);
    kept = t;
    p = t->data_ptr<float>();
  }
  return sum(p, 24) == 48;
}

// --- references and other ways to hold an address ---

DANGLES(referenceToElement) {
  auto t = rows() * 2;
  float &first = t.data_ptr<float>()[0];
  t = rows();
  return sum(&first, 1) == 2;
}
DANGLES(referenceOfTemporary) {
  float &first = (rows() * 2).data_ptr<float>()[3];
  return first == 2;
}
static void pass(const float **to, const at::Tensor &t) {
  at::Tensor u = t.clone();
  *to = u.data_ptr<float>();
}
LIVES(referenceOfLiving) {
  auto t = rows() * 2;
  float &first = t.data_ptr<float>()[0];
  first = 5;
  t.add_(1);
  return first == 6;
}
DANGLES(throughPointerToPointer) {
  const float *p = nullptr;
  pass(&p, rows());
  return sum(p, 24) == 24;
}
DANGLES(address) {
  auto x = rows();
  auto t = x.clone();
  auto at = reinterpret_cast<uintptr_t>(t.data_ptr());
  t = x;
  return sum(reinterpret_cast<const float *>(at), 24) == 24;
}
LIVES(addressAsked) {
  auto x = rows();
  auto t = x.clone();
  auto at = reinterpret_cast<uintptr_t>(t.data_ptr());
  t = x;
  return at % 4 == 0;
}
DANGLES(sizesOfReshaped) {
  auto x = rows();
  int64_t n = 1;
  for (int64_t d : x.flatten(0, 1).sizes())
    n *= d;
  return n == 24;
}
