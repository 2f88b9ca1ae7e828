"""A year of hourly tides, from which the constituents are found again: least squares by Tilework on NumPy's arrays, in place, and the same normal equations as one graph.

    PYTHONPATH=$(pkg-config --variable=python tilework) python3 tides.py
"""

import sys

import numpy as np
import tilework

hours = np.arange(0, 24 * 365.0)
periods = np.array([12.4206, 12.0, 12.6583, 23.9345, 25.8193, 11.9672, 327.86, 661.3, 4382.9])  # M2 S2 N2 K1 O1 K2 Mf Mm Ssa, in hours
rng = np.random.default_rng(1)
amplitudes = rng.uniform(0.05, 1.2, 2 * len(periods) + 1)
# Columns lie in one piece: Fortran's order.
A = np.empty((len(hours), 2 * len(periods) + 1), order="F")
A[:, 0] = 1
for k, period in enumerate(periods):
    A[:, 2 * k + 1] = np.cos(2 * np.pi * hours / period)
    A[:, 2 * k + 2] = np.sin(2 * np.pi * hours / period)
heights = A @ amplitudes + 0.05 * rng.standard_normal(len(hours))

x = heights.copy()
factored = A.copy(order="F")
tilework.gels("N", factored, x)  # over its arguments, as LAPACK does
x = x[: A.shape[1]]
print(f"least squares: largest error {abs(x - amplitudes).max():.4f} m")

# The same by normal equations, three routines in one graph; matrices over the arrays' memory.
n = A.shape[1]
N, r = np.zeros((n, n), order="F"), np.asfortranarray((A.T @ heights).reshape(n, 1))
design, normal, right = tilework.Matrix.wrap(A, nb=512), tilework.Matrix.wrap(N, "L", nb=512), tilework.Matrix.wrap(r, nb=512)
with tilework.Sequence() as sequence:
    tilework.syrk_async("L", "T", 1, design, 0, normal, sequence)
    tilework.potrf_async("L", normal, sequence)
    tilework.potrs_async("L", normal, right, sequence)
right.release()
print(f"normal equations: {abs(r[:, 0] - x).max():.1e} from that")

try:
    tilework.potrf("L", np.asfortranarray(-np.eye(3)))
except tilework.NumericalError as error:
    print("info", error.info)
sys.exit(0 if abs(x - amplitudes).max() < 0.01 and abs(r[:, 0] - x).max() < 1e-9 else 1)
