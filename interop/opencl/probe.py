"""Compiles an empty kernel by the OpenCL library that is named: exits with the compiler's log where it cannot.

POCL's LLVM knows the processors of its own time and refuses a kernel on later ones of some makers.
"""

import ctypes
import sys

opencl = ctypes.CDLL(sys.argv[1])
BUILD_LOG = 0x1183
ALL_DEVICES = 0xFFFFFFFF


def check(status, call):
    if status != 0:
        sys.exit(f"{call} failed with {status}")


platform, device, status = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
check(opencl.clGetPlatformIDs(1, ctypes.byref(platform), None), "clGetPlatformIDs")
devices = ctypes.c_uint64(ALL_DEVICES)
check(opencl.clGetDeviceIDs(platform, devices, 1, ctypes.byref(device), None), "clGetDeviceIDs")
opencl.clCreateContext.restype = ctypes.c_void_p
context = opencl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(status))
check(status.value, "clCreateContext")
text = ctypes.c_char_p(b"kernel void nothing(void) {}")
opencl.clCreateProgramWithSource.restype = ctypes.c_void_p
program = opencl.clCreateProgramWithSource(
    ctypes.c_void_p(context), 1, ctypes.byref(text), None, ctypes.byref(status)
)
check(status.value, "clCreateProgramWithSource")
program = ctypes.c_void_p(program)
if opencl.clBuildProgram(program, 1, ctypes.byref(device), None, None, None) != 0:
    log = ctypes.create_string_buffer(1 << 12)
    opencl.clGetProgramBuildInfo(program, device, BUILD_LOG, ctypes.c_size_t(len(log) - 1), log, None)
    sys.exit(log.value.decode(errors="replace").strip())
