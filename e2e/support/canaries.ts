import { randomBytes } from 'node:crypto';

/** A secret that nothing else resembles. */
export interface Canary {
  /** The credential: with characters that JSON, URLs and base64 each write in a way of their own. */
  text: string;
  /** A part of it, letters and digits alone: what a search looks for, however `text` was escaped, and also if it was cut. */
  core: string;
}

export function canary(): Canary {
  const core = randomBytes(10).toString('hex');
  return { text: `+/"\\%&=~${core}-${randomBytes(10).toString('hex')}?:@ !`, core };
}

/** How a third party, or a careless log, may write a secret. */
export function disguises(text: string): Record<string, string> {
  const base64 = (value: string): string => Buffer.from(value).toString('base64');
  const inUrl = encodeURIComponent(text);
  return {
    raw: text,
    inSentence: `the token ${text} is wrong`,
    json: JSON.stringify({ token: text }),
    url: inUrl,
    urlInLowerCase: inUrl.replace(/%../g, (byte) => byte.toLowerCase()),
    urlStrict: inUrl.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`),
    form: new URLSearchParams({ token: text }).toString(),
    hex: Buffer.from(text).toString('hex'),
    hexInUpperCase: Buffer.from(text).toString('hex').toUpperCase(),
    base64: base64(text),
    base64Shifted: base64(` ${text}`),
    base64ShiftedTwice: base64(`: ${text} `),
    base64Url: Buffer.from(text).toString('base64url'),
    basic: `Basic ${base64(`user:${text}`)}`,
  };
}

/** Names of the canaries that stand in a text, in any disguise. */
export function findCanaries(haystack: string, canaries: Record<string, Canary>): string[] {
  return Object.keys(canaries).filter((name) => traces(canaries[name]!.core).some((trace) => haystack.includes(trace)));
}

/** What the core leaves in any text that holds it: as it is, in hex, and in base64 wherever in a longer value it begins. */
function traces(core: string): string[] {
  const hex = Buffer.from(core).toString('hex');
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(' '.repeat(shift) + core).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [core, hex, hex.toUpperCase(), ...base64];
}
