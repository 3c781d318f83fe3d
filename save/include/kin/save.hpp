/// The C++ face of libkin-save: files of snapshots, recordings and players. PACKAGE_save.hpp has the functions of a
/// package, which read and record.
///
/// Functions that write bytes, `bool(const void *bytes, std::size_t size)`, and read them, `std::size_t(void *bytes,
/// std::size_t size)`, are called by C: an exception that leaves one ends the program.
#ifndef KIN_SAVE_HPP
#define KIN_SAVE_HPP

#include <kin/kin.hpp>
#include <kin/replay.h>

namespace kin
{

/// Calls `call` with a function that has an address in memory: a plain one by a pointer. For generated code.
template <class Function, class Call> auto call_with(Function &function, Call &&call)
{
    if constexpr (std::is_function_v<Function>) {
        Function *pointer = &function;
        return call(pointer);
    } else {
        return call(function);
    }
}

/// A sink of C that calls a function of yours, which must outlive it.
template <class Function> kin_sink sink_of(Function &function) noexcept
{
    kin_sink sink;
    sink.write = [](const void *bytes, std::size_t size, void *user) noexcept -> bool {
        return (*static_cast<Function *>(user))(bytes, size);
    };
    sink.user = const_cast<void *>(static_cast<const void *>(&function));
    return sink;
}

/// The function of C that returns to the first byte, if `Function` has one. For generated code.
template <class Function> auto begin_again_of(int) noexcept
    -> decltype(std::declval<Function &>().begin_again(), static_cast<bool (*)(void *)>(nullptr))
{
    return [](void *user) noexcept -> bool { return static_cast<Function *>(user)->begin_again(); };
}
/// Without one.
template <class Function> bool (*begin_again_of(long) noexcept)(void *)
{
    return nullptr;
}

/// A source of C that calls a function of yours, which must outlive it. With a member `bool begin_again()`, which
/// returns to the first byte, files can be read that `migrate` decides about, and players can seek.
template <class Function> kin_source source_of(Function &function) noexcept
{
    kin_source source;
    source.read = [](void *bytes, std::size_t size, void *user) noexcept -> std::size_t {
        return (*static_cast<Function *>(user))(bytes, size);
    };
    source.begin_again = begin_again_of<Function>(0);
    source.user = const_cast<void *>(static_cast<const void *>(&function));
    return source;
}

/// Writes a snapshot into the file at `path`, which is replaced as a whole or not at all. `options` may be nullptr.
inline status write(const snapshot &saved, const char *path, const kin_write_options *options = nullptr)
{
    return kin_snapshot_write_path(saved.c(), path, options);
}

/// Writes a snapshot to a function of yours.
template <class Function, class = std::enable_if_t<std::is_invocable_r_v<bool, Function &, const void *, std::size_t>>>
status write(const snapshot &saved, Function &&function, const kin_write_options *options = nullptr)
{
    return call_with(function, [&](auto &kept) -> status {
        return kin_snapshot_write(saved.c(), sink_of(kept), options);
    });
}

/// A recording of a world, which is stopped with its object: declare it after the world. False if it was refused.
class [[nodiscard]] recording
{
  public:
    recording() noexcept = default;
    /// Moves; the other object has nothing then.
    recording(recording &&other) noexcept { swap(other); }
    /// Moves; the other object has nothing then.
    recording &operator=(recording &&other) noexcept
    {
        recording moved(std::move(other));
        swap(moved);
        return *this;
    }
    recording(const recording &) = delete;
    recording &operator=(const recording &) = delete;
    ~recording() { (void)stop(); }

    /// False if it was refused, or has been stopped.
    explicit operator bool() const noexcept { return sink_ != nullptr; }
    /// Stops it after the last update, and returns whether the whole recording was written.
    status stop() noexcept
    {
        if (sink_ == nullptr)
            return KIN_ERROR_INVALID;
        const kin_status stopped = stop_(world_);
        drop_(std::exchange(sink_, nullptr));
        return stopped;
    }

    /// Begins a recording with `record(world, kin_sink)`. For generated code.
    template <class World, class Function>
    static recording of(World *world, Function function,
                        kin_status (*record)(World *, kin_sink, const kin_record_options *),
                        kin_status (*stop)(void *), const kin_record_options *options)
    {
        recording made;
        auto *kept = new (std::nothrow) Function(std::move(function));
        if (kept == nullptr)
            return made;
        if (record(world, sink_of(*kept), options) != KIN_OK)
            return delete kept, recording();
        made.world_ = world;
        made.sink_ = kept;
        made.stop_ = stop;
        made.drop_ = [](void *ended) noexcept { delete static_cast<Function *>(ended); };
        return made;
    }

  private:
    void swap(recording &other) noexcept
    {
        std::swap(world_, other.world_);
        std::swap(sink_, other.sink_);
        std::swap(stop_, other.stop_);
        std::swap(drop_, other.drop_);
    }

    void *world_ = nullptr;
    void *sink_ = nullptr;
    kin_status (*stop_)(void *) = nullptr;
    void (*drop_)(void *) = nullptr;
};

/// A player of a recording in a world, which is destroyed with the object. False if the recording cannot be read.
class [[nodiscard]] player
{
  public:
    /// For generated code.
    player(kin_player *made, void *source, void (*drop)(void *)) noexcept
        : player_(made), source_(source), drop_(drop)
    {
    }
    /// Moves; the other object has nothing then.
    player(player &&other) noexcept
        : player_(std::exchange(other.player_, nullptr)), source_(std::exchange(other.source_, nullptr)),
          drop_(other.drop_)
    {
    }
    /// Moves; the other object has nothing then.
    player &operator=(player &&other) noexcept
    {
        player moved(std::move(other));
        std::swap(player_, moved.player_);
        std::swap(source_, moved.source_);
        std::swap(drop_, moved.drop_);
        return *this;
    }
    player(const player &) = delete;
    player &operator=(const player &) = delete;
    ~player()
    {
        kin_player_destroy(player_);
        if (source_ != nullptr)
            drop_(source_);
    }

    /// False if the recording could not be read.
    explicit operator bool() const noexcept { return player_ != nullptr; }
    /// Returns the player for functions of C.
    kin_player *c() const noexcept { return player_; }
    /// Plays a frame. Returns false at the end.
    bool step() const { return kin_player_step(player_); }
    /// Goes to the moment before a frame.
    status seek(uint64_t frame) const { return kin_player_seek(player_, frame); }
    /// Returns the first difference between the world and the recording, nullptr without one.
    const kin_divergence *divergence() const { return kin_player_divergence(player_); }

    /// Makes a player with `create(world, kin_source)`. For generated code.
    template <class World, class Function>
    static player of(World *world, Function function, kin_player *(*create)(World *, kin_source))
    {
        auto *kept = new (std::nothrow) Function(std::move(function));
        if (kept == nullptr)
            return {nullptr, nullptr, nullptr};
        void (*drop)(void *) = [](void *ended) noexcept { delete static_cast<Function *>(ended); };
        return {create(world, source_of(*kept)), kept, drop};
    }

  private:
    kin_player *player_;
    void *source_;
    void (*drop_)(void *);
};

} // namespace kin

#endif
