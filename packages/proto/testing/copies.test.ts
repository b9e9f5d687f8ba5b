import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import { bool, bytes, copyMessage, list, repeated, struct, UNUSUAL } from '@drawbridge/proto/copying';
import { ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';

interface Field {
  jsonName: string;
  type: string;
  typeName?: string;
  label: string;
  oneofIndex?: number;
  proto3Optional?: boolean;
}
interface Message {
  name: string;
  field?: Field[];
  nestedType?: Message[];
  oneofDecl?: { name: string }[];
  options?: { mapEntry?: boolean };
}
interface Image {
  file: { name: string; package: string; messageType?: Message[] }[];
}
type Generated = Record<string, unknown>;
interface Type {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Generated;
  copy?(message: object): Generated;
}

const BUF = join(import.meta.dirname, '../node_modules/.bin/buf');
const ROOT = join(import.meta.dirname, '../../..');
const image = JSON.parse(
  execFileSync(BUF, ['build', '--output', '-#format=json'], { cwd: ROOT, maxBuffer: 1e8, encoding: 'utf8' }),
) as Image;

/** Every message of the product by its full name, with its descriptor and the code that ts-proto generated. */
const MESSAGES = new Map<string, { message: Message; type: Type }>();
for (const { name, package: its, messageType = [] } of image.file.filter((one) =>
  one.package.startsWith('drawbridge.'),
)) {
  if (its === 'drawbridge.access.v1') continue;
  const module = (await import(`@drawbridge/proto/${name.replace('.proto', '')}`)) as Record<string, Type>;
  for (const message of messageType) {
    MESSAGES.set(`.${its}.${message.name}`, { message, type: module[message.name]! });
    for (const entry of message.nestedType ?? [])
      MESSAGES.set(`.${its}.${message.name}.${entry.name}`, {
        message: entry,
        type: module[`${message.name}_${entry.name}`]!,
      });
  }
}

/** Returns pseudo-random numbers (mulberry32) that are the same in each run, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
const random = randomOf(1);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)]!;

const TEXTS = ['', 'a', 'é', '🏰', 'plain text', 'constructor', '0', '\u0000', 'x'.repeat(300)];
const DOUBLES = [0, 1.5, -1, Infinity, NaN, 2 ** 53, 5e-324];
const SCALARS: Record<string, () => unknown> = {
  TYPE_STRING: () => oneOf(TEXTS),
  TYPE_BOOL: () => oneOf([true, false]),
  TYPE_INT32: () => oneOf([0, -0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]),
  TYPE_UINT32: () => oneOf([0, 1, 2 ** 32 - 1]),
  TYPE_DOUBLE: () => oneOf(DOUBLES),
  TYPE_BYTES: () => Buffer.from(oneOf(TEXTS)),
};
const JSON_TYPES: Record<string, () => unknown> = {
  '.google.protobuf.Struct': () => randomObject(0),
  '.google.protobuf.ListValue': () => randomList(0),
  '.google.protobuf.Value': () => randomJson(0),
};

function randomJson(depth: number): unknown {
  const simple = [null, true, oneOf(TEXTS), oneOf(DOUBLES)];
  if (depth > 4 || random(3) === 0) return oneOf(simple);
  return oneOf([randomObject, randomList])(depth + 1);
}
const randomList = (depth: number): unknown[] => Array.from({ length: random(4) }, () => randomJson(depth));
const randomObject = (depth: number): object =>
  Object.fromEntries(Array.from({ length: random(4) }, () => [oneOf(TEXTS), randomJson(depth)]));

/** Returns a message with all its fields if `share` is 1, otherwise with a part of them. */
function randomMessage(fullName: string, share: 1 | 2, depth = 0): Generated {
  const { message, type } = MESSAGES.get(fullName)!;
  const random: Generated = type.decode(new Uint8Array());
  for (const field of message.field ?? []) {
    if (depth > 2 || oneOf([1, share]) !== 1) continue;
    const value = (): unknown => randomValue(field, share, depth);
    if (field.oneofIndex !== undefined && !field.proto3Optional) {
      const name = message.oneofDecl![field.oneofIndex]!.name.replace(/_(\w)/g, (_, letter: string) =>
        letter.toUpperCase(),
      );
      random[name] = oneOf([random[name], { $case: field.jsonName, value: value() }]) ?? {
        $case: field.jsonName,
        value: value(),
      };
    } else if (isMap(field))
      random[field.jsonName] = Object.fromEntries(
        TEXTS.slice(depth * 4).map((key) => [key, mapValue(field, share, depth)]),
      );
    else if (field.label === 'LABEL_REPEATED') random[field.jsonName] = Array.from({ length: 2 }, value);
    else random[field.jsonName] = value();
  }
  return random;
}

const isMap = ({ typeName = '' }: Field): boolean => MESSAGES.get(typeName)?.message.options?.mapEntry === true;
const mapValue = ({ typeName = '' }: Field, share: 1 | 2, depth: number): unknown =>
  randomValue(MESSAGES.get(typeName)!.message.field![1]!, share, depth);

function randomValue({ type, typeName = '' }: Field, share: 1 | 2, depth: number): unknown {
  return (SCALARS[type] ?? JSON_TYPES[typeName] ?? (() => randomMessage(typeName, share, depth + 1)))();
}

/** Returns the result of a function, or that it failed. */
function resultOf(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch (error) {
    return error === UNUSUAL ? UNUSUAL : 'failed';
  }
}

const throughBytes = (type: Type, message: object): unknown =>
  resultOf(() => type.decode(type.encode(message).finish()));
const copied = (type: Type, message: object): unknown => resultOf(() => copyMessage(type.copy!, message));

function objectsIn(value: unknown, found = new Set<object>()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  for (const inner of Object.values(value)) objectsIn(inner, found);
  return found;
}

it('has a copy for each message', () => {
  expect([...MESSAGES].filter(([, { type }]) => !type.copy).map(([name]) => name)).toEqual([]);
});

it('copies a message as encoding and decoding it does, and shares no object with the original', () => {
  for (const [name, { type }] of MESSAGES) {
    for (const share of [1, 1, 1, 2, 2, 2, 2, 2] as const) {
      const message = randomMessage(name, share);
      const copy = copied(type, message);
      if (!isDeepStrictEqual(copy, throughBytes(type, message)))
        expect([name, copy]).toEqual([name, throughBytes(type, message)]);
      const own = objectsIn(message);
      expect([...objectsIn(copy)].filter((one) => own.has(one))).toEqual([]);
    }
  }
});

class Odd {
  a = 1;
}
/** Values that a field or its content may have in spite of its type. */
const ODD: (() => unknown)[] = [
  ...[undefined, null, true, -0, 1.5, NaN, 2 ** 31, 2 ** 32, -1, 1n, 'text', '\ud800', Symbol('s'), () => 1].map(
    (value) => () => value,
  ),
  ...[
    [],
    {},
    [undefined],
    { a: undefined },
    { a: '\udc00' },
    { '\ud800': 1 },
    [[Symbol('s')]],
    [null],
    { a: null },
  ].map((value) => () => value),
  () => JSON.parse('{"__proto__": {"isAdmin": true}, "a": 1}') as unknown,
  () => ({ ['__proto__']: 'own' }),
  () => new Date(0),
  () => new Odd(),
  () => Object.assign(Object.create(null) as object, { a: 1 }),
  () => new Map([['a', 1]]),
  () => new Uint8Array(2),
  () => new Array(3),
  () => ({ $case: 'other', value: 1 }),
  () => ({ $case: '__proto__', value: 1 }),
  () => Array.from({ length: 60 }).reduce((inner) => ({ inner }), {}),
  () => Array.from({ length: 60 }).reduce((inner) => [inner], []),
];

it('leaves each odd value to the codec, or copies it as the codec does', () => {
  const keysOf = (type: Type): string[] => Object.keys(type.decode(new Uint8Array()));
  const places = [...MESSAGES].flatMap(([name, { type }]) => keysOf(type).map((key) => ({ name, type, key })));
  for (const { name, type, key } of places) {
    for (const odd of ODD) {
      const message = { ...randomMessage(name, 2), [key]: odd() };
      const [copy, wanted] = [copied(type, message), throughBytes(type, message)];
      if (copy === UNUSUAL || isDeepStrictEqual(copy, wanted)) continue;
      throw new Error(`${name}.${key} = ${inspect(odd())}: ${inspect({ copy, wanted }, { depth: 9 })}`);
    }
  }
});

it('drops fields that a message does not declare', () => {
  for (const [name, { type }] of MESSAGES) {
    const message = randomMessage(name, 1);
    expect(copied(type, { ...message, undeclared: 'a secret' })).toEqual(throughBytes(type, message));
  }
});

it('leaves a large message to the codec, which enforces the limit of its size', () => {
  const of = (text: string) => ({
    ...ActionOutcome.decode(new Uint8Array()),
    outcome: { $case: 'outputJson' as const, value: text },
  });
  const copy = (text: string): unknown => resultOf(() => copyMessage(ActionOutcome.copy!, of(text)));
  expect(copy('x'.repeat(1_000_000))).toEqual({ value: of('x'.repeat(1_000_000)) });
  expect(copy('x'.repeat(1_100_000))).toBe(UNUSUAL);
  expect(copy('x'.repeat(1_000_000))).not.toBe(UNUSUAL);
});

it.each([
  ['elements of JSON', () => copyMessage(list, new Array(200_000).fill(null))],
  ['keys of JSON', () => copyMessage(struct, Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [at, 1])))],
  ['elements', () => copyMessage((values: boolean[]) => repeated(values, bool), new Array(200_000).fill(true))],
  ['bytes', () => copyMessage(bytes, Buffer.alloc(1_100_000))],
])('leaves a message with many %s to the codec', (_name, copy) => {
  expect(resultOf(copy)).toBe(UNUSUAL);
});

it('copies JSON of 16 levels, and leaves deeper JSON to the codec', () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });
  expect(resultOf(() => copyMessage(struct, nested(16)))).toEqual({ value: nested(16) });
  expect(resultOf(() => copyMessage(struct, nested(17)))).toBe(UNUSUAL);
});

it.each([
  ['text', (length: number) => ({ text: 'é'.repeat(length) })],
  ['keys', (length: number) => Object.fromEntries(Array.from({ length: length / 16 }, (_, at) => [`key ${at}`, at]))],
  ['nested lists', (length: number) => ({ list: Array.from({ length: length / 32 }, () => [[[null]]]) })],
])('costs time in proportion to %s', (_name, inputOf) => {
  const timeOf = (length: number): number => {
    const input = inputOf(length);
    const once = (): number => {
      const before = process.cpuUsage();
      for (let round = 0; round < 20; round++) resultOf(() => copyMessage(struct, input));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    return Math.max(1, Math.min(...Array.from({ length: 3 }, once)));
  };
  // The input is 16 times as long. Quadratic work would take 256 times as long in each attempt. Other processes slow down single attempts.
  timeOf(450_000);
  const ratios = Array.from({ length: 5 }, () => timeOf(450_000) / timeOf(28_125));
  expect(Math.min(...ratios)).toBeLessThan(100);
});
