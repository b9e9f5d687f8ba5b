import { cutText, makeVisible } from '@drawbridge/contracts';

interface Framed {
  language: string;
  /** One sentence each. User-supplied words are escaped. */
  before: string;
  /** Lines between `before` and the link. */
  lines?: readonly string[];
  after: string;
}

interface Said extends Framed {
  link: string;
  /** The label of the link, in text and in HTML. */
  label: { text: string; html: string };
}

/** Returns a mail body around one link, as text and as HTML. */
export function mailBody({ link, label, ...said }: Said): { text: string; html: string } {
  const html = `<a href="${escaped(link)}">${escaped(label.html)}</a>`;
  return around(said, { text: `${label.text}: ${link}`, html });
}

/** Returns a mail body around a code that the reader types. */
export function mailCodeBody({ code, ...said }: Framed & { code: string }): { text: string; html: string } {
  return around(said, { text: code, html: `<strong style="font-size:1.5em">${escaped(code)}</strong>` });
}

function around({ language, before, lines = [], after }: Framed, inner: { text: string; html: string }) {
  return {
    text: [before, ...(lines.length > 0 ? [lines.join('\n')] : []), inner.text, after].join('\n\n') + '\n',
    html: [
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif;max-width:36em">`,
      `<p>${escaped(before)}</p>`,
      ...(lines.length > 0 ? [`<p>${lines.map(escaped).join('<br>\n')}</p>`] : []),
      `<p>${inner.html}</p>`,
      `<p>${escaped(after)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}

const MAX_CHARACTERS = 80;
/** How much more of a name is read than shown. The rest is left out: some patterns below scan ahead from each letter. */
const READ_AHEAD = 220;
const SCHEME = /\b[a-z][a-z\d+.-]*:\/+|\b(?:mailto|tel|sms|javascript|data):/gi;
/** A top-level domain has at least two letters, so `B.V.` stays. */
const DOT = /(?<=[\p{L}\p{M}\p{N}⟩-])\.(?=[\p{L}\p{N}⟨][\p{L}\p{M}\p{N}-])/gu;
const AT = /(?<=\S)@(?=\S)/g;

/**
 * Returns a user-supplied name as one line without links, for the subject or a sentence of a mail. Mail clients turn `evil.example` and addresses
 * into links, so an invitation could carry any link: `evil[.]example` stays text.
 */
export function plainName(name: string, maxCharacters = MAX_CHARACTERS): string {
  const line = cutText(name, maxCharacters + READ_AHEAD)
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, ' ')
    .trim();
  const text = makeVisible(line).replace(SCHEME, '').replace(DOT, '[.]').replace(AT, '[at]');
  const cut = cutText(text, maxCharacters);
  return cut === text ? text : `${cut.trimEnd()}…`;
}
