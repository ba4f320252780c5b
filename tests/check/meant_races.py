# SPDX-License-Identifier: Apache-2.0
"""Programs that are wrong by a stream-race have two threads copy to the same bytes at once. A library built with
ThreadSanitizer must not end the process for that, and for that only."""
import os

MEANT = ("pacl_copy_piece", "pacl_copy_alone", "pacl_copy_small", "pacl_fill_*")


def environment(folder):
    """The environment for such a program; a file in `folder` must stay while it runs."""
    path = os.path.join(folder, "meant_races")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"race:{function}\n" for function in MEANT)
    return dict(os.environ, TSAN_OPTIONS=f"{os.environ.get('TSAN_OPTIONS', '')}:suppressions={path}")
