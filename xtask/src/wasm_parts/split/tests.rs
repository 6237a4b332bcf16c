use super::*;
use crate::wasm_parts::{meter, note_calls};
use wasm_encoder::Section as _;
use wasmparser::validate;

const STUB_LENGTH: u64 = 24;

/// `run` calls `common` and `rare`, and `rare` calls `common`: functions 1, 2 and 3 after the import `host`.
fn module() -> Vec<u8> {
    module_with(&[], STUB_LENGTH)
}

/// With these segments of data, each an address and bytes, and with their count if there are any. Each function has so many
/// instructions that do nothing.
fn module_with(segments: &[(i32, &[u8])], idle: u64) -> Vec<u8> {
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
        for _ in 0..idle {
            body.instruction(&Instruction::Nop);
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
    out.section(&globals).section(&exports).section(&elements);
    if segments.is_empty() {
        out.section(&code);
        return out.finish();
    }
    let mut data = DataSection::new();
    for (address, bytes) in segments {
        data.active(0, &ConstExpr::i32_const(*address), bytes.iter().copied());
    }
    out.section(&wasm_encoder::DataCountSection { count: count(segments.len()) })
        .section(&code)
        .section(&data);
    out.finish()
}

#[test]
fn data_that_stays_keeps_its_segments_and_their_count() {
    let module = module_with(&[(16, b"one"), (32, b"two"), (900, b"three")], STUB_LENGTH);
    let (first, rest) = split(&module, &[0], STUB_LENGTH).unwrap();
    validate(&first).unwrap();
    validate(&rest).unwrap();
    assert_eq!(Module::read(&first).unwrap().data.len(), 3);
}

#[test]
fn both_parts_and_the_copy_are_valid() {
    let module = module();
    validate(&note_calls(&module).unwrap()).unwrap();
    validate(&meter(&module).unwrap()).unwrap();
    for called in [&[][..], &[0], &[0, 1], &[0, 1, 2]] {
        let (first, rest) = split(&module, called, STUB_LENGTH).unwrap();
        validate(&first).unwrap_or_else(|error| panic!("{called:?}: {error}"));
        validate(&rest).unwrap_or_else(|error| panic!("{called:?}: {error}"));
    }
}

#[test]
fn a_function_that_was_not_called_is_a_stub() {
    let module = module();
    let (first, rest) = split(&module, &[0, 1], STUB_LENGTH).unwrap();
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
fn a_function_as_short_as_a_stub_is_in_the_first_part() {
    let (first, rest) = split(&module_with(&[], 0), &[0], STUB_LENGTH).unwrap();
    let (first, rest) = (Module::read(&first).unwrap(), Module::read(&rest).unwrap());
    assert_eq!((first.bodies.len(), rest.bodies.len()), (3, 0));
}

#[test]
fn an_export_moves_with_what_only_it_needs() {
    let module = module();
    let whole = split_by_exports(&module, Moved::default(), |name| name == "run").unwrap();
    let moved = Moved { slots: [0].into(), ..Moved::default() };
    let none = split_by_exports(&module, moved, |name| name == "run").unwrap();
    for ((first, rest), bodies) in [(whole, [2, 1]), (none, [0, 3])] {
        for part in [&first, &rest] {
            validate(part).unwrap();
            validate(&meter(part).unwrap()).unwrap();
        }
        let parts = [&first, &rest].map(|part| Module::read(part).unwrap());
        assert_eq!(parts.each_ref().map(|part| part.bodies.len()), bodies);
        assert_eq!(parts.each_ref().map(|part| part.exports.len()), [0, 1]);
        assert_eq!(parts[0].imported, 1, "nothing loads the rest");
        // The place in the table is filled by the part that has the function.
        assert_eq!(parts.map(|part| part.slots.len()).iter().sum::<usize>(), 1);
    }
}

#[test]
fn the_first_part_keeps_the_places_of_its_functions() {
    let moved = Moved { slots: [0].into(), ..Moved::default() };
    let (first, rest) = split_by_exports(&module(), moved, |_| false).unwrap();
    let (first, rest) = (Module::read(&first).unwrap(), Module::read(&rest).unwrap());
    assert_eq!((first.slots, rest.slots), (vec![(0, 3)], vec![]));
}

#[test]
fn a_later_part_calls_the_functions_of_two_parts_before_it() {
    let (before, later) = split_by_exports(&module(), Moved::default(), |name| name == "run").unwrap();
    // `common` is called at first, `rare` is not.
    let (first, rest) = split(&before, &[0], STUB_LENGTH).unwrap();
    for part in [&first, &rest, &later] {
        validate(part).unwrap();
    }
    let [before, first, rest, later] =
        [&before, &first, &rest, &later].map(|part| Module::read(part).unwrap());
    assert_eq!(before.shared, [(1, 0, 1), (1, 1, 2)]);
    assert!(before.names.is_subset(&first.names));
    // After the imports `host` and `load`.
    let of_later: Vec<_> = first.shared.iter().filter(|(table, ..)| *table == 1).collect();
    assert_eq!(of_later, [&(1, 0, 2)]);
    // The stub of `rare` in the first table has it, and so has the place that `run` calls.
    assert_eq!((rest.bodies.len(), rest.entries), (1, vec![0, 0]));
    assert_eq!(later.exports, [("run", 0)]);
}

#[test]
fn data_is_in_the_part_that_reads_it() {
    let mut bytes = module();
    let mut data = DataSection::new();
    let text = [&b"firstDOCSabcdefghgaplast"[..], &[7; 300], b"end"].concat();
    data.active(0, &ConstExpr::i32_const(16), text);
    data.append_to(&mut bytes);
    let moved = Moved { data: vec![33..36, 40..340], sentences: vec![25..33], ..Moved::default() };
    let (first, rest) = split_by_exports(&bytes, moved, |name| name == "run").unwrap();
    let data_of = |part: &[u8]| -> Vec<(u32, Vec<u8>)> {
        validate(part).unwrap();
        let segments = Module::read(part).unwrap().data;
        segments.iter().map(|segment| (segment.address, segment.bytes.to_vec())).collect()
    };
    let start = b"firstDOCS\x01\0\0\0\0\0\0\0\0\0\0last".to_vec();
    assert_eq!(data_of(&first), [(16, start), (340, b"end".to_vec())]);
    let sentence = (25, b"abcdefgh".to_vec());
    assert_eq!(data_of(&rest), [sentence, (33, b"gap".to_vec()), (40, vec![7; 300])]);
}

#[test]
fn what_is_not_a_module_is_an_error() {
    assert!(split(b"not wasm", &[], STUB_LENGTH).is_err());
    assert!(note_calls(b"").is_err());
}
