#include "convert.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace nb = nanobind;

namespace {

template <class T>
std::string dtype_name() {
    if constexpr (std::is_floating_point_v<T>) return "float" + std::to_string(8 * sizeof(T));
    return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
}

template <class T, std::size_t n_dimensions>
using Contiguous = nb::ndarray<const T, nb::ndim<n_dimensions>, nb::c_contig, nb::device::cpu>;

/// Borrows the arrays of one tree by name.
class Arrays {
public:
    Arrays(nb::handle by_name, std::vector<nb::object>& keep) : by_name_(by_name), keep_(keep) {}

    template <class T>
    std::span<const T> one(const char* name) {
        const auto array = borrowed<T, 1>(name);
        return {array.data(), array.size()};
    }

    template <class T>
    std::span<const T> two(const char* name, std::size_t n_columns) {
        const auto array = borrowed<T, 2>(name);
        if (array.shape(1) != n_columns)
            throw clearwood::InvalidTree(name + std::string(" must have one column a class, ") +
                                         std::to_string(n_columns) + " as distribution, got " +
                                         std::to_string(array.shape(1)));
        return {array.data(), array.size()};
    }

    std::size_t n_classes() { return borrowed<double, 2>("distribution").shape(1); }

private:
    nb::object named(const char* name) const {
        PyObject* value = PyMapping_GetItemString(by_name_.ptr(), name);
        if (value != nullptr) return nb::steal(value);
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) throw nb::python_error();
        PyErr_Clear();
        throw clearwood::InvalidTree(name +
                                     std::string(" is missing among the arrays of the tree"));
    }

    template <class T, std::size_t n_dimensions>
    Contiguous<T, n_dimensions> borrowed(const char* name) {
        Contiguous<T, n_dimensions> array;
        keep_.push_back(named(name));
        if (nb::try_cast(keep_.back(), array, false)) return array;
        const std::string message = name + std::string(" must be a C-contiguous array of ") +
                                    dtype_name<T>() + " in " + std::to_string(n_dimensions) +
                                    (n_dimensions == 1 ? " dimension" : " dimensions");
        throw nb::type_error(message.c_str());
    }

    nb::handle by_name_;
    std::vector<nb::object>& keep_;
};

}  // namespace

clearwood::TreeView tree_view(nb::handle arrays, std::vector<nb::object>& keep) {
    Arrays tree(arrays, keep);
    const std::size_t n_classes = tree.n_classes();
    return {.n_classes = static_cast<std::int32_t>(n_classes),
            .kind = tree.one<std::int8_t>("kind"),
            .column = tree.one<std::int32_t>("column"),
            .threshold = tree.one<double>("threshold"),
            .strict = tree.one<std::uint8_t>("strict"),
            .child_start = tree.one<std::int32_t>("child_start"),
            .child_ids = tree.one<std::int32_t>("child_ids"),
            .missing_share = tree.one<double>("missing_share"),
            .level_start = tree.one<std::int32_t>("level_start"),
            .level_branch = tree.one<std::int32_t>("level_branch"),
            .masses = tree.two<double>("masses", n_classes),
            .distribution = tree.two<double>("distribution", n_classes),
            .label = tree.one<std::int32_t>("label")};
}

nb::dict tree_dict(clearwood::TreeArrays&& tree) {
    const std::size_t n_nodes = tree.kind.size();
    const auto n_classes = static_cast<std::size_t>(tree.n_classes);
    nb::dict arrays;
    arrays["kind"] = to_numpy(std::move(tree.kind));
    arrays["column"] = to_numpy(std::move(tree.column));
    arrays["threshold"] = to_numpy(std::move(tree.threshold));
    arrays["strict"] = to_numpy(std::move(tree.strict));
    arrays["child_start"] = to_numpy(std::move(tree.child_start));
    arrays["child_ids"] = to_numpy(std::move(tree.child_ids));
    arrays["missing_share"] = to_numpy(std::move(tree.missing_share));
    arrays["level_start"] = to_numpy(std::move(tree.level_start));
    arrays["level_branch"] = to_numpy(std::move(tree.level_branch));
    arrays["masses"] = to_numpy_2d(std::move(tree.masses), n_nodes, n_classes);
    arrays["distribution"] = to_numpy_2d(std::move(tree.distribution), n_nodes, n_classes);
    arrays["label"] = to_numpy(std::move(tree.label));
    arrays["score"] = to_numpy(std::move(tree.score));
    arrays["gain"] = to_numpy(std::move(tree.gain));
    arrays["n_rows"] = to_numpy(std::move(tree.n_rows));
    return arrays;
}
