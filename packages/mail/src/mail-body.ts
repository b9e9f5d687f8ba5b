interface Said {
  language: string;
  /** A sentence each; others' words in them are shown as text. */
  before: string;
  after: string;
  link: string;
  /** What the link is called, in text and in HTML. */
  label: { text: string; html: string };
}

/** A mail around one link, as text and as HTML. */
export function mailBody({ language, before, after, link, label }: Said): { text: string; html: string } {
  return {
    text: `${before}\n\n${label.text}: ${link}\n\n${after}\n`,
    html: [
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><body style="font:16px/1.5 sans-serif;max-width:36em">`,
      `<p>${escaped(before)}</p>`,
      `<p><a href="${escaped(link)}">${escaped(label.html)}</a></p>`,
      `<p>${escaped(after)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
