// Elementary functions with the same bits on every machine.
//
// A C library is free to choose: glibc takes other variants of sin, cos, exp or hypot where the CPU
// has fused multiply-add, and their last bits differ. These functions are made of IEEE additions,
// multiplications, divisions and square roots only, each of which has one right result, so that
// what depends on them has the same bits everywhere. Errors are below one unit in the last place
// for all arguments, special values as in C (Annex F).
//
// The engine uses no others; a `GeneralizedSystem` that shall repeat its motions bit by bit on
// other machines uses them too. What IEEE 754 defines exactly needs no function of our own: sqrt,
// abs, floor, ceil, round, fmod, remainder, ldexp, frexp, copysign.
#pragma once

namespace stickslip::math {

/// Both of one angle.
struct SineCosine {
  double sin;
  double cos;
};

double sin(double x);
double cos(double x);
/// Both at the price of one argument reduction; the same bits as sin(x) and cos(x).
SineCosine sinCos(double x);
/// The angle of the point (x, y), in [-pi, pi].
double atan2(double y, double x);

double exp(double x);
double sinh(double x);
double cosh(double x);
/// The natural logarithm.
double log(double x);
double log10(double x);
double pow(double base, double exponent);

double cbrt(double x);
/// sqrt(x^2 + y^2) without overflow or underflow on the way.
double hypot(double x, double y);
double hypot(double x, double y, double z);

}  // namespace stickslip::math
