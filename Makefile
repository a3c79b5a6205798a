# SPDX-License-Identifier: MIT
# voxcert: `make help` lists the targets.
#
#   CC=gcc|clang    MODE=release|debug|asan|msan|tsan|cov|fuzz|engine    objects go to build/CC-MODE/

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(notdir $(CC))),clang++,g++)
endif
MODE ?= release
OUT := build/$(notdir $(CC))-$(MODE)
PREFIX ?= /usr/local
NODE ?= node

# All cores, unless the caller says otherwise; a make that this one calls shares them.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

# What one goal is told, and another does not look at, is refused: it would report about something else.
HEARD_BY_LIB     := certify bench bench-quick bench-gate bench-gate-update
HEARD_BY_PORT    := certify
HEARD_BY_COUNTS  := bench-gate bench-gate-update
HEARD_BY_MESH    := bench bench-quick
HEARD_BY_SCENE   := bench bench-quick
HEARD_BY_SECONDS := bench bench-quick
HEARD_BY_TABLE   := bench-scaling
HEARD_BY_MOST    := bench-scaling
HEARD_BY_STEPS   := check
ifeq ($(MAKELEVEL),0)
$(foreach name,LIB PORT COUNTS MESH SCENE SECONDS TABLE MOST STEPS,$(if $(findstring command,$(origin $(name))),\
    $(foreach goal,$(filter-out $(HEARD_BY_$(name)),$(or $(MAKECMDGOALS),all)),\
        $(error $(name)=$($(name)): make $(goal) does not look at it; there are $(HEARD_BY_$(name))))))
endif

# V=1 shows the commands.
say = $(if $(V),,@printf '  %-5s %s\n' $(1) $@ && )

# One word of the shell, and a file's name, whose ~ is the caller's home.
quoted = '$(subst ','\'',$(1))'
file_quoted = $(call quoted,$(patsubst ~/%,$(HOME)/%,$(1)))

# --- flags -------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
            -Wundef -Wvla -Wcast-align -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes
ifdef CI
WARNINGS += -Werror
endif

# Every float32 step is rounded on its own (SPEC B0.1): never contracted, never fast-math.
FLOAT := -ffp-contract=off

MODE_release := -O2 -g
MODE_debug   := -O0 -g3
MODE_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
MODE_msan    := -O1 -g -fno-omit-frame-pointer -fsanitize=memory -fno-sanitize-recover=all
MODE_tsan    := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
MODE_cov     := -O0 -g --coverage -fprofile-update=atomic -DVX_COVERAGE
# Whoever calls brings the flags: fuzz/oss-fuzz/build.sh.
MODE_engine  := -g
# Without the checks of each pointer that find little beside AddressSanitizer; the smoke test runs what is found with
# them.
MODE_fuzz    := -O2 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-sanitize=null,alignment,object-size,pointer-overflow
ifeq ($(MODE_$(MODE)),)
$(error MODE=$(MODE): one of release, debug, asan, msan, tsan, cov, fuzz, engine is needed)
endif
ifeq ($(MODE)-$(notdir $(CC)),asan-clang)
MODE_asan += -fsanitize=float-divide-by-zero,float-cast-overflow
endif

KIT_PACKAGES  := jansson nettle cairo fontconfig assimp libpng mpfr gmp
TEST_PACKAGES := criterion

# Asked for when a recipe needs them, so that `make deps` and `make help` work without pkg-config.
KIT_CFLAGS  = $(shell pkg-config --cflags $(KIT_PACKAGES))
KIT_LIBS    = $(shell pkg-config --libs $(KIT_PACKAGES)) -lm -ldl -pthread
TEST_LIBS   = $(shell pkg-config --libs $(TEST_PACKAGES)) -lm

# What libFuzzer is led by, in the objects that are fuzzed and in no others: the targets' own mutator and judge run as
# often as they do, and the oracles see only some of the cases. Comparisons lead its own mutations alone, of text.
comma := ,
COVER_EDGES := $(if $(filter fuzz,$(MODE)),-fsanitize-coverage=inline-8bit-counters$(comma)pc-table)
COVER_ALL   := $(if $(filter fuzz,$(MODE)),-fsanitize=fuzzer-no-link)

CFLAGS_ALL = -std=c17 $(FLOAT) $(WARNINGS) $(MODE_$(MODE)) $(COVER) $(CFLAGS)
CPPFLAGS_ALL = -Iinclude -MMD -MP $(CPPFLAGS)
LDFLAGS_ALL = $(filter -fsanitize% --coverage,$(MODE_$(MODE))) $(LDFLAGS)

# --- what is built from what ---------------------------------------------------------------------

COMMON_SOURCES := $(wildcard common/*.c)
REF_SOURCES    := $(wildcard ref/*/*.c)
ORACLE_SOURCES := $(wildcard oracle/*/*/*.c)
FAST_SOURCES   := $(wildcard fast/*/*.c)
KIT_SOURCES    := $(wildcard conformance/*.c conformance/*/*.c)
TEST_SOURCES   := $(wildcard tests/*.c)
PLAIN_SOURCES  := $(wildcard tests/plain/*.c)

COMMON_OBJECTS := $(COMMON_SOURCES:%.c=$(OUT)/%.o)
REF_OBJECTS    := $(REF_SOURCES:%.c=$(OUT)/%.o)
FAST_OBJECTS   := $(FAST_SOURCES:%.c=$(OUT)/%.o)
# The kernels once more for each level of the processor. There may be no compiler yet to say which one it is.
ifneq ($(filter x86_64%,$(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m))),)
FAST_OBJECTS   += $(foreach level,avx2 avx512,$(OUT)/fast/build3d/kernels_$(level).o $(OUT)/fast/build3d/lanes_$(level).o)
endif
LEVEL_avx2     := -mavx2
LEVEL_avx512   := -mavx512f -mavx512bw -mavx512vl -mavx512dq -mprefer-vector-width=512
# Loops become vector code at -O3.
VECTORS        := $(if $(filter release,$(MODE)),-O3)
# What is written with vectors stays as it is: compilers would put masks of several vectors into one by way of memory.
AS_WRITTEN     := -fno-tree-vectorize -fno-tree-slp-vectorize
TRACE_OBJECTS  := $(REF_SOURCES:%.c=$(OUT)/traced/%.o)
ORACLE_OBJECTS := $(ORACLE_SOURCES:%.c=$(OUT)/%.o)
KIT_OBJECTS    := $(filter-out %/main.o,$(KIT_SOURCES:%.c=$(OUT)/%.o)) $(OUT)/conformance/spec_text.o
TEST_OBJECTS   := $(TEST_SOURCES:%.c=$(OUT)/%.o)
LIBRARY        := $(OUT)/libvoxcert.a
PROGRAM        := $(OUT)/voxcert
TESTS          := $(OUT)/tests/all
PLAIN_TESTS    := $(PLAIN_SOURCES:%.c=$(OUT)/%)
CHECK_SPEC     := $(OUT)/tools/check_spec
MAKE_LEVEL     := $(OUT)/tools/make_level
CHECK_FAST     := $(OUT)/tools/check_fast
BENCH          := $(OUT)/bench/voxcert
BENCH_SOURCES  := $(wildcard bench/*.c)
BENCH_OBJECTS  := $(BENCH_SOURCES:%.c=$(OUT)/%.o)

# Every fuzz/NAME.c that is a target, with the judge and the mutator in one library.
FUZZ_TARGETS   := answers build3d_cases build3d_chunks build3d_fields build3d_merge build3d_rasterize \
                  build3d_volumes reader
FUZZ_SOURCES   := $(filter-out $(FUZZ_TARGETS:%=fuzz/%.c) fuzz/run.c fuzz/seeds.c,$(wildcard fuzz/*.c))
FUZZ_OBJECTS   := $(FUZZ_SOURCES:%.c=$(OUT)/%.o)
FUZZ_PROGRAMS  := $(FUZZ_TARGETS:%=$(OUT)/fuzz/%)

# The bench's peer, where librecast-dev is installed.
PEER_HEADERS   := /usr/include/recastnavigation
PEER           := $(if $(wildcard $(PEER_HEADERS)/Recast.h),recast)
PEER_OBJECTS   := $(PEER:%=$(OUT)/bench/peer_%.o)
PEER_LIBS      := $(if $(PEER),-lRecast -lstdc++)
PEER_CPPFLAGS  := $(if $(PEER),-DVX_BENCH_PEER)

.PHONY: all certify check test test-plain check-fast check-long check-spec check-schema check-vectors check-contraction
.PHONY: bench bench-quick bench-smoke bench-scaling bench-gate bench-gate-update check-gate
.PHONY: check-oss-fuzz fuzz-targets check-controls fuzz afl fuzz-long fuzz-smoke fuzz-corpus seeds
.PHONY: check-threads check-ports lint cov vectors level pictures figures deps install clean help
.SECONDARY:

all: build/voxcert build/libvoxcert.a

build/voxcert: $(PROGRAM)
	@cp -f $< $@.tmp && mv -f $@.tmp $@

build/libvoxcert.a: $(LIBRARY)
	@cp -f $< $@

# Rebuilds everything when the flags change.
FLAGS_STAMP := $(OUT)/flags
FLAGS_TEXT := $(CC) -std=c17 $(FLOAT) $(WARNINGS) $(MODE_$(MODE)) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)
ifneq ($(FLAGS_TEXT),$(shell cat $(FLAGS_STAMP) 2>/dev/null))
$(shell mkdir -p $(OUT) && printf '%s' '$(FLAGS_TEXT)' > $(FLAGS_STAMP))
endif

$(OUT)/common/%.o: common/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/fast/%.o: fast/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@

$(FAST_SOURCES:%.c=$(OUT)/%.o): CFLAGS += $(VECTORS)
$(OUT)/fast/build3d/lanes%o: CFLAGS += $(AS_WRITTEN)

$(COMMON_OBJECTS) $(REF_OBJECTS) $(FAST_OBJECTS): COVER := $(COVER_EDGES)
$(KIT_OBJECTS): COVER := $(COVER_ALL)
# What makes cases takes a quarter of the time with sanitizers; the smoke test runs it with them.
$(OUT)/fuzz/decode.o $(OUT)/fuzz/mutate.o: COVER := $(if $(filter fuzz,$(MODE)),-fno-sanitize=all)

$(OUT)/fast/build3d/kernels_%.o: fast/build3d/kernels.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -DVX_FAST_LEVEL=vx_fast_kernels_$* $(CFLAGS_ALL) $(VECTORS) $(LEVEL_$*) -c $< -o $@

$(OUT)/fast/build3d/lanes_%.o: fast/build3d/lanes.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -DVX_FAST_LEVEL=vx_fast_lanes_$* $(CFLAGS_ALL) $(VECTORS) $(LEVEL_$*) -c $< -o $@

$(OUT)/ref/%.o: ref/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -c $< -o $@

# The reference once more with its trace points, as one object that shows only its table.
$(OUT)/traced/ref/%.o: ref/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -DVX_TRACE_POINTS -Dvx_ref_build3d=vx_ref_build3d_traced $(CFLAGS_ALL) -c $< -o $@

$(OUT)/traced/ref.o: $(TRACE_OBJECTS)
	$(call say,LD)$(LD) -r -o $@.tmp $^
	@objcopy --keep-global-symbol=vx_ref_build3d_traced $@.tmp $@
	@rm -f $@.tmp

$(OUT)/oracle/%.o: oracle/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/conformance/spec_text.o: conformance/spec_text.S SPEC.md $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -c $< -o $@

$(OUT)/conformance/%.o: conformance/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE -Iconformance -I. $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/tests/%.o: tests/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE -Iconformance -I. $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/tools/%.o: tools/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE -Iconformance -I. $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/fuzz/%.o: fuzz/%.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE -Iconformance -I. $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/libfuzz.a: $(FUZZ_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(FUZZ_PROGRAMS): $(OUT)/fuzz/%: $(OUT)/fuzz/%.o $(OUT)/fuzz/run.o $(OUT)/libfuzz.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(KIT_LIBS)

# The same with libFuzzer's main: MODE=fuzz.
$(FUZZ_TARGETS:%=$(OUT)/fuzz/%.libfuzzer): $(OUT)/fuzz/%.libfuzzer: $(OUT)/fuzz/%.o $(OUT)/libfuzz.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(KIT_LIBS)

# The same with the driver of AFL++: CC=afl-clang-fast.
$(FUZZ_TARGETS:%=$(OUT)/fuzz/%.afl): $(OUT)/fuzz/%.afl: $(OUT)/fuzz/%.o $(OUT)/libfuzz.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $^ $(KIT_LIBS)

# The custom mutator of a target, for AFL++ to load. It is no part of what is fuzzed: never instrumented, and of the kit
# only what it uses.
MUTATOR_SOURCES := fuzz/mutate.c fuzz/decode.c fuzz/values.c conformance/build3d/steps.c conformance/random.c \
                   conformance/text.c common/arena.c
FUZZ_MUTATORS   := $(patsubst %,$(OUT)/fuzz/%.mutator.so,$(filter build3d_%,$(FUZZ_TARGETS)))
$(FUZZ_MUTATORS): $(OUT)/fuzz/%.mutator.so: fuzz/%.c $(MUTATOR_SOURCES) $(wildcard fuzz/*.h conformance/*.h) $(FLAGS_STAMP) | build/deps-build
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) -std=c17 $(FLOAT) $(WARNINGS) -O2 -g -Iinclude -Iconformance -I. -D_GNU_SOURCE -DVX_FUZZ_AFL $(KIT_CFLAGS) \
	    -shared -fPIC -fvisibility=hidden -ffunction-sections -Wl,--gc-sections,-z,defs -o $@ $< $(MUTATOR_SOURCES) -lm

FUZZ_SEEDERS := $(FUZZ_TARGETS:%=$(OUT)/fuzz/%.seeds)
$(FUZZ_SEEDERS): $(OUT)/fuzz/%.seeds: $(OUT)/fuzz/%.o $(OUT)/fuzz/seeds.o $(OUT)/libfuzz.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(KIT_LIBS)

# What the bench is built with, as it may be installed later.
BENCH_STAMP := $(OUT)/bench/with
BENCH_WITH  := $(strip $(PEER) $(if $(wildcard /usr/include/valgrind/callgrind.h),callgrind))
ifneq ($(BENCH_WITH),$(shell cat $(BENCH_STAMP) 2>/dev/null || echo unknown))
$(shell mkdir -p $(OUT)/bench && printf '%s' '$(BENCH_WITH)' > $(BENCH_STAMP))
endif

$(OUT)/bench/%.o: bench/%.c $(FLAGS_STAMP) $(BENCH_STAMP)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS_ALL) -D_GNU_SOURCE -Iconformance -I. $(PEER_CPPFLAGS) \
	    -DVX_BENCH_COMPILER='"$(shell $(CC) --version | head -n 1)"' \
	    -DVX_BENCH_FLAGS='"-std=c17 $(FLOAT) $(MODE_$(MODE)) $(CFLAGS)"' \
	    $(KIT_CFLAGS) $(CFLAGS_ALL) -c $< -o $@

$(OUT)/bench/%.o: bench/%.cc $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call say,CXX)$(CXX) -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(MODE_$(MODE)) \
	    $(CPPFLAGS_ALL) $(PEER_CPPFLAGS) -isystem $(PEER_HEADERS) -c $< -o $@

$(OUT)/libbench.a: $(filter-out %/main.o,$(BENCH_OBJECTS)) $(PEER_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(BENCH): $(OUT)/bench/main.o $(OUT)/libbench.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(PEER_LIBS) $(KIT_LIBS)

$(LIBRARY): $(COMMON_OBJECTS) $(REF_OBJECTS) $(FAST_OBJECTS)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(OUT)/libkit.a: $(KIT_OBJECTS) $(ORACLE_OBJECTS) $(OUT)/traced/ref.o
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

$(PROGRAM): $(OUT)/conformance/main.o $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(KIT_LIBS)

$(TESTS): $(TEST_OBJECTS) $(OUT)/libfuzz.a $(OUT)/libbench.a $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(TEST_LIBS) $(PEER_LIBS) $(KIT_LIBS)

$(OUT)/tests/plain/%: $(OUT)/tests/plain/%.o $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm

$(OUT)/tools/terrain: $(OUT)/bench/meshes.o

$(OUT)/tools/%: $(OUT)/tools/%.o $(OUT)/libkit.a $(LIBRARY)
	$(call say,LINK)$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(KIT_LIBS)

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

# --- packages ------------------------------------------------------------------------------------

# What a goal lacks is installed before anything is built.
deps:
	@tools/deps.sh check

build/deps-build build/deps-certify build/deps-check build/deps-bench build/deps-gate build/deps-proofs build/deps-fuzz: build/deps-%: tools/deps.sh
	@mkdir -p build
	@tools/deps.sh $*
	@touch $@

# The largest group that the goals need comes first, so that there is one installation.
ifneq ($(filter check check-% lint cov figures test,$(MAKECMDGOALS)),)
build/deps-build build/deps-certify: | build/deps-check
endif
ifneq ($(filter certify,$(MAKECMDGOALS)),)
build/deps-build: | build/deps-certify
endif
ifneq ($(filter bench bench-%,$(MAKECMDGOALS)),)
build/deps-build: | build/deps-bench
endif

$(COMMON_OBJECTS) $(REF_OBJECTS) $(FAST_OBJECTS) $(TRACE_OBJECTS) $(ORACLE_OBJECTS): | build/deps-build
$(FUZZ_OBJECTS) $(FUZZ_PROGRAMS:%=%.o) $(OUT)/fuzz/run.o $(OUT)/fuzz/seeds.o: | build/deps-build
$(KIT_OBJECTS) $(OUT)/conformance/main.o $(BENCH_OBJECTS) $(PEER_OBJECTS): | build/deps-build
$(patsubst %.c,$(OUT)/%.o,$(wildcard tools/*.c) $(PLAIN_SOURCES)): | build/deps-build
$(TEST_OBJECTS): | build/deps-check

# --- the two commands ----------------------------------------------------------------------------

JAVASCRIPT_PORT := $(NODE) conformance/ports/javascript/port.js

# Certifies the built-in implementation and the shipped port, both over the live protocol; with LIB=FILE that shared
# library and with PORT=COMMAND that port instead. PORT may mean something else in the environment.
PORT_GIVEN = $(if $(findstring command,$(origin PORT)),$(PORT))
certify: build/deps-certify all
	$(if $(LIB),build/voxcert certify --lib $(call file_quoted,$(LIB)))
	$(if $(PORT_GIVEN),build/voxcert certify --port $(call quoted,$(PORT_GIVEN)))
	$(if $(LIB)$(PORT_GIVEN),,build/voxcert certify)
	$(if $(LIB)$(PORT_GIVEN),,build/voxcert certify --port "$(JAVASCRIPT_PORT)")

# Runs every test, in every build that matters: tools/check.sh names the steps.
check: build/deps-check
	@MAKE="$(MAKE)" tools/check.sh $(STEPS)

# --- single tests --------------------------------------------------------------------------------

# The unit tests of one build.
MUTATOR := $(OUT)/fuzz/build3d_merge.mutator.so
test: $(TESTS) $(PROGRAM) $(BENCH) $(CHECK_SPEC) $(MAKE_LEVEL) $(MUTATOR)
	VOXCERT=$(PROGRAM) VOXCERT_MUTATOR=./$(MUTATOR) ASAN_OPTIONS=detect_leaks=1 $(TESTS) --jobs 2

# Tests without a framework, for where it can't go.
test-plain: $(PLAIN_TESTS)
	@for test in $(PLAIN_TESTS); do $$test || exit 1; done

# The fast implementation beside the reference: N generated cases, N random pipelines, all vectors.
N ?= 200000
check-fast: build/deps-check $(CHECK_FAST) $(OUT)/tests/plain/fast $(PROGRAM)
	$(OUT)/tests/plain/fast $(N)
	$(CHECK_FAST) $(N)
	$(PROGRAM) certify --impl fast

# The unit tests under gcc's sanitizers, every fuzz target for half an hour in all, then fast beside the reference over
# a million random pipelines and ten million generated cases, for a quarter of an hour or so; SEED=N goes on from there.
SEED ?= 0
check-long: build/deps-check $(CHECK_FAST) $(OUT)/tests/plain/fast
	@MAKE="$(MAKE)" tools/check.sh unit-gcc-asan
	@$(MAKE) --no-print-directory fuzz-long
	$(OUT)/tests/plain/fast 1000000 $(SEED)
	$(CHECK_FAST) 10000000 $(SEED)

check-spec: build/deps-check $(CHECK_SPEC)
	$(CHECK_SPEC)

# How much of the exact judge's bound binary32 uses, on so many random triangles.
TRIANGLES ?= 1000000
measure-bound: $(OUT)/tools/measure_bound
	$(OUT)/tools/measure_bound $(TRIANGLES)

# The lemmas about roundings, by gappa.
check-gappa: build/deps-proofs
	tools/check_gappa.sh oracle/build3d/exact/gappa

check-schema: build/deps-check $(PROGRAM)
	VOXCERT=$(PROGRAM) /usr/bin/python3 tests/schema_test.py

check-vectors: $(PROGRAM)
	$(PROGRAM) vectors check

check-contraction: build/deps-check
	tools/check_contraction.sh -std=c17 $(FLOAT)

# Program of MODE=tsan; a make of its own, since objects are in a folder of their own.
check-threads: build/deps-check
	$(MAKE) --no-print-directory MODE=tsan CC=gcc build/gcc-tsan/voxcert
	tools/check_threads.sh build/gcc-tsan/voxcert

check-ports: build/deps-certify
	$(NODE) --test conformance/ports/javascript/test.js

lint: build/deps-check $(PROGRAM)
	tools/lint.sh $(OUT)

# Line and branch coverage, with the bounds that must hold.
cov: build/deps-check
	@MAKE="$(MAKE)" tools/coverage.sh

# The figures that the README quotes, measured on this machine.
figures: build/deps-certify all $(OUT)/tools/terrain
	@TERRAIN=$(OUT)/tools/terrain tools/figures.sh

# The generated vectors: the committed files come from here.
vectors: $(PROGRAM)
	$(PROGRAM) vectors generate --family all --into conformance/vectors

# The project's own level: the committed files come from here.
level: $(MAKE_LEVEL)
	$(MAKE_LEVEL) obj >data/level.obj
	$(MAKE_LEVEL) asc >data/heights.asc
	$(MAKE_LEVEL) png >data/heights.png

# The pictures of the documentation.
pictures: $(PROGRAM)
	$(PROGRAM) import data/level.obj --name level --out $(OUT)/level.jsonl
	$(PROGRAM) draw $(OUT)/level.jsonl --slice z=17 --out docs/pictures/level.png
	$(PROGRAM) draw data/triangle.jsonl --out docs/pictures/triangle.png

# --- fuzzing -------------------------------------------------------------------------------------

# T=TARGET chooses one of them, FAULT=NAME one of the planted faults.
FUZZ_CHOSEN := $(if $(T),$(filter $(T),$(FUZZ_TARGETS)),$(FUZZ_TARGETS))
ifneq ($(filter fuzz afl fuzz-corpus fuzz-smoke,$(MAKECMDGOALS)),)
ifneq ($(T),$(filter $(T),$(FUZZ_TARGETS)))
$(error T=$(T): one of $(FUZZ_TARGETS) is needed)
endif
endif
ifneq ($(filter check-controls,$(MAKECMDGOALS)),)
FAULTS := $(shell sed -n 's/^\([a-z-]*\) *;.*/\1/p' fuzz/controls.txt)
ifneq ($(FAULT),$(filter $(FAULT),$(FAULTS)))
$(error FAULT=$(FAULT): one of $(FAULTS) is needed)
endif
endif

# A corpus of every target from the vectors: build/fuzz/seeds/TARGET/.
seeds: $(FUZZ_SEEDERS)
	@for target in $(FUZZ_TARGETS); do \
	    mkdir -p build/fuzz/seeds/$$target && \
	    $(OUT)/fuzz/$$target.seeds build/fuzz/seeds/$$target conformance/vectors || exit 1; \
	done

fuzz-targets:
	@echo $(FUZZ_TARGETS)

# The recipe for the builders of OSS-Fuzz and ClusterFuzzLite, run as they run it.
check-oss-fuzz: build/deps-check
	tools/check_oss_fuzz.sh

# Planted faults that the nets must catch: CC=clang MODE=asan; FAULT=NAME for one.
check-controls: build/deps-check $(FUZZ_PROGRAMS) $(PROGRAM)
	tools/check_controls.sh $(OUT) $(CC) -std=c17 $(FLOAT) $(MODE_$(MODE)) $(CPPFLAGS) $(CFLAGS)

# Makes the committed corpora anew; T=TARGET for one.
fuzz-corpus: seeds
	@$(MAKE) --no-print-directory CC=clang MODE=fuzz $(FUZZ_CHOSEN:%=build/clang-fuzz/fuzz/%.libfuzzer)
	@$(MAKE) --no-print-directory CC=clang MODE=asan $(FUZZ_CHOSEN:%=build/clang-asan/fuzz/%)
	@for target in $(FUZZ_CHOSEN); do \
	    tools/fuzz_corpus.sh build/clang-fuzz/fuzz/$$target.libfuzzer build/clang-asan/fuzz/$$target $$target || \
	        exit 1; \
	done

# T=TARGET for SECS seconds by libFuzzer, or by AFL++.
SECS ?= 60
fuzz: build/deps-check
afl: build/deps-fuzz
fuzz afl:
	@[ '$(words $(T))' = 1 ] || { echo 'T=TARGET: one of $(FUZZ_TARGETS)' >&2; exit 2; }
	@case '$(SECS)' in '' | *[!0-9]* | 0* | ???????*) \
		echo 'SECS=$(SECS): a whole number of seconds from 1 to 999999 is needed' >&2; exit 2 ;; esac
	@case '$(JOBS)' in '' | [1-9] | [1-9][0-9]) ;; *) \
		echo 'JOBS=$(JOBS): a whole number of processes from 1 to 99 is needed' >&2; exit 2 ;; esac
	@$(MAKE) --no-print-directory $(FUZZ_BUILD_$@)/fuzz/$(T).$(FUZZ_ENGINE_$@) $(FUZZ_FLAGS_$@)
	@$(if $(filter afl-build3d_%,$@-$(T)),$(MAKE) --no-print-directory $(FUZZ_BUILD_afl)/fuzz/$(T).mutator.so OUT=$(FUZZ_BUILD_afl) CC=clang)
	tools/fuzz$(filter-out _fuzz,_$@).sh $(FUZZ_BUILD_$@)/fuzz/$(T).$(FUZZ_ENGINE_$@) $(T) $(SECS)

FUZZ_BUILD_fuzz  := build/clang-fuzz
FUZZ_ENGINE_fuzz := libfuzzer
FUZZ_FLAGS_fuzz  := CC=clang MODE=fuzz
FUZZ_BUILD_afl   := build/afl-clang-fast-release
FUZZ_ENGINE_afl  := afl
FUZZ_FLAGS_afl   := CC=afl-clang-fast MODE=release

# Every target in turn, for half an hour in all.
fuzz-long: build/deps-check
	@for target in $(FUZZ_TARGETS); do \
	    $(MAKE) --no-print-directory fuzz T=$$target SECS=$(or $(LONG_SECS),240) || exit 1; \
	done

# Every target on fixed seeds, and everything that was ever found; T=TARGET for one.
fuzz-smoke: $(FUZZ_CHOSEN:%=$(OUT)/fuzz/%)
	tools/fuzz_smoke.sh $(OUT)/fuzz $(FUZZ_CHOSEN)

# --- the bench -----------------------------------------------------------------------------------

# MESH=FOLDER has nav_test.obj, dungeon.obj and undulating.obj; without it the project's level
# stands in for them. LIB=FILE is a shared library to measure as well, SCENE='terrain .3' the only
# scene, SECONDS=S the time for one. What the bench needs may be installed first, so that the program
# is made anew.
BENCH_LIB     = $(if $(LIB),--lib $(call file_quoted,$(LIB)))
BENCH_OPTIONS = $(if $(MESH),--mesh $(call file_quoted,$(MESH))) $(BENCH_LIB) $(if $(SCENE),--scene $(call quoted,$(SCENE))) \
                $(if $(SECONDS),--seconds $(call quoted,$(SECONDS)))

bench bench-quick: build/deps-bench
	@$(MAKE) --no-print-directory $(BENCH)
	$(BENCH) bench --set $(if $(filter bench,$@),full,quick) --out build/bench $(BENCH_OPTIONS)

# How times grow with triangles, columns, layers and radius. TABLE='one column' is the only table,
# MOST=N leaves out rows of more triangles or columns.
bench-scaling: build/deps-bench
	@$(MAKE) --no-print-directory $(BENCH)
	$(BENCH) scaling --out build/bench $(if $(TABLE),--table $(call quoted,$(TABLE))) $(if $(MOST),--most $(call quoted,$(MOST)))

# Instructions of every kernel, counted by callgrind, against those that are committed for this
# compiler; with LIB=FILE those of that library's implementation, against its own in COUNTS.
COUNTS = $(if $(LIB),$(LIB).counts,bench/counts/$(notdir $(CC))-$(shell $(CC) -dumpfullversion -dumpversion).txt)

bench-gate bench-gate-update: build/deps-bench
	@$(MAKE) --no-print-directory $(BENCH)
	bench/gate.sh $(if $(filter bench-gate,$@),check,update) $(BENCH) $(call file_quoted,$(COUNTS)) $(BENCH_LIB)

# The gate itself.
check-gate: build/deps-gate
	@$(MAKE) --no-print-directory $(BENCH)
	@MAKE="$(MAKE)" tools/check_gate.sh $(BENCH)

# A test: verifies all, and times next to nothing.
bench-smoke: $(BENCH)
	$(BENCH) bench --set smoke --out build/bench-smoke

# --- the rest ------------------------------------------------------------------------------------

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include/voxcert
	install -d $(DESTDIR)$(PREFIX)/share/voxcert
	install build/voxcert $(DESTDIR)$(PREFIX)/bin/
	install -m 644 build/libvoxcert.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/voxcert/*.h $(DESTDIR)$(PREFIX)/include/voxcert/
	cp -R conformance/vectors conformance/schema $(DESTDIR)$(PREFIX)/share/voxcert/

help:
	@echo 'make certify        build, certify the built-in implementation and the JavaScript port; or LIB=FILE, PORT=COMMAND'
	@echo 'make check          all tests (STEPS="unit-gcc lint" for some; tools/check.sh names them)'
	@echo 'make all            build/voxcert and build/libvoxcert.a'
	@echo 'make test           the unit tests of one build: CC=gcc|clang MODE=release|debug|asan|cov'
	@echo 'make test-plain     tests without a framework, for MODE=msan'
	@echo 'make check-fast     fast beside ref: N=200000 cases, as many pipelines, the vectors'
	@echo 'make fuzz-smoke     every fuzz target on fixed seeds, and all that was ever found; T=TARGET for one'
	@echo 'make fuzz           T=TARGET SECS=60 with libFuzzer; make afl: with AFL++; make fuzz-long: all'
	@echo 'make check-controls planted faults that the fuzzers must find: CC=clang MODE=asan; FAULT=NAME for one'
	@echo 'make check-oss-fuzz the recipe for the builders of OSS-Fuzz and ClusterFuzzLite'
	@echo 'make seeds          seeds for the fuzz targets from the vectors (fuzz-corpus: the committed ones)'
	@echo 'make check-long     fuzz-long, then fast beside ref on ten million cases; SEED=N goes on from there'
	@echo 'make check-spec     code, vectors and tests against the clauses of SPEC.md'
	@echo 'make check-schema   every vector against the JSON Schema'
	@echo 'make check-vectors  every vector against the reference'
	@echo 'make measure-bound  the largest errors of random triangles against the proven bound'
	@echo 'make check-gappa    the lemmas about roundings, proved by gappa'
	@echo 'make check-contraction  no float step is fused (x86-64)'
	@echo 'make check-threads  no data race in the kit (ThreadSanitizer)'
	@echo 'make check-ports    the tests of the shipped ports'
	@echo 'make lint           format, clang-tidy, walls, symbols'
	@echo 'make cov            line and branch coverage with their bounds'
	@echo 'make level          data/level.obj and the heights, made anew'
	@echo 'make pictures       the pictures of the documentation'
	@echo 'make vectors        the generated vectors, as they are committed'
	@echo 'make figures        times and counts on this machine'
	@echo 'make bench          verifies and times all implementations: MESH=FOLDER LIB=FILE SCENE=NAME SECONDS=S'
	@echo 'make bench-quick    the same in less than 90 seconds once it is built'
	@echo 'make bench-scaling  times against triangles, columns, layers and radius'
	@echo 'make bench-gate     instruction counts against the committed ones (bench-gate-update: anew);'
	@echo '                    LIB=FILE: those of a library against its own, in FILE.counts or COUNTS=FILE'
	@echo 'make install        to PREFIX ($(PREFIX)), under DESTDIR'
	@echo 'make clean          removes build/'

clean:
	rm -rf build
