/* Tilework in C++17: objects that own what they hold, overloads for all types, exceptions. Made of the C headers by the
 * build.
 *
 *     tilework::matrix A = tilework::matrix_from_lapack(TW_DOUBLE, TW_LOWER, n, n, a.data(), n);
 *     tilework::potrf(TW_LOWER, A);                    // throws tilework::numerical_error where A is not positive
 *                                                      definite
 *     int info = tw_potrf(TW_LOWER, A);                // the C function: a code, no exception. Objects stand for their
 *                                                      pointers
 *
 * Every function tw_NAME of the C headers, which have its description, is tilework::NAME here; those of the LAPACK door
 * are overloads without the letter of the type. What a C function makes or fills in for its caller is returned; a
 * status that is not 0 is thrown. Nothing here is in a library: this header calls libtilework alone. */
#ifndef TILEWORK_HPP
#define TILEWORK_HPP

#if __cplusplus < 201703L
#error "tilework.hpp needs C++17"
#endif
#include <tilework/tilework.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tilework {

/* A status that is not 0: code() is the C function's, what() its last message. */
class error : public std::runtime_error {
public:
    explicit error(tw_int code, const char *message = nullptr) : std::runtime_error(text(code, message)), code_(code) {}
    tw_int code() const noexcept { return code_; }

private:
    static std::string text(tw_int code, const char *message)
    {
        const char *last = message ? message : tw_last_message();
        return last && *last ? std::string(last) : std::string(tw_strerror(static_cast<int>(code)));
    }
    tw_int code_;
};
/* LAPACK's info > 0: the computation came to a number that ends it. */
class numerical_error : public error {
public:
    explicit numerical_error(tw_int info) : error(info, tw_strerror(static_cast<int>(info))) {}
    tw_int info() const noexcept { return code(); }
};
inline void check(tw_int code)
{
    if (code > 0) throw numerical_error(code);
    if (code < 0) throw error(code);
}

namespace detail {
template <class T> T answer_(T value)
{
    if (value < 0) throw error(value);
    return value;
}
/* What one pointer owns. It may be empty, moved, not copied; where the C functions want the pointer it is the
 * pointer. */
template <class H, class R, R (*destroy)(H *)> class object {
public:
    object() noexcept = default;
    explicit object(H *pointer) noexcept : pointer_(pointer) {}
    object(object &&other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
    object &operator=(object &&other) noexcept
    {
        if (this != &other) {
            reset();
            pointer_ = std::exchange(other.pointer_, nullptr);
        }
        return *this;
    }
    object(const object &) = delete;
    object &operator=(const object &) = delete;
    ~object() { reset(); }
    operator H *() const noexcept { return pointer_; }
    H *get() const noexcept { return pointer_; }
    H *release() noexcept { return std::exchange(pointer_, nullptr); }
    void reset() noexcept
    {
        if (pointer_) (void)destroy(pointer_);
        pointer_ = nullptr;
    }

private:
    H *pointer_ = nullptr;
};
/* A structure with arrays of the library's. */
template <class S, void (*free)(S *)> class owner : public S {
public:
    owner() noexcept : S() {}
    owner(owner &&other) noexcept : S(other) { static_cast<S &>(other) = S(); }
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) {
            reset();
            static_cast<S &>(*this) = other;
            static_cast<S &>(other) = S();
        }
        return *this;
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    ~owner() { reset(); }
    void reset() noexcept
    {
        free(this);
        static_cast<S &>(*this) = S();
    }
};
/* What a function that counts has to say: asked for more until all of it fits. */
template <class S, class F> std::vector<S> all(F ask)
{
    std::vector<S> items(64);
    for (;;) {
        const tw_int room = static_cast<tw_int>(items.size()), there = ask(items.data(), static_cast<int>(room));
        if (there < 0) throw error(there);
        const bool enough = there <= room;
        items.resize(static_cast<size_t>(there));
        if (enough) return items;
    }
}
} // namespace detail
inline int answer(int value) { return detail::answer_(value); }
inline tw_int answer(tw_int value) { return detail::answer_(value); }

/* The async door. Its end waits for what is queued; errors that nobody waited for are lost. What the routines work on
 * has to live until then: declare it before the sequence. */
class sequence : public detail::object<tw_sequence, int, ::tw_sequence_destroy> {
public:
    sequence()
    {
        tw_sequence *made = nullptr;
        check(tw_sequence_create(&made));
        *this = sequence(made);
    }
    explicit sequence(tw_sequence *pointer) noexcept : object(pointer) {}
    void wait() { check(tw_sequence_wait(*this)); }
    void cancel() { check(tw_sequence_cancel(*this)); }
    bool done() const { return tw_sequence_test(*this) == 1; }
};

