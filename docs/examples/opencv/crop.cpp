// Linted with the model of cv::Mat beside it, .tensortidy.yaml: see docs/models.md.
#include <opencv2/core.hpp>

// One row with all the pixels of the lower half.
cv::Mat lower(int rows, int cols) {
  cv::Mat image = cv::Mat::zeros(rows, cols, CV_8UC3);
  return image.rowRange(rows / 2, rows).reshape(0, 1); // whole rows: fine
}

// One row with all the pixels of the first four columns.
cv::Mat left(int rows) {
  cv::Mat image(rows, 8, CV_32FC1);
  cv::Mat four = image.colRange(0, 4);
  cv::Mat pixels = four.reshape(1); // the rows stay rows: fine
  return four.reshape(1, 1);        // throws: the rows are not adjacent
}

cv::Mat column(const cv::Mat &in) {
  cv::Mat image = cv::Mat::ones(4, 6, CV_32F), one = image.col(2);
  if (!one.isContinuous())
    one = one.clone();
  return one.reshape(0, 1); // fine
}
