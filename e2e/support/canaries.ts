import { randomBytes } from 'node:crypto';

/** A unique secret. */
export interface Canary {
  /** The credential. JSON, URLs and Base64 encode its characters in different ways. */
  text: string;
  /** A part of it with only letters and digits: a search finds it in any encoding of `text`, even if `text` was truncated. */
  core: string;
}

export function canary(): Canary {
  const core = randomBytes(10).toString('hex');
  return { text: `+/"\\%&=~${core}-${randomBytes(10).toString('hex')}?:@ !`, core };
}

/** Returns the encodings of a secret in which a provider or a log could contain it. */
export function encodedForms(text: string): Record<string, string> {
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
    uri: encodeURI(text),
    everyByteInUrl: everyByte(text, '%'),
    jsonWithSlashes: JSON.stringify(text).replaceAll('/', '\\/'),
    everyCharacterInJson: text.replace(/./g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`),
    html: text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`).replaceAll('/', '&#x2F;'),
    everyCharacterInHtml: text.replace(/./g, (mark) => `&#x${mark.charCodeAt(0).toString(16)};`),
    hexInMixedCase: everyByte(text, '').replace(/./g, (digit, at) => (at % 3 === 0 ? digit.toUpperCase() : digit)),
    base64InLines: base64(`: ${text}`).replace(/.{19}/g, '$&\r\n'),
    base64InUrl: encodeURIComponent(base64(text)),
  };
}

function everyByte(text: string, before: string): string {
  return [...Buffer.from(text)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the names of the canaries that occur in a text, in any encoding. */
export function findCanaries(haystack: string, canaries: Record<string, Canary>): string[] {
  const texts = readings(haystack);
  return Object.keys(canaries).filter((name) =>
    tracesOf(canaries[name]!).some((trace) => texts.some((text) => text.includes(trace))),
  );
}

/** Returns the text unchanged, in lower case (for hex), with URL, JSON and HTML escapes decoded, and the decoded text without line breaks. */
function readings(haystack: string): string[] {
  const character = (_: string, digits: string): string => String.fromCodePoint(Number.parseInt(digits, 16));
  const meant = haystack
    .replace(/%([0-9a-f]{2})/gi, character)
    .replace(/\\+u([0-9a-f]{4})/gi, character)
    .replace(/&#x([0-9a-f]{1,4});/gi, character)
    .replace(/&#(\d{1,4});/g, (_, digits: string) => String.fromCodePoint(Number(digits)));
  return [haystack, haystack.toLowerCase(), meant, meant.replace(/\s|\\+[nr]/g, '')];
}

/** Returns the forms of the core in any text that contains it: plain, hex, and Base64 at each of three possible offsets. */
export function tracesOf({ core }: Pick<Canary, 'core'>): string[] {
  const hex = Buffer.from(core).toString('hex');
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(' '.repeat(shift) + core).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [core, hex, ...base64];
}
