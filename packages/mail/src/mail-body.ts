interface Framed {
  language: string;
  /** One sentence each. User-supplied words are escaped. */
  before: string;
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

function around({ language, before, after }: Framed, inner: { text: string; html: string }) {
  return {
    text: `${before}\n\n${inner.text}\n\n${after}\n`,
    html: [
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif;max-width:36em">`,
      `<p>${escaped(before)}</p>`,
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
