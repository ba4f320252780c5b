# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel: CMake makes the library and the module, setuptools packs them.

The wheel holds acl.abi3.so, pacl, pacl_constants and the type stubs, and the library in the folder pacl.libs, where the
module finds it by a relative path. LD_LIBRARY_PATH comes before that path. An editable installation (pip install -e)
puts both into the folder python; Python code is used from there, C code as it was at the time of the installation.
"""
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
LIBRARIES = "pacl.libs"


def version():
    return re.search(r"project\(PACL\s+VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class BuildWithCMake(build_ext):
    def build_extension(self, ext):
        work = pathlib.Path(self.build_temp).resolve() / "cmake"
        subprocess.run(["cmake", "-S", ROOT, "-B", work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                        "-DBUILD_TESTING=OFF", "-DPACL_EXAMPLES=OFF", "-DPACL_BENCH=OFF",
                        f"-DPACL_PYTHON_RPATH=$ORIGIN/{LIBRARIES}"], check=True)
        subprocess.run(["cmake", "--build", work, "--target", "acl_python"], check=True)
        site = pathlib.Path(self.build_lib).resolve()
        (site / LIBRARIES).mkdir(parents=True, exist_ok=True)
        shutil.copy2(work / "python" / "site-packages" / "acl.abi3.so", site)
        shutil.copy2(work / "lib64" / "libascendcl.so", site / LIBRARIES)
        shutil.copytree(ROOT / "python" / "acl-stubs", site / "acl-stubs", dirs_exist_ok=True)

    def copy_extensions_to_source(self):
        super().copy_extensions_to_source()
        shutil.copytree(pathlib.Path(self.build_lib) / LIBRARIES, ROOT / "python" / LIBRARIES, dirs_exist_ok=True)


setup(
    version=version(),
    package_dir={"": "python"},
    packages=["pacl", "pacl_constants"],
    package_data={"pacl": ["py.typed"], "pacl_constants": ["py.typed"]},
    ext_modules=[Extension("acl", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": BuildWithCMake},
    options={"bdist_wheel": {"py_limited_api": "cp38"}},
)
