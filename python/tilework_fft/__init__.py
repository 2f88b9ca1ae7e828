# Copyright: as Tilework's. This package loads libtilework_fft, which stands on FFTW: given to others together with them it is under the GNU General Public License, version 2 or later.
"""Fast Fourier transforms of Tilework: plans for arrays of NumPy, and a backend for scipy.fft.

    import tilework_fft
    plan = tilework_fft.Plan("C2C", x.shape)          # made once, executed many times, by any number of threads at once
    plan(x, y)                                        # x to y, arrays with the plan's shapes and strides; plan(x) makes y

    with scipy.fft.set_backend(tilework_fft.backend): # large transforms of unchanged code
        y = scipy.fft.fftn(x)

Transforms are not normalised unless that is asked for (norm="by_n", "ortho"). A module of its own, for its licence is another one than that of the package tilework.
"""

from __future__ import annotations

from ._plan import Error, Filter, Plan, convolve, library, save_wisdom
from . import backend

__all__ = ["Error", "Filter", "Plan", "backend", "convolve", "library", "save_wisdom"]
