//! A copy of a module that counts the instructions it executes.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, Function, GlobalSection, GlobalType, Instruction,
    ValType,
};
use wasmparser::{ExportSectionReader, FunctionBody, GlobalSectionReader, Operator, Parser};

use super::module::Module;
use super::note_calls::count;
use super::unreadable;
use crate::failure::Outcome;

/// The module with an exported global `instructions`, an i64: how many instructions were executed so far. The same calls
/// give the same number on every machine.
pub(crate) fn meter(bytes: &[u8]) -> Outcome<Vec<u8>> {
    let module = Module::read(bytes)?;
    let mut out = wasm_encoder::Module::new();
    let mut writer = MeteringWriter { counter: count(module.globals.len()) };
    writer.parse_core_module(&mut out, Parser::new(0), bytes).map_err(unreadable)?;
    Ok(out.finish())
}

struct MeteringWriter {
    counter: u32,
}

impl MeteringWriter {
    fn add(&self, instructions: i64, function: &mut Function) {
        if instructions > 0 {
            function.instruction(&Instruction::GlobalGet(self.counter));
            function.instruction(&Instruction::I64Const(instructions));
            function.instruction(&Instruction::I64Add);
            function.instruction(&Instruction::GlobalSet(self.counter));
        }
    }
}

/// Whether the next instruction may be executed without this one, or this one without the next.
fn ends_a_run(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Else
            | Operator::End
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::Return
            | Operator::Unreachable
    )
}

impl Reencode for MeteringWriter {
    type Error = Infallible;

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_global_section(self, globals, section)?;
        let counter = GlobalType { val_type: ValType::I64, mutable: true, shared: false };
        globals.global(counter, &ConstExpr::i64_const(0));
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_export_section(self, exports, section)?;
        exports.export("instructions", ExportKind::Global, self.counter);
        Ok(())
    }

    /// Before each run of instructions that are executed together, their number is added.
    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        let operators = body.get_operators_reader()?.into_iter().collect::<Result<Vec<_>, _>>()?;
        for run in operators.split_inclusive(ends_a_run) {
            self.add(i64::try_from(run.len()).unwrap_or(i64::MAX), &mut function);
            for operator in run {
                function.instruction(&self.instruction(operator.clone())?);
            }
        }
        code.function(&function);
        Ok(())
    }
}
