// What contact problems and their solutions are made of, for what saves and restores them: as
// a step leaves them, to be looked at. The next step begins with new ones.
#pragma once

#include "stickslip/contact_problem.hpp"
#include "stickslip/memory_stream.hpp"
#include "stickslip/system.hpp"

namespace stickslip {

void saveProblem(const ContactProblem& problem, const ContactSolution& solution, MemoryWriter& to);
/// Throws InputError if sizes and places in them do not fit each other.
void restoreProblem(MemoryReader& from, ContactProblem& problem, ContactSolution& solution);

/// Contacts and their parameters, without rows.
void saveContacts(const ContactSet& contacts, MemoryWriter& to);
void restoreContacts(MemoryReader& from, ContactSet& contacts);

}  // namespace stickslip
