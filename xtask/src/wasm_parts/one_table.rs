//! Parts of a module that share one table instead of one for each split.
//!
//! Each split gives its parts a table of their own, in which a function has a place for each later part that calls it. In the one
//! table a function has one place, and the functions of a part are in a row. A part that calls a function of another part often has
//! a stub for it, since a direct call is shorter than one through a table. Together, the compressed parts are 1 % smaller.

mod part;

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, ImportSection, Instruction, TableSection,
};
use wasmparser::{
    CodeSectionReader, ElementSectionReader, ExportSectionReader, ExternalKind, FunctionBody,
    FunctionSectionReader, ImportSectionReader, Operator, Parser, TableSectionReader, TypeRef,
};

use super::module::SHARED;
use super::note_calls::count;
use super::split::table_type;
use super::unreadable;
use crate::failure::Outcome;
use crate::tar;
use part::{Part, Slot, place_of, shared_tables};

/// A part has a stub for a function of another part that it calls at least so many times.
const OFTEN: u32 = 8;

/// The parts of a split, the first part first, with one table in place of all that they share.
///
/// # Errors
/// If a part uses a shared table in another way than to call a constant place, or calls one where no part has a function.
pub(crate) fn share_one_table(parts: &[Vec<u8>]) -> Outcome<Vec<Vec<u8>>> {
    let Some(first) = parts.first() else { return Ok(Vec::new()) };
    let shared = shared_tables(first).map_err(unreadable)?;
    let read = parts.iter().map(|bytes| Part::read(bytes, &shared)).collect::<Result<Vec<_>, _>>();
    let read = read.map_err(unreadable)?;
    if read.iter().any(|part| part.has_other_calls) {
        return Err(unreadable("a part uses a shared table in another way than to call a constant place"));
    }
    let called: BTreeSet<Slot> = read.iter().flat_map(|part| part.called.keys().copied()).collect();
    let mut table = OneTable {
        name: format!("{SHARED}{:x}", tar::crc32(&parts.concat())),
        size: 0,
        places: BTreeMap::new(),
    };
    let rows: Vec<_> = read.iter().map(|part| table.add(part, &called)).collect();
    if let Some((table, place)) = called.iter().find(|slot| !table.places.contains_key(slot)) {
        return Err(unreadable(format!("no part has a function at {place} of the table {table}")));
    }
    let mut written = Vec::new();
    for ((bytes, part), (start, row)) in parts.iter().zip(&read).zip(rows) {
        let (stubs, stub_of) = table.stubs(part);
        let mut writer = Writer { table: &table, part, start, row, stubs, stub_of, is_exported: false };
        let mut out = wasm_encoder::Module::new();
        writer.parse_core_module(&mut out, Parser::new(0), bytes).map_err(unreadable)?;
        written.push(out.finish());
    }
    Ok(written)
}

struct OneTable {
    /// It has a checksum of the parts in it, so that those of two modules are never put together.
    name: String,
    size: u32,
    /// The place of each function by its places in the tables that are joined.
    places: BTreeMap<Slot, u32>,
}

impl OneTable {
    /// Adds the functions of a part that are called. Returns the place of the first one, and the functions in a row.
    fn add(&mut self, part: &Part, called: &BTreeSet<Slot>) -> (u32, Vec<u32>) {
        let own = || part.functions.iter().filter(|(slot, _)| called.contains(slot));
        let row: BTreeSet<u32> = own().map(|(_, function)| *function).collect();
        let start = self.size;
        let places: BTreeMap<u32, u32> = row.iter().copied().zip(start..).collect();
        self.places.extend(own().filter_map(|(slot, function)| Some((*slot, *places.get(function)?))));
        self.size += count(row.len());
        (start, row.into_iter().collect())
    }

    /// The functions that a part has stubs for, each by its place and type, those that it calls most first; and the index of each
    /// stub by the place.
    fn stubs(&self, part: &Part) -> (Vec<(u32, u32)>, BTreeMap<u32, u32>) {
        let mut calls: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for (slot, called) in &part.called {
            if let Some(place) = self.places.get(slot) {
                calls.entry(*place).or_insert((0, called.type_index)).0 += called.count;
            }
        }
        let mut stubs: Vec<_> = calls.into_iter().filter(|(_, (count, _))| *count >= OFTEN).collect();
        stubs.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        let stubs: Vec<(u32, u32)> = stubs.into_iter().map(|(place, (_, of))| (place, of)).collect();
        let stub_of = stubs.iter().zip(part.imported..).map(|((place, _), index)| (*place, index)).collect();
        (stubs, stub_of)
    }
}

struct Writer<'p> {
    table: &'p OneTable,
    part: &'p Part,
    /// The functions of the part in the table, with the place of the first one.
    start: u32,
    row: Vec<u32>,
    /// The places and types of the functions that have a stub. These are before the other functions.
    stubs: Vec<(u32, u32)>,
    /// The index of each stub, by the place of its function.
    stub_of: BTreeMap<u32, u32>,
    /// Whether the table is exported.
    is_exported: bool,
}

impl Writer<'_> {
    /// Calls the function at a place of the table.
    fn call_indirect(&self, place: u32, type_index: u32) -> [Instruction<'static>; 2] {
        let table_index = self.part.first_joined().unwrap_or_default();
        [Instruction::I32Const(place.cast_signed()), Instruction::CallIndirect { type_index, table_index }]
    }
}

impl Reencode for Writer<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        let is_imported = function < self.part.imported;
        Ok(if is_imported { function } else { function + count(self.stubs.len()) })
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error> {
        Ok(self.part.new_index(table))
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        let mut tables = 0..;
        for import in section.into_imports() {
            let import = import?;
            let table = matches!(import.ty, TypeRef::Table(_)).then(|| tables.next()).flatten();
            if table.and_then(|table| self.part.joined(table)).is_none() {
                let of = self.entity_type(import.ty)?;
                imports.import(import.module, import.name, of);
            } else if table == self.part.first_joined() {
                imports.import(
                    import.module,
                    &self.table.name,
                    EntityType::Table(table_type(self.table.size)),
                );
            }
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        for (_, type_index) in &self.stubs {
            functions.function(*type_index);
        }
        utils::parse_function_section(self, functions, section)
    }

    fn parse_table_section(
        &mut self,
        tables: &mut TableSection,
        section: TableSectionReader<'_>,
    ) -> Result<(), Error> {
        let imported = count(self.part.tables()) - section.count();
        for (at, table) in (imported..).zip(section) {
            if self.part.joined(at).is_none() {
                self.parse_table(tables, table?)?;
            } else if self.part.first_joined() == Some(at) {
                tables.table(table_type(self.table.size));
            }
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        for export in section {
            let export = export?;
            if export.kind != ExternalKind::Table || self.part.joined(export.index).is_none() {
                self.parse_export(exports, export)?;
            } else if !std::mem::replace(&mut self.is_exported, true) {
                exports.export(&self.table.name, ExportKind::Table, self.part.new_index(export.index));
            }
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Result<(), Error> {
        for element in section {
            let element = element?;
            if self.part.start(&element.kind)?.is_none() {
                self.parse_element(elements, element)?;
            }
        }
        let row = self.row.clone().into_iter().map(|function| self.function_index(function));
        let row = row.collect::<Result<Vec<_>, _>>()?;
        if !row.is_empty() {
            let start = ConstExpr::i32_const(self.start.cast_signed());
            elements.active(self.part.first_joined(), &start, Elements::Functions(row.into()));
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error> {
        for (place, type_index) in &self.stubs {
            let mut stub = Function::new([]);
            let parameters = self.part.parameters.get(*type_index as usize).copied();
            for at in 0..parameters.unwrap_or_default() {
                stub.instruction(&Instruction::LocalGet(at));
            }
            for instruction in self.call_indirect(*place, *type_index) {
                stub.instruction(&instruction);
            }
            code.function(stub.instruction(&Instruction::End));
        }
        utils::parse_code_section(self, code, section)
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        let mut operators = body.get_operators_reader()?.into_iter().peekable();
        while let Some(operator) = operators.next() {
            let operator = operator?;
            let called = match operators.peek() {
                Some(Ok(Operator::CallIndirect { table_index, type_index })) => {
                    self.part.joined(*table_index).zip(place_of(&operator)).zip(Some(*type_index))
                }
                _ => None,
            };
            let place = called.and_then(|(slot, of)| Some((*self.table.places.get(&slot)?, of)));
            let Some((place, type_index)) = place else {
                function.instruction(&self.instruction(operator)?);
                continue;
            };
            operators.next();
            if let Some(stub) = self.stub_of.get(&place) {
                function.instruction(&Instruction::Call(*stub));
            } else {
                for instruction in self.call_indirect(place, type_index) {
                    function.instruction(&instruction);
                }
            }
        }
        code.function(&function);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
