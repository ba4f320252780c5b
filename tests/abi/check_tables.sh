#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_tables.sh TABLES PREFIX CC CXX
#
# Compares the PACL that is installed in PREFIX with the fact tables of the ABI: types, values, layouts, symbols. Exits
# 77 if the folder TABLES is not there.
set -eu

tables=$1
prefix=$2
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -f "$tables/check_abi.py" ]; then
    echo "skipped: no ABI tables in '$tables' (set PACL_SHARED to the folder that holds abi/)"
    exit 77
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3"
    exit 77
fi
exec python3 "$tables/check_abi.py" "$prefix" --need "$here/functions.txt" --cc "$3" --cxx "$4"
