// Uses of cv::Mat of which nothing wrong can be said.
#include <opencv2/core.hpp>

cv::Mat region(const cv::Mat &image, cv::Rect where) {
  return image(where).reshape(1, 1); // the whole of it may be meant
}

cv::Mat kept(cv::Mat &part, int rows, int cols) {
  cv::Mat image(rows, cols, CV_8U);
  part = image.col(1);
  part.create(rows, cols, CV_8U); // has one column no more
  return part.reshape(0, 1);
}

cv::Mat borrowed(uchar *data, size_t step) {
  cv::Mat image(4, 6, CV_8U, data, step);
  return image.reshape(0, 1);
}

cv::Mat channels(int how) {
  cv::Mat image = cv::Mat::zeros(4, 6, CV_8UC3).t();
  return image.colRange(1, 3).reshape(how, 6);
}

cv::Mat written(const cv::Mat &in) {
  cv::Mat image(4, 6, CV_8U);
  cv::Mat part = image.col(2);
  in.copyTo(part); // another matrix may be in `part` now
  return part.reshape(0, 1);
}

cv::Mat rows(cv::Mat image) {
  cv::Mat one = image.row(3);
  return one.reshape(1, 1);
}
