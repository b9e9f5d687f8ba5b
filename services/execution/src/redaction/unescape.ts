import { readEscape } from './escapes.js';
import { type DecodedView, ViewWriter } from './view.js';

const MARKS = ['%', '\\', '&'].map((mark) => mark.charCodeAt(0));

/** The text with one layer of escapes off (URL, JSON and program text, HTML: whatever comes); undefined when it has none. */
export function unescape(bytes: Uint8Array): DecodedView | undefined {
  if (!MARKS.some((mark) => bytes.includes(mark))) return undefined;
  const out = new ViewWriter(bytes.length);
  for (let at = 0; at < bytes.length;) {
    const next = readEscape(bytes, at, out);
    if (next === at) out.byte(bytes[at]!, at);
    at = next === at ? at + 1 : next;
  }
  return out.length === bytes.length ? undefined : out.end(bytes.length);
}
