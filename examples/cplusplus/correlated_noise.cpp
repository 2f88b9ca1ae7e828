/* Correlated noise and how likely it is, in C++: a Gaussian process' covariance is factored, noise is made with the factor, and its log likelihood is computed in a graph of two routines.
 *
 *     g++ -std=c++17 correlated_noise.cpp $(pkg-config --cflags --libs tilework) -o correlated_noise */
#include <tilework/tilework.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <vector>

int main(int argc, char **argv)
{
    (void)argc;
    tilework::blas_reexec(argv); // OpenBLAS kernels that suit this CPU
    const tw_int n = 1200;
    std::vector<double> covariance(n * n), noise(n), white(n);
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < n; i++) covariance[i + j * n] = std::exp(-std::abs(double(i - j)) / 50) + (i == j ? 0.01 : 0);
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (double &x : white) x = normal(random);
    try {
        // Matrices in place, over the vectors' memory; freed when they go out of scope.
        tilework::matrix K = tilework::matrix_wrap(TW_DOUBLE, TW_LOWER, n, n, covariance.data(), n);
        tilework::matrix y = tilework::matrix_wrap(TW_DOUBLE, TW_GENERAL, n, 1, noise.data(), n, tilework::matrix_nb(K));
        noise = white;
        tilework::sequence seq; // two routines, one graph
        tilework::potrf_async(TW_LOWER, K, seq);
        tilework::trmm_async(TW_LEFT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, {1, 0}, K, y, seq);
        seq.wait(); // throws what the first routine that failed says
        // y = L w: its log likelihood is -|w|^2 / 2 - log det L - n/2 log 2 pi. LAPACK's names take any type.
        tilework::release_to_host(K);
        tilework::release_to_host(y);
        tilework::trtrs('L', 'N', 'N', n, 1, covariance.data(), n, noise.data(), n);
        double squares = 0, determinant = 0, worst = 0;
        for (tw_int i = 0; i < n; i++) {
            squares += noise[i] * noise[i];
            determinant += std::log(covariance[i + i * n]);
            worst = std::fmax(worst, std::fabs(noise[i] - white[i]));
        }
        std::printf("log likelihood %.3f, white noise found again to %.1e\n", -squares / 2 - determinant - n / 2.0 * std::log(2 * M_PI), worst);
        if (!(worst < 1e-9)) return 1;
        // A matrix that is not positive definite: the exception has LAPACK's info; the C function would return it.
        std::vector<std::complex<float>> small = {1, 2, 2, 1};
        try {
            tilework::potrf('L', 2, small.data(), 2);
            return 1;
        } catch (const tilework::numerical_error &e) {
            std::printf("info %d: %s\n", int(e.info()), e.what());
            return e.info() == 2 ? 0 : 1;
        }
    } catch (const tilework::error &e) {
        std::fprintf(stderr, "code %d: %s\n", int(e.code()), e.what());
        return 1;
    }
}
