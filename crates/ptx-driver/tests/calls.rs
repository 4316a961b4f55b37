//! Tests of the driver's rules that the stand-in implements: contexts, the pool of freed memory, events, sticky errors.

use core::ffi::{CStr, c_void};
use core::ptr::null_mut;
use pairwright_ptx_driver::*;

const INVALID_VALUE: i32 = 1;
const OUT_OF_MEMORY: i32 = 2;
const INVALID_CONTEXT: i32 = 201;
const NO_BINARY: i32 = 209;
const INVALID_PTX: i32 = 218;
const ILLEGAL_ADDRESS: i32 = 700;
const LAUNCH_FAILED: i32 = 719;

/// A kernel that stores the thread's number at the address of its only argument, and loops as many times.
const COUNT: &str = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry count(.param .u64 to)\n{\n\
    .reg .b64 %a<3>;\n.reg .b32 %t<2>;\nld.param.u64 %a0, [to];\nmov.u32 %t0, %tid.x;\nmul.wide.u32 %a1, %t0, 4;\n\
    add.s64 %a2, %a0, %a1;\nst.global.u32 [%a2], %t0;\nret;\n}\n\0";

/// Makes the context of a device current in the thread.
fn enter(device: i32) {
    let mut context = 0;
    // SAFETY: the pointer is to a live number.
    assert_eq!(unsafe { cuDevicePrimaryCtxRetain(&mut context, device) }, 0);
    // SAFETY: the context has just been given.
    assert_eq!(unsafe { cuCtxSetCurrent(context) }, 0);
}

fn allocate(bytes: usize) -> Result<u64, i32> {
    let mut address = 0;
    // SAFETY: the pointer is to a live number.
    match unsafe { cuMemAllocAsync(&mut address, bytes, 0) } {
        0 => Ok(address),
        code => Err(code),
    }
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    // SAFETY: both pointers are to live numbers.
    assert_eq!(unsafe { cuMemGetInfo_v2(&mut free, &mut total) }, 0);
    free
}

fn load(text: &str) -> Result<usize, i32> {
    let mut module = 0;
    // SAFETY: the text ends in a zero.
    match unsafe { cuModuleLoadData(&mut module, text.as_ptr().cast()) } {
        0 => Ok(module),
        code => Err(code),
    }
}

/// Launches a kernel of one argument.
fn launch(function: usize, threads: u32, mut argument: u64) -> i32 {
    let mut arguments = [(&raw mut argument).cast::<c_void>()];
    // SAFETY: the kernel has one parameter of eight bytes.
    unsafe { cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, 0, arguments.as_mut_ptr(), null_mut()) }
}

fn function(module: usize, name: &CStr) -> usize {
    let mut function = 0;
    // SAFETY: the pointer is to a live number, and the name ends in a zero.
    assert_eq!(unsafe { cuModuleGetFunction(&mut function, module, name.as_ptr()) }, 0);
    function
}

#[test]
fn a_thread_without_a_context_can_do_nothing() {
    assert_eq!(allocate(8), Err(INVALID_CONTEXT));
    // SAFETY: the call takes no pointer.
    assert_eq!(unsafe { cuMemFreeAsync(8, 0) }, INVALID_CONTEXT);
    enter(1);
    assert!(allocate(8).is_ok());
}

#[test]
fn freed_memory_is_the_pools_until_somebody_waits() {
    enter(6);
    let all = free_bytes();
    let buffer = allocate(1 << 20).unwrap();
    assert_eq!(free_bytes(), all - (1 << 20));
    assert_eq!(allocate(1 << 20), Err(OUT_OF_MEMORY));
    // SAFETY: the buffer is freed once.
    assert_eq!(unsafe { cuMemFreeAsync(buffer, 0) }, 0);
    assert_eq!(free_bytes(), all - (1 << 20), "it counts as used");
    // The pool reuses it for the next buffer.
    let buffer = allocate(1 << 20).unwrap();
    // SAFETY: as above.
    assert_eq!(unsafe { cuMemFreeAsync(buffer, 0) }, 0);
    // SAFETY: the call takes no pointer.
    assert_eq!(unsafe { cuStreamSynchronize(0) }, 0);
    assert_eq!(free_bytes(), all);
    // SAFETY: the call takes no pointer.
    assert_eq!(unsafe { cuMemFreeAsync(buffer, 0) }, INVALID_VALUE, "it was freed before");
}

#[test]
fn texts_are_refused_that_the_device_cannot_run() {
    enter(2);
    assert_eq!(load("\x7fELF\0"), Err(NO_BINARY));
    assert_eq!(load(".version 8.0\n.target sm_75\n.entry k() { trap; }\0"), Err(INVALID_PTX));
    assert_eq!(load(&COUNT.replace("sm_75", "sm_90")), Err(NO_BINARY));
    assert!(load(COUNT).is_ok());
}

#[test]
fn kernels_run_in_order_on_a_clock() {
    enter(3);
    let kernel = function(load(COUNT).unwrap(), c"count");
    let out = allocate(256).unwrap();
    let (mut start, mut end, mut time) = (0, 0, 0.0);
    // SAFETY: the pointers are to live numbers.
    unsafe { assert_eq!((cuEventCreate(&mut start, 0), cuEventCreate(&mut end, 0)), (0, 0)) };
    // SAFETY: the events are live.
    unsafe { assert_eq!(cuEventRecord(start, 0), 0) };
    assert_eq!(launch(kernel, 64, out), 0);
    // SAFETY: the events are live, and the pointer is to a live number.
    unsafe { assert_eq!((cuEventRecord(end, 0), cuEventElapsedTime_v2(&mut time, start, end)), (0, 0)) };
    assert!(time > 0.004, "{time} ms: the launch is part of it");
    let mut found = [0u32; 64];
    // SAFETY: as many bytes are copied as the array has.
    assert_eq!(unsafe { cuMemcpyDtoHAsync_v2(found.as_mut_ptr().cast(), out, 256, 0) }, 0);
    assert_eq!(found, core::array::from_fn(|i| i as u32));
}

#[test]
fn bytes_that_nothing_has_written_are_not_copied() {
    enter(4);
    let out = allocate(16).unwrap();
    let mut found = [0u8; 16];
    // SAFETY: as many bytes are copied as the array has.
    assert_eq!(unsafe { cuMemcpyDtoHAsync_v2(found.as_mut_ptr().cast(), out, 16, 0) }, LAUNCH_FAILED);
    // SAFETY: the call takes no pointer.
    assert_eq!(unsafe { cuMemsetD8Async(out, 3, 16, 0) }, 0);
    // SAFETY: as above.
    assert_eq!(unsafe { cuMemcpyDtoHAsync_v2(found.as_mut_ptr().cast(), out, 16, 0) }, 0);
    assert_eq!(found, [3; 16]);
}

#[test]
fn the_error_of_a_kernel_stays() {
    enter(5);
    let kernel = function(load(COUNT).unwrap(), c"count");
    let out = allocate(256).unwrap();
    assert_eq!(launch(kernel, 65, out), 0, "faults are found later");
    assert_eq!(allocate(8), Err(ILLEGAL_ADDRESS));
    assert_eq!(launch(kernel, 1, out), ILLEGAL_ADDRESS);
}

#[test]
fn memory_of_the_host_can_be_asked_for() {
    enter(7);
    for bytes in [1, 16, 1000] {
        let mut memory = null_mut();
        // SAFETY: the pointer is to a live one.
        assert_eq!(unsafe { cuMemHostAlloc(&mut memory, bytes, 0) }, 0);
        // SAFETY: the memory has as many bytes, and is freed once.
        unsafe {
            memory.cast::<u8>().write_bytes(7, bytes);
            assert_eq!(cuMemFreeHost(memory), 0);
        }
    }
}
