export const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const everyByte = (text: string, before: string): string =>
  [...Buffer.from(text)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('');
const everyUnit = (text: string, toText: (unit: number) => string): string =>
  text
    .split('')
    .map((unit) => toText(unit.charCodeAt(0)))
    .join('');
const everyPoint = (text: string, toText: (point: number) => string): string =>
  [...text].map((character) => toText(character.codePointAt(0)!)).join('');
const mixedCase = (text: string): string =>
  text.replace(/./g, (letter, at) => (at % 3 ? letter.toUpperCase() : letter));
const inLines = (text: string, length: number, end: string): string =>
  text.replace(new RegExp(`.{${length}}`, 'g'), `$&${end}`);
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The encodings in which providers, proxies and their logs repeat a secret that they received. */
export const DISGUISES: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'by encodeURIComponent': encodeURIComponent,
  'by encodeURI': encodeURI,
  'as a form': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  'URL-encoded in lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  'with every byte as %xx': (secret) => everyByte(secret, '%'),
  'URL-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'as JSON': json,
  'as JSON with \\/': (secret) => json(secret).replaceAll('/', '\\/'),
  'as JSON in JSON': (secret) => json(json(secret)),
  'with every character as \\uXXXX': (secret) =>
    everyUnit(secret, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  'with every byte as \\x': (secret) => everyPoint(secret, (point) => `\\u{${point.toString(16)}}`),
  'in HTML': html,
  'with every character as &#n;': (secret) => everyPoint(secret, (point) => `&#${point};`),
  'with every character as &#xn;': (secret) => everyPoint(secret, (point) => `&#x${point.toString(16)};`),
  'in hex': hex,
  'in hex in capitals': (secret) => hex(secret).toUpperCase(),
  'in hex in mixed case': (secret) => mixedCase(hex(secret)),
  'in base64': base64,
  'in base64 after one byte': (secret) => base64(`:${secret}`),
  'in base64 between one byte and others': (secret) => base64(`:${secret}xyz`),
  'in base64 after two bytes': (secret) => base64(`u:${secret} `),
  'in base64url between others': (secret) => Buffer.from(`user:${secret}:more`).toString('base64url'),
  'in base64 with line breaks': (secret) => inLines(base64(secret), 5, '\r\n'),
  'in base64 with line breaks as JSON writes them': (secret) => inLines(base64(`aa${secret}`), 4, '\\n'),
  'in base64 with white space after every character': (secret) => inLines(base64(`a${secret}`), 1, ' \t\r\n'),
  'in URL-encoded base64': (secret) => encodeURIComponent(base64(secret)),
  'in base64 as JSON': (secret) => base64(JSON.stringify({ secret })),
  'in base64 as a URL': (secret) => base64(`https://x.example/?q=${encodeURIComponent(secret)}&r`),
  'in hex as a form': (secret) => hex(new URLSearchParams({ secret }).toString()),
};
