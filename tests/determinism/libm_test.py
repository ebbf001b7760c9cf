#!/usr/bin/env python3
"""No elementary function of the C library is linked: its bits depend on the CPU. Usage:
libm_test.py NM FILE...

Files are static libraries and programs. stickslip/elementary.hpp has what to use instead. Functions
that IEEE 754 defines exactly (sqrt, floor, round, fmod, ldexp, ...) have one result everywhere."""
import re
import subprocess
import sys

INEXACT = """
sin cos tan asin acos atan atan2 sincos sinh cosh tanh asinh acosh atanh
exp exp2 exp10 pow10 expm1 log log2 log10 log1p pow cbrt hypot fma
erf erfc gamma lgamma tgamma lgamma_r j0 j1 jn y0 y1 yn
cabs carg cexp clog cpow csqrt csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh
""".split()
# sin, sinf, sinl; older glibc: __sin_finite; vector variants: _ZGVdN4v_sin.
NAME = re.compile(r"^(?:__|_ZGV\w+?_)?(%s)[fl]?(?:_finite)?(?:@.*)?$" % "|".join(INEXACT))


def used(nm, file):
    flags = ["-D"] if not file.endswith(".a") else []
    symbols = subprocess.run([nm, *flags, "--undefined-only", file], capture_output=True, text=True,
                             check=True).stdout
    names = {line.split()[-1] for line in symbols.splitlines() if line.strip()}
    return sorted({match[1] for match in map(NAME.match, names) if match})


def main():
    nm, *files = sys.argv[1:]
    found = [f"{file}: {', '.join(names)}" for file in files if (names := used(nm, file))]
    if found:
        sys.exit("use math:: of stickslip/elementary.hpp instead of the C library's functions in "
                 + "; ".join(found))


main()
