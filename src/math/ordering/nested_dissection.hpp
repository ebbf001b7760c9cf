// Order of elimination by nested dissection (George 1973): a set of blocks, the separator, cuts the
// graph into two parts that are not coupled; the separator is eliminated last, and the parts are
// cut again until they are small.
//
// The result is a stage for every block, for MinimumDegree, which fills in the rest. In space this
// beats minimum degree alone from a few hundred bodies on; in the plane it hardly ever does.
#pragma once

#include <span>
#include <vector>

#include "math/ordering/block_graph.hpp"
#include "math/ordering/separator.hpp"

namespace stickslip {

class NestedDissection {
 public:
  /// Stage of every block: 0 for blocks in no separator, 1 for those of the last separators, and
  /// so on up to the first.
  void stages(const BlockGraph& graph, std::vector<int>& stages);

 private:
  struct Part {
    int first, end;  ///< in blocks_
    int depth;
  };
  void split(const BlockGraph& graph, Part part);
  void cut(const BlockGraph& graph, Part part);

  std::vector<int> blocks_;  ///< every part is a range of these
  std::vector<int> part_of_;
  std::vector<int> depth_;  ///< of the separator that a block belongs to
  std::vector<Part> todo_;
  std::vector<int> reached_;
  int parts_ = 0;
  VertexSeparator separator_;
};

}  // namespace stickslip
