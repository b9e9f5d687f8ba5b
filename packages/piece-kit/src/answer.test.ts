import { readBody, readJson, toFile } from './answer.js';

function answer(type: string, body: string | number[], headers: Record<string, string> = {}) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : Uint8Array.from(body);
  return {
    status: 200,
    headers: { 'content-type': type, ...headers },
    body: bytes,
    url: 'https://x.example/a/b.pdf?q',
  };
}

it.each([
  ['application/json', '{"a":1}', { a: 1 }],
  ['application/problem+json; charset=utf-8', '[1]', [1]],
  ['application/json', 'not json', 'not json'],
  ['text/html; charset=utf-8', 'ä', 'ä'],
  ['text/plain; charset="iso-8859-1"', [0xe4], 'ä'],
  ['text/plain; charset=klingon', 'ä', 'ä'],
  ['application/atom+xml', '<a/>', '<a/>'],
  ['application/json', '', null],
])('reads %s with %j', (type, body, value) => {
  expect(readBody(answer(type, body))).toEqual(value);
});

it.each(['application/pdf', 'image/png', ''])('leaves %j as bytes', (type) => {
  expect(readBody(answer(type, [1, 2]))).toEqual(Uint8Array.from([1, 2]));
});

it.each([
  ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
  ['application/json', '\uFEFF{"a":1}', { a: 1 }],
  ['', ' \r\n\t{"a":1}', { a: 1 }],
  ['', '{"a":', undefined],
  ['', '[1]', undefined],
  ['', '', undefined],
  ['application/json', '[1]', undefined],
  ['application/json', 'null', undefined],
  ['text/plain', '{"a":1}', undefined],
  ['application/octet-stream', '{"a":1}', undefined],
])('reads of %j with %j a JSON object or nothing', (type, body, value) => {
  expect(readJson(answer(type, body))).toEqual(value);
});

it('names a file by its disposition, else by its address', () => {
  const disposition = { 'content-disposition': 'attachment; filename="c.pdf"' };
  expect(toFile(answer('application/pdf', 'hi', disposition)).filename).toBe('c.pdf');
  expect(toFile(answer('application/pdf; x=y', 'hi'))).toEqual({
    filename: 'b.pdf',
    mimeType: 'application/pdf',
    base64: 'aGk=',
  });
});
