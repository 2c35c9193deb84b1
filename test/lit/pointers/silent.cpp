// RUN: %silent %s --checks=-*,tensor-view-after-permute,tensor-redundant-contiguous -- %runtime
// Two pointers may point to one object, and a pointer may be changed between:
// nothing is known then.

#include <tensortidy/aten.h>

#include <memory>
#include <vector>

struct Heads {
  at::Tensor q, k;
  int64_t n = 3;
};
at::Tensor turned(int64_t a, int64_t b) { return torch::zeros({a, b}).t(); }
at::Tensor flat(int64_t a, int64_t b) { return torch::zeros({a, b}); }
void unknown();
void change(Heads *);
void change(at::Tensor *);

at::Tensor twoPointers(Heads *p, Heads *q, int64_t a, int64_t b) {
  p->q = turned(a, b);
  q->q = flat(a, b);
  return p->q.view(-1);
}
at::Tensor copiedPointer(Heads *p, int64_t a, int64_t b) {
  Heads *q = p;
  p->q = turned(a, b);
  q->q = flat(a, b);
  return p->q.view(-1);
}
at::Tensor movedPointer(Heads *p, Heads *q, int64_t a, int64_t b) {
  p->q = turned(a, b);
  p = q;
  return p->q.view(-1);
}
at::Tensor steppedPointer(Heads *p, int64_t a, int64_t b) {
  p->q = turned(a, b);
  ++p;
  return p->q.view(-1);
}
at::Tensor inLoop(Heads *p, int n, int64_t a, int64_t b) {
  at::Tensor y;
  for (int i = 0; i < n; ++i) {
    y = p->q.view(-1);
    ++p;
    p->k = turned(a, b);
  }
  return y;
}
at::Tensor declaredInLoop(Heads *all, int n, int64_t a, int64_t b) {
  at::Tensor y = flat(a, b);
  for (int i = 0; i < n; ++i) {
    Heads *p = all + i;
    y = p->q.view(-1);
    p->q = turned(a, b);
  }
  return y;
}
at::Tensor unseenCall(Heads *p, int64_t a, int64_t b) {
  p->q = turned(a, b);
  unknown();
  return p->q.view(-1);
}
at::Tensor givenAway(Heads *p, Heads *q, int64_t a, int64_t b) {
  p->q = turned(a, b);
  change(q);
  return p->q.view(-1);
}
at::Tensor chosen(bool c, int64_t a, int64_t b) {
  Heads h, g;
  h.q = turned(a, b);
  Heads *p = c ? &h : &g;
  p->q = flat(a, b);
  return h.q.view(-1);
}
at::Tensor chosenTensor(bool c, int64_t a, int64_t b) {
  at::Tensor x = turned(a, b), y = x;
  at::Tensor *p = c ? &x : &y;
  *p = flat(a, b);
  return x.view(-1);
}
at::Tensor chosenReference(bool c, int64_t a, int64_t b) {
  at::Tensor x = turned(a, b), y = turned(a, b);
  auto &r = c ? x : y;
  x = flat(a, b);
  y = flat(a, b);
  return r.view(-1);
}
at::Tensor referenceThenWrite(Heads *p, Heads *q, int64_t a, int64_t b) {
  auto &r = p->q;
  r = turned(a, b);
  q->q = flat(a, b);
  return r.view(-1);
}
at::Tensor referenceStays(Heads *p, Heads *q, int64_t a, int64_t b) {
  auto &r = p->q;
  p = q;
  p->q = flat(a, b);
  r = turned(a, b);
  return p->q.view(-1);
}
at::Tensor inPlace(Heads *p, Heads *q, int64_t a, int64_t b) {
  p->q = flat(a, b);
  q->q.t_();
  p->q.t_();
  return q->q.view(-1);
}
Heads *find();
at::Tensor unnamedObject(Heads *p, int64_t a, int64_t b) {
  p->q = turned(a, b);
  find()->q = flat(a, b);
  return p->q.view(-1);
}
at::Tensor unnamedSize(Heads *p, int64_t a) {
  p->n = 1;
  find()->n = 4;
  return turned(a, p->n).contiguous();
}
void refill(Heads *h, Heads *g, int64_t a, int64_t b) {
  h->q = turned(a, b);
  h = g;
  h->q = flat(a, b);
}
at::Tensor pointerChangesInCall(int64_t a, int64_t b) {
  Heads h, g;
  g.q = turned(a, b);
  refill(&h, &g, a, b);
  return g.q.view(-1);
}
void both(at::Tensor *x, at::Tensor *y, int64_t a, int64_t b) {
  *x = turned(a, b);
  *y = flat(a, b);
}
at::Tensor oneForBoth(int64_t a, int64_t b) {
  at::Tensor x;
  both(&x, &x, a, b);
  return x.view(-1);
}
at::Tensor bodyNotSeen(int64_t a, int64_t b) {
  at::Tensor x = turned(a, b);
  change(&x);
  return x.view(-1);
}
at::Tensor byLambda(Heads *p, int64_t a, int64_t b) {
  p->q = turned(a, b);
  auto f = [p, a, b] { p->q = flat(a, b); };
  f();
  return p->q.view(-1);
}

struct Holder {
  at::Tensor &t;
};
at::Tensor byReferenceField(int64_t a, int64_t b) {
  at::Tensor x = turned(a, b);
  Holder h{x};
  h.t = flat(a, b);
  return x.view(-1);
}
struct Kept {
  explicit Kept(at::Tensor &t) : t(t) {}
  void set(int64_t a, int64_t b) { t = flat(a, b); }
  at::Tensor &t;
};
at::Tensor byConstructor(int64_t a, int64_t b) {
  at::Tensor x = turned(a, b);
  Kept h(x);
  h.set(a, b);
  return x.view(-1);
}

struct Two {
  std::unique_ptr<Heads> a, b;
  at::Tensor w;
  void touch() const;
  void exchange() { std::swap(a, b); }

  at::Tensor swapped(int64_t m, int64_t n) {
    a->q = turned(m, n);
    b->q = flat(m, n);
    exchange();
    return a->q.view(-1);
  }
  at::Tensor replaced(int64_t m, int64_t n) {
    a->q = turned(m, n);
    a.reset(new Heads);
    return a->q.view(-1);
  }
  at::Tensor moved(int64_t m, int64_t n) {
    a->q = turned(m, n);
    a = std::move(b);
    return a->q.view(-1);
  }
  at::Tensor constMethod(int64_t m, int64_t n) const {
    a->q = turned(m, n);
    touch();
    return a->q.view(-1);
  }
  at::Tensor itself(Two *other, int64_t m, int64_t n) {
    w = turned(m, n);
    other->w = flat(m, n);
    return w.view(-1);
  }
  at::Tensor asOther(Two &other, int64_t m, int64_t n) {
    other.a->q = turned(m, n);
    a->q = flat(m, n);
    return other.a->q.view(-1);
  }
  at::Tensor tensorOfThis(at::Tensor *out, int64_t m, int64_t n) {
    w = turned(m, n);
    *out = flat(m, n);
    return w.view(-1);
  }
};

// A class with a base is no list of its fields: a new object in each iteration.
struct Base {
  at::Tensor w;
};
struct Derived : Base {
  at::Tensor v;
  Derived();
};
at::Tensor newEachTime(int n, int64_t a, int64_t b) {
  at::Tensor y = flat(a, b);
  for (int i = 0; i < n; ++i) {
    Derived d;
    y = d.v.view(-1);
    d.v = turned(a, b);
  }
  return y;
}

// What is inside of something else may be what a pointer points to.
at::Tensor ofField(bool c, int64_t a, int64_t b) {
  Heads h;
  h.q = turned(a, b);
  at::Tensor *p = c ? &h.q : &h.k;
  *p = flat(a, b);
  return h.q.view(-1);
}
at::Tensor ofElement(size_t i, int64_t a, int64_t b) {
  std::vector<at::Tensor> v{turned(a, b), turned(a, b)};
  at::Tensor *p = &v[i];
  *p = flat(a, b);
  return v[0].view(-1);
}
at::Tensor ofReference(bool c, int64_t a, int64_t b) {
  at::Tensor x = turned(a, b), y = x;
  at::Tensor &r = x;
  at::Tensor *p = c ? &r : &y;
  *p = flat(a, b);
  return x.view(-1);
}
at::Tensor indexed(Heads *p, Heads *q, int64_t a, int64_t b) {
  q->q = turned(a, b);
  p[0].q = flat(a, b);
  return q->q.view(-1);
}
at::Tensor indexedTensor(at::Tensor *p, at::Tensor *q, int64_t a, int64_t b) {
  *q = turned(a, b);
  p[0] = flat(a, b);
  return q->view(-1);
}
