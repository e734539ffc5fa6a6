/// A few coarse tasks on a few threads; waiting blocks, nothing spins.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace clearwood {

/// The caller asked to stop.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "cancelled"; }
};

/// Asks `keep_going` from the thread that made it, at most every 50 ms; tells all others to stop.
class Watch {
public:
    explicit Watch(std::function<bool()> keep_going) : keep_going_(std::move(keep_going)) {}

    /// Throws Cancelled when the work should end. Cheap: call it once a node or column.
    void check() {
        if (stopped_.load(std::memory_order_relaxed)) {
            throw Cancelled();
        }
        if (std::this_thread::get_id() != owner_ || !keep_going_) {
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        if (now - asked_ < std::chrono::milliseconds(50)) {
            return;
        }
        asked_ = now;
        if (!keep_going_()) {
            stopped_ = true;
            throw Cancelled();
        }
    }
    void stop() { stopped_ = true; }

private:
    std::function<bool()> keep_going_;
    std::thread::id owner_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
    std::atomic<bool> stopped_ = false;
};

/// Small items, such as the columns of a small node, are not worth a look at the clock each.
inline constexpr std::size_t items_a_check = 16;

/// Calls `work(item, thread)` for each item below `n_items`; the calling thread is thread 0 and
/// works too. The first exception ends all and is thrown again here; so does the watch.
template <class Work>
void parallel_for(unsigned n_threads, std::size_t n_items, Watch& watch, const Work& work) {
    if (n_threads <= 1 || n_items <= 1) {
        for (std::size_t item = 0; item < n_items; ++item) {
            work(item, std::size_t{0});
            if (item % items_a_check == items_a_check - 1) {
                watch.check();
            }
        }
        return;
    }
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto run = [&](std::size_t thread) {
        try {
            for (std::size_t item = next++; item < n_items; item = next++) {
                work(item, thread);
                watch.check();
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure) {
                failure = std::current_exception();
            }
            next = n_items;
            watch.stop();  // last: what the others throw because of it is not the failure
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 1; thread < std::min<std::size_t>(n_threads, n_items); ++thread) {
            threads.emplace_back(run, thread);
        }
        run(0);
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

}  // namespace clearwood
