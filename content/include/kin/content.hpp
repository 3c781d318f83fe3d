/// The C++ face of libkin-content: values for spawns by name. All else is called in C.
///
///     auto gun = game[game_spawn_named(game.c(), "FastCannon", kin::set{{"at", {3, 0, 4}}, {"interval", 0.1}})];
#ifndef KIN_CONTENT_HPP
#define KIN_CONTENT_HPP

#include <kin/content.h>
#include <kin/kin.hpp>

#include <initializer_list>

namespace kin
{

/// A value by the name of a knob, or by a path such as "head.Gun.interval". Strings must live until the spawn.
class setting : public kin_set_item
{
  public:
    /// A number or a bool.
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    setting(const char *name_, Number number) noexcept : setting(name_, KIN_SETTING_INTEGER)
    {
        if constexpr (std::is_integral_v<Number>) {
            value.integer = int64_t(number);
        } else {
            value.kind = KIN_SETTING_NUMBERS;
            value.count = 1;
            value.numbers[0] = double(number);
        }
    }
    /// All numbers of a struct or an array, at most 16.
    setting(const char *name_, std::initializer_list<double> numbers) noexcept : setting(name_, KIN_SETTING_NUMBERS)
    {
        for (double number : numbers)
            if (value.count++ < sizeof value.numbers / sizeof *value.numbers)
                value.numbers[value.count - 1] = number;
    }
    /// A string, or the name of an enum value.
    setting(const char *name_, const char *text) noexcept : setting(name_, KIN_SETTING_TEXT)
    {
        value.text = text;
    }
    /// An entity.
    template <class Face>
    setting(const char *name_, const handle<Face> &entity) noexcept : setting(name_, KIN_SETTING_ENTITY)
    {
        value.entity = entity.c().id;
    }

  private:
    setting(const char *name_, kin_setting_kind kind) noexcept : kin_set_item()
    {
        name = name_;
        value.kind = kind;
    }
};
static_assert(sizeof(setting) == sizeof(kin_set_item), "a list of settings is an array of C");

/// What KIN_SET makes in C. It is written where it is passed on, as its values end with the call.
class set
{
  public:
    /// The values.
    set(std::initializer_list<setting> values) noexcept : set_{values.begin(), uint32_t(values.size())}
    {
    }
    /// For functions of C.
    operator const kin_set *() &&noexcept
    {
        return &set_;
    }

  private:
    kin_set set_;
};

} // namespace kin

#endif
