import { createHash } from 'node:crypto';
import { type FileValue } from './property-types.js';

/** One part of a multipart body. */
export interface Part {
  content: string | Uint8Array;
  /** Absent for a text field of a form. */
  contentType?: string;
  /** The name of the form field. */
  name?: string;
  filename?: string;
}

/** Returns the part for a file. */
export function filePart(name: string, { filename, mimeType, base64 }: FileValue): Part {
  return { name, filename, contentType: mimeType, content: Buffer.from(base64, 'base64') };
}

/** Returns the parts for the text fields of a form. Undefined values are omitted. */
export function fieldParts(fields: { readonly [name: string]: string | number | boolean | undefined }): Part[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, content: String(value) }],
  );
}

/**
 * Encodes parts as a multipart body: `form-data` (RFC 7578) for forms with files, `related` (RFC 2387) for metadata with its content. The boundary
 * depends only on the content, so that a repeated run sends the same bytes.
 */
export function multipart(
  parts: readonly Part[],
  subtype: 'form-data' | 'related' = 'form-data',
): { body: Uint8Array; contentType: string } {
  const hash = createHash('sha256');
  for (const { content } of parts) hash.update(content).update('\n');
  const boundary = `----drawbridge${hash.digest('hex').slice(0, 32)}`;
  const chunks = parts.flatMap((part) => [`--${boundary}\r\n${headersOf(part)}\r\n`, part.content, '\r\n']);
  const body = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk as string)));
  return { body, contentType: `multipart/${subtype}; boundary=${boundary}` };
}

function headersOf({ name, filename, contentType }: Part): string {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`;
  const disposition = name === undefined ? '' : `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n`;
  // A content type with a line break would add headers.
  const type = contentType === undefined ? '' : `Content-Type: ${contentType.replace(/[\r\n]+/g, ' ')}\r\n`;
  return disposition + type;
}

/** Escapes a name as browsers do: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data. */
const quoted = (text: string): string => text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
