use super::*;
use wasm_encoder::{
    EntityType, ExportKind, ExportSection, Function, ImportSection, Instruction, TypeSection, ValType,
};
use wasmparser::{Operator, validate};

/// After the import `host` four functions, which are exported under their numbers. `0` and `2` add, `1` and `3` call; `1` calls `3`.
fn module() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    types.ty().function([], []);
    let mut imports = ImportSection::new();
    imports.import("host", "host", EntityType::Function(1));
    let (mut functions, mut exports, mut code) =
        (FunctionSection::new(), ExportSection::new(), CodeSection::new());
    for number in 0..4_u32 {
        functions.function(number % 2);
        exports.export(&number.to_string(), ExportKind::Func, number + 1);
        let mut body = Function::new([]);
        if number % 2 == 0 {
            body.instruction(&Instruction::I32Const(number.cast_signed()));
        }
        for at in 0..20 {
            if number % 2 == 0 {
                body.instruction(&Instruction::I32Const(at)).instruction(&Instruction::I32Add);
            } else {
                body.instruction(&Instruction::Call(if number == 1 && at == 19 { 4 } else { 0 }));
            }
        }
        body.instruction(&Instruction::End);
        code.function(&body);
    }
    let mut out = wasm_encoder::Module::new();
    out.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
    out.finish()
}

#[test]
fn functions_that_are_alike_are_neighbours_and_keep_their_callers() {
    let ordered = order_by_similarity(&module()).unwrap();
    validate(&ordered).unwrap();
    let ordered = Module::read(&ordered).unwrap();
    assert_eq!(ordered.exports, [("0", 1), ("1", 4), ("2", 2), ("3", 3)]);
    let first = |function| {
        let body = ordered.body(function).unwrap();
        body.get_operators_reader().unwrap().read().unwrap()
    };
    assert!(matches!(first(1), Operator::I32Const { value: 0 }));
    assert!(matches!(first(2), Operator::I32Const { value: 2 }));
    assert_eq!(ordered.calls(4).unwrap(), [&[0; 19][..], &[3]].concat());
}

#[test]
fn the_order_stays_when_it_is_made_again() {
    let ordered = order_by_similarity(&module()).unwrap();
    assert_eq!(order_by_similarity(&ordered).unwrap(), ordered);
}

#[test]
fn a_module_without_functions_is_unchanged() {
    let empty = wasm_encoder::Module::new().finish();
    assert_eq!(order_by_similarity(&empty).unwrap(), empty);
    assert!(order_by_similarity(b"not wasm").is_err());
}
