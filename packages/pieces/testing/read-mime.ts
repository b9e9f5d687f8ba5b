/** A part of a message: its headers by name in lower case, and its content or its parts. */
export interface MimePart {
  headers: Record<string, string>;
  type: string;
  filename?: string;
  content: string;
  parts: MimePart[];
}

const LINE = /^[\x20-\x7e]{0,998}$/;

/**
 * Parses a message strictly by RFC 5322, 2045, 2046, 2047 and 2231, independently of the code that writes it. Throws for a line break other than
 * CRLF, a line that is too long or not ASCII, a repeated header, and content that is not Base64.
 */
export function readMime(message: string): MimePart {
  const lines = message.replace(/\r\n$/, '').split('\r\n');
  const wrong = lines.find((line) => !LINE.test(line));
  if (wrong !== undefined) throw new Error(`Invalid line: ${JSON.stringify(wrong.slice(0, 200))}`);
  return readPart(lines);
}

function readPart(lines: readonly string[]): MimePart {
  const end = lines.indexOf('');
  if (end < 0) throw new Error('The headers do not end');
  const headers = readHeaders(lines.slice(0, end));
  const [type = '', parameters] = readParameters(headers['content-type'] ?? '');
  const filename = readParameters(headers['content-disposition'] ?? '')[1]['filename'];
  const body = lines.slice(end + 1);
  const { boundary } = parameters;
  if (boundary === undefined) return { headers, type, filename, content: readBase64(headers, body), parts: [] };
  return { headers, type, filename, content: '', parts: split(body, boundary).map(readPart) };
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines.join('\r\n').split(/\r\n(?! )/)) {
    const [, name = '', value = ''] = /^([A-Za-z-]+): ?([\s\S]*)$/.exec(line) ?? [];
    if (!name || name.toLowerCase() in headers) throw new Error(`Invalid or repeated header: ${line}`);
    headers[name.toLowerCase()] = readWords(value);
  }
  return headers;
}

/** Whitespace between two encoded words is ignored. */
function readWords(value: string): string {
  const isLong = value.split('\r\n ').some((line) => line.includes('=?') && line.length > 75);
  if (isLong) throw new Error('A line with an encoded word is longer than 76 characters');
  const unfolded = value.replaceAll('\r\n', '');
  const joined = unfolded.replace(/\?= =\?/g, '?==?');
  return joined.replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (_, word: string) => decode(word));
}

function readParameters(value: string): [string, Record<string, string>] {
  const [first = '', ...rest] = value.split(/; */);
  const parameters: Record<string, string> = {};
  const encoded: string[] = [];
  for (const part of rest) {
    const [, name = '', index, text = ''] = /^([a-z]+)(?:\*(\d+)\*)?=(.*)$/.exec(part) ?? [];
    if (!name || (index !== undefined && Number(index) !== encoded.length))
      throw new Error(`Invalid parameter: ${part}`);
    if (index === undefined) parameters[name] = text.replace(/^"(.*)"$/, '$1');
    else encoded.push(text);
    if (index !== undefined) parameters[name] = decodeURIComponent(encoded.join('').replace(/^UTF-8''/, ''));
  }
  return [first, parameters];
}

function split(lines: readonly string[], boundary: string): string[][] {
  if (lines[0] !== `--${boundary}` || lines.at(-1) !== `--${boundary}--`) throw new Error(`No boundary ${boundary}`);
  const parts: string[][] = [];
  for (const line of lines.slice(0, -1)) {
    if (line === `--${boundary}`) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

function readBase64(headers: Record<string, string>, lines: readonly string[]): string {
  if (headers['content-transfer-encoding'] !== 'base64') throw new Error('The content is not Base64');
  if (lines.some((line) => line.length > 76)) throw new Error('A line of Base64 is longer than 76 characters');
  return decode(lines.join(''));
}

function decode(base64: string): string {
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?$/.test(base64)) throw new Error('Invalid Base64');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
}
