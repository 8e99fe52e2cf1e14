//! What the file says of itself: which fields a node has, and what each type number means.

use serde::Deserialize;

use super::locations::LocationFields;
use super::traces::TraceFields;
use crate::error::Malformed;

/// Types of nodes, as far as the reader treats them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeType {
    Hidden,
    Array,
    String,
    Object,
    Code,
    Closure,
    Regexp,
    Number,
    Native,
    Synthetic,
    Rope,
    Slice,
    Symbol,
    Bigint,
    Shape,
    Other,
}

impl NodeType {
    fn of_name(name: &str) -> Self {
        match name {
            "hidden" => Self::Hidden,
            "array" => Self::Array,
            "string" => Self::String,
            "object" => Self::Object,
            "code" => Self::Code,
            "closure" => Self::Closure,
            "regexp" => Self::Regexp,
            "number" => Self::Number,
            "native" => Self::Native,
            "synthetic" => Self::Synthetic,
            "concatenated string" => Self::Rope,
            "sliced string" => Self::Slice,
            "symbol" => Self::Symbol,
            "bigint" => Self::Bigint,
            "object shape" => Self::Shape,
            _ => Self::Other,
        }
    }
}

/// Types of edges, as packed in the raw columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum EdgeType {
    Context = 0,
    Element = 1,
    Property = 2,
    Internal = 3,
    Hidden = 4,
    Shortcut = 5,
    Weak = 6,
}

impl EdgeType {
    fn of_name(name: &str) -> Self {
        match name {
            "context" => Self::Context,
            "element" => Self::Element,
            "property" => Self::Property,
            "internal" => Self::Internal,
            "shortcut" => Self::Shortcut,
            "weak" => Self::Weak,
            // An edge of a type nobody knows yet keeps its target alive and names nothing.
            _ => Self::Hidden,
        }
    }

    pub(super) const fn of_bits(bits: u32) -> Self {
        match bits {
            0 => Self::Context,
            1 => Self::Element,
            2 => Self::Property,
            3 => Self::Internal,
            5 => Self::Shortcut,
            6 => Self::Weak,
            _ => Self::Hidden,
        }
    }

    /// Whether the middle number of an edge is an index rather than the number of a string.
    pub(super) const fn has_index(self) -> bool {
        matches!(self, Self::Element | Self::Hidden)
    }
}

/// A row of more numbers than this is no snapshot: known writers have 7 for a node and 3 for an edge.
pub(super) const MAX_FIELDS: usize = 32;

#[derive(Debug)]
pub(super) struct Meta {
    pub node_fields: usize,
    pub node_type: usize,
    pub node_name: usize,
    pub node_self_size: usize,
    pub node_edge_count: usize,
    pub node_types: Vec<NodeType>,
    pub edge_fields: usize,
    pub edge_type: usize,
    pub edge_name: usize,
    pub edge_to: usize,
    pub edge_types: Vec<EdgeType>,
    /// What a row of `locations` holds, where the file says it.
    pub locations: Option<LocationFields>,
    /// Where the numbers of a trace stand, where the file says it.
    pub traces: Option<TraceFields>,
    pub node_count: u64,
    pub edge_count: u64,
    /// Where the header starts, for errors.
    pub offset: usize,
}

#[derive(Deserialize)]
struct Header {
    meta: HeaderMeta,
    node_count: u64,
    edge_count: u64,
}

#[derive(Deserialize)]
struct HeaderMeta {
    node_fields: Vec<String>,
    node_types: Vec<TypeList>,
    edge_fields: Vec<String>,
    edge_types: Vec<TypeList>,
    #[serde(default)]
    location_fields: Vec<String>,
    #[serde(default)]
    trace_function_info_fields: Vec<String>,
    #[serde(default)]
    trace_node_fields: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TypeList {
    Names(Vec<String>),
    Other(serde::de::IgnoredAny),
}

pub(super) fn parse(header: &[u8], offset: usize) -> Result<Meta, Malformed> {
    let header: Header = serde_json::from_slice(header).map_err(|error| {
        // The parser counts lines and columns, both from one.
        let lines = header.split_inclusive(|&byte| byte == b'\n');
        let before: usize = lines.take(error.line().saturating_sub(1)).map(<[u8]>::len).sum();
        let at = offset + before + error.column().saturating_sub(1);
        Malformed::new(
            at,
            "a \"snapshot\" header with meta, node_count and edge_count",
            error.to_string(),
        )
    })?;
    let find = |fields: &[String], name: &str| {
        fields.iter().position(|field| field == name).ok_or_else(|| {
            Malformed::new(
                offset,
                format!("a field \"{name}\" in meta"),
                format!("{fields:?}"),
            )
        })
    };
    let names = |lists: Vec<TypeList>, at: usize, what: &str| match lists.into_iter().nth(at) {
        Some(TypeList::Names(names)) => Ok(names),
        Some(TypeList::Other(_)) | None => Err(Malformed::new(
            offset,
            format!("a list of {what} types in meta"),
            "none",
        )),
    };
    let HeaderMeta {
        node_fields,
        node_types,
        edge_fields,
        edge_types,
        location_fields,
        trace_function_info_fields,
        trace_node_fields,
    } = header.meta;
    for fields in [
        &node_fields,
        &edge_fields,
        &location_fields,
        &trace_function_info_fields,
        &trace_node_fields,
    ] {
        if fields.len() > MAX_FIELDS {
            let found = fields.len().to_string();
            return Err(Malformed::new(
                offset,
                format!("at most {MAX_FIELDS} fields in meta"),
                found,
            ));
        }
    }
    let node_type = find(&node_fields, "type")?;
    let edge_type = find(&edge_fields, "type")?;
    Ok(Meta {
        node_type,
        node_name: find(&node_fields, "name")?,
        node_self_size: find(&node_fields, "self_size")?,
        node_edge_count: find(&node_fields, "edge_count")?,
        node_types: names(node_types, node_type, "node")?
            .iter()
            .map(|name| NodeType::of_name(name))
            .collect(),
        node_fields: node_fields.len(),
        edge_type,
        edge_name: find(&edge_fields, "name_or_index")?,
        edge_to: find(&edge_fields, "to_node")?,
        edge_types: names(edge_types, edge_type, "edge")?
            .iter()
            .map(|name| EdgeType::of_name(name))
            .collect(),
        edge_fields: edge_fields.len(),
        locations: locations(&location_fields),
        traces: traces(&node_fields, &trace_function_info_fields, &trace_node_fields),
        node_count: header.node_count,
        edge_count: header.edge_count,
        offset,
    })
}

/// Where the numbers of a location stand; `None` where one of them is missing.
fn locations(fields: &[String]) -> Option<LocationFields> {
    let find = |name: &str| fields.iter().position(|field| field == name);
    Some(LocationFields {
        width: fields.len(),
        node: find("object_index")?,
        line: find("line")?,
        column: find("column")?,
    })
}

/// Where the numbers of a trace stand; `None` where one of them is missing, or the calls of a row are not its last field.
fn traces(nodes: &[String], functions: &[String], tree: &[String]) -> Option<TraceFields> {
    let find = |fields: &[String], name: &str| fields.iter().position(|field| field == name);
    let fields = TraceFields {
        of_node: find(nodes, "trace_node_id")?,
        function_width: functions.len(),
        function_name: find(functions, "name")?,
        function_script: find(functions, "script_name")?,
        function_line: find(functions, "line")?,
        function_column: find(functions, "column")?,
        tree_width: tree.len(),
        tree_id: find(tree, "id")?,
        tree_function: find(tree, "function_info_index")?,
        tree_children: find(tree, "children")?,
    };
    (fields.tree_children + 1 == fields.tree_width).then_some(fields)
}
