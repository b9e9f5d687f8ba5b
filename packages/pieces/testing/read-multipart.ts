import type { Recorded } from './third-party.js';

/** One part of a recorded form. A file has a name and a type. */
export interface RecordedPart {
  name: string;
  filename?: string;
  type?: string;
  content: string;
}

/** Returns the parts of a multipart form (RFC 7578), or undefined for any other body. */
export function readMultipart({ headers, body }: Pick<Recorded, 'headers' | 'body'>): RecordedPart[] | undefined {
  const boundary = boundaryOf(headers['content-type']);
  return boundary === undefined ? undefined : body.split(`--${boundary}`).slice(1, -1).map(toPart);
}

/** Returns the form with another field at its start. Throws for any other body. */
export function withField({ headers, body }: Pick<Recorded, 'headers' | 'body'>, name: string, value: string): string {
  const boundary = boundaryOf(headers['content-type']);
  if (boundary === undefined) throw new Error('The body is no multipart form');
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n${body}`;
}

const boundaryOf = (contentType = ''): string | undefined =>
  /^multipart\/form-data; boundary=(\S+)$/.exec(contentType)?.[1];

function toPart(text: string): RecordedPart {
  const end = text.indexOf('\r\n\r\n');
  const [head, content] = [text.slice(0, end), text.slice(end + 4, -2)];
  const [name, filename] = [/ name="([^"]*)"/.exec(head)?.[1], / filename="([^"]*)"/.exec(head)?.[1]];
  const type = /^Content-Type: (.*)$/im.exec(head)?.[1];
  if (name === undefined) throw new Error(`A part of the form has no name: ${head}`);
  return { name, ...(filename !== undefined && { filename }), ...(type !== undefined && { type }), content };
}
