import MarkdownIt, { type Token } from 'markdown-it';

/** Parses CommonMark, in which HTML is plain text: https://spec.commonmark.org */
const parser = new MarkdownIt('commonmark', { html: false, xhtmlOut: true });

/** Returns the tokens of a Markdown text: blocks with their nesting, and inline tokens as children. */
export const markdownTokens = (text: string): Token[] => parser.parse(text, {});

/** Converts Markdown to XHTML. */
export const toXhtml = (text: string): string => parser.render(text);

export type { Token };
