core_sources += \
	src/topology/adjacency.c \
	src/topology/adjacency.h \
	src/topology/clos.c \
	src/topology/clos.h \
	src/topology/clos_build.c \
	src/topology/clos_build.h \
	src/topology/clos_plan.c \
	src/topology/clos_plan.h \
	src/topology/clos_shape.c \
	src/topology/clos_shape.h \
	src/topology/direct.c \
	src/topology/direct.h \
	src/topology/direct_build.c \
	src/topology/direct_build.h \
	src/topology/families.def \
	src/topology/family.c \
	src/topology/family.h \
	src/topology/family_dragonfly.c \
	src/topology/family_dragonfly_plus.c \
	src/topology/family_fat_tree.c \
	src/topology/family_hyperx.c \
	src/topology/family_mesh.c \
	src/topology/family_nvlink.c \
	src/topology/family_nvswitch.c \
	src/topology/family_pcie.c \
	src/topology/family_rail_only.c \
	src/topology/family_rail_optimized.c \
	src/topology/family_slim_fly.c \
	src/topology/family_torus.c \
	src/topology/flow.c \
	src/topology/flow.h \
	src/topology/graph.c \
	src/topology/graph.h \
	src/topology/groups.c \
	src/topology/groups.h \
	src/topology/hostlist.c \
	src/topology/hostlist.h \
	src/topology/measure.c \
	src/topology/measure.h \
	src/topology/params.def \
	src/topology/place.c \
	src/topology/place.h \
	src/topology/route.c \
	src/topology/route.h \
	src/topology/slurm.c \
	src/topology/slurm.h \
	src/topology/spec.c \
	src/topology/spec.h \
	src/topology/traffic.c \
	src/topology/traffic.h \
	src/topology/verify.c \
	src/topology/verify_failures.c \
	src/topology/verify_failures.h \
	src/topology/verify_ports.c \
	src/topology/verify_ports.h \
	src/topology/verify_reach.c \
	src/topology/verify_reach.h \
	src/topology/verify.h

unit_tests += tests/check_flow tests/check_measure tests/check_place tests/check_topology tests/check_verify

noinst_PROGRAMS += bench/bench_topology
bench_bench_topology_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
bench_bench_topology_LDADD = $(all_libs)
core_sources += src/topology/clos_family.c src/topology/clos_family.h
