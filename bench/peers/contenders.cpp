// Which peers there are. CMake writes the table: a peer that was not found has no function.
#include <iterator>

#include "peers/peer_world.hpp"

namespace stickslip::peers {
namespace {

struct Peer {
  const char* name;
  const char* package;  ///< of Debian
  std::vector<Contender> (*contenders)();
};

constexpr Peer kPeers[] = {
#include "peer_table.inc"
};

}  // namespace

std::vector<Contender> contenders() {
  std::vector<Contender> all = stickslipContenders();
  for (const Peer& peer : kPeers) {
    if (peer.contenders == nullptr) continue;
    std::vector<Contender> more = peer.contenders();
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<std::string> missingPeers() {
  std::vector<std::string> missing;
  for (const Peer& peer : kPeers)
    if (peer.contenders == nullptr)
      missing.push_back(std::string(peer.name) + ": apt-get install " + peer.package);
  return missing;
}

}  // namespace stickslip::peers
