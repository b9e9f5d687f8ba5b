import { gzipSync } from 'node:zlib';

const MIB = 1024 * 1024;

/** JSON bodies of at most 1 MiB (10 MiB if stated in the name) that are expensive to process. */
export const BODIES: Record<string, string> = {
  'a million numbers': inInput(`[${'1,'.repeat(MIB / 2 - 200)}1]`),
  'ten MiB of numbers': inInput(`[${'1,'.repeat(5 * MIB - 200)}1]`),
  'ten MiB of text': inInput(JSON.stringify('x'.repeat(10 * MIB - 1_000))),
  'a hundred thousand keys': inInput(`{${list(80_000, (index) => `"k${index}":1`)}}`),
  'ten thousand unknown keys': `{${list(10_000, (index) => `"${'u'.repeat(60)}${index}":1`)}}`,
  'one key two hundred thousand times': inInput(`{${list(120_000, () => '"a":1')}}`),
  'empty objects': inInput(`[${list(300_000, () => '{}')}]`),
  'lists nested a hundred thousand deep': inInput('['.repeat(100_000) + ']'.repeat(100_000)),
  'objects nested fifty thousand deep': inInput('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)),
  'a long key over bad values': `{"${'k'.repeat(17_000)}":[${list(20_000, () => '"\\u0000"')}]}`,
  'long keys in long keys': inInput(
    `{"${'k'.repeat(20_000)}":{"${'l'.repeat(20_000)}":[${list(20_000, () => '{"__proto__":1}')}]}}`,
  ),
  'long keys of lone surrogates': inInput(`{${list(500, (index) => `"${'\\ud83d'.repeat(300)}${index}":1`)}}`),
  'long keys of surrogate pairs': inInput(`{"a${'\u{1F600}'.repeat(150)}":1,"${'\u{1F600}'.repeat(100_000)}":2}`),
  'text without spaces for every pattern': inInput(
    JSON.stringify({ text: `${'a@'.repeat(2_000)}!`, url: 'h'.repeat(8_000) }),
  ),
};

/** Bodies that are sent with gzip, so that they are small on the wire. */
export const PACKED: Record<string, Buffer> = {
  'a long key over bad values': gzipSync(BODIES['a long key over bad values']!),
  'a million numbers': gzipSync(BODIES['a million numbers']!),
  'a gibibyte of spaces': gzipSync(Buffer.alloc(256 * MIB, ' ')),
  'invalid gzip': Buffer.from('{"a":1}'),
};

function inInput(value: string): string {
  const names =
    '"workspaceId":"01890000-0000-7000-8000-000000000000","integrationName":"hash-encode","actionName":"hash"';
  return `{${names},"input":{"text":"a","algorithm":"sha256","x":${value}}}`;
}

function list(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(',');
}
