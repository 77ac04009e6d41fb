dist_check_SCRIPTS += tests/golden.test tests/layers.test
TESTS += tests/golden.test tests/layers.test
EXTRA_DIST += tests/golden tests/fuzz-corpus tests/catalog tests/hf
EXTRA_DIST += tests/bench
EXTRA_DIST += examples tests/plans models/optimizers.json

## Fuzz targets: libFuzzer programs, or replays of the corpus tests/fuzz-corpus/NAME/.
## A target NAME is tests/fuzz_NAME.c, its four lines here and its folder.

fuzz_targets = quantity bench
check_PROGRAMS += tests/fuzz_quantity tests/fuzz_bench
tests_fuzz_quantity_LDADD = $(all_libs)
tests_fuzz_bench_LDADD = $(all_libs)
tests_fuzz_quantity_SOURCES = tests/fuzz_quantity.c
tests_fuzz_bench_SOURCES = tests/fuzz_bench.c
if ENABLE_FUZZER
tests_fuzz_quantity_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
tests_fuzz_bench_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
tests_fuzz_quantity_SOURCES += tests/fuzz_replay.c
tests_fuzz_bench_SOURCES += tests/fuzz_replay.c
check-local: tests/fuzz_quantity tests/fuzz_bench
	$(AM_V_at)for name in $(fuzz_targets); do \
		tests/fuzz_$$name $(srcdir)/tests/fuzz-corpus/$$name/* || exit 1; done
	$(AM_V_at)tests/fuzz_bench $(srcdir)/tests/bench/*
endif
