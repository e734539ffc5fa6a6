/// The Python module `clearwood._core`: each file in bindings/ adds its own part.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of clearwood; private, use the package's public names.";
}
