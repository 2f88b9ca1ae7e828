#!/bin/bash
# The libraries call no function of BLAS, LAPACK or FFTW by its name through the linker's table (which a preloaded drop-in would answer): tables that are bound when they are loaded do.
#   foreign.sh BUILD
set -eu
build=$1
# Straight calls from rooms that do not go by the table yet.
known='[sd]laed4_|[sd]lasd[04]_' # of the eigenvalues' and singular values' kernels: LAPACKE has no doors to them
failed=0

calls() { readelf -rW "$1" | awk '/JUMP_SLO/ {print $5}' | sed 's/@.*//' | grep -E '^(cblas_[a-z]+[0-9]*k?|LAPACKE_[sdcz][a-z0-9]+(_work)?|[sdcz][a-z0-9]+_|fftwf?_[a-z0-9_]+)$' | grep -vxE "$known" || true; }

for library in "$build"/lib/libtilework.so "$build"/lib/libtilework_fft.so; do
    [ -e "$library" ] || continue
    found=$(calls "$library")
    [ -z "$found" ] || { echo "$library calls straight:" $found "(put them into runtime/base/blas_functions.txt or kernels/fft/cpu/fftw_functions.txt)"; failed=1; }
    readelf -rW "$library" | grep -q JUMP_SLO || { echo "$library: no calls of other libraries at all: the check does not see them"; failed=1; }
done
exit $failed
