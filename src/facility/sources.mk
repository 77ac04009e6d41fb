core_sources += \
	src/facility/aisles.c \
	src/facility/aisles.h \
	src/facility/cable_choice.c \
	src/facility/cable_choice.h \
	src/facility/cable_run.c \
	src/facility/cable_run.h \
	src/facility/cables.c \
	src/facility/cables.h \
	src/facility/circuit.c \
	src/facility/circuit.h \
	src/facility/connector.c \
	src/facility/connector.h \
	src/facility/cooling.c \
	src/facility/cooling.h \
	src/facility/fabric_classes.c \
	src/facility/fabric_classes.h \
	src/facility/facility.c \
	src/facility/facility.h \
	src/facility/facility_cables.c \
	src/facility/facility_gear.c \
	src/facility/facility_rules.c \
	src/facility/facility_work.h \
	src/facility/gear.c \
	src/facility/gear.h \
	src/facility/heat.c \
	src/facility/heat.h \
	src/facility/options.def \
	src/facility/management_cable.c \
	src/facility/pack.c \
	src/facility/pack.h \
	src/facility/power.c \
	src/facility/power.h \
	src/facility/rack_fit.c \
	src/facility/rack_fit.h \
	src/facility/rack_power.c \
	src/facility/rack_power.h \
	src/facility/racks.c \
	src/facility/racks.h \
	src/facility/redundancy.c \
	src/facility/redundancy.h \
	src/facility/reliability.c \
	src/facility/reliability.h \
	src/facility/round.c \
	src/facility/round.h \
	src/facility/storage.c \
	src/facility/storage.h \
	src/facility/verify.c \
	src/facility/verify.h \
	src/facility/verify_site.c

unit_tests += tests/check_facility tests/check_facility_plan tests/check_site_parts
EXTRA_DIST += tests/facility
