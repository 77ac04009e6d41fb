core_sources += \
	src/catalog/cable.def \
	src/catalog/check.c \
	src/catalog/common.def \
	src/catalog/currency.c \
	src/catalog/currency.def \
	src/catalog/currency.h \
	src/catalog/plant.def \
	src/catalog/cooling.def \
	src/catalog/electricity.def \
	src/catalog/fields.h \
	src/catalog/gpu.def \
	src/catalog/kinds.def \
	src/catalog/nic.def \
	src/catalog/node.def \
	src/catalog/parts.c \
	src/catalog/parts.h \
	src/catalog/pdu.def \
	src/catalog/price.c \
	src/catalog/price.h \
	src/catalog/price_rule.def \
	src/catalog/priced.def \
	src/catalog/rack.def \
	src/catalog/rate.def \
	src/catalog/switch.def

unit_tests += tests/check_catalog
