//! A document as pieces for the printer, in the author's own characters.

use crate::parse::Style;

/// A document. Its first entry holds the root.
#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    pub entries: Vec<Entry<'t>>,
    pub collections: Vec<Collection<'t>>,
    /// The comments that stay at the head of the file, whichever key comes first.
    pub head: Vec<Comment<'t>>,
    /// Whether a blank line separates the head from the first key.
    pub head_blank: bool,
    /// The comments below a root that is not a block collection.
    pub tail: Vec<Comment<'t>>,
    /// The place of each alias and the anchor it names, in the order of the text.
    pub aliases: Vec<(usize, usize)>,
    /// Whether one name anchors two nodes, so that the order of everything matters.
    pub same_anchors: bool,
}

/// A list item, or a key with its value.
#[derive(Debug, Default)]
pub(super) struct Entry<'t> {
    pub key: Option<Node<'t>>,
    pub value: Node<'t>,
    /// The comments on separate lines above it.
    pub lead: Vec<Comment<'t>>,
    /// The comment at the end of its first line, or of its last if the value is a scalar.
    pub eol: Option<&'t str>,
    /// The comments below it that are indented more than it is.
    pub below: Vec<Comment<'t>>,
    /// Whether a blank line is directly before it, below its comments.
    pub blank: bool,
    /// Where it begins in the text.
    pub start: usize,
}

/// A list or a map.
#[derive(Debug, Default)]
pub(super) struct Collection<'t> {
    pub is_map: bool,
    pub flow: bool,
    /// The column of its entries in the text.
    pub column: usize,
    pub entries: Vec<usize>,
    /// The comments at its end.
    pub foot: Vec<Comment<'t>>,
    /// The entry with this value.
    pub owner: usize,
    pub start: usize,
    pub end: usize,
}

/// A comment on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'t> {
    pub text: &'t str,
    /// Whether a blank line precedes it.
    pub blank: bool,
}

/// A key or a value.
#[derive(Debug, Default)]
pub(super) struct Node<'t> {
    /// Its anchor and its tag in the order of the text.
    pub props: Vec<&'t str>,
    pub data: Data<'t>,
    /// Whether true or false is wanted there.
    pub is_truth: bool,
}

#[derive(Debug, Default)]
pub(super) enum Data<'t> {
    /// Nothing is written.
    #[default]
    Empty,
    /// A scalar on one or several lines, with its quotes.
    Scalar(Style, &'t str),
    Block(Block<'t>),
    /// `*name`.
    Alias(&'t str),
    /// The number of a collection.
    Collection(usize),
}

/// A block scalar.
#[derive(Debug)]
pub(super) struct Block<'t> {
    /// `|` or `>`.
    pub style: char,
    /// `-` or `+`, if any.
    pub chomp: Option<char>,
    /// Its lines without their indentation.
    pub lines: Vec<&'t str>,
}

impl<'t> Tree<'t> {
    pub(super) fn entry(&mut self, number: usize) -> Option<&mut Entry<'t>> {
        self.entries.get_mut(number)
    }

    /// The number of the root collection.
    pub(super) fn root(&self) -> Option<usize> {
        self.entries.first().and_then(|entry| entry.value.collection())
    }
}

impl Node<'_> {
    pub(super) fn collection(&self) -> Option<usize> {
        match self.data {
            Data::Collection(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn is_tagged(&self) -> bool {
        self.props.iter().any(|prop| prop.starts_with('!'))
    }
}
