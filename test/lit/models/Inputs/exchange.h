// What is done to a DLTensor, with the header of DLPack or declarations like it.

// Two dimensions have no third.
long depth(const DLTensor *X) {
  if (X->ndim != 2)
    throw X;
  return X->shape[2];
}

// The columns of the other are as many as the rows here.
struct Pair {
  DLTensor A, B;
};
float dot(const Pair &P) {
  if (P.A.ndim != 1 || P.B.ndim != 1 || P.A.shape[0] != P.B.shape[0])
    return 0;
  const float *A = static_cast<const float *>(P.A.data);
  const float *B = static_cast<const float *>(P.B.data);
  float Sum = 0;
  for (long I = 0; I < P.A.shape[0]; ++I)
    Sum += A[I * P.A.strides[0]] * B[I * P.B.strides[0]];
  return Sum;
}

// A transposed header of the same memory.
DLTensor transposed(DLTensor X, long *Shape, long *Strides) {
  if (X.ndim != 2)
    return X;
  Shape[0] = X.shape[1];
  Shape[1] = X.shape[0];
  Strides[0] = X.strides[1];
  Strides[1] = X.strides[0];
  X.shape = reinterpret_cast<decltype(X.shape)>(Shape);
  X.strides = reinterpret_cast<decltype(X.strides)>(Strides);
  return X;
}

// One more dimension in front: what was two is three.
long unsqueezed(DLTensor &X, decltype(DLTensor::shape) Shape) {
  if (X.ndim != 2)
    throw 1;
  X.shape = Shape;
  X.ndim = 3;
  return X.shape[2];
}

// Null strides stand for a packed tensor.
bool isPacked(const DLTensor *X) {
  if (X->strides == nullptr)
    return true;
  long Expected = 1;
  for (int I = X->ndim - 1; I >= 0; --I) {
    if (X->strides[I] != Expected)
      return false;
    Expected *= X->shape[I];
  }
  return true;
}

// The step between rows is taken for the one between columns.
void scale(DLTensor *X, float By) {
  if (X->ndim != 2 || !isPacked(X))
    return;
  float *P = static_cast<float *>(X->data);
  for (long I = 0; I < X->shape[0]; ++I)
    for (long J = 0; J < X->shape[1]; ++J)
      P[I * X->shape[1] + J] *= By;
}
