/// Runs every registered test, or those whose sentence holds the first argument. Returns 1 if a
/// test failed or none ran.
#include <cstdio>
#include <exception>
#include <string>

#include "check.hpp"

namespace {

bool passes(const check::Test& test) {
    check::failures().clear();
    try {
        test.body();
    } catch (const std::exception& error) {
        check::failures().push_back(std::string("threw: ") + error.what());
    } catch (...) {
        check::failures().push_back("threw something that is no std::exception");
    }
    if (check::failures().empty()) return true;
    std::printf("FAILED  %s\n", test.sentence.c_str());
    for (const std::string& failure : check::failures()) std::printf("        %s\n", failure.c_str());
    return false;
}

}  // namespace

int main(int n_arguments, char** arguments) {
    const std::string wanted = n_arguments > 1 ? arguments[1] : "";
    int n_passed = 0;
    int n_failed = 0;
    for (const check::Test& test : check::tests()) {
        if (test.sentence.find(wanted) == std::string::npos) continue;
        ++(passes(test) ? n_passed : n_failed);
    }
    std::printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed == 0 && n_passed > 0 ? 0 : 1;
}
