import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../../../parts/app/nonce.ts';

/** Colours are properties of editor.module.css, so that both themes have theirs. */
const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--code-tag)' },
  { tag: tags.attributeName, color: 'var(--code-attribute)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--code-string)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.number, tags.bool, tags.color, tags.unit], color: 'var(--code-number)' },
  { tag: [tags.variableName, tags.propertyName], color: 'var(--code-variable)' },
  { tag: [tags.brace, tags.function(tags.variableName)], color: 'var(--code-keyword)' },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: 'var(--code-comment)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '0.8125rem', backgroundColor: 'transparent', color: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--panel-accent)' },
  '.cm-cursor': { borderLeftColor: 'var(--panel-accent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--code-selection)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--panel-rail)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--panel-line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--code-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--panel-hover)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--panel-hover)',
    border: '0',
    color: 'var(--mantine-color-dimmed)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--panel-tint)',
    color: 'var(--panel-accent)',
  },
  '.cm-panels': {
    backgroundColor: 'var(--panel-rail)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--panel-line)',
  },
  '.cm-textfield, .cm-button': {
    backgroundColor: 'var(--mantine-color-body)',
    backgroundImage: 'none',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--panel-tint)' },
  '.cm-searchMatch': { backgroundColor: 'var(--panel-warn-tint)' },
  '.cm-collapsedLines': {
    background: 'var(--panel-rail)',
    color: 'var(--mantine-color-dimmed)',
    fontFamily: 'var(--mantine-font-family)',
    cursor: 'pointer',
  },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"···"', margin: '0 0.5rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--panel-alarm)' },
});

/** How every editor and comparison looks. Style elements need the nonce of the page. */
export const look: Extension = [
  EditorView.cspNonce.of(styleNonce()),
  theme,
  syntaxHighlighting(highlight),
  EditorView.lineWrapping,
];
