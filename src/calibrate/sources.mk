gsl_sources +=
