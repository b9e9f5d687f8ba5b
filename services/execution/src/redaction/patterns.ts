import { unescape } from './unescape.js';

/** Layers of escapes that a text may have, and with it a secret in it. */
export const LAYERS = 3;

/**
 * The bytes to look for in a text, in each of its views, so that a secret is found however it was written. What base64 or
 * hex hides is not read any further: there the secret is looked for as escapers write it, too.
 */
export function patternsOf(secrets: readonly string[]): Uint8Array[] {
  const texts = secrets.flatMap((secret) => [secret, ...escaped(secret.toWellFormed())]);
  const written = [...new Set(texts)].map((text) => Buffer.from(text));
  const read = secrets.flatMap((secret) => unescaped(Buffer.from(secret)));
  return [...written, ...read].filter(({ length }) => length > 0);
}

function escaped(secret: string): string[] {
  if (/^[\w.-]*$/.test(secret)) return []; // the usual token: every escaper leaves it as it is
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const strict = url.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const urls = [url, strict, form, encodeURI(secret)];
  return [json, json.replaceAll('/', '\\/'), ...urls, ...urls.map(lowerCaseBytes), inHtml(secret)];
}

function lowerCaseBytes(url: string): string {
  return url.replace(/%../g, (byte) => byte.toLowerCase());
}

function inHtml(text: string): string {
  const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (mark) => references[mark]!);
}

/** A secret that looks like escapes reads otherwise in a view from which a layer of them is off. */
function unescaped(secret: Uint8Array): Uint8Array[] {
  const read: Uint8Array[] = [];
  for (let view = unescape(secret); view && read.length < LAYERS; view = unescape(view.bytes)) read.push(view.bytes);
  return read;
}
