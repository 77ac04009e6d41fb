dist_check_SCRIPTS += tests/golden.test tests/layers.test tests/columns.test tests/report.test
EXTRA_DIST += tests/lsan.supp doc/report.md tests/browser.test tests/browser-before.js tests/browser-after.js
TESTS += tests/golden.test tests/layers.test tests/columns.test tests/report.test
EXTRA_DIST += tests/golden tests/fuzz-corpus tests/catalog tests/hf
EXTRA_DIST += tests/bench tests/nccl tests/fabric tests/plans
EXTRA_DIST += doc tests/plan_fixture.h tests/arena_fixture.h tests/fuzz_text.h tests/step_fixture.h tests/search_fixture.h

## Fuzz targets: libFuzzer programs, or replays of the corpus tests/fuzz-corpus/NAME/.
## A target NAME is tests/fuzz_NAME.c, its folder and two lines here.

fuzz_targets = quantity topo bench nccl_log topo_m ibnet json hf_config catalog_csv price_csv \
	plan peer
tests_fuzz_quantity_LDADD = $(fuzz_libs)
tests_fuzz_topo_LDADD = $(fuzz_libs)
tests_fuzz_bench_LDADD = $(fuzz_libs)
tests_fuzz_nccl_log_LDADD = $(fuzz_libs)
tests_fuzz_topo_m_LDADD = $(fuzz_libs)
tests_fuzz_ibnet_LDADD = $(fuzz_libs)
tests_fuzz_json_LDADD = $(fuzz_libs)
tests_fuzz_hf_config_LDADD = $(fuzz_libs)
tests_fuzz_catalog_csv_LDADD = $(fuzz_libs)
tests_fuzz_price_csv_LDADD = $(fuzz_libs)
tests_fuzz_plan_LDADD = $(fuzz_libs)
tests_fuzz_peer_LDADD = $(fuzz_libs)
tests_fuzz_plan_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE

fuzz_programs = tests/fuzz_quantity tests/fuzz_topo tests/fuzz_bench tests/fuzz_nccl_log tests/fuzz_topo_m tests/fuzz_ibnet \
	tests/fuzz_json tests/fuzz_hf_config tests/fuzz_catalog_csv tests/fuzz_price_csv \
	tests/fuzz_plan tests/fuzz_peer
check_PROGRAMS += $(fuzz_programs)
if ENABLE_FUZZER
fuzz_main = $(FUZZ_ENGINE)
else
check_LIBRARIES += tests/libreplay.a
tests_libreplay_a_SOURCES = tests/fuzz_replay.c
fuzz_main = tests/libreplay.a
check-local: $(fuzz_programs)
	$(AM_V_at)RAILYARD_DATA=$(abs_top_srcdir); export RAILYARD_DATA; for name in $(fuzz_targets); do \
		tests/fuzz_$$name $(srcdir)/tests/fuzz-corpus/$$name/* || exit 1; done
	$(AM_V_at)tests/fuzz_bench $(srcdir)/tests/bench/*
	$(AM_V_at)tests/fuzz_nccl_log $(srcdir)/tests/nccl/*
endif
fuzz_libs = $(fuzz_main) $(all_libs)

.PHONY: fuzzers
fuzzers: $(fuzz_programs)


dist_check_SCRIPTS += tests/accuracy.test
TESTS += tests/accuracy.test
EXTRA_DIST += tests/accuracy.csv tests/published

dist_check_SCRIPTS += tests/completion.test
TESTS += tests/completion.test
## Flow rates against SimGrid, where configure found it.
dist_check_SCRIPTS += tests/simgrid.test
TESTS += tests/simgrid.test
EXTRA_DIST += tests/simgrid_flows.c
if HAVE_SIMGRID
check_PROGRAMS += tests/simgrid_flows
tests_simgrid_flows_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(SIMGRID_CFLAGS)
tests_simgrid_flows_LDADD = $(all_libs) $(SIMGRID_LIBS)
endif

dist_check_SCRIPTS += tests/import.test
TESTS += tests/import.test
dist_check_SCRIPTS += tests/examples.test tests/hostile.test tests/locale.test tests/sizes.test
TESTS += tests/examples.test tests/hostile.test tests/locale.test tests/sizes.test
EXTRA_DIST += tests/sizes.csv tests/mutate
## rank, bom, racks, power and cost say the same of one design.
dist_check_SCRIPTS += tests/agree.test
TESTS += tests/agree.test

EXTRA_DIST += doc/tutorial.md
EXTRA_DIST += doc/soak.md
dist_check_SCRIPTS += tests/doc.test
TESTS += tests/doc.test

## SIGKILL at random moments; `./dev soak` does it longer.
dist_check_SCRIPTS += tests/kill.test
TESTS += tests/kill.test
unit_tests += tests/check_launch
dist_check_SCRIPTS += tests/launch.test
TESTS += tests/launch.test
dist_check_SCRIPTS += tests/terminal.test
TESTS += tests/terminal.test
dist_check_SCRIPTS += tests/diagnose.test
TESTS += tests/diagnose.test
dist_check_SCRIPTS += tests/bundle.test
TESTS += tests/bundle.test
unit_tests += tests/check_schema
dist_check_SCRIPTS += tests/schema.test
TESTS += tests/schema.test
dist_check_SCRIPTS += tests/peers.test
TESTS += tests/peers.test
EXTRA_DIST += tests/peers
dist_check_SCRIPTS += tests/judgement.test
TESTS += tests/judgement.test
unit_tests += tests/check_properties tests/check_net_properties
EXTRA_DIST += tests/property.h

dist_check_SCRIPTS += tests/network.test
TESTS += tests/network.test

dist_check_SCRIPTS += tests/contributing.test
TESTS += tests/contributing.test
EXTRA_DIST += CONTRIBUTING.md
unit_tests += tests/check_memory

## What is printed as JSON, fed back.
dist_check_SCRIPTS += tests/roundtrip.test tests/several.test
TESTS += tests/roundtrip.test tests/several.test

## Writes that fail.
dist_check_SCRIPTS += tests/writes.test
TESTS += tests/writes.test
## Memory that is not there.
dist_check_SCRIPTS += tests/memory.test
TESTS += tests/memory.test
EXTRA_DIST += tests/failing_malloc.c
## Branch and bound over designs: proofs, sharing, interruption.
dist_check_SCRIPTS += tests/prove.test
TESTS += tests/prove.test
EXTRA_DIST += tests/graph_fixture.h
## Shards, ranks, kept results.
dist_check_SCRIPTS += tests/share.test tests/mpi.test
TESTS += tests/share.test tests/mpi.test
## Names that would be code in an output.
dist_check_SCRIPTS += tests/names.test
TESTS += tests/names.test
EXTRA_DIST += doc/runs.md
