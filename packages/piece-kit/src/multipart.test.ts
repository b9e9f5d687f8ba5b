import { fieldParts, filePart, multipart, type Part } from './multipart.js';

const FILE = { filename: 'a.txt', mimeType: 'text/plain', base64: Buffer.from('héllo\r\n--').toString('base64') };

/** Parses a form as the receiver of a request does. */
const read = async ({ body, contentType }: ReturnType<typeof multipart>): Promise<FormData> =>
  new Response(body as never, { headers: { 'content-type': contentType } }).formData();

it('encodes fields and files that a receiver reads unchanged', async () => {
  const parts = [...fieldParts({ purpose: 'batch', n: 1, yes: true, absent: undefined }), filePart('file', FILE)];
  const form = await read(multipart(parts));
  expect([...form.keys()]).toEqual(['purpose', 'n', 'yes', 'file']);
  expect(form.get('n')).toBe('1');
  const file = form.get('file') as File;
  expect([file.name, file.type, await file.text()]).toEqual(['a.txt', 'text/plain', 'héllo\r\n--']);
});

it.each(['a"b', 'a\r\nX-Evil: 1', 'ä.txt', 'a\\b'])('keeps the file name %j within its header', async (filename) => {
  const encoded = multipart([filePart('f', { ...FILE, filename, mimeType: 'text/plain\r\nX-Evil: 1' })]);
  const text = Buffer.from(encoded.body).toString();
  expect(text.match(/^X-Evil/m)).toBeNull();
  expect([...(await read(encoded)).keys()]).toEqual(['f']);
});

it('encodes metadata with its content, as Google Drive reads it (RFC 2387)', () => {
  const parts: Part[] = [
    { contentType: 'application/json; charset=UTF-8', content: '{"name":"x"}' },
    { contentType: 'image/png', content: Uint8Array.of(1, 2) },
  ];
  const { body, contentType } = multipart(parts, 'related');
  const boundary = /^multipart\/related; boundary=(\S+)$/.exec(contentType)![1]!;
  expect(Buffer.from(body).toString('latin1')).toBe(
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"x"}\r\n` +
      `--${boundary}\r\nContent-Type: image/png\r\n\r\n\x01\x02\r\n--${boundary}--\r\n`,
  );
});

it('has the same bytes for the same parts', () => {
  const parts = fieldParts({ a: 'x' });
  expect(multipart(parts)).toEqual(multipart(parts));
  expect(multipart(parts).contentType).not.toBe(multipart(fieldParts({ a: 'y' })).contentType);
});
