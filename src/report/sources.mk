host_sources +=
