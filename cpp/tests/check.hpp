/// A test harness in one header: TEST registers a sentence, CHECK and its kin note what is false in it.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Test {
    std::string sentence;
    std::function<void()> body;
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

/// What failed in the test that is running.
inline std::vector<std::string>& failures() {
    static std::vector<std::string> all;
    return all;
}

struct Registration {
    Registration(std::string sentence, std::function<void()> body) {
        tests().push_back({std::move(sentence), std::move(body)});
    }
};

inline void fail(const char* file, int line, const std::string& what) {
    failures().push_back(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

/// Equal within `tolerance`; two NaN and two equal infinities are near each other.
inline bool near(double a, double b, double tolerance) {
    return a == b || std::abs(a - b) <= tolerance || (std::isnan(a) && std::isnan(b));
}

inline std::string both(const char* a_text, double a, const char* b_text, double b) {
    std::ostringstream out;
    out.precision(17);
    out << a_text << " is " << a << ", " << b_text << " is " << b;
    return out.str();
}

}  // namespace check

#define CHECK_JOIN_(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN_(a, b)

/// TEST("a sentence that can fail") { CHECK(...); }
#define TEST(sentence)                                                                         \
    static void CHECK_JOIN(test_at_line_, __LINE__)();                                         \
    static const check::Registration CHECK_JOIN(registered_at_line_, __LINE__)(                \
        sentence, &CHECK_JOIN(test_at_line_, __LINE__));                                       \
    static void CHECK_JOIN(test_at_line_, __LINE__)()

#define CHECK(...)                                                                             \
    do {                                                                                       \
        if (!(__VA_ARGS__)) check::fail(__FILE__, __LINE__, "false: " #__VA_ARGS__);           \
    } while (false)

#define CHECK_NEAR(a, b, tolerance)                                                            \
    do {                                                                                       \
        const double near_a = static_cast<double>(a), near_b = static_cast<double>(b);         \
        if (!check::near(near_a, near_b, tolerance))                                           \
            check::fail(__FILE__, __LINE__, check::both(#a, near_a, #b, near_b));              \
    } while (false)

#define CHECK_THROWS(exception, ...)                                                           \
    do {                                                                                       \
        bool thrown = false;                                                                   \
        try {                                                                                  \
            static_cast<void>(__VA_ARGS__);                                                    \
        } catch (const exception&) {                                                           \
            thrown = true;                                                                     \
        }                                                                                      \
        if (!thrown) check::fail(__FILE__, __LINE__, #__VA_ARGS__ " throws no " #exception);   \
    } while (false)
