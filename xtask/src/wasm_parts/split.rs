//! The two parts of a module.

use std::collections::BTreeSet;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Instruction, RefType,
    TableSection, TableType, TypeSection,
};
use wasmparser::{
    CustomSectionReader, ElementSectionReader, ExportSectionReader, FunctionBody, FunctionSectionReader,
    GlobalSectionReader, ImportSectionReader, Operator, Parser, TableSectionReader, TypeSectionReader,
};

use super::module::{Module, TARGET_FEATURES};
use super::note_calls::{count, flag};
use super::unreadable;
use crate::failure::Outcome;

/// The module from which the rest imports what it shares with the first part: the exports of that part.
const FIRST: &str = "first";

/// Splits a module. `called` has the functions of the first part, counted without imports. Returns the first part and the
/// rest. The first part exports its memory, tables and globals under names with `split_`.
pub(crate) fn split(bytes: &[u8], called: &[usize]) -> Outcome<(Vec<u8>, Vec<u8>)> {
    let module = Module::read_to_extend(bytes)?;
    let plan = Plan::new(&module, called)?;
    let mut first = wasm_encoder::Module::new();
    let mut writer = FirstPart { module: &module, plan: &plan, written: module.imported };
    writer.parse_core_module(&mut first, Parser::new(0), bytes).map_err(unreadable)?;
    let rest = rest(&module, &plan).map_err(unreadable)?;
    Ok((first.finish(), rest))
}

/// Where each function goes. Indices are those of the whole module.
struct Plan {
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
    /// The indices of what the first part has besides: the import `load`, its type, the shared table, and whether the rest is
    /// loaded.
    load: u32,
    load_type: u32,
    table: u32,
    is_loaded: u32,
}

impl Plan {
    fn new(module: &Module<'_>, called: &[usize]) -> Outcome<Self> {
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
        stubs.extend(module.entries.iter().map(|at| *at as usize).filter(|at| !is_first(*at)));
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
        // The import `load` is between the imported functions and the others.
        first.iter_mut().skip(module.imported).flatten().for_each(|index| *index += 1);
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

impl Plan {
    /// The type of the table that both parts share.
    fn shared_table(&self) -> TableType {
        let size = (self.stubs.len() + self.callbacks.len()) as u64;
        let element_type = RefType::FUNCREF;
        TableType { element_type, table64: false, minimum: size, maximum: Some(size), shared: false }
    }

    /// Calls a function through the shared table.
    fn call_indirect(&self, function: usize, type_index: u32) -> [Instruction<'static>; 2] {
        let slot = index(&self.slots, function).cast_signed();
        [Instruction::I32Const(slot), Instruction::CallIndirect { type_index, table_index: self.table }]
    }
}

struct FirstPart<'s, 'm> {
    module: &'s Module<'m>,
    plan: &'s Plan,
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
        types.ty().function([], []);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_import_section(self, imports, section)?;
        imports.import("split", "load", EntityType::Function(self.plan.load_type));
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
        globals.global(flag(), &ConstExpr::i32_const(0));
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_export_section(self, exports, section)?;
        exports.export("split_memory", ExportKind::Memory, 0);
        for table in 0..=self.plan.table {
            exports.export(&format!("split_table_{table}"), ExportKind::Table, table);
        }
        for global in 0..self.plan.is_loaded {
            exports.export(&format!("split_global_{global}"), ExportKind::Global, global);
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_element_section(self, elements, section)?;
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

struct Rest<'s>(&'s Plan);

impl Reencode for Rest<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        Ok(index(&self.0.rest, function as usize))
    }
}

fn rest(module: &Module<'_>, plan: &Plan) -> Result<Vec<u8>, Error> {
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
    imports.import(FIRST, &format!("split_table_{}", plan.table), shared);
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
    let mut out = wasm_encoder::Module::new();
    out.section(&types).section(&imports).section(&functions).section(&elements).section(&code);
    if let Some(features) = module.target_features {
        out.section(&CustomSection { name: TARGET_FEATURES.into(), data: features.into() });
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasm_parts::{meter, note_calls};
    use wasmparser::validate;

    /// `run` calls `common` and `rare`, and `rare` calls `common`: functions 1, 2 and 3 after the import `host`.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([wasm_encoder::ValType::I32], [wasm_encoder::ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("host", "host", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for callees in [&[2, 3][..], &[0], &[2]] {
            functions.function(0);
            let mut body = Function::new([]);
            body.instruction(&Instruction::LocalGet(0));
            for callee in callees {
                body.instruction(&Instruction::Call(*callee));
            }
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut tables = TableSection::new();
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, table64: false, minimum: 1, maximum: None, shared: false });
        let mut memories = wasm_encoder::MemorySection::new();
        let size = wasm_encoder::MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        memories.memory(size);
        let mut globals = GlobalSection::new();
        globals.global(flag(), &ConstExpr::i32_const(7));
        let mut exports = ExportSection::new();
        exports.export("run", ExportKind::Func, 1);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(vec![3].into()));
        let mut out = wasm_encoder::Module::new();
        out.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
        out.section(&globals).section(&exports).section(&elements).section(&code);
        out.finish()
    }

    #[test]
    fn both_parts_and_the_copy_are_valid() {
        let module = module();
        validate(&note_calls(&module).unwrap()).unwrap();
        validate(&meter(&module).unwrap()).unwrap();
        for called in [&[][..], &[0], &[0, 1], &[0, 1, 2]] {
            let (first, rest) = split(&module, called).unwrap();
            validate(&first).unwrap_or_else(|error| panic!("{called:?}: {error}"));
            validate(&rest).unwrap_or_else(|error| panic!("{called:?}: {error}"));
        }
    }

    #[test]
    fn a_function_that_was_not_called_is_a_stub() {
        let module = module();
        let (first, rest) = split(&module, &[0, 1]).unwrap();
        let (first, rest) = (Module::read(&first).unwrap(), Module::read(&rest).unwrap());
        // The import `load` has index 1, so that `run`, `common` and `rare` have 2, 3 and 4.
        assert_eq!((first.imported, first.bodies.len()), (2, 3));
        assert_eq!(first.calls(2).unwrap(), [3, 4]);
        assert_eq!(first.calls(3).unwrap(), [0]);
        assert_eq!(first.calls(4).unwrap(), [1], "the stub loads");
        // `rare` calls `common` through the table.
        assert_eq!((rest.imported, rest.bodies.len()), (0, 1));
        assert!(rest.calls(0).unwrap().is_empty());
        assert_eq!(rest.entries, [0]);
    }

    #[test]
    fn what_is_not_a_module_is_an_error() {
        assert!(split(b"not wasm", &[]).is_err());
        assert!(note_calls(b"").is_err());
    }
}
