#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <pthread.h>

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace {

// A chain of 400,000 objects was followed on this.
constexpr size_t bytes_of_step = 1024;
constexpr size_t usual = size_t(8) << 20, most = size_t(4) << 30;

struct Task {
    const std::function<void()> *work;
    std::exception_ptr problem;
};

void *run(void *task) {
    auto *own = static_cast<Task *>(task);
    try {
        (*own->work)();
    } catch (...) {
        own->problem = std::current_exception();
    }
    return nullptr;
}

} // namespace

void on_deep_stack(size_t objects, const std::function<void()> &work) {
    Task task{&work, nullptr};
    pthread_attr_t how;
    pthread_t thread;
    pthread_attr_init(&how);
    // Only what is used of it becomes memory.
    pthread_attr_setstacksize(&how, usual + std::min(objects, (most - usual) / bytes_of_step) * bytes_of_step);
    int failed = pthread_create(&thread, &how, run, &task);
    pthread_attr_destroy(&how);
    if (failed != 0) {
        throw std::runtime_error("there is no room to follow what it refers to");
    }
    pthread_join(thread, nullptr);
    if (task.problem) {
        std::rethrow_exception(task.problem);
    }
}
