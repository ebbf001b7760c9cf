// Linear complementarity problems of planar contacts ([GS05] (33)) of size 3 to 40 and more: time
// of Lemke's method, and of Siconos' where it is installed, as rows of problem_study.hpp. One row
// is the mean over many random problems of a size, with the worst residual.
#pragma once

#include <iosfwd>

namespace stickslip::study {

void runLcpStudy(std::ostream& out);

}  // namespace stickslip::study
