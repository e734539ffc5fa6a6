/// What each file in bindings/ adds to the module.
#pragma once

#include <nanobind/nanobind.h>

void bind_errors(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_noise(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_grow(nanobind::module_& m);
void bind_prune(nanobind::module_& m);
void bind_fit_many(nanobind::module_& m);
void bind_ramps(nanobind::module_& m);
void bind_depth_two(nanobind::module_& m);
void bind_carve(nanobind::module_& m);
