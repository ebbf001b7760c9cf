# The commands of the project. Each one does all of its set-up; see README.md.
.PHONY: help setup demo test soak build-release build-asan build-bench bench bench-full bench-peers bench-ratios bench-scale bench-guard bench-stages bench-python fingerprints python wheel pictures gallery problems reproduce builds tsan coverage tidy docs format clean

help:
	@echo "make demo     build, simulate the woodpecker toy, show the result"
	@echo "make test     build and run every test, with and without sanitizers"
	@echo "make soak     run the tests that take long"
	@echo "make fingerprints  compare results of all scenes and problems with the committed tables, bit by bit"
	@echo "make python   build the Python package and install it in build/python/venv"
	@echo "make wheel    a wheel of it for other machines, in build/python/dist"
	@echo "make bench    measure the cost of steps, collisions and solvers, in two minutes"
	@echo "make bench-full  study the solvers: tables in bench/results, pictures in docs/images"
	@echo "make bench-peers  other engines beside this one, where installed (tools/setup_peers)"
	@echo "make bench-ratios  how many times as quick as other engines this one is"
	@echo "make bench-scale  what a second thread brings, and how sweeps grow to 10^5 spheres"
	@echo "make bench-stages  what each stage of solver exact is good for: a wide set of problems without it (STAGES=full: the larger set)"
	@echo "make bench-guard  count the instructions of fixed workloads; name what is over 3 % slower than the table"
	@echo "make bench-python  what the Python package costs above C++: steps, import, batches, memory"
	@echo "make pictures redraw the pictures of the README"
	@echo "make gallery  rewrite scenes/shapes and scenes/joints, and draw the former"
	@echo "make problems rewrite scenes/problems: contact problems of some scenes"
	@echo "make reproduce  the papers' experiments in full, compared with docs/papers.json"
	@echo "make builds   other builds: every file by itself, and clang, with the same bits"
	@echo "make tsan     the threaded tests under the thread sanitizer"
	@echo "make coverage which lines of the engine the tests reach"
	@echo "make tidy     clang-tidy over the sources"
	@echo "make docs     the reference of the public headers, in build/docs/html"
	@echo "make format   format the sources with clang-format"

setup:
	@tools/setup

# Configuring is quiet unless it fails.
configure-%: setup
	@mkdir -p build
	@cmake --preset $* >build/configure-$*.log 2>&1 || { cat build/configure-$*.log; exit 1; }

demo: configure-release
	@cmake --build --preset release --target stickslip_cli
	@build/release/bin/stickslip run scenes/woodpecker.json --out out/woodpecker --force

build-release: configure-release
	@cmake --build --preset release

build-asan: configure-asan
	@cmake --build --preset asan

test: build-release build-asan python
	@ctest --preset asan
	@ctest --preset release

# With what its tests need.
python: setup
	@tools/python_package install

wheel: setup
	@tools/python_package wheel

# Tests of the configuration Soak, which has no build of its own; `make test` leaves them out.
soak: build-release
	@ctest --preset release -C Soak -R '^soak_'

# FCLIB's problems take part where they are, Siconos' solvers where they are installed. One thread.
STICKSLIP_FCLIB ?= ../shared/fclib
# What is expected of FCLIB's problems; not committed, as they are not.
STICKSLIP_FCLIB_TABLE ?= out/fclib-fingerprints.csv

# Some two minutes. What is meant to be different is committed after tools/fingerprints record.
fingerprints: configure-release
	@cmake --build --preset release --target stickslip_cli
	@status=0; tools/fingerprints compare || status=1; \
	  if [ -d "$(STICKSLIP_FCLIB)" ]; then \
	    tools/fingerprints compare --extra "$(STICKSLIP_FCLIB)" --table "$(STICKSLIP_FCLIB_TABLE)" || status=1; \
	  fi; exit $$status

study = OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 build/release/bench/solver_study

build-bench: configure-release
	@cmake --build --preset release --target stickslip_bench solver_study

bench: build-bench
	@build/release/bench/stickslip_bench --benchmark_min_time=0.05
	@$(study) quick out/bench $(STICKSLIP_FCLIB)
	@tools/summarize_solvers.py out/bench

bench-full: build-bench
	@$(study) full bench/results $(STICKSLIP_FCLIB)
	@tools/summarize_solvers.py bench/results >bench/results/summary.md
	@tools/plot_solvers.py bench/results/problems.csv docs/images

# Takes about half an hour. What is not installed is left out, and said.
bench-peers: configure-release
	@cmake --build --preset release --target peer_bench
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 build/release/bench/peers/peer_bench bench/results/peers.csv
	@tools/summarize_peers.py bench/results/peers.csv >bench/results/peers.md
	@tools/plot_peers.py bench/results/peers.csv docs/images

# Some ten minutes: how many times as quick as other engines, the settings that matter, in turn.
bench-ratios: configure-release
	@cmake --build --preset release --target peer_ratios
	@OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 build/release/bench/peers/peer_ratios 5

# Some four minutes, two cores that nobody else uses.
bench-scale: configure-release
	@cmake --build --preset release --target scale_figures
	@build/release/bench/scale_figures

# Five minutes; STAGES=full takes much longer, and leaves its table in out/.
STAGES ?= quick
bench-stages: configure-release
	@cmake --build --preset release --target stage_study
	@mkdir -p out
	@build/release/bench/stage_study $(STAGES) out/stages.csv --fclib $(STICKSLIP_FCLIB)
	@tools/summarize_stages.py out/stages.csv | tee out/stages.md
	@if [ $(STAGES) = quick ]; then cp out/stages.csv bench/results/; fi

# A minute. What is meant to cost more is committed after tools/bench_guard record.
bench-guard: configure-release
	@tools/setup valgrind
	@cmake --build --preset release --target stickslip_cli
	@tools/bench_guard compare

# Some three minutes, two cores that nobody else uses.
bench-python: python configure-release
	@cmake --build --preset release --target stickslip_cli
	@build/python/venv/bin/python bench/python/overhead.py build/release/bin/stickslip scenes
	@build/python/venv/bin/python bench/python/batch.py
	@build/python/venv/bin/python bench/python/memory.py 100000

pictures: demo
	@cmake --build --preset release --target draw_bodies
	@build/release/bin/stickslip export out/woodpecker --csv out/woodpecker.csv
	@tools/draw_woodpecker.py out/woodpecker.csv docs/images/woodpecker.svg
	@build/release/examples/draw_bodies scenes/scale/rock-pile.json >docs/images/scale-rock-pile.svg
	@build/release/examples/draw_bodies scenes/four-bar.json --exposures 6 time.end=0.75 >docs/images/four-bar.svg

# Writes the scenes of shapes and joints, and the pictures of the former.
gallery: configure-release
	@cmake --build --preset release --target stickslip_cli
	@tools/make_gallery.py scenes
	@tools/draw_scene.py build/release/bin/stickslip docs/images/planar-shapes.svg scenes/shapes/planar-*.json
	@tools/draw_scene.py build/release/bin/stickslip docs/images/spatial-shapes.svg scenes/shapes/spatial-*.json

# Contact problems as files: small ones, one of each kind, and piles in space, with polyhedral cones, in the plane.
by_exact = --set method.solver=exact --set method.tolerance=1e-8 --set method.budget=0
problems: configure-release
	@cmake --build --preset release --target stickslip_cli
	@mkdir -p scenes/problems
	@rm -f scenes/problems/*.hdf5
	@build/release/bin/stickslip run scenes/box-stack.json --dump-problem 20 \
	  --dump-to scenes/problems/box-stack.hdf5 --dump-format fclib >build/problems.log
	@build/release/bin/stickslip run scenes/box-stack.json --dump-problem 20 \
	  --dump-to scenes/problems/box-stack-local.hdf5 --dump-format fclib-local >>build/problems.log
	@build/release/bin/stickslip run scenes/woodpecker.json --set time.end=0.2 --dump-problem 13750 \
	  --dump-to scenes/problems/woodpecker.hdf5 >>build/problems.log
	@build/release/bin/stickslip run scenes/scale/rock-pile.json --set time.end=0.6 $(by_exact) --dump-problem 300 \
	  --dump-to scenes/problems/rock-pile.hdf5 >>build/problems.log
	@build/release/bin/stickslip run scenes/scale/rock-pile.json --set time.end=0.3 $(by_exact) \
	  --set method.cone=polyhedral --dump-problem 150 --dump-to scenes/problems/rock-pile-polyhedral.hdf5 >>build/problems.log
	@build/release/bin/stickslip run scenes/scale/shaken-box.json --set time.end=0.13 $(by_exact) --dump-problem 130 \
	  --dump-to scenes/problems/shaken-box.hdf5 >>build/problems.log

# Some two minutes. What is meant to be different is committed with tools/papers_result.py record.
reproduce: configure-release
	@cmake --build --preset release --target stickslip_cli
	@mkdir -p out
	@build/release/bin/stickslip reproduce all --json >out/papers.json
	@tools/papers_result.py compare out/papers.json

# Some twelve minutes. What the other builds of `make test` hide: an include that a neighbour in the same unit has, a name that
# another compiler reads differently, bits that depend on the compiler.
builds:
	@tools/setup clang-14
	@$(MAKE) --no-print-directory configure-plain configure-clang
	@cmake --build --preset plain
	@cmake --build --preset clang
	@ctest --preset clang -R 'Hash|Kernels|Thread|^scenes$$'

# Children of fork() start threads in a test, which the sanitizer refuses unless it is told not to.
tsan: configure-tsan
	@cmake --build --preset tsan --target scale_tests
	@TSAN_OPTIONS=die_after_fork=0 build/tsan/tests/scale_tests --gtest_brief=1

# The tests of the engine and of scenes; a table by file in build/coverage/lines.txt, the sum below.
coverage:
	@tools/setup gcovr
	@$(MAKE) --no-print-directory configure-coverage
	@cmake --build --preset coverage --target engine_tests scale_tests collision_tests io_tests scene_tests physics_tests
	@ctest --preset coverage -E 'NOT_BUILT' --test-dir build/coverage -Q -j2 || true
	@gcovr --root . --filter src/ --filter include/ --object-directory build/coverage -j2 >build/coverage/lines.txt
	@tail -3 build/coverage/lines.txt

# Reads the compile commands of the build with clang.
tidy:
	@tools/setup clang-14 clang-tidy-14
	@$(MAKE) --no-print-directory configure-clang
	@run-clang-tidy-14 -quiet -p build/clang '(src|apps|studies)/.*\.cpp$$' >build/tidy.log 2>&1 || { grep -E 'warning:|error:' build/tidy.log | sort -u; exit 1; }
	@echo "clang-tidy found nothing"

docs:
	@tools/setup doxygen
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "the reference is build/docs/html/index.html"

format: setup
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.inl' | xargs clang-format -i

clean:
	@rm -rf build out
