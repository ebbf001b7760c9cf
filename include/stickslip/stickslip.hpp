// The engine in one include. Scenes and recordings are in stickslip/io/.
#pragma once

#include "stickslip/analysis.hpp"
#include "stickslip/body_system.hpp"
#include "stickslip/certificate.hpp"
#include "stickslip/contact_problem.hpp"
#include "stickslip/generalized_system.hpp"
#include "stickslip/input_error.hpp"
#include "stickslip/lcp.hpp"
#include "stickslip/linear_system.hpp"
#include "stickslip/method.hpp"
#include "stickslip/run.hpp"
#include "stickslip/scheme.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/state.hpp"
#include "stickslip/stepper.hpp"
#include "stickslip/system.hpp"
#include "stickslip/version.hpp"
