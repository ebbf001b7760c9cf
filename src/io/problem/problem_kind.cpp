#include "stickslip/io/problem_dump.hpp"

#include "io/problem/problem_dump.hpp"
#include "io/problem/problem_file.hpp"
#include "io/recording/recording_layout.hpp"

namespace stickslip {

std::string_view toString(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::fclib_local:
      return "fclib_local";
    case ProblemKind::fclib_global:
      return "fclib_global";
    default:
      return "dump";
  }
}

ProblemKind problemKindOf(const std::filesystem::path& path) {
  const ProblemFile file(path);
  if (file.has(dump_layout::kGroup)) return ProblemKind::dump;
  if (file.has("/fclib_global")) return ProblemKind::fclib_global;
  if (file.has("/fclib_local")) return ProblemKind::fclib_local;
  if (file.has(layout::kScene))
    file.fail("/",
              "this is a recording; expected a contact problem, such as run --dump-problem "
              "writes");
  file.fail("/",
            "none of /fclib_local, /fclib_global and /stickslip_problem is there: no contact "
            "problem");
}

}  // namespace stickslip
