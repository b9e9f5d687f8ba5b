import MarkdownIt, { type Token } from 'markdown-it';

/** CommonMark (https://spec.commonmark.org). HTML stays text. */
const parser = new MarkdownIt('commonmark', { html: false, xhtmlOut: true });

/** Returns the tokens of a text: blocks with their nesting, and inline tokens as children. */
export const markdownTokens = (text: string): Token[] => parser.parse(text, {});

/** Returns a text as XHTML. */
export const toXhtml = (text: string): string => parser.render(text);

export type { Token };
