/// The part of the C++ face that no schema changes. `kin generate --face cpp` writes the rest, PACKAGE.hpp, for a
/// package. C++17, header only, over the generated C.
///
/// A call that can fail returns kin::status. `or_throw` and constructors throw; nothing else does. Without exceptions
/// there is no `or_throw`, and a constructor that fails leaves an object that is false.
///
/// A function that you pass is called before the call returns, and may throw, unless it is a listener: that is called
/// from C, through which no exception may pass. So one that leaves a listener ends the program.
#ifndef KIN_HPP
#define KIN_HPP

#if defined(_MSVC_LANG)
#define KIN__CPLUSPLUS _MSVC_LANG
#else
#define KIN__CPLUSPLUS __cplusplus
#endif
#if KIN__CPLUSPLUS < 201703L
#error "kin.hpp needs C++17: compile with -std=c++17 or later"
#endif

#include <kin/kin.h>

#include <new>
#include <type_traits>
#include <utility>

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define KIN__EXCEPTIONS 1
#include <exception>
#else
#define KIN__EXCEPTIONS 0
#endif

namespace kin
{

// ---- statuses

#if KIN__EXCEPTIONS
/// What `or_throw` throws, unless memory was missing: that is std::bad_alloc.
class error : public std::exception
{
  public:
    explicit error(kin_status value) noexcept : value_(value) {}
    /// Returns the status, which is not KIN_OK.
    kin_status value() const noexcept { return value_; }
    /// Returns the name of the status, such as "KIN_ERROR_NOT_ALIVE".
    const char *what() const noexcept override { return kin_status_name(value_); }

  private:
    kin_status value_;
};
#endif

/// The result of a call that can fail. It tests true for success. To ignore one, cast it to void.
class [[nodiscard]] status
{
  public:
    /// Takes a status of C.
    constexpr status(kin_status value) noexcept : value_(value) {}
    /// True for success.
    constexpr explicit operator bool() const noexcept { return value_ == KIN_OK; }
    /// Returns the status of C.
    constexpr kin_status value() const noexcept { return value_; }
    /// Returns its name, such as "KIN_ERROR_NOT_ALIVE".
    const char *name() const noexcept { return kin_status_name(value_); }
    /// Whether both are the same.
    friend constexpr bool operator==(status a, status b) noexcept { return a.value_ == b.value_; }
    /// Whether they differ.
    friend constexpr bool operator!=(status a, status b) noexcept { return a.value_ != b.value_; }
#if KIN__EXCEPTIONS
    /// Throws std::bad_alloc for KIN_ERROR_NO_MEMORY, and kin::error for any other error.
    void or_throw() const
    {
        if (value_ == KIN_ERROR_NO_MEMORY)
            throw std::bad_alloc();
        if (value_ != KIN_OK)
            throw error(value_);
    }
#endif

  private:
    kin_status value_;
};

/// What constructors do when nothing was created.
inline void check_created(bool is_created, const kin_context_options *options)
{
#if KIN__EXCEPTIONS
    if (!is_created && options != nullptr)
        throw error(KIN_ERROR_INVALID);
    if (!is_created)
        throw std::bad_alloc();
#else
    (void)is_created, (void)options;
#endif
}

// ---- arrays

/// Adjacent values, as std::span of C++20.
template <class T> class span
{
  public:
    constexpr span() noexcept = default;
    /// Takes an array.
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    /// Takes a whole array.
    template <std::size_t Size> constexpr span(T (&array)[Size]) noexcept : data_(array), size_(Size) {}
    /// Returns the beginning of the loop.
    constexpr T *begin() const noexcept { return data_; }
    /// Returns the end of the loop.
    constexpr T *end() const noexcept { return data_ + size_; }
    /// Returns the first element.
    constexpr T *data() const noexcept { return data_; }
    /// Returns the number.
    constexpr std::size_t size() const noexcept { return size_; }
    /// Returns whether there are none.
    constexpr bool empty() const noexcept { return size_ == 0; }
    /// Returns the element `i`, which must exist.
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// The end of a range whose iterators know when they are done.
struct sentinel {
};

/// A copy of a value that no struct in memory has, or none. It is used like a pointer.
template <class T> class copied
{
  public:
    copied() noexcept : value_(), has_(false) {}
    /// Copies a value.
    explicit copied(const T &value) noexcept : value_(value), has_(true) {}
    /// False without a value.
    explicit operator bool() const noexcept { return has_; }
    /// Returns the value.
    const T &operator*() const noexcept { return value_; }
    /// Returns the value.
    const T *operator->() const noexcept { return &value_; }

  private:
    T value_;
    bool has_;
};

// ---- for generated code

/// False, for a static_assert in a template that must not be used.
template <class...> inline constexpr bool never = false;

/// A constant as a type.
template <auto> struct constant {
};

/// Whether a list of types has one twice.
template <class...> inline constexpr bool has_twice = false;
/// For generated code.
template <class First, class... Rest>
inline constexpr bool has_twice<First, Rest...> = (std::is_same_v<First, Rest> || ...) || has_twice<Rest...>;

// Columns that are no arrays of values: `[i]` returns what a loop shows of the entity at place i.

/// For generated code: a column, of which `[i]` is what a loop shows at place i.
template <class T> struct boxed_column {
    T *const *at; ///< the column of C
    /// Returns what a loop shows at place i.
    T &operator[](uint32_t i) const noexcept { return *at[i]; }
};

/// For generated code: a column, of which `[i]` is what a loop shows at place i.
template <class T> struct optional_column {
    T *at; ///< the column of C
    /// Returns what a loop shows at place i.
    T *operator[](uint32_t i) const noexcept { return at == nullptr ? nullptr : at + i; }
};

/// For generated code: a column, of which `[i]` is what a loop shows at place i.
template <class T> struct optional_boxed_column {
    T *const *at; ///< the column of C
    /// Returns what a loop shows at place i.
    T *operator[](uint32_t i) const noexcept { return at == nullptr ? nullptr : at[i]; }
};

// ---- snapshots

/// A snapshot of a context or a world, which is destroyed with the object. It is moved, and not copied.
class snapshot
{
  public:
    snapshot() noexcept = default;
    /// Takes a snapshot of C over.
    explicit snapshot(kin_snapshot *taken) noexcept : snapshot_(taken) {}
    /// Moves; the other object has nothing then.
    snapshot(snapshot &&other) noexcept : snapshot_(std::exchange(other.snapshot_, nullptr)) {}
    /// Moves; the other object has nothing then.
    snapshot &operator=(snapshot &&other) noexcept
    {
        snapshot moved(std::move(other));
        std::swap(snapshot_, moved.snapshot_);
        return *this;
    }
    snapshot(const snapshot &) = delete;
    snapshot &operator=(const snapshot &) = delete;
    ~snapshot() { kin_snapshot_destroy(snapshot_); }

    /// Returns whether a state was saved in it.
    explicit operator bool() const noexcept { return snapshot_ != nullptr; }
    /// Returns the snapshot for functions of C.
    kin_snapshot *c() const noexcept { return snapshot_; }
    /// Returns where functions of C that save or read put it.
    kin_snapshot **place() noexcept { return &snapshot_; }
    /// Returns a hash of the state, 0 without one.
    uint64_t hash() const { return snapshot_ == nullptr ? 0 : kin_snapshot_hash(snapshot_); }

  private:
    kin_snapshot *snapshot_ = nullptr;
};

// ---- subscriptions

/// A subscription, which ends with its object. False if it was refused, or has ended.
///
/// It must not outlive the context, which reports that in checked builds. A listener may end its own subscription.
class [[nodiscard]] subscription
{
  public:
    subscription() noexcept = default;
    /// Moves; the other object has nothing then.
    subscription(subscription &&other) noexcept { swap(other); }
    /// Moves; the other object has nothing then.
    subscription &operator=(subscription &&other) noexcept
    {
        subscription moved(std::move(other));
        swap(moved);
        return *this;
    }
    subscription(const subscription &) = delete;
    subscription &operator=(const subscription &) = delete;
    ~subscription() { end(); }

    /// False if it was refused, or has ended.
    explicit operator bool() const noexcept { return listener_ != nullptr; }

    /// Ends it. Does nothing if it has ended.
    void end() noexcept
    {
        listener *ended = std::exchange(listener_, nullptr);
        kin__subscription_scope(handle_, false);
        kin_unsubscribe(std::exchange(handle_, kin_subscription{nullptr, 0}));
        if (ended != nullptr && ended->calls > 0)
            ended->is_ended = true; // its last call deletes it
        else if (ended != nullptr)
            ended->drop(ended);
    }

    /// Subscribes `function(const kin_change &)` with `subscribe(kin_listener *, void *)`. For generated code.
    template <class Function, class Subscribe> static subscription to(Function function, Subscribe &&subscribe)
    {
        subscription made;
        auto *kept = new (std::nothrow) listener_of<Function>(std::move(function));
        if (kept == nullptr)
            return made;
        made.handle_ = subscribe(&listener_of<Function>::call, static_cast<void *>(kept));
        kin__subscription_scope(made.handle_, true);
        if (made.handle_.subscriber != nullptr)
            made.listener_ = kept;
        else
            delete kept;
        return made;
    }

  private:
    struct listener {
        void (*drop)(listener *);
        uint32_t calls = 0; // that have not returned
        bool is_ended = false;
        explicit listener(void (*dropped)(listener *)) noexcept : drop(dropped) {}
    };

    template <class Function> struct listener_of : listener {
        Function function;
        explicit listener_of(Function &&given) : listener(&listener_of::remove), function(std::move(given)) {}
        static void remove(listener *ended) noexcept { delete static_cast<listener_of *>(ended); }
        static void call(const kin_change *change, void *user) noexcept
        {
            auto *self = static_cast<listener_of *>(user);
            self->calls++;
            self->function(*change);
            self->calls--;
            if (self->is_ended && self->calls == 0)
                delete self;
        }
    };

    void swap(subscription &other) noexcept
    {
        std::swap(handle_, other.handle_);
        std::swap(listener_, other.listener_);
    }

    kin_subscription handle_{nullptr, 0};
    listener *listener_ = nullptr;
};

// ---- entities
//
// `Face` is the struct that generated code has for a context, such as game_face: its types and its functions.

template <class Walk, bool IsBackward = false> class walk;
template <class Relation> struct tree_walk;
template <class Face, auto Field> class list_field;
template <class Part> class shared_values;

/// The listener that calls `function` with the entity of a change.
template <class Face, class Function> auto listener_for(typename Face::context *context, Function function)
{
    using handle = typename Face::handle;
    constexpr bool takes_change = std::is_invocable_v<Function &, handle, const kin_change &>;
    static_assert(takes_change || std::is_invocable_v<Function &, handle>,
                  "a listener takes the handle of an entity, and may take a const kin_change & after it");
    return [context, kept = std::move(function)](const kin_change &change) mutable {
        const handle entity(context, typename Face::entity{change.entity});
        if constexpr (takes_change)
            kept(entity, change);
        else
            kept(entity);
    };
}

/// Entities, as an array that the context owns. `for (auto unit : game.all())` loops over handles.
///
/// The array changes when the context next makes it again, as the comments of the functions that return one say.
template <class Face> class entities
{
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;

  public:
    /// For generated code.
    entities(context_type *context, const entity_type *first, uint32_t count) noexcept
        : context_(context), first_(first), count_(count)
    {
    }

    /// The place of a loop.
    class iterator
    {
      public:
        /// For generated code.
        iterator(context_type *context, const entity_type *at) noexcept : context_(context), at_(at) {}
        /// Returns what the loop shows here.
        typename Face::handle operator*() const noexcept { return {context_, *at_}; }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            ++at_;
            return *this;
        }
        /// Whether both are the same.
        friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.at_ == b.at_; }
        /// Whether they differ.
        friend bool operator!=(const iterator &a, const iterator &b) noexcept { return a.at_ != b.at_; }

      private:
        context_type *context_;
        const entity_type *at_;
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return {context_, first_}; }
    /// Returns the end of the loop.
    iterator end() const noexcept { return {context_, first_ + count_}; }
    /// Returns the number.
    uint32_t size() const noexcept { return count_; }
    /// Returns whether there are none.
    bool empty() const noexcept { return count_ == 0; }
    /// Returns the element `i`, which must exist.
    typename Face::handle operator[](uint32_t i) const noexcept { return {context_, first_[i]}; }
    /// Returns the array for functions of C.
    span<const entity_type> c() const noexcept { return {first_, count_}; }

  private:
    context_type *context_;
    const entity_type *first_;
    uint32_t count_;
};

/// An entity and its context, in 16 bytes that are copied freely. False for no entity and for a dead one.
template <class Face> class handle
{
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;
    template <class C> using part = typename Face::template component<C>;

  public:
    handle() noexcept = default;
    /// For generated code.
    handle(context_type *context, entity_type entity) noexcept : context_(context), entity_(entity) {}

    /// Returns the entity for functions of C.
    entity_type c() const noexcept { return entity_; }
    /// The entity, also where a function of C takes one.
    operator entity_type() const noexcept { return entity_; }
    /// Returns the context.
    typename Face::ref context() const noexcept { return typename Face::ref(context_); }
    /// False for no entity and for a dead one.
    explicit operator bool() const noexcept { return context_ != nullptr && Face::is_alive(context_, entity_); }
    /// Whether both are the same.
    friend bool operator==(const handle &a, const handle &b) noexcept
    {
        return a.entity_.id == b.entity_.id && a.context_ == b.context_;
    }
    /// Whether they differ.
    friend bool operator!=(const handle &a, const handle &b) noexcept { return !(a == b); }

    /// Returns whether the entity has the component or flag.
    template <class C> bool has() const { return context().template has<C>(entity_); }
    /// Returns a pointer to the value, valid as long as the entity has it; nullptr without the component.
    template <class C> auto get() const { return context().template get<C>(entity_); }
    /// Returns a pointer for writing in place, which notifies of nothing; nullptr without the component.
    template <class C> auto edit() const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use has and set");
        return part<C>::edit(context_, entity_);
    }
    /// Notifies as a replace by the present value does.
    template <class C> status touch() const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use has and set");
        return part<C>::touch(context_, entity_);
    }
    /// Returns the value, after adding the default if the entity lacks it; nullptr if that is refused.
    template <class C> auto ensure() const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use has and set");
        return part<C>::ensure(context_, entity_);
    }
    /// Adds a component that the entity does not have.
    template <class C> status add(const C &value) const { return context().add(entity_, value); }
    /// Replaces the component, or adds it.
    template <class C> status replace(const C &value) const { return context().replace(entity_, value); }
    /// Removes a component that the entity has.
    template <class C> status remove() const { return context().template remove<C>(entity_); }
    /// Sets a flag, or removes it.
    template <class C> status set(bool on = true) const { return context().template set<C>(entity_, on); }
    /// Changes a value, then notifies: `cat.patch<Position>([](Position &p) { p.y = 7; })`.
    template <class C, class Function> status patch(Function &&change) const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use set");
        if constexpr (part<C>::is_editable && std::is_invocable_v<Function &, typename part<C>::edited &>)
            return patch_in_place<C>(change);
        else
            return patch_copy<C>(change);
    }

    /// Removes a component of `stash: true`, and keeps its value.
    template <class C> status stash() const { return part<C>::stash(context_, entity_); }
    /// Adds a component with the value that was kept.
    template <class C> status restore() const { return part<C>::restore(context_, entity_); }
    /// Returns a list of a component: `guard.list<&Inventory::items>()`.
    template <auto Field> list_field<Face, Field> list() const { return {context_, entity_}; }

    /// Destroys the entity.
    status destroy() const { return Face::destroy_entity(context_, entity_); }
    /// Copies the entity; a false handle if that is refused.
    typename Face::handle clone() const { return {context_, Face::clone(context_, entity_)}; }
    /// Calls `function(handle, const kin_change &)`, or `function(handle)`, for each later event of the entity.
    template <class Function> subscription on(kin_entity_event event, Function function) const
    {
        kin_context *base = &context_->base;
        const kin_entity id = entity_.id;
        return subscription::to(
            listener_for<Face>(context_, std::move(function)),
            [=](kin_listener *listener, void *user) { return kin_entity_subscribe(base, id, event, listener, user); });
    }

  protected:
    /// The context, for derived classes.
    context_type *context_ = nullptr;
    /// The entity, for derived classes.
    entity_type entity_{0};

  private:
    template <class C, class Function> status patch_in_place(Function &change) const
    {
        if (auto *value = part<C>::edit(context_, entity_))
            change(*value);
        return part<C>::touch(context_, entity_);
    }

    // The value has members that may not be written in place.
    template <class C, class Function> status patch_copy(Function &change) const
    {
        static_assert(std::is_invocable_v<Function &, C &>, "patch takes a function of a reference to the component");
        if (const auto value = part<C>::get(context_, entity_)) {
            C copy = *value;
            change(copy);
            return part<C>::replace(context_, entity_, copy);
        }
        return kin__component_touch(&context_->base, entity_.id, part<C>::id); // which reports why there is none
    }
};

/// The entities that hold a target in a relation: `for (auto child : parent.children())`. The loop may change or
/// destroy any of them but the next one.
template <class Relation> class holders
{
    using face = typename Relation::face;
    using context_type = typename face::context;
    using entity_type = typename face::entity;

  public:
    /// For generated code.
    holders(context_type *context, entity_type target) noexcept : context_(context), target_(target) {}

    /// The place of a loop.
    class iterator
    {
      public:
        /// For generated code.
        iterator(context_type *context, entity_type at) noexcept : context_(context), at_(at) { find_next(); }
        /// Returns what the loop shows here.
        typename face::handle operator*() const noexcept { return {context_, at_}; }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            at_ = next_;
            find_next();
            return *this;
        }
        /// Whether the loop has ended.
        bool operator==(sentinel) const noexcept { return at_.id == 0; }
        /// Whether the loop goes on.
        bool operator!=(sentinel) const noexcept { return at_.id != 0; }

      private:
        void find_next() noexcept { next_ = at_.id == 0 ? entity_type{0} : Relation::next(context_, at_); }
        context_type *context_;
        entity_type at_;
        entity_type next_{0};
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return {context_, Relation::first(context_, target_)}; }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }
    /// Returns the number.
    uint32_t size() const noexcept { return Relation::count(context_, target_); }
    /// Returns whether there are none.
    bool empty() const noexcept { return size() == 0; }
    /// Returns the first one, false without any.
    typename face::handle first() const noexcept { return {context_, Relation::first(context_, target_)}; }
    /// Returns the last one, false without any.
    typename face::handle last() const noexcept { return {context_, Relation::last(context_, target_)}; }
    /// Destroys all of them.
    status destroy_all() const { return Relation::destroy_all(context_, target_); }

    /// Returns the whole tree, the target first: `for (auto [part, depth] : whole.parts().below())`.
    auto below() const noexcept
    {
        static_assert(Relation::is_tree, "the relation is no tree: write 'tree: true' for its field");
        return walk<tree_walk<Relation>>(context_, Relation::walk_from(context_, target_));
    }
    /// Returns the root of the tree in which the target is.
    typename face::handle root() const noexcept
    {
        static_assert(Relation::is_tree, "the relation is no tree: write 'tree: true' for its field");
        return {context_, Relation::root(context_, target_)};
    }
    /// Returns how many entities are above the target.
    uint32_t depth() const noexcept
    {
        static_assert(Relation::is_tree, "the relation is no tree: write 'tree: true' for its field");
        return Relation::depth(context_, target_);
    }
    /// Returns whether the entity is the target, or below it.
    bool contains(entity_type entity) const noexcept
    {
        static_assert(Relation::is_tree, "the relation is no tree: write 'tree: true' for its field");
        return Relation::contains(context_, target_, entity);
    }

  private:
    context_type *context_;
    entity_type target_;
};

/// The entity that has a unique component, and what sets it: `game.unique<Level>().set({3})`.
template <class Face, class C, bool IsFlag> class unique_component : public Face::handle
{
    using context_type = typename Face::context;
    using part = typename Face::template component<C>;

  public:
    /// For generated code.
    explicit unique_component(context_type *context) noexcept : Face::handle(context, part::unique(context)) {}
    /// Returns a pointer to the value, nullptr without one.
    auto operator->() const { return Face::handle::template get<C>(); }
    /// Replaces the value, or creates an entity with it. Returns that entity; a false handle if refused.
    typename Face::handle set(const C &value) const
    {
        return {this->context_, part::set_unique(this->context_, value)};
    }
    /// Destroys the entity that has it.
    status clear() const { return part::remove_unique(this->context_); }
};

/// The entity that has a unique flag, and what sets it: `game.unique<Paused>().set()`.
template <class Face, class C> class unique_component<Face, C, true> : public Face::handle
{
    using context_type = typename Face::context;
    using part = typename Face::template component<C>;

  public:
    /// For generated code.
    explicit unique_component(context_type *context) noexcept : Face::handle(context, part::unique(context)) {}
    /// Sets the flag on an entity of its own, or destroys that.
    status set(bool on = true) const { return part::switch_unique(this->context_, on); }
    /// Destroys the entity that has it.
    status clear() const { return part::remove_unique(this->context_); }
};

// ---- contexts

/// A reference to a context, which a world or another object owns.
template <class Face> class ref
{
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;
    using handle_type = typename Face::handle;
    template <class C> using part = typename Face::template component<C>;

  public:
    /// For generated code.
    explicit ref(context_type *context) noexcept : context_(context) {}

    /// Returns the context for functions of C.
    context_type *c() const noexcept { return context_; }
    /// False without a context.
    explicit operator bool() const noexcept { return context_ != nullptr; }
    /// Returns the entity with this context.
    handle_type operator[](entity_type entity) const noexcept { return {context_, entity}; }

    /// Creates an entity with these components and flags, or none: `game.create(Position{1, 2}, Asleep{})`. Returns a
    /// false handle if refused. Listeners see flags first, then the components in the order given.
    template <class... C> handle_type create(const C &...values) const
    {
        static_assert(!has_twice<C...>, "a component is given twice");
        if constexpr (sizeof...(C) == 0) {
            return {context_, Face::create_entity(context_)};
        } else {
            if (Face::is_quiet(context_) && ((kin__component_of(&context_->base, part<C>::id)->watchers == 0) && ...))
                return {context_, create_quietly(values...)};
            return {context_, create_watched(values...)};
        }
    }
    /// Destroys the entity.
    status destroy(entity_type entity) const { return Face::destroy_entity(context_, entity); }

    /// Do the same as those of handles, for an entity.
    template <class C> bool has(entity_type entity) const { return part<C>::has(context_, entity); }
    /// Returns the value of an entity; nullptr without it.
    template <class C> auto get(entity_type entity) const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use has and set");
        return part<C>::get(context_, entity);
    }
    /// Adds a component.
    template <class C> status add(entity_type entity, const C &value) const
    {
        static_assert(!part<C>::is_flag, "a flag is not added: use set");
        return part<C>::add(context_, entity, value);
    }
    /// Replaces a component, or adds it.
    template <class C> status replace(entity_type entity, const C &value) const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use set");
        return part<C>::replace(context_, entity, value);
    }
    /// Removes a component that the entity has.
    template <class C> status remove(entity_type entity) const
    {
        static_assert(!part<C>::is_flag, "a flag is not removed: use set<Flag>(false)");
        return part<C>::remove(context_, entity);
    }
    /// Sets a flag, or removes it.
    template <class C> status set(entity_type entity, bool on = true) const
    {
        static_assert(part<C>::is_flag, "only flags are set: use add, replace or patch");
        return part<C>::set(context_, entity, on);
    }

    /// Returns all entities, in ascending slot. The array is valid until the next call.
    entities<Face> all() const
    {
        uint32_t count = 0;
        const entity_type *first = Face::entities(context_, &count);
        return {context_, first, count};
    }
    /// Returns the number of entities.
    uint32_t count() const noexcept { return Face::count(context_); }

    /// Returns the entity with this key, by the index of the component: `game.find<Name>("Tom")`. False without one.
    template <class C, class... Key> handle_type find(const Key &...key) const
    {
        return {context_, part<C>::find(context_, key...)};
    }
    /// Returns all entities with this key, by the index of the component: `game.all_with<Team>(SIDE_RED)`. The array
    /// does not change until the next call with an equal key.
    template <class C, class... Key> entities<Face> all_with(const Key &...key) const
    {
        uint32_t count = 0;
        const entity_type *first = part<C>::all_with(context_, key..., &count);
        return {context_, first, count};
    }
    /// Returns the entity with a unique component: `game.unique<Level>()->number`.
    template <class C> unique_component<Face, C, part<C>::is_flag> unique() const
    {
        static_assert(part<C>::is_unique, "the component is not unique");
        return unique_component<Face, C, part<C>::is_flag>(context_);
    }

    /// Returns the distinct values of a shared component: `for (auto [material, count] : game.values<Material>())`.
    template <class C> shared_values<part<C>> values() const
    {
        static_assert(part<C>::shares_values, "the component has no shared values: write 'storage: shared'");
        return shared_values<part<C>>(context_);
    }

    /// Save the state in a snapshot, and return to it. Listeners hear of KIN_CONTEXT_RESTORED alone,
    /// unless the mode is KIN_RESTORE_NOTIFY.
    status save(snapshot &into) const { return Face::save(context_, into.place()); }
    /// Returns to a saved state.
    status restore(const snapshot &from, kin_restore_mode mode = KIN_RESTORE_EXACTLY) const
    {
        return Face::restore(context_, from.c(), mode);
    }
    /// Destroys all entities and restarts the handles. Listeners and groups stay.
    status reset() const { return Face::reset(context_); }
    /// Calls `function(handle, const kin_change &)`, or `function(handle)`, for each later event of the context.
    template <class Function> subscription on(kin_context_event event, Function function) const
    {
        kin_context *base = &context_->base;
        return subscription::to(
            listener_for<Face>(context_, std::move(function)),
            [=](kin_listener *listener, void *user) { return kin_context_subscribe(base, event, listener, user); });
    }

  protected:
    /// The context, for derived classes.
    context_type *context_;

  private:
    // Without watchers nothing is notified, and only memory can be missing.
    template <class... C> entity_type create_quietly(const C &...values) const
    {
        const entity_type made = Face::create_entity(context_);
        if (made.id == 0)
            return made;
        if (((put(made, values) == KIN_OK) && ...))
            return made;
        (void)Face::destroy_entity(context_, made);
        return entity_type{0};
    }

    template <class C> kin_status put(entity_type entity, const C &value) const
    {
        if constexpr (part<C>::is_flag)
            return (void)value, part<C>::set(context_, entity, true);
        else
            return part<C>::add(context_, entity, value);
    }

    template <class... C> entity_type create_watched(const C &...values) const
    {
        kin__part parts[sizeof...(C)];
        const void *places[sizeof...(C)];
        uint32_t count = 0;
        (append<C, true>(parts, places, count, values), ...);
        (append<C, false>(parts, places, count, values), ...);
        return entity_type{kin__create_with(&context_->base, count, parts, places)};
    }

    template <class C, bool Flags>
    static void append(kin__part *parts, const void **places, uint32_t &count, const C &value)
    {
        if constexpr (part<C>::is_flag == Flags) {
            parts[count] = {part<C>::id, Flags ? 0 : uint32_t(sizeof value), nullptr};
            places[count++] = Flags ? nullptr : static_cast<const void *>(&value);
        } else {
            (void)parts, (void)places, (void)count, (void)value;
        }
    }
};

/// A context of its own, which is destroyed with the object. It is moved, and not copied.
template <class Ref> class owner : public Ref
{
  public:
    /// Creates an empty context. Its options may be nullptr. Throws std::bad_alloc without memory, and kin::error for
    /// invalid options and a library of another version.
    explicit owner(const kin_context_options *options_ = nullptr) : Ref(Ref::face::create(options_))
    {
        check_created(this->context_ != nullptr, options_);
    }
    /// Moves; the other object has nothing then.
    owner(owner &&other) noexcept : Ref(std::exchange(other.context_, nullptr)) {}
    /// Moves; the other object has nothing then.
    owner &operator=(owner &&other) noexcept
    {
        owner moved(std::move(other));
        std::swap(this->context_, moved.context_);
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    ~owner()
    {
        if (this->context_ != nullptr)
            Ref::face::destroy(this->context_);
    }
};

// ---- loops

/// For generated code: what iterators point at that are not at the end.
inline constexpr char a_run = 0;

// `Walk` is the struct that generated code has for a group or a system: the iterator of C, its rows, runs and columns.

/// Whether a function takes the handle of an entity before its columns: `value`. Systems have no handles. For generated
/// code.
template <class Walk, class Function, class... Columns> struct takes_handle {
    /// Finds the handle.
    template <class W> static auto test(int) -> decltype(W::handle_at(nullptr, 0));
    /// Finds the handle.
    template <class> static void test(...);
    /// The handle, or void.
    using handle = decltype(test<Walk>(0));
    /// Whether it is taken.
    template <class Handle> static constexpr bool takes()
    {
        if constexpr (std::is_void_v<Handle>)
            return false;
        else
            return std::is_invocable_v<Function &, Handle, Columns...>;
    }
    /// Whether it is taken.
    static constexpr bool value = takes<handle>();
};

/// Calls the function for each place of the run, with what the columns show there. The entity or its handle may come
/// first. Compilers keep the columns in registers.
template <class Walk, class Function, class... Columns>
void call_each(Function &function, const typename Walk::iter_ &it, Columns... columns)
{
    using entity = decltype(Walk::at(&it, 0));
    const uint32_t count = it.count;
    if constexpr (std::is_invocable_v<Function &, decltype(columns[0])...>)
        for (uint32_t i = 0; i < count; i++)
            function(columns[i]...);
    else if constexpr (std::is_invocable_v<Function &, entity, decltype(columns[0])...>)
        for (uint32_t i = 0; i < count; i++)
            function(Walk::at(&it, i), columns[i]...);
    else if constexpr (takes_handle<Walk, Function, decltype(columns[0])...>::value)
        for (uint32_t i = 0; i < count; i++)
            function(Walk::handle_at(&it, i), columns[i]...);
    else
        Walk::template refuse<Function>();
}

/// The rows, runs and columns of an iterator of C.
template <class Walk> class rows
{
    using iter = typename Walk::iter_;

  public:
    /// For generated code.
    explicit rows(const iter &it) noexcept : it_(it) {}

    /// A loop over rows, `for (auto [position, velocity] : …)`. Compilers make of it the two loops that C has.
    class iterator
    {
      public:
        /// For generated code.
        explicit iterator(const iter &it) noexcept : it_(it) { step(); }
        /// Returns what the loop shows here.
        auto operator*() const noexcept { return Walk::row_at(it_, columns_, place_); }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            if (++place_ >= count_)
                step();
            return *this;
        }
        /// Whether the loop has ended.
        bool operator==(sentinel) const noexcept { return run_ == nullptr; }
        /// Whether the loop goes on.
        bool operator!=(sentinel) const noexcept { return run_ != nullptr; }

      private:
        // What compilers need: the address of a copy leaves, so that the iterator stays in registers; `>=` above, since
        // places then cannot overflow; and clang a pointer that is NULL or a constant, not a bool.
        void step() noexcept
        {
            iter walked = it_;
            run_ = Walk::next(&walked) ? &a_run : nullptr;
            place_ = 0;
            count_ = walked.count;
            columns_ = Walk::columns_of(walked);
            it_ = walked;
        }
        iter it_;
        typename Walk::columns_ columns_{};
        uint32_t place_ = 0;
        uint32_t count_ = 0;
        const char *run_ = nullptr; // a_run, or nullptr after the last one
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return iterator(it_); }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }

    /// Calls `function` for each row with its columns, or with the entity before these. Compilers vectorise this loop.
    template <class Function> void each(Function &&function) const
    {
        iter it = it_;
        while (Walk::next(&it))
            Walk::call(function, it);
    }

    /// A loop over runs of adjacent entities: `run.position[i]`, for i below `run.count`.
    class run_range
    {
      public:
        /// For generated code.
        explicit run_range(const iter &it) noexcept : it_(it) {}
        /// The place of a loop.
        class run_iterator
        {
          public:
            /// For generated code.
            explicit run_iterator(const iter &it) noexcept : it_(it), has_run_(Walk::next(&it_)) {}
            /// Returns what the loop shows here.
            auto operator*() const noexcept { return Walk::run_of(it_); }
            /// Goes to the next.
            run_iterator &operator++() noexcept
            {
                has_run_ = Walk::next(&it_);
                return *this;
            }
            /// Whether the loop has ended.
            bool operator==(sentinel) const noexcept { return !has_run_; }
            /// Whether the loop goes on.
            bool operator!=(sentinel) const noexcept { return has_run_; }

          private:
            iter it_;
            bool has_run_;
        };
        /// Returns the beginning of the loop.
        run_iterator begin() const noexcept { return run_iterator(it_); }
        /// Returns the end of the loop.
        sentinel end() const noexcept { return {}; }

      private:
        iter it_;
    };
    /// Loops over runs of adjacent members.
    run_range runs() const noexcept { return run_range(it_); }

  private:
    iter it_;
};

/// A loop over an iterator of C that shows one entity at a time.
template <class Iter, bool (*Next)(Iter *)> class steps
{
  public:
    /// For generated code.
    explicit steps(Iter *it) noexcept : it_(it) {}
    /// The place of a loop.
    class iterator
    {
      public:
        /// For generated code.
        explicit iterator(Iter *it) noexcept : it_(it), has_step_(Next(it)) {}
        /// Returns what the loop shows here.
        Iter &operator*() const noexcept { return *it_; }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            has_step_ = Next(it_);
            return *this;
        }
        /// Whether the loop has ended.
        bool operator==(sentinel) const noexcept { return !has_step_; }
        /// Whether the loop goes on.
        bool operator!=(sentinel) const noexcept { return has_step_; }

      private:
        Iter *it_;
        bool has_step_;
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return iterator(it_); }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }

  private:
    Iter *it_;
};

/// What each run has.
template <class Walk> struct run_base {
    uint32_t count; ///< of the entities
    /// The iterator of C.
    const typename Walk::iter_ *it_;
    /// Returns the entity that is now at place `i`, no entity if it has gone.
    auto at(uint32_t i) const { return Walk::at(it_, i); }
};

/// A collector: the entities of which a group reported an event, each once, until it is cleared. Destroyed with the
/// object. It may outlive the context.
template <class Face> class collector
{
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;

  public:
    /// For generated code.
    collector(context_type *context, kin_collector *taken) noexcept : context_(context), collector_(taken) {}
    /// Moves; the other object has nothing then.
    collector(collector &&other) noexcept
        : context_(other.context_), collector_(std::exchange(other.collector_, nullptr))
    {
    }
    /// Moves; the other object has nothing then.
    collector &operator=(collector &&other) noexcept
    {
        collector moved(std::move(other));
        std::swap(context_, moved.context_);
        std::swap(collector_, moved.collector_);
        return *this;
    }
    collector(const collector &) = delete;
    collector &operator=(const collector &) = delete;
    ~collector() { kin_collector_destroy(collector_); }

    /// Returns false if it could not be created.
    explicit operator bool() const noexcept { return collector_ != nullptr; }
    /// Returns the collector for functions of C.
    kin_collector *c() const noexcept { return collector_; }
    /// Returns the number.
    uint32_t count() const noexcept { return kin_collector_count(collector_); }
    /// Returns the entities in the order of collecting, dead ones too.
    entities<Face> all() const
    {
        uint32_t count = 0;
        const kin_entity *first = kin_collector_entities(collector_, &count);
        return {context_, static_cast<const entity_type *>(static_cast<const void *>(first)), count};
    }
    /// Loops over all().
    auto begin() const { return all().begin(); }
    /// Returns the end of the loop.
    auto end() const { return all().end(); }
    /// Forgets all that were collected, and releases the dead ones, so that the state can be saved.
    void clear() const { kin_collector_clear(collector_); }

  private:
    context_type *context_;
    kin_collector *collector_;
};

/// A group of a context.
template <class Walk> class group
{
    using face = typename Walk::face;
    using context_type = typename face::context;

  public:
    /// For generated code.
    explicit group(context_type *context) noexcept : context_(context) {}

    /// Returns the group for functions of C.
    kin_group *c() const noexcept { return Walk::group(context_); }
    /// Returns the number of members.
    uint32_t count() const noexcept { return kin_group_count(c()); }
    /// Returns the number.
    uint32_t size() const noexcept { return count(); }
    /// Returns whether there are none.
    bool empty() const noexcept { return count() == 0; }
    /// Returns whether the entity is a member.
    bool contains(typename face::entity entity) const noexcept { return kin_group_contains(c(), entity.id); }
    /// Returns the members, in ascending slot. The array is valid until the next call for the group.
    entities<face> all() const
    {
        uint32_t count = 0;
        const typename face::entity *first = Walk::entities(context_, &count);
        return {context_, first, count};
    }
    /// Destroys all members.
    status destroy_all() const { return kin_group_destroy_entities(c()); }

    /// Loop over the members, as kin::rows describes.
    auto begin() const noexcept { return rows<Walk>(Walk::iterate(context_)).begin(); }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }
    /// Calls `function` for each member, as kin::rows describes.
    template <class Function> void each(Function &&function) const
    {
        rows<Walk>(Walk::iterate(context_)).each(function);
    }
    /// Loops over runs of adjacent members.
    auto runs() const noexcept { return rows<Walk>(Walk::iterate(context_)).runs(); }

    /// Call `function(handle, const kin_change &)`, or `function(handle)`, for each later event.
    template <class Function> subscription on(kin_group_event event, Function function) const
    {
        kin_group *subscribed = c();
        return subscription::to(
            listener_for<face>(context_, std::move(function)),
            [=](kin_listener *listener, void *user) { return kin_group_subscribe(subscribed, event, listener, user); });
    }
    /// Returns a collector of the entities with such an event.
    collector<face> collect(kin_group_event event) const
    {
        const kin_trigger trigger = {c(), event};
        return {context_, kin_collector_create(&trigger, 1)};
    }
    /// For entities that become members.
    template <class Function> subscription on_added(Function function) const
    {
        return on(KIN_ADDED, std::move(function));
    }
    /// For entities that cease to be members.
    template <class Function> subscription on_removed(Function function) const
    {
        return on(KIN_REMOVED, std::move(function));
    }
    /// For members of which a component was replaced or touched.
    template <class Function> subscription on_modified(Function function) const
    {
        return on(KIN_MODIFIED, std::move(function));
    }

  private:
    context_type *context_;
};

} // namespace kin

#include <kin/found.hpp>

#endif
