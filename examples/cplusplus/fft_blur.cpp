/* A picture blurred by its transform, in C++ (libtilework_fft is GPL: a header apart).
 *
 *     g++ -std=c++17 fft_blur.cpp $(pkg-config --cflags --libs tilework_fft tilework) -o fft_blur */
#include <tilework/fft.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

int main()
{
    const tw_int n[2] = {256, 256};
    std::vector<std::complex<double>> picture(n[0] * n[1]);
    picture[128 * 256 + 100] = 1; // one bright point
    auto options = tilework::fft_options_init();
    options.rigor = TW_FFT_ESTIMATE;
    tilework::fft there = tilework::fft_plan(TW_DOUBLE, TW_FFT_C2C, 2, n, 1, TW_FFT_FORWARD, &options);
    options.norm = TW_FFT_BY_N;
    tilework::fft back = tilework::fft_plan(TW_DOUBLE, TW_FFT_C2C, 2, n, 1, TW_FFT_BACKWARD, &options);
    tilework::fft_execute(there, picture.data(), picture.data());
    for (tw_int i = 0; i < n[0]; i++)
        for (tw_int j = 0; j < n[1]; j++) {
            const double y = double(i < 128 ? i : 256 - i), x = double(j < 128 ? j : 256 - j);
            picture[i * n[1] + j] *= std::exp(-(x * x + y * y) / 800);
        }
    tilework::fft_execute(back, picture.data(), picture.data());
    double sum = 0, largest = 0;
    for (const auto &p : picture) sum += p.real(), largest = std::fmax(largest, p.real());
    std::printf("brightness kept: %.6f; its peak: %.4f at (128, 100): %d\n", sum, largest, picture[128 * 256 + 100].real() == largest);
    return std::fabs(sum - 1) < 1e-9 && largest < 0.1 ? 0 : 1;
}
