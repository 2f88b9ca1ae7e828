/* Tilework's transforms in C++17, as tilework/tilework.hpp. Apart: libtilework_fft is under the GPL, version 2 or
 * later, when distributed. */
#ifndef TILEWORK_FFT_HPP
#define TILEWORK_FFT_HPP
#include <tilework/fft.h>
#include <tilework/tilework.hpp>

namespace tilework {
