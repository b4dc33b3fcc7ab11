import { liquidPath, type Scope } from './template-path.ts';
import { readTags, type TemplateTag } from './template-tags.ts';

export type Dialect = 'resend' | 'mustachio' | 'handlebars';

/** About one line of a template. */
export interface Remark {
  line: number;
  text: string;
}

interface Converted {
  /** Undefined when the source has something that Liquid cannot say exactly. */
  liquid: string | undefined;
  /** What cannot be converted. */
  unknown: Remark[];
  /** What is converted, with a difference. */
  differences: Remark[];
}

interface Written {
  dialect: Dialect;
  /** Values are escaped in HTML only. */
  kind: 'html' | 'plain';
  /** Resend: what stands for a variable that a send does not give. */
  fallbacks?: ReadonlyMap<string, string>;
}

interface Block {
  /** What closes it: `each`, `if`, or the path of a block of Mustachio. */
  name: string;
  line: number;
  written: string;
  end: string;
  hasElse: boolean;
  isLoop: boolean;
  /** Of its content, where that is not the one around it. */
  scope?: { is: Scope };
}

interface Conversion extends Written {
  blocks: Block[];
  loops: number;
  loop_variable: string;
  differences: Remark[];
}

const maxDepth = 100;

/** Only where a render of the result says the same; docs/switching.md lists what is converted. */
export function toLiquid(source: string, written: Written): Converted {
  const conversion = { ...written, blocks: [], loops: 0, differences: [], loop_variable: freeName(source) };
  const unknown: Remark[] = [];
  const pieces: string[] = [];
  let isLineDropped = false;
  for (const piece of readTags(source)) {
    const { line } = piece;
    if ('literal' in piece) {
      const { literal } = piece;
      unknown.push(...foreignText(literal, line));
      pieces.push(isLineDropped ? literal.replace(/^[^\S\n]*\n/, '') : literal);
      isLineDropped = false;
      continue;
    }
    const before = pieces.at(-1) ?? '';
    // A backslash keeps Handlebars from reading the tag.
    const converted = before.endsWith('\\') ? undefined : convertTag(piece, conversion);
    if (converted === undefined) unknown.push({ line, text: shortened(piece.written) });
    isLineDropped = written.dialect === 'handlebars' && piece.isAlone && /^(?:[#/!]|else\b)/.test(piece.text);
    // Handlebars leaves out the line of a block that has it for itself.
    if (isLineDropped && pieces.length > 0)
      pieces[pieces.length - 1] = before.replace(/(?<![^\S\n])[^\S\n]+$/, '');
    pieces.push(converted ?? '');
  }
  unknown.push(...openBlocks(conversion));
  const liquid = unknown.length === 0 ? pieces.join('') : undefined;
  return { liquid, unknown, differences: conversion.differences };
}

function openBlocks({ blocks }: Conversion): Remark[] {
  return blocks.map(({ line, written }) => ({ line, text: `${shortened(written)} is not closed` }));
}

/** Tags of Liquid would be executed, and those of SendGrid's old templates be sent as they are. */
function foreignText(literal: string, line: number): Remark[] {
  const index = literal.search(/\{%|<%/);
  if (index === -1) return [];
  return [
    { line: line + literal.slice(0, index).split('\n').length - 1, text: literal.slice(index, index + 2) },
  ];
}

const shortened = (written: string): string => (written.length > 100 ? `${written.slice(0, 100)}…` : written);

/** Followed by a number, it stands nowhere in the source. */
function freeName(source: string): string {
  let name = 'item';
  while (new RegExp(`${name}\\d`).test(source)) name += '_';
  return name;
}

function convertTag(tag: TemplateTag, conversion: Conversion): string | undefined {
  if (conversion.dialect === 'resend') return convertResend(tag, conversion);
  const { text, isRaw } = tag;
  if (text.startsWith('!')) return '';
  if (isRaw) return convertValue(tag, conversion);
  if (text.startsWith('/')) return closeBlock(text.slice(1).trim(), conversion);
  if (/^else(?:\s|$)/.test(text)) return convertElse(text, conversion);
  if (text.startsWith('#') || text.startsWith('^')) return openBlock(tag, conversion);
  return convertValue(tag, conversion);
}

const filledIn: Readonly<Record<Dialect, ReadonlyMap<string, string>>> = {
  handlebars: new Map([['unsubscribe', 'unsubscribe_url']]),
  mustachio: new Map(),
  resend: new Map([
    ['RESEND_UNSUBSCRIBE_URL', 'unsubscribe_url'],
    ['EMAIL', 'recipient.email'],
  ]),
};

/** Filled in by the other service, from what Chasqui does not have. */
const filledInThere: Readonly<Record<Dialect, RegExp | undefined>> = {
  handlebars: /^(?:Sender_\w+|unsubscribe_preferences|weblink)$/,
  mustachio: undefined,
  resend: /^(?:RESEND_\w+|UNSUBSCRIBE_URL|FIRST_NAME|LAST_NAME|contact|this)$/,
};

function convertValue(
  { line, text, written, isRaw }: TemplateTag,
  conversion: Conversion,
): string | undefined {
  const { dialect, kind, differences } = conversion;
  const known = scopesOf(conversion).length === 1 ? filledIn[dialect].get(text) : undefined;
  if (known !== undefined) return `{{ ${known} }}`;
  const path = filledInThere[dialect]?.test(text) ? undefined : pathOf(text, conversion);
  if (path === undefined) return undefined;
  if (isRaw && kind === 'html') {
    differences.push({ line, text: `${shortened(written)}: the value is escaped here` });
  }
  return `{{ ${path} }}`;
}

function convertResend(tag: TemplateTag, conversion: Conversion): string | undefined {
  const [, name, inline] = /^([A-Za-z_]\w*)(?:\|([^{}]*))?$/.exec(tag.text) ?? [];
  if (!tag.isRaw || name === undefined) return undefined;
  const value = convertValue({ ...tag, text: name }, conversion);
  const fallback = inline ?? conversion.fallbacks?.get(name) ?? '';
  if (value !== `{{ ${name} }}` || fallback === '') return value;
  if (/\{[{%]/.test(fallback)) return undefined;
  return `{% if ${name} == nil %}${fallback}{% else %}${value}{% endif %}`;
}

function scopesOf({ blocks }: Conversion): Scope[] {
  return ['', ...blocks.flatMap(({ scope }) => (scope ? [scope.is] : []))];
}

function pathOf(path: string, conversion: Conversion): string | undefined {
  const isInLoop = conversion.blocks.some((block) => block.isLoop) && conversion.dialect === 'handlebars';
  return liquidPath(path, { scopes: scopesOf(conversion), isInLoop });
}

/** The other services count an empty text, an empty list and 0 as false; Liquid only nil and false. */
function isTrue(path: string): string {
  return /^forloop\.(?:first|last)$/.test(path) ? path : `${path} and ${path} != empty and ${path} != 0`;
}

function openBlock({ text, line, written }: TemplateTag, conversion: Conversion): string | undefined {
  const [sign = ''] = text;
  const words = text.slice(1).trim().split(/\s+/);
  const [helper = '', argument = ''] = words;
  const block = { name: helper, line, written, hasElse: false, isLoop: false };
  const { blocks, dialect } = conversion;
  const isEach = sign === '#' && helper === 'each' && words.length === 2;
  const isIf =
    dialect === 'handlebars' &&
    sign === '#' &&
    (helper === 'if' || helper === 'unless') &&
    words.length === 2;
  const isScoped = dialect === 'mustachio' && words.length === 1 && helper !== 'each';
  const path =
    isEach || isIf ? pathOf(argument, conversion) : isScoped ? pathOf(helper, conversion) : undefined;
  if (path === undefined || blocks.length === maxDepth) {
    // Its end is not one more thing to tell.
    blocks.push({ ...block, end: '' });
    return undefined;
  }
  if (isEach) {
    conversion.loops += 1;
    const variable = `${conversion.loop_variable}${conversion.loops}`;
    blocks.push({ ...block, end: '{% endfor %}', isLoop: true, scope: { is: variable } });
    return `{% for ${variable} in ${path} %}`;
  }
  const tag = helper === 'unless' && isIf ? 'unless' : sign === '^' ? 'unless' : 'if';
  const scope = isIf ? {} : { scope: { is: sign === '^' ? undefined : path } };
  blocks.push({ ...block, end: `{% end${tag} %}`, ...scope });
  return `{% ${tag} ${isTrue(path)} %}`;
}

function closeBlock(name: string, { blocks }: Conversion): string | undefined {
  if (blocks.at(-1)?.name !== name) return undefined;
  return blocks.pop()?.end;
}

function convertElse(text: string, conversion: Conversion): string | undefined {
  const block = conversion.blocks.at(-1);
  if (conversion.dialect !== 'handlebars' || !block || block.hasElse) return undefined;
  if (text === 'else') {
    block.hasElse = true;
    // The list of `each` is empty there, and its names are those around it.
    if (block.isLoop) {
      block.isLoop = false;
      delete block.scope;
    }
    return '{% else %}';
  }
  const [, argument] = /^else\s+if\s+(\S+)$/.exec(text) ?? [];
  const path = argument === undefined || block.name === 'each' ? undefined : pathOf(argument, conversion);
  return path === undefined ? undefined : `{% elsif ${isTrue(path)} %}`;
}
