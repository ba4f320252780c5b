#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_info.sh PACL
# `pacl info`: what it says agrees with the product table and with the variables in effect.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

expect_status 0 "$pacl" info
expect_line out '^product  *atlas-a2: '
expect_line out '^devices  *8$'
expect_line out "^library  *$home/lib64/libascendcl.so\$"
expect_status 0 env PACL_DEVICES=3 "$pacl" info
expect_line out '^devices  *3$'
expect_line out '^environment  *PACL_DEVICES=3$'
expect_status 0 "$pacl" info --products
expect_line out '^atlas-training  *Ascend910A .* h2d d2h  *2048 '
expect_status 1 env PACL_PRODUCT=atlas-a7 "$pacl" info
expect_line err 'atlas-a7'
expect_status 2 "$pacl" info argument

# The options of `pacl run`, of which --product is no abbreviation of --products.
expect_status 0 "$pacl" info --product atlas-a3 --devices 2
expect_line out '^product  *atlas-a3: '
expect_line out '^devices  *2$'
expect_status 0 env PACL_PRODUCT=atlas-350 "$pacl" info --product=atlas-training
expect_line out '^product  *atlas-training: '
expect_status 2 "$pacl" info --product
expect_status 2 "$pacl" info --product atlas-a7
expect_line err "^pacl info: --product 'atlas-a7' is not valid; it takes "
expect_status 2 "$pacl" info --devices 65

need python3
"$pacl" info --products --json >"$work/products"
python3 - "$pacl" "$work/products" <<'END'
import json, os, subprocess, sys

def info(**variables):
    return json.loads(subprocess.run([sys.argv[1], "info", "--json"], env={**os.environ, **variables}, check=True,
                                     stdout=subprocess.PIPE).stdout)

with open(sys.argv[2]) as file:
    products = json.load(file)["products"]
assert len(products) == 9 == len({product["name"] for product in products}), products
for product in products:
    answer = info(PACL_PRODUCT=product["name"])
    assert answer["product"] == product, (answer, product)
    assert answer["environment"] == {"PACL_PRODUCT": product["name"]}, answer
    assert [device["id"] for device in answer["devices"]] == list(range(product["devices"])), answer
    for device in answer["devices"]:
        assert device["soc_name"] == product["soc_name"], device
        assert 0 < device["memory_free"] <= device["memory_total"] == product["memory_bytes"], device

answer = info(PACL_DEVICES="2", PACL_DEVICE_MEMORY="1G", PACL_ENGINES="3", PACL_DEVICE_ACCESS="mapping")
assert len(answer["devices"]) == 2, answer
assert answer["product"]["devices"] == 2, answer
assert all(device["memory_total"] == 2**30 for device in answer["devices"]), answer
assert answer["engines"] == 3, answer
assert answer["isolation"] == "dual-mapping", answer
assert answer["cpu_features"] and all(" " not in feature for feature in answer["cpu_features"]), answer
assert info(PACL_DEVICE_ACCESS="open")["isolation"] == "open"
END
