use super::*;
use crate::wasm_parts::module::Module;
use crate::wasm_parts::reach::Moved;
use crate::wasm_parts::split::{split, split_by_exports};
use wasm_encoder::{MemorySection, MemoryType, RefType, TableType, TypeSection, ValType};
use wasmparser::validate;

/// The functions `run`, `other`, `common` and `rare` after the import `host`: `run` and `other` call `common`, `run` often, and each
/// calls `rare` once.
fn module() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32], [ValType::I32]);
    let mut imports = ImportSection::new();
    imports.import("host", "host", EntityType::Function(0));
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for callees in [&[3; OFTEN as usize][..], &[3], &[0], &[0, 0]] {
        functions.function(0);
        let mut body = Function::new([]);
        body.instruction(&Instruction::LocalGet(0));
        let rare = if callees[0] == 3 { &[4][..] } else { &[] };
        for callee in callees.iter().chain(rare) {
            body.instruction(&Instruction::Call(*callee));
        }
        for _ in 0..40 {
            body.instruction(&Instruction::Nop);
        }
        code.function(body.instruction(&Instruction::End));
    }
    let mut tables = TableSection::new();
    let element_type = RefType::FUNCREF;
    tables.table(TableType { element_type, table64: false, minimum: 1, maximum: None, shared: false });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = wasm_encoder::GlobalSection::new();
    globals.global(super::super::note_calls::flag(), &ConstExpr::i32_const(7));
    let mut exports = ExportSection::new();
    for (name, function) in [("run", 1), ("other", 2), ("common", 3)] {
        exports.export(name, ExportKind::Func, function);
    }
    let mut elements = ElementSection::new();
    elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(vec![4].into()));
    let mut out = wasm_encoder::Module::new();
    out.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
    out.section(&globals).section(&exports).section(&elements).section(&code);
    out.finish()
}

/// The part with `common`, that with `rare`, that with `other` and that with `run`.
fn parts() -> Vec<Vec<u8>> {
    let (before, run) = split_by_exports(&module(), Moved::default(), |name| name == "run").unwrap();
    let (before, other) = split_by_exports(&before, Moved::default(), |name| name == "other").unwrap();
    // `common` is the first function there.
    let (first, rest) = split(&before, &[0], 30).unwrap();
    vec![first, rest, other, run]
}

/// The operators of a function that call something, and the numbers before them.
fn calls<'m>(module: &Module<'m>, function: usize) -> Vec<Operator<'m>> {
    let operators = module.body(function).unwrap().get_operators_reader().unwrap();
    let is_of_call = |operator: &Operator<'_>| {
        matches!(operator, Operator::I32Const { .. } | Operator::Call { .. } | Operator::CallIndirect { .. })
    };
    operators.into_iter().map(Result::unwrap).filter(is_of_call).collect()
}

#[test]
fn parts_share_one_table_with_each_function_once() {
    let before = parts();
    assert_eq!(Module::read(&before[0]).unwrap().tables.len(), 4, "its own, and one for each split");
    let written = share_one_table(&before).unwrap();
    for part in &written {
        validate(part).unwrap();
    }
    let read: Vec<_> = written.iter().map(|part| Module::read(part).unwrap()).collect();
    assert!(read.iter().all(|part| part.tables.len() <= 2));
    // After the imports `host` and `load` comes `common`. The rest calls `host`, and the others call `common`.
    assert_eq!(read[0].shared, [(1, 0, 0), (1, 1, 2)]);
    assert_eq!(read[1].bodies.len(), 1, "`rare`");
}

#[test]
fn a_function_that_is_called_often_has_a_stub() {
    let written = share_one_table(&parts()).unwrap();
    let [_, _, other, run] = [0, 1, 2, 3].map(|at| Module::read(&written[at]).unwrap());
    // The stub of `common` is the first function of `run`, which is the second.
    assert_eq!((run.bodies.len(), run.exports.as_slice()), (2, &[("run", 1)][..]));
    let stub = calls(&run, 0);
    assert!(matches!(stub[..], [Operator::I32Const { value: 1 }, Operator::CallIndirect { .. }]), "{stub:?}");
    let own = calls(&run, 1);
    let direct = own.iter().take_while(|operator| matches!(operator, Operator::Call { function_index: 0 }));
    assert_eq!(direct.count(), OFTEN as usize);
    assert_eq!(own[OFTEN as usize..].iter().filter_map(place_of).collect::<Vec<_>>(), [2]);
    // `other` calls each once.
    assert_eq!(other.bodies.len(), 1);
    assert_eq!(calls(&other, 0).iter().filter_map(place_of).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_part_of_another_module_is_refused() {
    let [one, mut other] = [parts(), parts()];
    // Without the part that has `rare`, nobody is at its place.
    other.remove(1);
    let error = share_one_table(&other).unwrap_err().to_string();
    assert!(error.contains("no part has a function at"), "{error}");
    assert!(share_one_table(&[one[0].clone(), b"not wasm".to_vec()]).is_err());
    assert!(share_one_table(&[]).unwrap().is_empty());
}
