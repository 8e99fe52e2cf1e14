//! The tables of Trino are those of the dataset; `other_engines.rs` asks Trino.

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use deadweight_fleet::tables::Table;

const DEFINITIONS: &str = include_str!("../engines/trino.sql");

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{before}"));
    let (within, _) = rest.split_once(after).unwrap_or_else(|| panic!("{after}"));
    within
}

/// What Trino calls a type; it has no numbers without a sign.
fn type_of(column: &DataType) -> &'static str {
    match column {
        DataType::Utf8 => "varchar",
        DataType::UInt64 | DataType::UInt32 => "bigint",
        DataType::Boolean => "boolean",
        DataType::Date32 => "date",
        DataType::Timestamp(TimeUnit::Microsecond, _) => "timestamp(6)",
        other => panic!("{other} has no type of Trino here"),
    }
}

#[test]
fn each_table_has_the_columns_of_the_dataset() {
    for table in Table::ALL {
        let schema = table.schema();
        let files = format!("CREATE TABLE IF NOT EXISTS {table}_files (");
        let columns = between(DEFINITIONS, &files, "\n)");
        let columns: Vec<&str> = columns.split(',').map(str::trim).collect();
        let fields = schema.fields().iter();
        let expected: Vec<String> = fields
            .map(|field| format!("{} {}", field.name(), type_of(field.data_type())))
            .collect();
        assert_eq!(columns, expected, "{table}");
        let view = format!("CREATE OR REPLACE VIEW {table} AS\nSELECT ");
        let shown = between(DEFINITIONS, &view, &format!("\nFROM {table}_files"));
        let shown: Vec<&str> = shown.split(',').map(str::trim).collect();
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        assert_eq!(shown, names, "{table}");
    }
}
