//! The two parts of a module.

use std::collections::BTreeSet;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType,
    ExportKind, ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Instruction, RefType,
    TableSection, TableType, TypeSection,
};
use wasmparser::{
    CustomSectionReader, DataSectionReader, ElementSectionReader, ExportSectionReader, ExternalKind,
    FunctionBody, FunctionSectionReader, GlobalSectionReader, ImportSectionReader, Operator, Parser,
    TableSectionReader, TypeSectionReader,
};

use super::module::{DataSegment, Module, SHARED, TARGET_FEATURES};
use super::note_calls::{count, flag};
use super::reach::{Moved, needed_by_rest, reached};
use super::unreadable;
use crate::failure::Outcome;
use crate::tar;

/// The module from which the rest imports what it shares with the first part: the exports of that part.
const FIRST: &str = "first";

/// Data of the first part that is so close is one segment with zeros in between, which take less than a segment of their own. The
/// rest overwrites them.
const LONGEST_GAP: u32 = 256;

/// An empty text in memory: an address other than null, and the length.
const NO_SENTENCE: [u8; 8] = [1, 0, 0, 0, 0, 0, 0, 0];

/// Splits a module. `called` has the functions of the first part, counted without imports; functions of at most `short` bytes join
/// them: a stub has some 24. Returns the first part and the rest. The first part exports its memory, tables and globals under names
/// with `split_`.
pub(crate) fn split(bytes: &[u8], called: &[usize], short: u64) -> Outcome<(Vec<u8>, Vec<u8>)> {
    let module = Module::read_to_extend(bytes)?;
    let is_short = |at: &usize| {
        let body = module.bodies[*at].range();
        body.end - body.start <= short
    };
    let short = (0..module.bodies.len()).filter(is_short);
    let first: Vec<usize> = called.iter().copied().chain(short).collect();
    split_as_planned(&module, bytes, &first, Moved::default(), &[])
}

/// A part that loads after another one.
pub(crate) struct LaterPart {
    /// Whether an export belongs to this part or to one after it, by its name.
    pub has_export: fn(&str) -> bool,
    /// Whether this part brings the sentences that only completion reads.
    pub has_sentences: bool,
}

/// Splits the module `whole`, which is made of the module `linked`, into parts that load one after the other.
///
/// # Errors
/// If `linked` has no relocations.
pub(crate) fn split_in_order(linked: &[u8], whole: Vec<u8>, later: &[LaterPart]) -> Outcome<Vec<Vec<u8>>> {
    let (mut first, mut parts) = (whole, Vec::new());
    for part in later.iter().rev() {
        let moved = needed_by_rest(linked, part.has_export, part.has_sentences)?;
        let (before, rest) = split_by_exports(&first, moved, part.has_export)?;
        parts.push(rest);
        first = before;
    }
    parts.push(first);
    parts.reverse();
    Ok(parts)
}

/// Splits a module by its exports. `is_rest` returns whether an export belongs to the rest, by its name. The rest exports those, and
/// has what only they need. `moved` has the places of the table and the data that only they need.
pub(super) fn split_by_exports(
    bytes: &[u8],
    mut moved: Moved,
    is_rest: impl Fn(&str) -> bool,
) -> Outcome<(Vec<u8>, Vec<u8>)> {
    let module = Module::read_to_extend(bytes)?;
    let of_rest: Vec<u32> =
        module.exports.iter().filter(|(name, _)| is_rest(name)).map(|(_, at)| *at).collect();
    let calls = (0..module.functions.len()).map(|at| module.calls(at)).collect::<Outcome<Vec<_>>>()?;
    let entries = module.entries.iter().filter(|at| !of_rest.contains(at));
    let slots =
        module.slots.iter().filter(|(slot, _)| !moved.slots.contains(slot)).map(|(_, function)| function);
    let roots = entries.chain(slots).map(|at| *at as usize).collect();
    let reached = reached(roots, |function| &calls[function]);
    let is_first =
        |function: usize| function < module.imported || reached.get(function).copied().unwrap_or_default();
    // wasm-opt merges functions that are the same, so that one which only the rest needed may be in the first part.
    for (slot, function) in &module.slots {
        if is_first(*function as usize) {
            moved.slots.remove(slot);
        }
    }
    let called = (module.imported..module.functions.len()).filter(|at| is_first(*at));
    let called: Vec<usize> = called.map(|at| at - module.imported).collect();
    let exports = module.exports.iter().filter(|(_, at)| !is_first(*at as usize));
    let exports: Vec<_> = exports.copied().collect();
    split_as_planned(&module, bytes, &called, moved, &exports)
}

fn split_as_planned(
    module: &Module<'_>,
    bytes: &[u8],
    called: &[usize],
    moved: Moved,
    exports: &[(&str, u32)],
) -> Outcome<(Vec<u8>, Vec<u8>)> {
    let shared = format!("{SHARED}{:x}", tar::crc32(bytes));
    let plan = Plan { shared, ..Plan::new(module, called, moved, exports)? };
    let mut first = wasm_encoder::Module::new();
    let mut writer = FirstPart { module, plan: &plan, written: module.imported };
    writer.parse_core_module(&mut first, Parser::new(0), bytes).map_err(unreadable)?;
    let rest = rest(module, &plan).map_err(unreadable)?;
    Ok((first.finish(), rest))
}

/// Where each function goes. Indices are those of the whole module.
struct Plan<'p> {
    /// The index of each function in the first part, where it is a stub if the function is in the rest.
    first: Vec<Option<u32>>,
    /// The index in the rest.
    rest: Vec<Option<u32>>,
    /// The place in the shared table: first the functions of the rest, then those of the first part.
    slots: Vec<Option<u32>>,
    /// The functions of the rest that the first part has stubs for.
    stubs: Vec<usize>,
    /// The functions of the first part that the rest calls.
    callbacks: Vec<usize>,
    /// The indices of what the first part has besides: the shared table, and, where it has stubs, the import `load`, its type, and
    /// whether the rest is loaded.
    load: u32,
    load_type: u32,
    table: u32,
    is_loaded: u32,
    moved: Moved,
    /// The exports of the rest, with their functions.
    exports: &'p [(&'p str, u32)],
    /// The name of the shared table. It has a checksum of the module in it, so that parts of two modules are never put together.
    shared: String,
}

impl<'p> Plan<'p> {
    fn new(
        module: &Module<'_>,
        called: &[usize],
        moved: Moved,
        exports: &'p [(&'p str, u32)],
    ) -> Outcome<Self> {
        let functions = module.functions.len();
        let mut is_first = vec![false; functions];
        let called = called.iter().map(|at| at + module.imported);
        for function in (0..module.imported).chain(called) {
            if let Some(is_first) = is_first.get_mut(function) {
                *is_first = true;
            }
        }
        let is_first = |function: usize| is_first.get(function).copied().unwrap_or_default();
        let (mut stubs, mut callbacks) = (BTreeSet::new(), BTreeSet::new());
        let slots =
            module.slots.iter().filter(|(slot, _)| !moved.slots.contains(slot)).map(|(_, function)| function);
        let entries = module.entries.iter().filter(|at| !exports.iter().any(|(_, function)| function == *at));
        stubs.extend(entries.chain(slots).map(|at| *at as usize).filter(|at| !is_first(*at)));
        for function in 0..functions {
            for callee in module.calls(function)?.into_iter().map(|at| at as usize) {
                match (is_first(function), is_first(callee)) {
                    (true, false) => stubs.insert(callee),
                    (false, true) => callbacks.insert(callee),
                    _ => continue,
                };
            }
        }
        let mut slots = vec![None; functions];
        for (slot, function) in stubs.iter().chain(&callbacks).enumerate() {
            slots[*function] = Some(count(slot));
        }
        let in_first = (0..functions).map(|at| is_first(at) || stubs.contains(&at));
        let mut first = numbered(in_first);
        if !stubs.is_empty() {
            // The import `load` is between the imported functions and the others.
            first.iter_mut().skip(module.imported).flatten().for_each(|index| *index += 1);
        }
        let rest = numbered((0..functions).map(|at| !is_first(at)));
        Ok(Self {
            first,
            rest,
            slots,
            stubs: stubs.into_iter().collect(),
            callbacks: callbacks.into_iter().collect(),
            load: count(module.imported),
            load_type: count(module.types.len()),
            table: count(module.tables.len()),
            is_loaded: count(module.globals.len()),
            moved,
            exports,
            shared: String::new(),
        })
    }
}

/// Numbers the items that are in.
fn numbered(items: impl Iterator<Item = bool>) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |is_in: bool| {
        let index = is_in.then_some(next);
        next += u32::from(is_in);
        index
    };
    items.map(number).collect()
}

/// The index of a function that the plan has a place for.
fn index(of: &[Option<u32>], function: usize) -> u32 {
    of.get(function).copied().flatten().unwrap_or(u32::MAX)
}

impl Plan<'_> {
    /// The data of the first part: all that is not moved.
    fn first_data(&self, module: &Module<'_>) -> Vec<(u32, Vec<u8>)> {
        let cut = |segment: &DataSegment<'_>| {
            let mut bytes = segment.bytes.to_vec();
            for range in &self.moved.sentences {
                segment.places(range).for_each(|(place, at)| bytes[place] = NO_SENTENCE[at]);
            }
            let patched = DataSegment { bytes: &bytes, ..*segment };
            let starts = std::iter::once(0).chain(self.moved.data.iter().map(|range| range.end));
            let ends = self.moved.data.iter().map(|range| range.start).chain([u32::MAX]);
            let cuts = starts.zip(ends).filter_map(|(from, to)| patched.cut(from..to));
            cuts.map(|(address, bytes)| (address, bytes.to_vec())).collect::<Vec<_>>()
        };
        let mut joined: Vec<(u32, Vec<u8>)> = Vec::new();
        for (address, bytes) in module.data.iter().flat_map(cut) {
            let gap = |(start, before): &(u32, Vec<u8>)| address.checked_sub(start + count(before.len()));
            match joined.last_mut() {
                Some(last) if gap(last).is_some_and(|gap| gap <= LONGEST_GAP) => {
                    last.1.resize((address - last.0) as usize, 0);
                    last.1.extend(bytes);
                }
                _ => joined.push((address, bytes)),
            }
        }
        joined
    }

    /// The data of the rest.
    fn rest_data<'m>(&self, module: &'m Module<'m>) -> impl Iterator<Item = (u32, &'m [u8])> {
        let mut ranges: Vec<_> = self.moved.data.iter().chain(&self.moved.sentences).cloned().collect();
        ranges.sort_by_key(|range| range.start);
        module.data.iter().flat_map(move |segment| {
            ranges.iter().filter_map(|range| segment.cut(range.clone())).collect::<Vec<_>>()
        })
    }

    /// The type of the table that both parts share.
    fn shared_table(&self) -> TableType {
        table_type(count(self.stubs.len() + self.callbacks.len()))
    }

    /// The functions that later parts of an earlier split call and that are in this part, or, with `is_rest`, in the rest. The first
    /// part has no stubs for those of the rest: both are there before a later part.
    fn shared_with_later(&self, module: &Module<'_>, is_rest: bool) -> Vec<(u32, u32, u32)> {
        let indices = if is_rest { &self.rest } else { &self.first };
        let is_in = |function: u32| self.rest[function as usize].is_some() == is_rest;
        let shared = module.shared.iter().filter(|(_, _, function)| is_in(*function));
        shared.map(|(table, slot, function)| (*table, *slot, index(indices, *function as usize))).collect()
    }

    /// Calls a function through the shared table.
    fn call_indirect(&self, function: usize, type_index: u32) -> [Instruction<'static>; 2] {
        let slot = index(&self.slots, function).cast_signed();
        [Instruction::I32Const(slot), Instruction::CallIndirect { type_index, table_index: self.table }]
    }
}

/// The type of a table of so many functions, which parts share.
pub(super) fn table_type(size: u32) -> TableType {
    let (element_type, size) = (RefType::FUNCREF, u64::from(size));
    TableType { element_type, table64: false, minimum: size, maximum: Some(size), shared: false }
}

/// Puts functions into tables: each a table, a place in it, and a function, in this order.
fn add_slots(elements: &mut ElementSection, slots: impl Iterator<Item = (u32, u32, u32)>) {
    let mut runs: Vec<(u32, u32, Vec<u32>)> = Vec::new();
    for (table, slot, function) in slots {
        match runs.last_mut() {
            Some((of, start, run)) if *of == table && *start + count(run.len()) == slot => run.push(function),
            _ => runs.push((table, slot, vec![function])),
        }
    }
    for (table, start, run) in runs {
        let table = (table > 0).then_some(table);
        elements.active(table, &ConstExpr::i32_const(start.cast_signed()), Elements::Functions(run.into()));
    }
}

struct FirstPart<'s, 'm> {
    module: &'s Module<'m>,
    plan: &'s Plan<'s>,
    /// The next function to get a body.
    written: usize,
}

impl FirstPart<'_, '_> {
    /// Loads the rest unless that is done, and calls the function there.
    fn stub(&self, function: usize) -> Function {
        let type_index = self.module.functions[function];
        let parameters = count(self.module.types[type_index as usize].params().len());
        let mut out = Function::new([]);
        out.instruction(&Instruction::GlobalGet(self.plan.is_loaded));
        out.instruction(&Instruction::I32Eqz);
        out.instruction(&Instruction::If(BlockType::Empty));
        out.instruction(&Instruction::Call(self.plan.load));
        out.instruction(&Instruction::I32Const(1));
        out.instruction(&Instruction::GlobalSet(self.plan.is_loaded));
        out.instruction(&Instruction::End);
        for at in 0..parameters {
            out.instruction(&Instruction::LocalGet(at));
        }
        for instruction in self.plan.call_indirect(function, type_index) {
            out.instruction(&instruction);
        }
        out.instruction(&Instruction::End);
        out
    }
}

impl Reencode for FirstPart<'_, '_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(index(&self.plan.first, function as usize))
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_type_section(self, types, section)?;
        if !self.plan.stubs.is_empty() {
            types.ty().function([], []);
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_import_section(self, imports, section)?;
        if !self.plan.stubs.is_empty() {
            imports.import("split", "load", EntityType::Function(self.plan.load_type));
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        _: FunctionSectionReader<'_>,
    ) -> Result<(), Error> {
        let types = self.module.functions.iter().zip(&self.plan.first).skip(self.module.imported);
        for (of, _) in types.filter(|(_, index)| index.is_some()) {
            functions.function(*of);
        }
        Ok(())
    }

    fn parse_table_section(
        &mut self,
        tables: &mut TableSection,
        section: TableSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_table_section(self, tables, section)?;
        tables.table(self.plan.shared_table());
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_global_section(self, globals, section)?;
        if !self.plan.stubs.is_empty() {
            globals.global(flag(), &ConstExpr::i32_const(0));
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
            let is_function = export.kind == ExternalKind::Func;
            if !(is_function && self.plan.exports.contains(&(export.name, export.index))) {
                self.parse_export(exports, export)?;
            }
        }
        // An earlier split exports most of them under the same names.
        let mut add = |name: &str, kind, index| {
            if !self.module.names.contains(name) {
                exports.export(name, kind, index);
            }
        };
        add("split_memory", ExportKind::Memory, 0);
        for table in 0..self.plan.table {
            add(&format!("split_table_{table}"), ExportKind::Table, table);
        }
        add(&self.plan.shared, ExportKind::Table, self.plan.table);
        for global in 0..self.plan.is_loaded {
            add(&format!("split_global_{global}"), ExportKind::Global, global);
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Result<(), Error> {
        if self.plan.moved.slots.is_empty() && self.module.shared.is_empty() {
            utils::parse_element_section(self, elements, section)?;
        } else {
            let slots = self.module.slots.iter().filter(|(slot, _)| !self.plan.moved.slots.contains(slot));
            let slots = slots.map(|(slot, function)| (0, *slot, index(&self.plan.first, *function as usize)));
            add_slots(elements, slots.chain(self.plan.shared_with_later(self.module, false)));
        }
        let callbacks: Vec<u32> = self.plan.callbacks.iter().map(|at| index(&self.plan.first, *at)).collect();
        let offset = ConstExpr::i32_const(count(self.plan.stubs.len()).cast_signed());
        elements.active(Some(self.plan.table), &offset, Elements::Functions(callbacks.into()));
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let function = self.written;
        self.written += 1;
        let place = |of: &[Option<u32>]| of.get(function).copied().flatten();
        match (place(&self.plan.first), place(&self.plan.rest)) {
            (Some(_), None) => utils::parse_function_body(self, code, body)?,
            (Some(_), Some(_)) => {
                code.function(&self.stub(function));
            }
            (None, _) => {}
        }
        Ok(())
    }

    fn data_count(&mut self, segments: u32) -> Result<u32, Error> {
        // Otherwise the segments stay as they are.
        let is_cut = !self.plan.moved.data.is_empty();
        Ok(if is_cut { count(self.plan.first_data(self.module).len()) } else { segments })
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        section: DataSectionReader<'_>,
    ) -> Result<(), Error> {
        if self.plan.moved.data.is_empty() {
            return utils::parse_data_section(self, data, section);
        }
        for (address, bytes) in self.plan.first_data(self.module) {
            data.active(0, &ConstExpr::i32_const(address.cast_signed()), bytes);
        }
        Ok(())
    }

    /// Names and the like would be those of other functions.
    fn parse_custom_section(
        &mut self,
        module: &mut wasm_encoder::Module,
        section: CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        match section.name() {
            TARGET_FEATURES => utils::parse_custom_section(self, module, section),
            _ => Ok(()),
        }
    }
}

struct Rest<'s>(&'s Plan<'s>);

impl Reencode for Rest<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(index(&self.0.rest, function as usize))
    }
}

fn rest(module: &Module<'_>, plan: &Plan<'_>) -> Result<Vec<u8>, Error> {
    let mut writer = Rest(plan);
    let mut types = TypeSection::new();
    for of in &module.types {
        types.ty().func_type(&writer.func_type(of.clone())?);
    }
    let mut imports = ImportSection::new();
    for memory in &module.memories {
        imports.import(FIRST, "split_memory", EntityType::Memory(writer.memory_type(*memory)?));
    }
    for (at, table) in module.tables.iter().enumerate() {
        let of = EntityType::Table(writer.table_type(*table)?);
        imports.import(FIRST, &format!("split_table_{at}"), of);
    }
    let shared = EntityType::Table(plan.shared_table());
    imports.import(FIRST, &plan.shared, shared);
    for (at, global) in module.globals.iter().enumerate() {
        let of = EntityType::Global(writer.global_type(*global)?);
        imports.import(FIRST, &format!("split_global_{at}"), of);
    }
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for (at, of) in module.functions.iter().enumerate() {
        let Some(body) = module.body(at).filter(|_| plan.rest[at].is_some()) else { continue };
        functions.function(*of);
        let mut function = writer.new_function_with_parsed_locals(body)?;
        for operator in body.get_operators_reader()? {
            match operator? {
                Operator::Call { function_index: callee } if plan.rest[callee as usize].is_none() => {
                    for instruction in plan.call_indirect(callee as usize, module.functions[callee as usize])
                    {
                        function.instruction(&instruction);
                    }
                }
                operator => {
                    function.instruction(&writer.instruction(operator)?);
                }
            }
        }
        code.function(&function);
    }
    let mut elements = ElementSection::new();
    let stubs: Vec<u32> = plan.stubs.iter().map(|at| index(&plan.rest, *at)).collect();
    elements.active(Some(plan.table), &ConstExpr::i32_const(0), Elements::Functions(stubs.into()));
    let moved = module.slots.iter().filter(|(slot, _)| plan.moved.slots.contains(slot));
    let moved = moved.map(|(slot, function)| (0, *slot, index(&plan.rest, *function as usize)));
    add_slots(&mut elements, moved.chain(plan.shared_with_later(module, true)));
    let mut exports = ExportSection::new();
    for (name, function) in plan.exports {
        exports.export(name, ExportKind::Func, index(&plan.rest, *function as usize));
    }
    let mut data = DataSection::new();
    for (address, bytes) in plan.rest_data(module) {
        data.active(0, &ConstExpr::i32_const(address.cast_signed()), bytes.iter().copied());
    }
    let mut out = wasm_encoder::Module::new();
    out.section(&types).section(&imports).section(&functions);
    // The section of globals is empty: only a copy of the module that counts its calls has globals of its own.
    out.section(&GlobalSection::new()).section(&exports).section(&elements).section(&code);
    if !data.is_empty() {
        out.section(&data);
    }
    if let Some(features) = module.target_features {
        out.section(&CustomSection { name: TARGET_FEATURES.into(), data: features.into() });
    }
    Ok(out.finish())
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "some lists of ranges have one")]
mod tests;
