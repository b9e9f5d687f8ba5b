import type { FileValue } from '@drawbridge/piece-kit';
import { addressHeader, encodeText, parameter, senderHeader } from './encode-header.js';

/** An email to send. Gmail adds its date and id, and the sender if `from` is absent. */
export interface Mail {
  from?: string;
  fromName?: string;
  to?: readonly string[];
  cc?: readonly string[];
  bcc?: readonly string[];
  subject: string;
  text: string;
  html?: string;
  attachments?: readonly FileValue[];
  /** Ids of messages in angle brackets: the message to which this message replies, and the messages before it. */
  inReplyTo?: string;
  references?: readonly string[];
}

const CRLF = '\r\n';

/** Returns the email in Gmail's `raw` form: a MIME message in base64url. Throws InputError for an invalid address. */
export function toRaw(mail: Mail): string {
  return Buffer.from(toMime(mail), 'ascii').toString('base64url');
}

/**
 * Returns the email as MIME (RFC 5322, RFC 2045 to 2047), in ASCII with lines of at most 998 characters. Equal emails have equal bytes, so that a
 * repeated run sends the same request. Throws InputError for an invalid address.
 */
export function toMime({ from, fromName, to, cc, bcc, subject, inReplyTo, references = [], ...content }: Mail): string {
  const headers = [
    ...senderHeader(from, fromName),
    ...addressHeader('To', to),
    ...addressHeader('Cc', cc),
    ...addressHeader('Bcc', bcc),
    `Subject: ${encodeText(subject)}`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    ...(references.length > 0 ? [`References: ${references.join(`${CRLF} `)}`] : []),
    'MIME-Version: 1.0',
  ];
  return `${headers.join(CRLF)}${CRLF}${toBody(content)}${CRLF}`;
}

/** Returns the content with its headers. Email programs show the last alternative that they support. */
function toBody({ text, html, attachments = [] }: Pick<Mail, 'text' | 'html' | 'attachments'>): string {
  const plain = textPart('plain', text);
  const body = html === undefined ? plain : multipart('alternative', [plain, textPart('html', html)]);
  return attachments.length === 0 ? body : multipart('mixed', [body, ...attachments.map(filePart)]);
}

function textPart(subtype: 'plain' | 'html', text: string): string {
  // Lines of text must end with CRLF before they are encoded (RFC 2045, section 6.8).
  return part(`text/${subtype}; charset=UTF-8`, Buffer.from(text.replace(/\r\n|\r|\n/g, CRLF)));
}

/** Types that may be encoded as Base64. Multipart types and messages must not be (RFC 2045, section 6.4). */
const SIMPLE_TYPE = /^(application|audio|font|image|model|text|video)\/[\w.+-]+$/;

function filePart({ filename, mimeType, base64 }: FileValue): string {
  const type = SIMPLE_TYPE.test(mimeType) ? mimeType : 'application/octet-stream';
  const disposition = `Content-Disposition: attachment${parameter('filename', filename)}`;
  return part(type, Buffer.from(base64, 'base64'), [disposition]);
}

function part(type: string, content: Buffer, headers: readonly string[] = []): string {
  const lines = content.toString('base64').match(/.{1,76}/g) ?? [''];
  return [`Content-Type: ${type}`, ...headers, 'Content-Transfer-Encoding: base64', '', ...lines].join(CRLF);
}

/** No line of Base64 or of a header begins with this boundary, so that the content cannot end a part. */
function multipart(subtype: 'alternative' | 'mixed', parts: readonly string[]): string {
  const boundary = `=_${subtype}`;
  const type = `Content-Type: multipart/${subtype}; boundary="${boundary}"`;
  return [type, '', ...parts.map((one) => `--${boundary}${CRLF}${one}`), `--${boundary}--`].join(CRLF);
}
