//! A copy of a module that notes which of its functions are called.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, Instruction, ValType,
};
use wasmparser::{ExportSectionReader, FunctionBody, GlobalSectionReader, Parser};

use super::module::Module;
use super::unreadable;
use crate::failure::Outcome;

/// The module with an exported global `called_N` for the function N, counted without imports: 1 once it was called.
pub(crate) fn note_calls(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let module = Module::read_to_extend(bytes)?;
    let (first_flag, functions) = (count(module.globals.len()), count(module.bodies.len()));
    let mut out = wasm_encoder::Module::new();
    let mut writer = NotingWriter { first_flag, functions, written: 0 };
    writer.parse_core_module(&mut out, Parser::new(0), bytes).map_err(unreadable)?;
    Ok(out.finish())
}

pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

struct NotingWriter {
    first_flag: u32,
    functions: u32,
    written: u32,
}

impl Reencode for NotingWriter {
    type Error = Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_global_section(self, globals, section)?;
        for _ in 0..self.functions {
            globals.global(flag(), &ConstExpr::i32_const(0));
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_export_section(self, exports, section)?;
        for at in 0..self.functions {
            exports.export(&format!("called_{at}"), ExportKind::Global, self.first_flag + at);
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        function.instruction(&Instruction::I32Const(1));
        function.instruction(&Instruction::GlobalSet(self.first_flag + self.written));
        self.written += 1;
        for operator in body.get_operators_reader()? {
            function.instruction(&self.instruction(operator?)?);
        }
        code.function(&function);
        Ok(())
    }
}

/// A number that the module changes, 0 at first.
pub(super) fn flag() -> GlobalType {
    GlobalType { val_type: ValType::I32, mutable: true, shared: false }
}
