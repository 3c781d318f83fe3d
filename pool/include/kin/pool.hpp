/// The C++ face of libkin-pool: a pool of threads that ends with its object.
#ifndef KIN_POOL_HPP
#define KIN_POOL_HPP

#include <kin/kin.hpp>
#include <kin/pool.h>

namespace kin
{

/// A pool of threads, which is destroyed with the object. It must outlive the worlds that run on it: declare it first.
class pool
{
  public:
    /// Creates a pool; 0: as many threads as there are processors. Throws std::bad_alloc if that is impossible.
    explicit pool(uint32_t threads = 0) : pool_(kin_pool_create(threads)) { check_created(pool_ != nullptr, nullptr); }
    /// Moves; the other object has nothing then.
    pool(pool &&other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    /// Moves; the other object has nothing then.
    pool &operator=(pool &&other) noexcept
    {
        pool moved(std::move(other));
        std::swap(pool_, moved.pool_);
        return *this;
    }
    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;
    ~pool() { kin_pool_destroy(pool_); }

    /// False if it could not be created.
    explicit operator bool() const noexcept { return pool_ != nullptr; }
    /// Returns the executor, for `world.set_executor(pool.c())` and functions of C.
    kin_executor *c() const noexcept { return pool_; }

    /// Calls `function(i)` for each i below `count` on the threads of the pool, and returns when all have returned. An
    /// exception that leaves the function ends the program.
    template <class Function> void run(uint32_t count, Function &&function) const
    {
        using plain = std::remove_reference_t<Function>;
        kin_task *task = [](void *work, uint32_t i) noexcept { (*static_cast<plain *>(work))(i); };
        plain *work = &function;
        void *shared = const_cast<void *>(static_cast<const void *>(work));
        if (void *ticket = pool_ == nullptr ? nullptr : pool_->submit(task, shared, count, pool_->user))
            pool_->wait(ticket, pool_->user);
        else
            for (uint32_t i = 0; i < count; i++)
                task(shared, i);
    }

  private:
    kin_executor *pool_;
};

} // namespace kin

#endif
