/// Exceptions of the core that have a Python class of their own.
#include <exception>

#include "bind.hpp"
#include "clearwood/predict.hpp"
#include "clearwood/tree.hpp"

namespace nb = nanobind;

namespace {

/// The class stands in the package's Python part, which imports this module: hence so late.
void translate_invalid_tree(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const clearwood::InvalidTree& invalid) {
        const nb::object type = nb::module_::import_("clearwood.errors").attr("InvalidTreeError");
        PyErr_SetString(type.ptr(), invalid.what());
    }
}

/// The place is all that is told: only the caller knows the names of rows and columns.
void translate_infinite_value(const std::exception_ptr& error, void* type) {
    try {
        std::rethrow_exception(error);
    } catch (const clearwood::InfiniteValue& infinite) {
        PyErr_SetObject(static_cast<PyObject*>(type),
                        nb::make_tuple(infinite.row, infinite.column).ptr());
    }
}

}  // namespace

void bind_errors(nb::module_& m) {
    nb::register_exception_translator(translate_invalid_tree);
    nb::object infinite = nb::steal(PyErr_NewExceptionWithDoc(
        "clearwood._core.InfiniteValueError",
        "A value is infinite; args are its row and its column.", PyExc_ValueError, nullptr));
    m.attr("InfiniteValueError") = infinite;
    nb::register_exception_translator(translate_infinite_value, infinite.release().ptr());
}
