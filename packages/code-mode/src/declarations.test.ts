import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inputSchema, type JsonSchema } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type ApiTool, pathOf } from './api-tool.js';
import { callOf, declarationsOf } from './declarations.js';
import { toSchema, toTool } from './fixtures/api-tools.js';
import { choices } from './fixtures/choices.js';
import { faultyInput, validInput, withoutRules } from './fixtures/json-inputs.js';
import { toMember } from './source-text.js';

const INPUTS = 300;
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const EVERY: ApiTool[] = Object.values(pieces).flatMap((piece) =>
  Object.entries(piece.actions).map(([actionName, action]) => ({
    alias: piece.name,
    actionName,
    integrationName: piece.name,
    integrationDisplayName: piece.displayName,
    displayName: action.displayName,
    description: action.description,
    category: action.category,
    effect: action.effect,
    inputSchema: inputSchema(action.props),
    defaultedKeys: [],
  })),
);

/** TypeScript treats U+2028 and U+2029 as ends of lines, so they are escaped. */
const toSource = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'declarations-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the errors of `tsc --strict`, each as `line: message`. Line 1 is the first line of the calls. */
function compile(declarations: string, calls: readonly string[] = []): string[] {
  writeFileSync(join(folder, 'svc.d.ts'), declarations);
  writeFileSync(join(folder, 'calls.ts'), calls.join('\n'));
  const args = ['--strict', '--noEmit', '--target', 'es2022', '--types', '', 'svc.d.ts', 'calls.ts'];
  try {
    execFileSync(process.execPath, [TSC, ...args], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const found = [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (.*)$/gm)];
    if (found.length === 0) throw error;
    return found.map(([, file, line, message]) => `${file === 'calls.ts' ? '' : `${file}:`}${line}: ${message}`);
  }
}

it('declares every action of every piece so that it compiles under tsc --strict', async () => {
  expect(compile(await declarationsOf(EVERY))).toEqual([]);
});

it('accepts and refuses the same inputs as the validator, but for rules that TypeScript cannot express', async () => {
  const ajv = new Ajv2020({ strict: false });
  const pick = choices(28);
  const cases = Array.from({ length: INPUTS }, (_, at) => {
    const tool = pick.of(EVERY);
    const schema = withoutRules(tool.inputSchema);
    const input = at % 2 === 0 ? validInput(pick, schema) : faultyInput(pick, schema);
    return { path: pathOf(tool), tool, input, isValid: ajv.validate(schema, input) };
  });
  const calls = cases.map(
    ({ tool, input }) => `svc${toMember(tool.alias)}${toMember(tool.actionName)}(${toSource(input)});`,
  );
  const refused = new Set(compile(await declarationsOf(EVERY), calls).map((error) => Number(error.split(':')[0])));
  const different = cases.filter(({ isValid }, at) => isValid === refused.has(at + 1));
  expect(different.map(({ path, input, isValid }) => ({ path, input, isValid }))).toEqual([]);
  const valid = cases.filter(({ isValid }) => isValid).length;
  expect(valid).toBeGreaterThan(INPUTS / 3);
  expect(INPUTS - valid).toBeGreaterThan(INPUTS / 4);
});

it('writes one line for each input, with its description, and leaves out keys that have a default value', async () => {
  const schema = toSchema(
    {
      channel: { type: 'string', title: 'Channel', description: 'The id\nof a channel.' },
      text: { type: 'string', title: 'Text' },
      count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
      kind: { type: 'string', enum: ['a', "b'"] },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
      thread: { type: 'string' },
    },
    ['channel', 'text', 'thread'],
  );
  const tools = [
    toTool({ inputSchema: schema, defaultedKeys: ['thread'] }),
    toTool({ actionName: 'ping', inputSchema: toSchema({}) }),
    toTool({ alias: 'my-slack', inputSchema: toSchema({ text: { type: 'string' } }), description: '' }),
  ];
  expect(await declarationsOf(tools))
    .toBe(`type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
declare const svc: {
  /** Slack */
  slack: {
    /** Sends a message. */
    send(input: {
      /** The id of a channel. */ channel: string;
      text: string;
      /** How many (integer, at least 1, at most 9) */ count?: number;
      kind?: "a" | "b'";
      tags?: ("x" | "y")[];
    }): Promise<Json>;
    /** Sends a message. */
    ping(input?: Record<string, never>): Promise<Json>;
  };
  /** Slack */
  "my-slack": {
    /** Send message */
    send(input?: {
      text?: string;
    }): Promise<Json>;
  };
};
`);
});

it('gives the type of files a name', async () => {
  const file: JsonSchema = {
    type: 'object',
    properties: { filename: { type: 'string' }, mimeType: { type: 'string' }, base64: { type: 'string' } },
    required: ['filename', 'mimeType', 'base64'],
    additionalProperties: false,
  };
  const text = await declarationsOf([toTool({ inputSchema: toSchema({ file, all: { type: 'array', items: file } }) })]);
  expect(text).toContain('type FileInput = { filename: string; mimeType: string; base64: string };\n');
  expect(text).toContain('all?: FileInput[];');
  expect(compile(text)).toEqual([]);
});

const HOSTILE = [
  '__proto__',
  'constructor',
  'new',
  'get',
  'readonly',
  'a"b',
  "a'b",
  'a`${b}`',
  'a\nb',
  'a\r\u2028\u2029b',
  '*/ declare const x: 1; /*',
  'a\\',
  '//',
  '\ud800',
  '\u202egnp',
  '',
  'é',
  '1',
  'a-b',
];

it('keeps names and texts of any kind inside of their literals and comments', async () => {
  const properties = Object.fromEntries(
    HOSTILE.map((key): [string, JsonSchema] => [key, { type: 'string', description: key, enum: HOSTILE }]),
  );
  const tools = HOSTILE.map((name) =>
    toTool({
      alias: name,
      actionName: name,
      description: `${name} */ export {}; \u2028 evil(); /*`,
      integrationDisplayName: name,
      inputSchema: toSchema(properties, HOSTILE),
    }),
  );
  const calls = HOSTILE.filter((name) => name !== '__proto__').map((name) => {
    const input = HOSTILE.map((key) => `[${toSource(key)}]: ${toSource(key)}`).join(', ');
    return `svc[${toSource(name)}][${toSource(name)}]({ ${input} });`;
  });
  const text = await declarationsOf(tools);
  expect(compile(text, calls)).toEqual([]);
  expect(text).not.toMatch(/[\u2028\u202e]/);
  expect(compile(text, ['evil()'])).toEqual([expect.stringContaining("Cannot find name 'evil'")]);
});

it('declares objects with any keys, alternatives, nested objects and schemas that nest too deeply', async () => {
  let deep: JsonSchema = { type: 'string' };
  for (let level = 0; level < 3_000; level++) deep = { type: 'array', items: deep };
  const schema = toSchema({
    deep,
    map: { type: 'object', additionalProperties: { type: 'number' } },
    open: { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    mixed: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    either: {
      anyOf: [{ type: 'string' }, { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } }],
    },
    needs: {
      type: 'object',
      properties: { x: {}, y: {} },
      anyOf: [{ required: ['x'] }, { required: ['y'] }],
      additionalProperties: false,
    },
    none: { type: 'object', additionalProperties: false },
  });
  const calls = [
    'svc.slack.send({ map: { a: 1 }, open: { a: "", b: 1, c: [null] }, mixed: { a: "", z: 1 }, either: [1, true], needs: { x: 1 }, none: {} });',
    'svc.slack.send({ map: { a: "" } });',
    'svc.slack.send({ open: { a: "" } });',
    'svc.slack.send({ either: [""] });',
    'svc.slack.send({ none: { a: 1 } });',
    'svc.slack.send({ deep: [1] });',
    'svc.slack.send({ deep: 1 });',
  ];
  const errors = compile(await declarationsOf([toTool({ inputSchema: schema })]), calls);
  expect([...new Set(errors.map((error) => error.split(':')[0]))]).toEqual(['2', '3', '4', '5', '6', '7']);
});

it('uses no more than a bounded text for long descriptions', async () => {
  const text = await declarationsOf([toTool({ description: 'é '.repeat(1_000_000) })]);
  expect(text.length).toBeLessThan(1_000);
});

it.each([
  [{}, 'svc.slack.send()'],
  [{ alias: 'my-slack', actionName: 'a b' }, 'svc["my-slack"]["a b"]()'],
  [
    { inputSchema: toSchema({ thread: { type: 'string' }, text: { type: 'string' } }, ['text']) },
    'svc.slack.send({text: string, thread?: string})',
  ],
  [
    { inputSchema: toSchema({ kind: { type: 'string', enum: Array.from({ length: 40 }, (_, n) => `kind ${n}`) } }) },
    'svc.slack.send({kind?: …})',
  ],
] satisfies [Partial<ApiTool>, string][])('writes the call of %j on one line', (tool, expected) => {
  expect(callOf(toTool(tool))).toBe(expected);
});

it('bounds the line of a call, and keeps required keys', () => {
  const keys = Array.from({ length: 500 }, (_, n) => `key_${n}`);
  const inputSchema = toSchema(Object.fromEntries(keys.map((key) => [key, { type: 'string' } as const])), ['key_499']);
  const call = callOf(toTool({ inputSchema }));
  expect(call.length).toBeLessThanOrEqual(300);
  expect(call).toMatch(/^svc\.slack\.send\(\{key_499: string, key_0\?: string, .*, …\}\)$/);
  expect(callOf(toTool({ alias: 'a'.repeat(9_999), actionName: '"'.repeat(9_999) })).length).toBe(300);
});
