//! What a split has to know of a module.

use std::collections::BTreeSet;
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, CompositeInnerType, ConstExpr, Data, DataKind, Element, ElementItems, ElementKind,
    Export, ExternalKind, FuncType, FunctionBody, GlobalType, MemoryType, Operator, Parser, Payload,
    TableType, TypeRef,
};

use super::note_calls::count;
use super::unreadable;
use crate::failure::{Failure, Outcome};

/// The section that says which features of wasm a module may use.
pub(super) const TARGET_FEATURES: &str = "target_features";

/// How the names of the tables begin that parts share.
pub(super) const SHARED: &str = "split_";

/// The items of a module, imported ones first.
#[derive(Default)]
pub(super) struct Module<'m> {
    pub types: Vec<FuncType>,
    /// Whether there are types of something else than functions, as the proposal for garbage collection has them.
    has_other_types: bool,
    /// The type of each function.
    pub functions: Vec<u32>,
    /// How many functions are imported.
    pub imported: usize,
    pub tables: Vec<TableType>,
    pub memories: Vec<MemoryType>,
    pub globals: Vec<GlobalType>,
    /// The names of the exported functions.
    pub exports: Vec<(&'m str, u32)>,
    /// The names of all exports.
    pub names: BTreeSet<&'m str>,
    /// The functions that are exported, start the module, or are in a table at a place that is in neither `slots` nor `shared`.
    pub entries: Vec<u32>,
    /// The functions of the first table, with their places.
    pub slots: Vec<(u32, u32)>,
    /// The functions that the later parts of an earlier split call: the table that they share, and the place in it.
    pub shared: Vec<(u32, u32, u32)>,
    shared_tables: BTreeSet<u32>,
    /// What the memory begins with.
    pub data: Vec<DataSegment<'m>>,
    /// How many lists of functions for tables there are.
    pub in_tables: usize,
    /// What the module may use of wasm, for the tools that read it.
    pub target_features: Option<&'m [u8]>,
    /// The bodies of the functions that are not imported.
    pub bodies: Vec<FunctionBody<'m>>,
}

/// Bytes that a module writes to its memory when it starts.
pub(super) struct DataSegment<'m> {
    pub address: u32,
    /// Where the bytes are in the file.
    pub place: u64,
    pub bytes: &'m [u8],
}

impl<'m> DataSegment<'m> {
    /// The bytes in a range of addresses, with the address of the first; `None` if there are none.
    pub(super) fn cut(&self, range: Range<u32>) -> Option<(u32, &'m [u8])> {
        let start = range.start.max(self.address);
        let end = range.end.min(self.address + count(self.bytes.len()));
        let bytes =
            self.bytes.get((start - self.address) as usize..end.checked_sub(self.address)? as usize)?;
        (!bytes.is_empty()).then_some((start, bytes))
    }

    /// The places of a range of addresses: those in the bytes, each with that in the range.
    pub(super) fn places(&self, range: &Range<u32>) -> impl Iterator<Item = (usize, usize)> {
        let (address, length, start) = (self.address, self.bytes.len(), range.start);
        let places = range
            .clone()
            .filter_map(move |at| Some((at.checked_sub(address)? as usize, (at - start) as usize)));
        places.filter(move |(place, _)| *place < length)
    }
}

/// The place in a table or the memory that a module writes to when it starts.
pub(super) fn constant(place: &ConstExpr<'_>) -> Result<Option<u32>, BinaryReaderError> {
    match place.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(Some(value.cast_unsigned())),
        _ => Ok(None),
    }
}

impl<'m> Module<'m> {
    pub(super) fn read(bytes: &'m [u8]) -> Outcome<Self> {
        let mut out = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            out.add(payload.map_err(unreadable)?).map_err(unreadable)?;
        }
        Ok(out)
    }

    /// Reads a module to which something is added.
    ///
    /// # Errors
    /// If it lacks a section that additions go into, which the modules of wasm-bindgen have.
    pub(super) fn read_to_extend(bytes: &'m [u8]) -> Outcome<Self> {
        let out = Self::read(bytes)?;
        let lengths = [out.imported, out.tables.len(), out.globals.len(), out.names.len(), out.in_tables];
        if out.has_other_types || out.memories.len() != 1 || lengths.contains(&0) {
            return Err(Failure::new("the wasm module is not as wasm-bindgen writes it"));
        }
        Ok(out)
    }

    fn add(&mut self, payload: Payload<'m>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for of in group?.into_types() {
                        match of.composite_type.inner {
                            CompositeInnerType::Func(of) => self.types.push(of),
                            _ => self.has_other_types = true,
                        }
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    match import?.ty {
                        TypeRef::Func(of) | TypeRef::FuncExact(of) => self.functions.push(of),
                        TypeRef::Table(of) => self.tables.push(of),
                        TypeRef::Memory(of) => self.memories.push(of),
                        TypeRef::Global(of) => self.globals.push(of),
                        TypeRef::Tag(_) => {}
                    }
                }
                self.imported = self.functions.len();
            }
            Payload::FunctionSection(section) => {
                for of in section {
                    self.functions.push(of?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table?.ty);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.memories.push(memory?);
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    self.globals.push(global?.ty);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    let Export { kind, index, name } = export?;
                    self.names.insert(name);
                    match kind {
                        ExternalKind::Func => {
                            self.entries.push(index);
                            self.exports.push((name, index));
                        }
                        ExternalKind::Table if index > 0 && name.starts_with(SHARED) => {
                            self.shared_tables.insert(index);
                        }
                        _ => {}
                    }
                }
            }
            Payload::StartSection { func, .. } => self.entries.push(func),
            Payload::ElementSection(section) => {
                for element in section {
                    self.in_tables += 1;
                    self.add_elements(element?)?;
                }
            }
            Payload::CustomSection(section) if section.name() == TARGET_FEATURES => {
                self.target_features = Some(section.data());
            }
            Payload::DataSection(section) => {
                for data in section {
                    let Data { kind, data: bytes, range } = data?;
                    if let DataKind::Active { offset_expr, .. } = kind {
                        let place = range.end - bytes.len() as u64;
                        let segment = |address| DataSegment { address, place, bytes };
                        self.data.extend(constant(&offset_expr)?.map(segment));
                    }
                }
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            _ => {}
        }
        Ok(())
    }

    fn add_elements(&mut self, element: Element<'m>) -> Result<(), BinaryReaderError> {
        let place = match element.kind {
            ElementKind::Active { table_index, offset_expr } => {
                constant(&offset_expr)?.map(|start| (table_index.unwrap_or_default(), start))
            }
            _ => None,
        };
        match (element.items, place) {
            (ElementItems::Functions(functions), Some((0, start))) => {
                for (slot, function) in (start..).zip(functions) {
                    self.slots.push((slot, function?));
                }
            }
            (ElementItems::Functions(functions), Some((table, start)))
                if self.shared_tables.contains(&table) =>
            {
                for (slot, function) in (start..).zip(functions) {
                    self.shared.push((table, slot, function?));
                }
            }
            (ElementItems::Functions(functions), _) => {
                for function in functions {
                    self.entries.push(function?);
                }
            }
            (ElementItems::Expressions(_, expressions), _) => {
                for expression in expressions {
                    for operator in expression?.get_operators_reader() {
                        if let Operator::RefFunc { function_index } = operator? {
                            self.entries.push(function_index);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The body of a function; `None` for an imported one.
    pub(super) fn body(&self, function: usize) -> Option<&FunctionBody<'m>> {
        self.bodies.get(function.checked_sub(self.imported)?)
    }

    /// The functions that a function calls by name.
    ///
    /// # Errors
    /// If it names a function otherwise, which rustc does not.
    pub(super) fn calls(&self, function: usize) -> Outcome<Vec<u32>> {
        let mut calls = Vec::new();
        let Some(body) = self.body(function) else { return Ok(calls) };
        for operator in body.get_operators_reader().map_err(unreadable)? {
            match operator.map_err(unreadable)? {
                Operator::Call { function_index } => calls.push(function_index),
                other @ (Operator::RefFunc { .. } | Operator::ReturnCall { .. }) => {
                    return Err(unreadable(format!("unexpected {other:?}")));
                }
                _ => {}
            }
        }
        Ok(calls)
    }
}
