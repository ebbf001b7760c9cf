#!/usr/bin/env python3
"""Steps, frames, iterations and budgets have 64 bits on every machine: they are std::int64_t, not
`long`, which has 32 bits in WebAssembly and on Windows.

Usage: width_test.py SOURCE_DIR
"""
import pathlib
import re
import sys

# Comments, texts and characters are skipped; `long` and literals such as 10L are found.
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|(\blong\b)|(\b\d[\d']*[lL]\b)",
                   re.S)

FOLDERS = ("include", "apps", "src", "examples")

source = pathlib.Path(sys.argv[1])
files = [file for folder in FOLDERS for kind in ("hpp", "cpp")
         for file in sorted((source / folder).glob(f"**/*.{kind}"))]
found = []
for file in files:
    text = file.read_text()
    found += [f"{file.relative_to(source)}:{1 + text.count(chr(10), 0, match.start())}: {match[0]}"
              for match in TOKEN.finditer(text) if match[1] or match[2]]
print(f"{len(files)} files looked at")
for place in found:
    print(f"{place}: as wide as the machine likes; use std::int64_t")
sys.exit(1 if found or len(files) < 100 else 0)
