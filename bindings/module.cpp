/// The Python module `clearwood._core`: each file in bindings/ adds its own part.
#include "bind.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
    // A tree that lives until the interpreter ends is no leak worth a page of warnings.
    nb::set_leak_warnings(false);
    m.doc() = "The compiled core of clearwood; private, use the package's public names.";
    bind_errors(m);
    bind_table(m);
    bind_noise(m);
    bind_predict(m);
    bind_grow(m);
    bind_prune(m);
    bind_fit_many(m);
    bind_depth_two(m);
    bind_carve(m);
    bind_ramps(m);
}
