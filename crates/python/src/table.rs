//! Tables in Arrow's C stream interface.

use crate::failure::{raised, usage};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyFloat, PyInt};
use std::sync::Arc;

/// Converts a column to an array of booleans, of integers, of floating-point numbers, or else of text.
fn column(cells: &[Bound<'_, PyAny>]) -> PyResult<ArrayRef> {
    let all =
        |test: &dyn Fn(&Bound<'_, PyAny>) -> bool| cells.iter().all(|cell| cell.is_none() || test(cell));
    if all(&|cell| cell.is_instance_of::<PyBool>()) && !all(&|_| false) {
        let cells: Vec<Option<bool>> = cells.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>()?;
        return Ok(Arc::new(BooleanArray::from(cells)));
    }
    let integers = all(&|cell| cell.is_instance_of::<PyInt>() && cell.extract::<i64>().is_ok());
    if integers && !all(&|_| false) {
        let cells: Vec<Option<i64>> = cells.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>()?;
        return Ok(Arc::new(Int64Array::from(cells)));
    }
    if all(&|cell| cell.is_instance_of::<PyFloat>() || cell.is_instance_of::<PyInt>()) && !all(&|_| false) {
        let cells: Vec<Option<f64>> = cells.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>()?;
        return Ok(Arc::new(Float64Array::from(cells)));
    }
    let text = |cell: &Bound<'_, PyAny>| -> PyResult<Option<String>> {
        if cell.is_none() { Ok(None) } else { Ok(Some(cell.str()?.extract()?)) }
    };
    Ok(Arc::new(StringArray::from(cells.iter().map(text).collect::<PyResult<Vec<_>>>()?)))
}

/// The Arrow stream of a table, which is a list of columns with their names, in the capsule that readers of Arrow expect.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, Vec<Bound<'py, PyAny>>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let mut fields = Vec::with_capacity(columns.len());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for (name, cells) in &columns {
        let array = column(cells)?;
        let kind: DataType = arrow_array::Array::data_type(&array).clone();
        fields.push(Field::new(name, kind, true));
        arrays.push(array);
    }
    let schema = Arc::new(Schema::new(fields));
    let bad = |why: arrow_schema::ArrowError| raised(py, &usage(format!("table: {why}")));
    // A table without columns has no rows.
    let batches = if arrays.is_empty() {
        Vec::new()
    } else {
        vec![RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(bad)?]
    };
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(reader));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
