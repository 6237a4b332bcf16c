// How the editor looks: the page's tokens and the measures of its text area, so that nothing moves when the one follows the other.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const wave = (color) => ({
  background: 'none',
  textDecoration: `underline wavy 1px var(--${color})`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: '3px',
  paddingBottom: '0',
})
const box = {
  border: '1px solid var(--border-strong)',
  borderRadius: '6px',
  background: 'var(--bg)',
  color: 'var(--fg)',
  boxShadow: '0 4px 16px rgb(0 0 0 / 0.2)',
}
const control = {
  minHeight: '1.75rem',
  margin: '0',
  padding: '0 0.5rem',
  border: '1px solid var(--border-strong)',
  borderRadius: '4px',
  background: 'var(--bg)',
  color: 'var(--fg)',
  fontFamily: 'inherit',
  fontSize: '0.8125rem',
  lineHeight: '1.25rem',
}
const link = {
  padding: '0',
  border: '0',
  background: 'none',
  color: 'var(--accent)',
  font: 'inherit',
  textAlign: 'left',
  textDecoration: 'underline',
  cursor: 'pointer',
}
const roles = Object.fromEntries(
  ['system', 'user', 'assistant', 'tool'].map((role) => [`.cm-role-${role}, .cm-role-${role} span`, { color: `var(--role-${role})` }]),
)

const theme = EditorView.theme({
  '&': { flex: '1 1 0', minWidth: '0', color: 'var(--fg)', background: 'var(--bg)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  // The ring is on the part that scrolls, where the area has it.
  '&.cm-focused:has(.cm-content:focus-visible) .cm-scroller': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overscrollBehavior: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--fg)' },
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-line': { padding: '0 12px' },
  '.cm-caret': { margin: '0 -1px', borderLeft: '2px solid var(--fg)' },
  '.cm-selected': { background: 'var(--accent-bg)' },
  '.cm-placeholder': { color: 'var(--fg-subtle)' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--fg-subtle)', border: '0', borderRight: '1px solid var(--border)' },
  '.cm-marks': { width: '20px' },
  '.cm-marks .cm-gutterElement': { position: 'relative', padding: '0' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0', minWidth: '2ch' },
  '.cm-foldGutter .cm-gutterElement': { width: '12px', padding: '0', textAlign: 'center', cursor: 'pointer' },
  '.cm-band': { background: 'color-mix(in srgb, var(--accent-bg) 55%, transparent)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-line.cm-flash': { background: 'var(--warn-bg)', boxShadow: 'inset 3px 0 var(--warn)' },
  '.cm-foldPlaceholder': { border: '1px solid var(--border-strong)', background: 'var(--raised)', color: 'var(--fg-muted)' },
  '&.cm-focused .cm-matchingBracket': { background: 'none', outline: '1px solid var(--border-strong)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'none', outline: '1px solid var(--error)' },
  '.cm-searchMatch': { background: 'var(--warn-bg)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { background: 'var(--accent-bg)', outline: '2px solid var(--accent)' },
  '.cm-lintRange-error': wave('error'),
  '.cm-lintRange-warning': wave('warn'),
  '.cm-lintRange-info': wave('info'),
  '.cm-lintRange-active': { background: 'var(--raised)' },
  '.cm-lintPoint::after': { borderBottomColor: 'var(--error)' },
  '.cm-lintPoint-warning::after': { borderBottomColor: 'var(--warn)' },
  '.cm-lintPoint-info::after': { borderBottomColor: 'var(--info)' },
  '.cm-tooltip': {
    ...box,
    maxWidth: 'min(36rem, calc(100vw - 2rem))',
    fontFamily: 'inherit',
    fontSize: '0.8125rem',
    lineHeight: '1.25rem',
    overflowWrap: 'anywhere',
    zIndex: '20',
  },
  '.cm-tooltip-hover': { maxHeight: '50vh', overflow: 'auto' },
  '.cm-known': { padding: '0.5rem 0.75rem' },
  '.cm-known > * + *': { marginTop: '0.375rem' },
  '.cm-known code': { fontFamily: 'var(--mono)', color: 'var(--syn-key)' },
  '.cm-known pre': { whiteSpace: 'pre-wrap', margin: '0' },
  '.cm-known ul': { margin: '0', paddingLeft: '1.25rem' },
  '.cm-diagnostic, .cm-diagnostic-error, .cm-diagnostic-warning, .cm-diagnostic-info': {
    padding: '0.5rem 0.75rem',
    border: '0',
    whiteSpace: 'normal',
  },
  '.cm-severity': { display: 'inline-flex', gap: '0.25rem', alignItems: 'center', fontWeight: '600', verticalAlign: 'bottom' },
  '.cm-severity.severity-error': { color: 'var(--error)' },
  '.cm-severity.severity-warning': { color: 'var(--warn)' },
  '.cm-severity.severity-info': { color: 'var(--info)' },
  '.cm-told-help': { marginTop: '0.25rem', color: 'var(--fg-muted)' },
  '.cm-told-place': { ...link, display: 'block', marginTop: '0.25rem' },
  '.cm-code': { color: 'var(--accent)', fontFamily: 'var(--mono)' },
  '.cm-told-fix': { ...control, display: 'inline-block', margin: '0.5rem 0.5rem 0 0', padding: '0.125rem 0.5rem', cursor: 'pointer' },
  '.cm-told-fix:hover, .cm-button:hover': { background: 'var(--raised)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '14rem',
    minWidth: '14rem',
    maxWidth: 'min(36rem, calc(100vw - 2rem))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem', lineHeight: '1.25rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-bg)',
    color: 'var(--fg)',
    boxShadow: 'inset 3px 0 var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--fg-muted)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { ...box, padding: '0', maxWidth: 'min(22rem, calc(100vw - 2rem))' },
  // On a narrow screen it would cover the list; F1 tells the same.
  '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': { display: 'none' },
  '.cm-panels': { background: 'var(--surface)', color: 'var(--fg)', zIndex: '10' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--border)' },
  '.cm-panel, .cm-panel.cm-search': { padding: '0.375rem 2.25rem 0.375rem 0.5rem', fontSize: '0.8125rem', lineHeight: '1.75rem' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    margin: '0.125rem 0.375rem 0.125rem 0',
    fontSize: '0.8125rem',
  },
  '.cm-panel label': { display: 'inline-flex', alignItems: 'center', gap: '0.25rem' },
  '.cm-textfield': { ...control, maxWidth: '100%' },
  '.cm-button': { ...control, background: 'var(--bg)', backgroundImage: 'none', cursor: 'pointer', textTransform: 'none' },
  '.cm-panel [name=close], .cm-panel .cm-dialog-close': {
    width: '1.75rem',
    height: '1.75rem',
    padding: '0',
    border: '0',
    background: 'none',
    color: 'var(--fg-muted)',
    fontSize: '1.125rem',
    cursor: 'pointer',
  },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, .cm-panel button:focus-visible, .cm-panel input:focus-visible, .cm-tooltip :focus-visible':
    { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  ...roles,
  '@media (max-width: 799px)': {
    // Browsers zoom into smaller text fields, and fingers want larger targets.
    '&': { fontSize: '1rem' },
    '.cm-textfield': { minHeight: '44px', fontSize: '1rem' },
    '.cm-button, .cm-told-fix, .cm-told-place': { minHeight: '44px' },
    '.cm-panel label': { minHeight: '44px' },
    '.cm-panel [name=close], .cm-panel .cm-dialog-close': { width: '44px', height: '44px' },
    '.cm-panel, .cm-panel.cm-search': { paddingRight: '3rem' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.75rem 0.5rem' },
  },
})

const colors = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--syn-key)' },
  { tag: tags.string, color: 'var(--syn-str)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--syn-num)' },
  { tag: tags.comment, color: 'var(--syn-com)' },
  { tag: [tags.labelName, tags.typeName, tags.keyword], color: 'var(--syn-anchor)' },
  { tag: [tags.separator, tags.punctuation, tags.bracket, tags.meta], color: 'var(--syn-punct)' },
])

export const editorTheme = [theme, syntaxHighlighting(colors)]
