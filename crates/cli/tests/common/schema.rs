//! A validator for the part of JSON Schema (draft 2020-12) that the command's schemas use: `type`, `enum`, `const`,
//! `properties`, `required`, `additionalProperties`, `items`, and `$ref` to another file.

use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// The known keywords of a schema: those that constrain a value, and those that only describe it.
const KNOWN: [&str; 11] = [
    "$schema",
    "title",
    "description",
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "$ref",
];

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas")
}

pub fn read(name: &str) -> Value {
    let path = folder().join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The violations of a schema by a value, each with its place; empty if the value fits.
pub fn objections(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    visit(schema, value, "$", &mut found);
    found
}

fn visit(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(words) = schema.as_object() else {
        assert!(schema.is_boolean(), "{at}: {schema} is no schema");
        if schema == false {
            found.push(format!("{at}: not allowed"));
        }
        return;
    };
    for word in words.keys() {
        assert!(KNOWN.contains(&word.as_str()), "{at}: the validator does not know `{word}`");
    }
    if let Some(name) = words.get("$ref") {
        visit(&read(name.as_str().unwrap()), value, at, found);
    }
    if let Some(wanted) = words.get("type") {
        let one = |name: &Value| is_of(name.as_str().unwrap(), value);
        let fits = wanted.as_array().map_or_else(|| one(wanted), |names| names.iter().any(one));
        if !fits {
            found.push(format!("{at}: {value} is not of type {wanted}"));
        }
    }
    if words.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: {value} is not {}", words["const"]));
    }
    if words.get("enum").is_some_and(|all| !all.as_array().unwrap().contains(value)) {
        found.push(format!("{at}: {value} is not one of {}", words["enum"]));
    }
    if let (Some(items), Some(values)) = (words.get("items"), value.as_array()) {
        for (i, value) in values.iter().enumerate() {
            visit(items, value, &format!("{at}[{i}]"), found);
        }
    }
    if let Some(object) = value.as_object() {
        members(words, object, at, found);
    }
}

fn members(words: &Map<String, Value>, object: &Map<String, Value>, at: &str, found: &mut Vec<String>) {
    for name in words.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !object.contains_key(name.as_str().unwrap()) {
            found.push(format!("{at}: {name} is missing"));
        }
    }
    let known = words.get("properties").and_then(Value::as_object);
    for (name, value) in object {
        let at = format!("{at}.{name}");
        match (known.and_then(|known| known.get(name)), words.get("additionalProperties")) {
            (Some(schema), _) | (None, Some(schema)) => visit(schema, value, &at, found),
            (None, None) => {}
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("`{other}` is no type"),
    }
}
