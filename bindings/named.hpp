/// Choices by the name that Python gives them.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

template <class Value>
struct Named {
    std::string_view name;
    Value value;
};

/// Throws std::invalid_argument that names the parameter and what it may be.
template <class Value, std::size_t N>
Value value_named(const Named<Value> (&menu)[N], std::string_view name, const char* parameter) {
    std::string names;
    for (const auto& entry : menu) {
        if (entry.name == name) {
            return entry.value;
        }
        names += (names.empty() ? "'" : ", '") + std::string(entry.name) + "'";
    }
    throw std::invalid_argument(std::string(parameter) + " must be one of " + names + ", got '" +
                                std::string(name) + "'");
}
