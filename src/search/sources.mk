core_sources += \
	src/search/best.c \
	src/search/case.c \
	src/search/case.h \
	src/search/costs.c \
	src/search/costs.h \
	src/search/best.h \
	src/search/objectives.def \
	src/search/pareto.c \
	src/search/pareto.h \
	src/search/pick.c \
	src/search/pick.h \
	src/search/rank.c \
	src/search/rank.h \
	src/search/search.c \
	src/search/search.h \
	src/search/set.c \
	src/search/set.h \
	src/search/size.c \
	src/search/size.h \
	src/search/space.c \
	src/search/space.h \
	src/search/space_options.c \
	src/search/space_options.h \
	src/search/variants.c \
	src/search/variants.h
unit_tests += tests/check_space
unit_tests += tests/check_search tests/check_pick tests/check_size
unit_tests += tests/check_questions tests/check_peers tests/check_examples

## Benchmarks, not part of the tests: make bench.
EXTRA_PROGRAMS += bench/bench_search
bench_bench_search_SOURCES = bench/bench_search.c bench/bench_plan.h
bench_bench_search_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
bench_bench_search_LDADD = $(all_libs)
bench_bench_search_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
EXTRA_DIST += bench/gpt3-1024-batch32.json bench/gpt3-1024-offload.json
CLEANFILES += bench/bench_search$(EXEEXT)

.PHONY: bench
bench: bench/bench_search$(EXEEXT) bench/bench_topology$(EXEEXT)
	RAILYARD_DATA='$(abs_top_srcdir)' bench/bench_search '$(abs_top_srcdir)'
	bench/bench_topology
core_sources += src/search/breakeven.c src/search/breakeven.h src/search/levers.def
core_sources += src/search/weigh.c src/search/weigh.h src/search/mix.c src/search/mix.h
core_sources += src/search/jobs.c src/search/jobs.h
core_sources += src/search/remarks.c src/search/remarks.h
unit_tests += tests/check_choosing
