//! Finds the parts of a linked module that only some of its exports need.
//!
//! A linker that keeps its relocations (`--emit-relocs`) lists what each function and each piece of data refers to.

use std::collections::BTreeSet;
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, CustomSectionReader, KnownCustom, Linking, Parser, Payload, RelocationEntry,
    SymbolInfo,
};

use super::module::Module;
use super::note_calls::count;
use super::unreadable;
use crate::failure::{Failure, Outcome};

/// The places of a table and of the memory that the rest of a module fills, since the first part does not use them.
#[derive(Default)]
pub(crate) struct Moved {
    pub slots: BTreeSet<u32>,
    /// Addresses, in ascending order and apart from each other.
    pub data: Vec<Range<u32>>,
    /// The places in the data of the first part that refer to sentences (`transcript_core::text::Doc`): the address of a text and
    /// its length. Only the rest reads them, so that they are empty until it is loaded.
    pub sentences: Vec<Range<u32>>,
}

/// The bytes before each of these places.
const MARK: &[u8] = b"DOCS";

/// What only the exports of the rest need. `is_rest` says which these are, by their names; `with_sentences`, whether the sentences
/// are for the rest too. wasm-bindgen and wasm-opt, which change a module later, keep the places in its table and the addresses of
/// its data.
///
/// # Errors
/// If the module was linked without relocations.
pub(crate) fn needed_by_rest(
    linked: &[u8],
    is_rest: impl Fn(&str) -> bool,
    with_sentences: bool,
) -> Outcome<Moved> {
    let module = Module::read(linked)?;
    let links = Links::read(linked).map_err(unreadable)?;
    if links.symbols.is_empty() || links.relocations.is_empty() {
        return Err(Failure::new("the wasm module was linked without `--emit-relocs`"));
    }
    let nodes = Nodes::new(&module, &links.symbols);
    let mut references = vec![Vec::new(); module.functions.len() + nodes.data.len()];
    let mut sentences = Vec::new();
    for (place, relocation) in &links.relocations {
        let Some(target) = nodes.of_symbols.get(relocation.index as usize).copied().flatten() else {
            continue;
        };
        let holders: Vec<usize> = nodes.holders(*place).collect();
        let before = usize::try_from(*place).ok().and_then(|place| linked.get(..place));
        match holders.first().map(|first| first.checked_sub(module.functions.len())) {
            None => {
                return Err(unreadable(format!(
                    "nothing known is at the place {place} that refers to another"
                )));
            }
            Some(Some(data)) if with_sentences && before.is_some_and(|before| before.ends_with(MARK)) => {
                let SymbolData { address, place: start, .. } = nodes.data[data];
                let address = address + u32::try_from(place - start).map_err(unreadable)?;
                sentences.push(address..address + 8);
            }
            Some(_) => holders.into_iter().for_each(|holder| references[holder].push(target)),
        }
    }
    sentences.sort_by_key(|range| range.start);
    let exports = module.exports.iter().filter(|(name, _)| !is_rest(name));
    let roots = exports.map(|(_, function)| *function as usize).collect();
    let first = reached(roots, |node| references.get(node).map_or(&[], Vec::as_slice));
    let is_first = |node: usize| first.get(node).copied().unwrap_or_default();
    let slots = module.slots.iter().filter(|(_, function)| !is_first(*function as usize));
    let functions = module.functions.len();
    let data = |wanted: bool| {
        let places = nodes.data.iter().enumerate();
        let places = places.filter(move |(at, _)| is_first(functions + at) == wanted);
        places.map(|(_, data)| data.address..data.address + data.size)
    };
    let data = without(data(false), data(true));
    // Data that moves takes its sentences with it.
    sentences.retain(|range| !data.iter().any(|data| data.contains(&range.start)));
    Ok(Moved { slots: slots.map(|(slot, _)| *slot).collect(), data, sentences })
}

/// Which nodes a walk from the roots reaches; the list ends with the last of them.
pub(super) fn reached<'r>(mut open: Vec<usize>, next: impl Fn(usize) -> &'r [u32]) -> Vec<bool> {
    let mut reached = Vec::new();
    while let Some(node) = open.pop() {
        if reached.len() <= node {
            reached.resize(node + 1, false);
        }
        if !std::mem::replace(&mut reached[node], true) {
            open.extend(next(node).iter().map(|at| *at as usize));
        }
    }
    reached
}

/// The parts of the ranges, which are in ascending order, that none of the others has.
fn without(
    ranges: impl Iterator<Item = Range<u32>>,
    mut others: impl Iterator<Item = Range<u32>>,
) -> Vec<Range<u32>> {
    let mut out: Vec<Range<u32>> = Vec::new();
    let mut other = others.next();
    for mut range in ranges {
        range.start = range.start.max(out.last().map_or(0, |last| last.end));
        while let Some(next) = other.clone().filter(|next| next.start < range.end) {
            if next.start > range.start {
                push(&mut out, range.start..next.start);
            }
            range.start = range.start.max(next.end);
            if next.end > range.end {
                break;
            }
            other = others.next();
        }
        push(&mut out, range);
    }
    out
}

fn push(ranges: &mut Vec<Range<u32>>, range: Range<u32>) {
    match ranges.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// The relocations of the code and of the data, with what they refer to.
#[derive(Default)]
struct Links<'m> {
    symbols: Vec<SymbolInfo<'m>>,
    /// Each relocation, with the place in the file of the code or data that refers.
    relocations: Vec<(u64, RelocationEntry)>,
}

impl<'m> Links<'m> {
    fn read(linked: &'m [u8]) -> Result<Self, BinaryReaderError> {
        let mut out = Self::default();
        let mut sections = Vec::new();
        for payload in Parser::new(0).parse_all(linked) {
            let payload = payload?;
            if let Some((id, range)) = payload.as_section() {
                sections.push((id, range.start));
            }
            if let Payload::CustomSection(section) = payload {
                out.add(&section, &sections)?;
            }
        }
        Ok(out)
    }

    fn add(
        &mut self,
        section: &CustomSectionReader<'m>,
        sections: &[(u8, u64)],
    ) -> Result<(), BinaryReaderError> {
        match section.as_known() {
            KnownCustom::Linking(linking) => {
                for part in linking.subsections() {
                    if let Linking::SymbolTable(symbols) = part? {
                        self.symbols = symbols.into_iter().collect::<Result<_, _>>()?;
                    }
                }
            }
            KnownCustom::Reloc(relocations) => {
                // Custom sections, such as those for debuggers, are no part of what runs.
                let Some((1.., start)) = sections.get(relocations.section_index() as usize) else {
                    return Ok(());
                };
                for relocation in relocations.entries() {
                    let relocation = relocation?;
                    self.relocations.push((start + u64::from(relocation.offset), relocation));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// A piece of data that has a symbol.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SymbolData {
    address: u32,
    size: u32,
    /// Where it is in the file.
    place: u64,
}

/// The nodes of the graph: the functions by their indices, and after them the pieces of data.
struct Nodes {
    /// The functions that are not imported, by their places in the file.
    bodies: Vec<Range<u64>>,
    imported: usize,
    /// In the order of their addresses. Data with several symbols is listed once.
    data: Vec<SymbolData>,
    /// The node of each symbol.
    of_symbols: Vec<Option<u32>>,
}

/// So many pieces of data overlap at most: short texts that lie within long ones.
const OVERLAPPING: usize = 1000;

impl Nodes {
    fn new(module: &Module<'_>, symbols: &[SymbolInfo<'_>]) -> Self {
        let data_of = |symbol: &SymbolInfo<'_>| {
            let SymbolInfo::Data { symbol: Some(symbol), .. } = symbol else { return None };
            let segment = module.data.get(symbol.index as usize)?;
            let (address, place) =
                (segment.address + symbol.offset, segment.place + u64::from(symbol.offset));
            Some(SymbolData { address, size: symbol.size, place })
        };
        let data: BTreeSet<SymbolData> = symbols.iter().filter_map(data_of).collect();
        let data: Vec<SymbolData> = data.into_iter().collect();
        let of_symbols = symbols.iter().map(|symbol| match symbol {
            SymbolInfo::Func { index, .. } => Some(*index),
            _ => {
                let at = data.binary_search(&data_of(symbol)?).ok()?;
                Some(count(module.functions.len() + at))
            }
        });
        Self {
            of_symbols: of_symbols.collect(),
            bodies: module.bodies.iter().map(|body| body.range()).collect(),
            imported: module.imported,
            data,
        }
    }

    /// The nodes that a place in the file is in.
    fn holders(&self, place: u64) -> impl Iterator<Item = usize> {
        let body = self.bodies.partition_point(|body| body.start <= place).checked_sub(1);
        let body = body.filter(|at| self.bodies[*at].contains(&place));
        let after = self.data.partition_point(|data| data.place <= place);
        let data = (after.saturating_sub(OVERLAPPING)..after)
            .filter(move |at| place < self.data[*at].place + u64::from(self.data[*at].size));
        let functions = self.imported + self.bodies.len();
        body.map(|at| self.imported + at).into_iter().chain(data.map(move |at| functions + at))
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "some lists of ranges have one")]
mod tests {
    use super::*;
    use std::iter;
    use wasm_encoder::{
        CodeSection, ConstExpr, CustomSection, DataSection, DataSymbolDefinition, ElementSection, Elements,
        ExportKind, ExportSection, Function, FunctionSection, Instruction, LinkingSection, MemorySection,
        MemoryType, RefType, SymbolTable, TableSection, TableType, TypeSection,
    };

    /// The functions `first` and `author`, each of which refers to data, and `helper`. The data of `author` refers to `helper` by its
    /// place in the table, that of `first` to the sentence `text`.
    fn linked() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for _ in 0..3 {
            functions.function(0);
            let mut body = Function::new([]);
            body.instruction(&Instruction::Nop).instruction(&Instruction::End);
            code.function(&body);
        }
        let mut tables = TableSection::new();
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, table64: false, minimum: 2, maximum: None, shared: false });
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut exports = ExportSection::new();
        exports.export("first", ExportKind::Func, 0).export("author", ExportKind::Func, 1);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(1), Elements::Functions(vec![2].into()));
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(16), *b"ffffDOCS\0\0\0\0\x04\0\0\0aaaatext");
        let mut symbols = SymbolTable::new();
        for index in 0..3 {
            symbols.function(0, index, Some("function"));
        }
        for (offset, size) in [(0, 16), (16, 4), (20, 4)] {
            symbols.data(0, "data", Some(DataSymbolDefinition { index: 0, offset, size }));
        }
        let mut linking = LinkingSection::new();
        linking.symbol_table(&symbols);
        let mut out = wasm_encoder::Module::new();
        out.section(&types).section(&functions).section(&tables).section(&memories).section(&exports);
        out.section(&elements).section(&code).section(&data).section(&linking);
        let linked = out.clone().finish();
        let module = Module::read(&linked).unwrap();
        let body = |at: usize| module.bodies[at].range().start;
        let data = module.data[0].place;
        // Sections by their indices, the types of relocations, and the symbols.
        for (name, index, relocations) in [
            ("reloc.CODE", 6, &[(4, body(0), 3), (4, body(1), 4)][..]),
            ("reloc.DATA", 7, &[(5, data + 8, 5), (2, data + 16, 2)]),
        ] {
            let start = section_start(&linked, index);
            let mut bytes = vec![index, u8::try_from(relocations.len()).unwrap()];
            for (kind, place, symbol) in relocations {
                bytes.extend([*kind, u8::try_from(place - start).unwrap(), *symbol]);
                bytes.extend(iter::repeat_n(0, usize::from(*kind != 2)));
            }
            out.section(&CustomSection { name: name.into(), data: bytes.into() });
        }
        out.finish()
    }

    fn section_start(module: &[u8], index: u8) -> u64 {
        let sections = Parser::new(0).parse_all(module).filter_map(|payload| payload.unwrap().as_section());
        sections.map(|(_, range)| range.start).nth(usize::from(index)).unwrap()
    }

    #[test]
    fn what_only_the_exports_of_the_rest_need_moves() {
        let moved = needed_by_rest(&linked(), |name| name == "author", true).unwrap();
        assert_eq!((moved.slots.into_iter().collect::<Vec<_>>(), moved.data), (vec![1], vec![32..40]));
        assert_eq!(moved.sentences, [24..32]);
    }

    #[test]
    fn sentences_move_with_nothing_else() {
        let moved = needed_by_rest(&linked(), |_| false, true).unwrap();
        assert_eq!((moved.slots.len(), moved.data, moved.sentences), (0, vec![36..40], vec![24..32]));
        let moved = needed_by_rest(&linked(), |name| name == "first", true).unwrap();
        assert_eq!((moved.data, moved.sentences), (vec![16..32, 36..40], vec![]));
    }

    #[test]
    fn sentences_stay_that_are_of_an_earlier_part() {
        let moved = needed_by_rest(&linked(), |_| false, false).unwrap();
        assert_eq!((moved.data, moved.sentences), (vec![], vec![]));
    }

    #[test]
    fn a_module_without_relocations_is_an_error() {
        let module = wasm_encoder::Module::new().finish();
        assert!(needed_by_rest(&module, |_| true, true).is_err());
    }

    #[test]
    fn ranges_lose_what_others_have() {
        let rest = |ranges: &[Range<u32>], others: &[Range<u32>]| {
            without(ranges.iter().cloned(), others.iter().cloned())
        };
        assert_eq!(rest(&[0..4, 4..8, 10..12], &[]), [0..8, 10..12]);
        assert_eq!(rest(&[0..10], &[2..3, 5..6]), [0..2, 3..5, 6..10]);
        assert_eq!(rest(&[0..4, 2..9], &[0..1, 3..5, 8..20]), [1..3, 5..8]);
        assert_eq!(rest(&[5..6, 7..8], &[0..10]), []);
    }
}
