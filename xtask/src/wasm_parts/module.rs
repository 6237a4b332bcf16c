//! What a split has to know of a module.

use wasmparser::{
    BinaryReaderError, CompositeInnerType, ElementItems, Export, ExternalKind, FuncType, FunctionBody,
    GlobalType, MemoryType, Operator, Parser, Payload, TableType, TypeRef,
};

use super::unreadable;
use crate::failure::{Failure, Outcome};

/// The section that says which features of wasm a module may use.
pub(super) const TARGET_FEATURES: &str = "target_features";

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
    /// The functions that are exported, are in a table, or start the module.
    pub entries: Vec<u32>,
    /// How many lists of functions for tables there are.
    pub in_tables: usize,
    /// What the module may use of wasm, for the tools that read it.
    pub target_features: Option<&'m [u8]>,
    /// The bodies of the functions that are not imported.
    pub bodies: Vec<FunctionBody<'m>>,
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
        let lengths = [out.imported, out.tables.len(), out.globals.len(), out.entries.len(), out.in_tables];
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
                    let Export { kind, index, .. } = export?;
                    self.entries.extend((kind == ExternalKind::Func).then_some(index));
                }
            }
            Payload::StartSection { func, .. } => self.entries.push(func),
            Payload::ElementSection(section) => {
                for element in section {
                    self.in_tables += 1;
                    self.add_elements(element?.items)?;
                }
            }
            Payload::CustomSection(section) if section.name() == TARGET_FEATURES => {
                self.target_features = Some(section.data());
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            _ => {}
        }
        Ok(())
    }

    fn add_elements(&mut self, items: ElementItems<'m>) -> Result<(), BinaryReaderError> {
        match items {
            ElementItems::Functions(functions) => {
                for function in functions {
                    self.entries.push(function?);
                }
            }
            ElementItems::Expressions(_, expressions) => {
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
