//! What a part has to do with the tables that it shares.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{
    BinaryReaderError, Element, ElementItems, ElementKind, ExternalKind, FunctionBody, Operator, Parser,
    Payload, TypeRef,
};

use crate::wasm_parts::module::{SHARED, constant};
use crate::wasm_parts::note_calls::count;

/// A place in one of the tables that are joined: the table by its index in the first part, and the index in it.
pub(super) type Slot = (u32, u32);

/// The calls of a function through a table.
#[derive(Clone, Copy)]
pub(super) struct Calls {
    pub count: u32,
    pub type_index: u32,
}

#[derive(Default)]
pub(super) struct Part {
    /// The number of parameters of each type.
    pub parameters: Vec<u32>,
    /// How many functions are imported.
    pub imported: u32,
    /// Of each table of the part, its index in the first part, if it is one of those that are joined.
    joined: Vec<Option<u32>>,
    /// The functions that the part puts into these tables.
    pub functions: BTreeMap<Slot, u32>,
    /// The functions that it calls through them.
    pub called: BTreeMap<Slot, Calls>,
    /// Whether it uses one in another way than to call a constant place.
    pub has_other_calls: bool,
}

/// The tables that the first part shares: the names of each, and its index. `split_table_N` is a second name of it; a table of the
/// whole module has no other name.
pub(super) fn shared_tables(first: &[u8]) -> Result<BTreeMap<&str, u32>, BinaryReaderError> {
    let mut exports = Vec::new();
    for payload in Parser::new(0).parse_all(first) {
        if let Payload::ExportSection(section) = payload? {
            for export in section {
                let export = export?;
                exports.extend((export.kind == ExternalKind::Table).then_some((export.name, export.index)));
            }
        }
    }
    let is_shared = |name: &str| name.strip_prefix(SHARED).is_some_and(|name| !name.starts_with("table_"));
    let shared: BTreeSet<u32> =
        exports.iter().filter(|(name, _)| is_shared(name)).map(|(_, table)| *table).collect();
    Ok(exports.into_iter().filter(|(_, table)| shared.contains(table)).collect())
}

impl Part {
    /// Reads a part. `shared` has the tables that the first part shares.
    pub(super) fn read(bytes: &[u8], shared: &BTreeMap<&str, u32>) -> Result<Self, BinaryReaderError> {
        let mut out = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    for of in section.into_iter_err_on_gc_types() {
                        out.parameters.push(count(of?.params().len()));
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Table(_) => out.joined.push(shared.get(import.name).copied()),
                            TypeRef::Func(_) | TypeRef::FuncExact(_) => out.imported += 1,
                            _ => {}
                        }
                    }
                }
                // Only the first part has tables of its own.
                Payload::TableSection(section) => {
                    let tables = (count(out.joined.len())..).take(section.count() as usize);
                    let own = |table| shared.values().copied().find(|shared| *shared == table);
                    out.joined.extend(tables.map(own));
                }
                Payload::ElementSection(section) => {
                    for element in section {
                        out.add_functions(element?)?;
                    }
                }
                Payload::CodeSectionEntry(body) => out.add_calls(&body)?,
                _ => {}
            }
        }
        Ok(out)
    }

    fn add_functions(&mut self, element: Element<'_>) -> Result<(), BinaryReaderError> {
        if let (Some((table, start)), ElementItems::Functions(functions)) =
            (self.start(&element.kind)?, element.items)
        {
            for (place, function) in (start..).zip(functions) {
                self.functions.insert((table, place), function?);
            }
        }
        Ok(())
    }

    fn add_calls(&mut self, body: &FunctionBody<'_>) -> Result<(), BinaryReaderError> {
        let mut before = None;
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            match operator {
                Operator::CallIndirect { table_index, type_index } => {
                    if let Some(table) = self.joined(table_index) {
                        let calls = Calls { count: 0, type_index };
                        match before {
                            Some(place) => self.called.entry((table, place)).or_insert(calls).count += 1,
                            None => self.has_other_calls = true,
                        }
                    }
                }
                Operator::ReturnCallIndirect { table_index: table, .. }
                | Operator::TableGet { table }
                | Operator::TableSet { table } => self.has_other_calls |= self.joined(table).is_some(),
                _ => {}
            }
            before = place_of(&operator);
        }
        Ok(())
    }

    /// A table by its index in the first part, if it is joined.
    pub(super) fn joined(&self, table: u32) -> Option<u32> {
        self.joined.get(table as usize).copied().flatten()
    }

    /// The first table that is joined, in whose place the one table is.
    pub(super) fn first_joined(&self) -> Option<u32> {
        self.joined.iter().position(Option::is_some).map(count)
    }

    /// The index of a table once the others are joined.
    pub(super) fn new_index(&self, table: u32) -> u32 {
        let gone = self.joined.iter().take(table as usize).flatten().count();
        match (self.joined(table), self.first_joined()) {
            (Some(_), Some(first)) => first,
            _ => table - count(gone.saturating_sub(1)),
        }
    }

    /// Where the functions of an element begin, if that is in a table that is joined.
    pub(super) fn start(&self, kind: &ElementKind<'_>) -> Result<Option<Slot>, BinaryReaderError> {
        let ElementKind::Active { table_index, offset_expr } = kind else { return Ok(None) };
        let Some(table) = self.joined(table_index.unwrap_or_default()) else { return Ok(None) };
        Ok(constant(offset_expr)?.map(|start| (table, start)))
    }

    /// The number of tables.
    pub(super) fn tables(&self) -> usize {
        self.joined.len()
    }
}

/// The place in a table that an instruction before a call names.
pub(super) fn place_of(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::I32Const { value } => Some(value.cast_unsigned()),
        _ => None,
    }
}
