/// What the C++ face finds and lists: walks through indices and grids, lists in components, the distinct values of a
/// shared component, and buffers of commands. Part of kin.hpp, which includes it.
#ifndef KIN_FOUND_HPP
#define KIN_FOUND_HPP

#include <kin/kin.hpp>

namespace kin
{

// ---- walks
//
// `Walk` is the struct that generated code has for an index or a relation: the iterator of C and how it steps.

/// A walk through entities in an order, one by one: `for (auto unit : game.by_score().from(70))`. You may change
/// anything meanwhile. A walk is a value, which may be copied.
template <class Walk, bool IsBackward> class walk
{
    using context_type = typename Walk::context;
    using iter = typename Walk::iter;

  public:
    /// For generated code.
    walk(context_type *context, const iter &at) noexcept : context_(context), at_(at) {}

    /// The place of a loop.
    class iterator
    {
      public:
        /// For generated code.
        iterator(context_type *context, const iter &at) noexcept : context_(context), at_(at) { step(); }
        /// Returns what the loop shows here.
        auto operator*() const noexcept { return Walk::show(context_, at_); }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            step();
            return *this;
        }
        /// Whether the loop has ended.
        bool operator==(sentinel) const noexcept { return !has_step_; }
        /// Whether the loop goes on.
        bool operator!=(sentinel) const noexcept { return has_step_; }

      private:
        void step() noexcept
        {
            if constexpr (IsBackward)
                has_step_ = Walk::previous(&at_);
            else
                has_step_ = Walk::next(&at_);
        }
        context_type *context_;
        iter at_;
        bool has_step_ = false;
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return {context_, at_}; }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }
    /// Returns the walk in the other direction. Only of ordered indices.
    auto reversed() const noexcept { return walk<Walk, !IsBackward>(context_, at_); }
    /// Returns the walk for functions of C.
    const iter &c() const noexcept { return at_; }

  private:
    context_type *context_;
    iter at_;
};

/// What a walk through a grid shows: `for (auto [unit, distance_squared] : game.ground().near(x, y, radius))`.
template <class Handle> struct found_near {
    Handle entity;           ///< that is near
    double distance_squared; ///< between it and the point
};

/// What a walk through the pairs of a grid shows: `for (auto [first, second, distance_squared] : …)`.
template <class Handle> struct found_pair {
    Handle first;            ///< one of them
    Handle second;           ///< the other one
    double distance_squared; ///< between them
};

/// What a walk through a tree shows: `for (auto [part, depth] : whole.parts().below())`.
template <class Handle> struct found_below {
    Handle entity;  ///< the root first, then each entity before those below it
    uint32_t depth; ///< of the root: 0
};

/// How walks go through a tree. For generated code.
template <class Relation> struct tree_walk {
    using context = typename Relation::context;     ///< the context in C
    using iter = typename Relation::walk;           ///< the walk in C
    using handle = typename Relation::face::handle; ///< what the loop shows as entities
    /// Goes to the next.
    static bool next(iter *it) { return Relation::walk_next(it); }
    /// Returns what the loop shows here.
    static found_below<handle> show(context *self, const iter &it) { return {handle(self, it.entity), it.depth}; }
};

// ---- lists

/// A list in a component of an entity: `guard.list<&Inventory::items>()`. It reads the list anew at each call, so it
/// stays right when the list moves. Empty without the component.
///
/// Like `edit`, changes notify nobody: `touch` the component afterwards.
template <class Face, auto Field> class list_field
{
    using part = typename Face::template list<Field>;
    using component = typename part::component;
    using element = typename part::element;
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;

  public:
    /// For generated code.
    list_field(context_type *context, entity_type entity) noexcept : context_(context), entity_(entity) {}

    /// Returns the elements, valid until the list changes.
    span<const element> elements() const
    {
        const component *value = Face::template component<component>::get(context_, entity_);
        if (value == nullptr)
            return {};
        return {(value->*Field).at, (value->*Field).count};
    }
    /// Returns the elements for writing in place, valid until the list changes.
    span<element> edit() const
    {
        uint32_t count = 0;
        element *first = part::edit(context_, entity_, &count);
        return {first, count};
    }
    /// Returns the beginning of the loop.
    const element *begin() const { return elements().begin(); }
    /// Returns the end of the loop.
    const element *end() const { return elements().end(); }
    /// Returns the number.
    uint32_t size() const { return uint32_t(elements().size()); }
    /// Returns whether there are none.
    bool empty() const { return size() == 0; }
    /// Returns the element `i`, which must exist.
    const element &operator[](uint32_t i) const { return elements()[i]; }

    /// Appends an element.
    status push(const element &value) const { return part::push(context_, entity_, value); }
    /// Inserts an element before another one, or at the end.
    status insert(uint32_t i, const element &value) const { return part::insert(context_, entity_, i, value); }
    /// Erases an element. The others keep their order.
    status erase(uint32_t i) const { return part::erase(context_, entity_, i); }
    /// Erases elements at the end, or appends some with their default.
    status resize(uint32_t count) const { return part::resize(context_, entity_, count); }

  private:
    context_type *context_;
    entity_type entity_;
};

/// Returns the elements of a list in a value of C, such as `cat.get<Inventory>()->items`.
template <class List> auto elements_of(const List &list) noexcept
{
    return span<std::remove_pointer_t<decltype(list.at)>>(list.at, list.count);
}

// ---- shared values

/// What a loop over the distinct values of a shared component shows: `for (auto [look, count] : game.values<Look>())`.
template <class C> struct shared_value {
    const C &value; ///< valid as long as an entity has it
    uint32_t count; ///< of the entities that have it
};

/// The distinct values of a shared component, in the order of their numbers. Anything may change during the loop.
template <class Part> class shared_values
{
    using context_type = typename Part::context;
    using iter = typename Part::values;

  public:
    /// For generated code.
    explicit shared_values(const context_type *context) noexcept : context_(context) {}
    /// The place of a loop.
    class iterator
    {
      public:
        /// For generated code.
        explicit iterator(const iter &at) noexcept : at_(at) { has_value_ = Part::next_value(&at_); }
        /// Returns what the loop shows here.
        auto operator*() const noexcept { return shared_value<typename Part::type>{*at_.value, at_.count}; }
        /// Goes to the next.
        iterator &operator++() noexcept
        {
            has_value_ = Part::next_value(&at_);
            return *this;
        }
        /// Whether the loop has ended.
        bool operator==(sentinel) const noexcept { return !has_value_; }
        /// Whether the loop goes on.
        bool operator!=(sentinel) const noexcept { return has_value_; }

      private:
        iter at_;
        bool has_value_;
    };
    /// Returns the beginning of the loop.
    iterator begin() const noexcept { return iterator(Part::first_value(context_)); }
    /// Returns the end of the loop.
    sentinel end() const noexcept { return {}; }

  private:
    const context_type *context_;
};

// ---- commands

/// A buffer of calls that are made later, in the order of recording, with the checks and events of direct calls. It is
/// destroyed with the object, and may outlive the context. One thread records into it at a time, also while the context
/// is shared. `auto later = game.commands();`
///
/// An entity that a buffer creates is an entity to come: alive nowhere, for later commands of the same buffer.
template <class Face> class commands
{
    using context_type = typename Face::context;
    using entity_type = typename Face::entity;
    using part_of_buffer = typename Face::buffer;
    using buffer = typename part_of_buffer::type;
    template <class C> using part = typename Face::template component<C>;

  public:
    /// For generated code.
    explicit commands(context_type *context) noexcept : context_(context), buffer_(part_of_buffer::create(context)) {}
    /// Moves; the other object has nothing then.
    commands(commands &&other) noexcept : context_(other.context_), buffer_(std::exchange(other.buffer_, nullptr)) {}
    /// Moves; the other object has nothing then.
    commands &operator=(commands &&other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    commands(const commands &) = delete;
    commands &operator=(const commands &) = delete;
    ~commands() { part_of_buffer::destroy(buffer_); }

    /// False when memory was missing.
    explicit operator bool() const noexcept { return buffer_ != nullptr; }
    /// Returns the buffer for functions of C.
    buffer *c() const noexcept { return buffer_; }
    /// Makes the calls, all of them, and empties the buffer. Returns the status of the first one that was refused.
    status play() const { return part_of_buffer::play(buffer_); }
    /// Forgets what was recorded.
    void clear() const { part_of_buffer::clear(buffer_); }
    /// Returns the number of recorded commands.
    uint32_t count() const { return part_of_buffer::count(buffer_); }
    /// Returns how many commands the last playback dropped, because their entity had died meanwhile.
    uint32_t dropped() const { return part_of_buffer::dropped(buffer_); }
    /// Returns the entity that the last playback made for an entity to come.
    typename Face::handle made(entity_type to_come) const
    {
        return {context_, part_of_buffer::made(buffer_, to_come)};
    }

    /// Records the creation of an entity with these components and flags. Returns an entity to come.
    template <class... C> entity_type create(const C &...values) const
    {
        static_assert(!has_twice<C...>, "a component is given twice");
        const entity_type to_come = part_of_buffer::create_entity(buffer_);
        if (to_come.id != 0 && !((part<C>::record_put(buffer_, to_come, values) == KIN_OK) && ...))
            return (void)part_of_buffer::destroy_entity(buffer_, to_come), entity_type{0};
        return to_come;
    }
    /// Records the destruction of an entity.
    status destroy(entity_type entity) const { return part_of_buffer::destroy_entity(buffer_, entity); }
    /// Records that a component is added.
    template <class C> status add(entity_type entity, const C &value) const
    {
        static_assert(!part<C>::is_flag, "a flag is not added: use set");
        return part<C>::record_add(buffer_, entity, value);
    }
    /// Records that a component is replaced, or added.
    template <class C> status replace(entity_type entity, const C &value) const
    {
        static_assert(!part<C>::is_flag, "a flag has no value: use set");
        return part<C>::record_replace(buffer_, entity, value);
    }
    /// Records that a component is removed.
    template <class C> status remove(entity_type entity) const
    {
        static_assert(!part<C>::is_flag, "a flag is not removed: use set<Flag>(entity, false)");
        return part<C>::record_remove(buffer_, entity);
    }
    /// Records that a flag is set, or removed.
    template <class C> status set(entity_type entity, bool on = true) const
    {
        static_assert(part<C>::is_flag, "only flags are set: use add or replace");
        return part<C>::record_set(buffer_, entity, on);
    }

  protected:
    /// The context, for derived classes.
    context_type *context_;
    /// The buffer, for derived classes.
    buffer *buffer_;
};

/// Names a type in a call. For generated code.
template <class> struct type {
};

} // namespace kin

#endif
