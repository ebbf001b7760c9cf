// Names of laws and of kinds of impulse sets in dumped problems.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "stickslip/contact_problem.hpp"

namespace stickslip::dump_layout {

inline constexpr std::array<std::pair<std::string_view, ImpulseSet::Kind>, 5> kKinds{
    {{"frictionless", ImpulseSet::Kind::frictionless},
     {"planar", ImpulseSet::Kind::planar},
     {"elliptic", ImpulseSet::Kind::elliptic},
     {"polyhedral", ImpulseSet::Kind::polyhedral},
     {"interval", ImpulseSet::Kind::interval}}};

inline constexpr std::array<std::pair<std::string_view, Law>, 2> kLaws{
    {{"coulomb", Law::coulomb}, {"relaxed", Law::relaxed}}};

}  // namespace stickslip::dump_layout
