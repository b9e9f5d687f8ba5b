// Writes guides/: the pages of docs/ as HTML, which the gateway serves below /docs/guides. README.md is their index. Fails for a link to a page or a
// heading that does not exist, and for a page that the index does not list.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';

const source = join(import.meta.dirname, '../../../docs');
const target = join(import.meta.dirname, '../guides');

const pages = readdirSync(source, { recursive: true }).filter((name) => name.endsWith('.md'));
const markdown = new MarkdownIt({ html: true });
const parsed = new Map(pages.map((name) => [name, markdown.parse(readFileSync(join(source, name), 'utf8'), {})]));
const headings = new Map([...parsed].map(([name, tokens]) => [name, headingsOf(tokens)]));

Object.assign(markdown.renderer.rules, {
  heading_open: (tokens, at) => `<${tokens[at].tag} id="${slugOf(tokens[at + 1].content)}">`,
  // A wide table or a long line of code scrolls separately from the page. `tabindex` lets keyboard users focus it and scroll it.
  table_open: () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>',
  table_close: () => '</table></div>',
  // The content security policy of the pages blocks the style attribute, which is the default.
  th_open: (tokens, at) => `<th${alignment(tokens[at])}>`,
  td_open: (tokens, at) => `<td${alignment(tokens[at])}>`,
  fence: (tokens, at) => `<pre tabindex="0"><code>${escape(tokens[at].content)}</code></pre>`,
  html_block: (tokens, at) => withoutComments(tokens[at].content),
  html_inline: (tokens, at) => withoutComments(tokens[at].content),
});

const alignment = (token) => (token.attrGet('style')?.includes('right') ? ' class="right"' : '');

/** The index, which is served at /docs/guides: its relative links begin with the last part of that path. */
const INDEX = 'README.md';
const DECISIONS = 'decisions/';

rmSync(target, { recursive: true, force: true });
requireListed(parsed.get(INDEX));
for (const [name, tokens] of parsed) {
  for (const token of tokens) for (const child of token.children ?? []) requireLink(name, child);
  const file = join(target, name.replace(/\.md$/, '.html'));
  mkdirSync(dirname(file), { recursive: true });
  const html = markdown.renderer.render(tokens, markdown.options, {});
  writeFileSync(file, name === INDEX ? html + decisionList() : html);
}

/** Throws if the index does not list a page. Decisions are exempt, because `decisionList` adds them to the served index. */
function requireListed(tokens) {
  const links = tokens.flatMap(({ children }) => children ?? []).map((token) => token.attrGet?.('href'));
  const missing = pages.filter((name) => name !== INDEX && !name.startsWith(DECISIONS) && !links.includes(name));
  if (missing.length > 0) throw new Error(`docs/${INDEX} does not list ${missing.join(', ')}`);
}

function decisionList() {
  const rows = pages
    .filter((name) => name.startsWith(DECISIONS))
    .sort()
    .map((name) => {
      const title = markdown.renderer.renderInline(parsed.get(name)[1].children, markdown.options, {});
      return `<li><a href="guides/${name.slice(0, -'.md'.length)}">${title}</a></li>`;
    });
  return `<details><summary>All decisions</summary><ul>${rows.join('')}</ul></details>`;
}

function headingsOf(tokens) {
  return new Set(tokens.flatMap(({ type }, at) => (type === 'heading_open' ? [slugOf(tokens[at + 1].content)] : [])));
}

/** Returns the anchor that GitHub gives a heading. */
function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Replaces a link between pages with a link to the served page. A link out of docs/ becomes text, because the gateway does not serve its file. */
function requireLink(page, token) {
  if (token.type !== 'link_open') return;
  const href = token.attrGet('href');
  if (/^[a-z]+:/.test(href)) return;
  const [file, anchor] = href.split('#');
  const name = file === '' ? page : posix.join(posix.dirname(page), file);
  if (name.startsWith('../') || !name.endsWith('.md')) return void (token.attrs = []);
  const known = headings.get(name);
  if (!known || (anchor !== undefined && !known.has(anchor)))
    throw new Error(`docs/${page}: the link ${href} leads nowhere`);
  const path = href.replace(/\.md(?=#|$)/, '');
  token.attrSet('href', page === INDEX ? `guides/${path}` : path);
}

function withoutComments(html) {
  if (!/^\s*<!--[^]*-->\s*$/.test(html)) throw new Error(`docs/ has HTML, which pages escape: ${html}`);
  return '';
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
