import { type JsonObject, type JsonValue, listAt, member, textAt } from '@drawbridge/piece-kit';
import { markdownTokens, type Token } from '../markdown.js';

/** The names of blocks and marks in the Atlassian Document Format: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
const BLOCKS: Record<string, string> = {
  ...{ paragraph: 'paragraph', heading: 'heading', blockquote: 'blockquote' },
  ...{ bullet_list: 'bulletList', ordered_list: 'orderedList', list_item: 'listItem' },
};
const MARKS: Record<string, string> = { strong: 'strong', em: 'em', link: 'link' };

interface Node {
  type: string;
  attrs?: JsonObject;
  content?: Node[];
  text?: string;
  marks?: Mark[];
}
interface Mark {
  type: string;
  attrs?: JsonObject;
}

/** Converts Markdown to a document. */
export function toDocument(markdown: string): JsonObject {
  const root: Node = { type: 'doc', content: [] };
  const open = [root];
  for (const token of markdownTokens(markdown)) {
    const parent = open.at(-1)!;
    if (token.nesting < 0) open.pop();
    else if (token.type === 'inline') parent.content!.push(...inlineNodes(token.children ?? []));
    else if (token.nesting > 0) {
      const block = toBlock(token);
      parent.content!.push(block);
      open.push(block);
    } else parent.content!.push(...toLeaf(token));
  }
  return { version: 1, ...(root as object) } as JsonObject;
}

function toBlock(token: Token): Node {
  const type = BLOCKS[token.type.replace(/_open$/, '')] ?? 'paragraph';
  const attrs = type === 'heading' ? { level: Number(token.tag.slice(1)) } : undefined;
  return { type, ...(attrs && { attrs }), content: [] };
}

function toLeaf({ type, content, info }: Token): Node[] {
  if (type === 'hr') return [{ type: 'rule' }];
  if (type !== 'fence' && type !== 'code_block') return [];
  const [language] = info.split(/\s/, 1);
  const text = content.replace(/\n$/, '');
  return [
    {
      type: 'codeBlock',
      ...(language && { attrs: { language } }),
      content: text === '' ? [] : [{ type: 'text', text }],
    },
  ];
}

function inlineNodes(tokens: readonly Token[]): Node[] {
  const marks: Mark[] = [];
  return tokens.flatMap((token): Node[] => {
    const mark = MARKS[token.type.replace(/_(open|close)$/, '')];
    if (mark && token.nesting > 0)
      marks.push(mark === 'link' ? { type: mark, attrs: { href: token.attrGet('href') ?? '' } } : { type: mark });
    if (mark && token.nesting < 0) marks.pop();
    if (mark) return [];
    if (token.type === 'hardbreak') return [{ type: 'hardBreak' }];
    // Jira rejects empty text. Code can have no other mark than a link.
    const text = token.type === 'softbreak' ? ' ' : token.content;
    if (text === '') return [];
    const own =
      token.type === 'code_inline' ? [...marks.filter(({ type }) => type === 'link'), { type: 'code' }] : [...marks];
    return [{ type: 'text', text, ...(own.length > 0 && { marks: own }) }];
  });
}

/** Maximum nesting of a document that is read. */
const MAX_DEPTH = 50;

/** Returns the text of a document, with Markdown for headings, lists and code. A string is returned unchanged. */
export function toMarkdown(document: JsonValue | undefined): string {
  if (typeof document === 'string') return document;
  return document === undefined || document === null ? '' : blocksOf(document, 0).trim();
}

function blocksOf(node: JsonValue, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  return listAt(node, 'content')
    .map((one, index) => blockOf(one, { parent: textAt(node, 'type'), index, depth }))
    .join('');
}

interface Place {
  parent: string | undefined;
  index: number;
  depth: number;
}

function blockOf(node: JsonValue, { parent, index, depth }: Place): string {
  const inner = (): string => blocksOf(node, depth + 1);
  switch (textAt(node, 'type')) {
    case 'text':
      return textAt(node, 'text') ?? '';
    case 'hardBreak':
      return '\n';
    case 'mention':
    case 'emoji':
    case 'status':
      return textAt(node, 'attrs', 'text') ?? '';
    case 'inlineCard':
    case 'blockCard':
      return textAt(node, 'attrs', 'url') ?? '';
    case 'heading':
      return `${'#'.repeat(Number(member(node, 'attrs', 'level') ?? 1))} ${inner()}\n\n`;
    case 'codeBlock':
      return `\`\`\`\n${inner()}\n\`\`\`\n\n`;
    case 'rule':
      return '---\n\n';
    case 'listItem':
      return `${parent === 'orderedList' ? `${index + 1}.` : '-'} ${inner().trim()}\n`;
    case 'tableRow':
      return `${listAt(node, 'content')
        .map((cell) => blocksOf(cell, depth + 2).trim())
        .join(' | ')}\n`;
    case 'bulletList':
    case 'orderedList':
    case 'table':
      return `${inner()}\n`;
    case 'paragraph':
      return `${inner()}\n\n`;
    default:
      return inner();
  }
}
