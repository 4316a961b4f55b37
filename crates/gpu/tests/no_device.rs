//! The answers of the probes on a machine without a GPU, and on one with a GPU.

use pairwright_gpu::{Gpu, GpuError, opencl, probe};

#[test]
fn probing_is_an_answer_and_no_panic() {
    match probe() {
        Ok(count) => {
            let beyond = Gpu::open(count).unwrap_err();
            assert!(beyond.to_string().starts_with("no CUDA device"), "{beyond}");
        }
        Err(error @ (GpuError::NoDriver | GpuError::NoDevice { .. })) => {
            assert!(error.to_string().starts_with("no CUDA device: "), "{error}");
            assert_eq!(Gpu::open(0).unwrap_err().to_string(), error.to_string());
        }
        Err(error) => assert!(matches!(error, GpuError::DriverTooOld { .. }), "{error}"),
    }
}

#[test]
fn looking_for_opencl_is_an_answer_and_no_panic() {
    match opencl::devices() {
        Ok(names) => {
            let beyond = Gpu::open_opencl(names.len(), None).unwrap_err();
            assert!(beyond.to_string().starts_with("no OpenCL device: device"), "{beyond}");
        }
        Err(error) => {
            let said = error.to_string();
            assert!(said.starts_with("no OpenCL device: ") && !said.contains('\n'), "{said}");
            assert_eq!(Gpu::open_opencl(0, None).unwrap_err().to_string(), said);
        }
    }
}
