// Shapes: none; in full: local
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Drawbridge, ValidationError } from '@drawbridge/sdk';
import { readCatalog } from '@drawbridge/sdk/generate';
import { validateInput } from '@drawbridge/sdk/validate';
import { type Drawbridge as Product, drawbridge } from './support/drawbridge.js';
import { githubWorkspace } from './support/github.js';
import { BIN, blocksOf, describePython, envOf, PACKAGE } from './support/python-sdk.js';

const run = promisify(execFile);
const SCHEMAS = join(PACKAGE, 'src/drawbridge/built_in_schemas.json');
const CATALOG = `
import asyncio, json
from drawbridge import AsyncDrawbridge, Drawbridge
from drawbridge.catalog import read_catalog, read_catalog_async

async def read():
    async with AsyncDrawbridge() as client:
        return await read_catalog_async(client)

print(json.dumps([read_catalog(Drawbridge()), asyncio.run(read())]))`;
const VALIDATE = `
import json, sys
from drawbridge.validate import validate_input

print(json.dumps([validate_input(*case) for case in json.load(open(sys.argv[1]))]))`;

/** Values of each type, texts that match patterns of the catalog, and texts for which patterns of JavaScript and of Python differ. */
const VALUES = [
  ...[null, true, 0, -1, 1.5, 1e21, 99_999_999_999, [], {}, { a: 1 }, { a: [1, 1] }, { filename: '' }],
  ...[
    ['a', 'a'],
    ['a', 'b', 'b', 'a'],
    [1, {}],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[1], [1]],
    [true, 1, 1],
  ],
  ...[
    '',
    'text',
    'x'.repeat(300),
    'acme/app',
    'acme/app\n',
    '/a',
    'a b',
    'a@b.example',
    'https://a.example',
    '#aabbcc',
  ],
  ...['2026-01-01', '2026-01-01T10:00Z', '12\u0663', '\u00a0', '\ufeff', '\u001c', '\u0085', '😀', 'ä', '\ud83d'],
];

interface Schema {
  properties?: Record<string, unknown>;
}
type Case = [integration: string, action: string, input: Record<string, unknown>];

/** No input, an unknown key, and each value under each key. */
const inputsFor = ({ properties = {} }: Schema): Record<string, unknown>[] => [
  {},
  { other: 1 },
  ...VALUES.map((value) => Object.fromEntries(Object.keys(properties).map((name) => [name, value]))),
];

let product: Product;
let client: Drawbridge;
let folder: string;

/** Returns the problems that the Python SDK finds. */
async function validateInPython(cases: Case[]): Promise<unknown[]> {
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify(cases));
  const options = { env: envOf(product), maxBuffer: 500_000_000 };
  return JSON.parse((await run(join(BIN!, 'python'), ['-c', VALIDATE, file], options)).stdout);
}

describePython('the catalog of the Python SDK', () => {
  beforeAll(async () => {
    product = await drawbridge();
    client = new Drawbridge({ baseUrl: product.baseUrl, apiKey: product.key });
    folder = mkdtempSync(join(tmpdir(), 'sdk-python-catalog-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has the schemas that the TypeScript SDK reads', async () => {
    const options = { env: envOf(product), maxBuffer: 100_000_000 };
    const { stdout } = await run(join(BIN!, 'python'), ['-c', CATALOG], options);
    const schemas = await readCatalog(client);
    expect(JSON.parse(stdout)).toEqual([schemas, schemas]);
  });

  it('writes a module with which mypy accepts the program of the README', async () => {
    const [generate = ''] = blocksOf('catalog', 'sh');
    const program = [...blocksOf('first action', 'python'), ...blocksOf('catalog', 'python')].join('\n');
    writeFileSync(join(folder, 'program.py'), program);
    const env = { ...envOf(product), MYPYPATH: join(PACKAGE, 'src') };
    const command = generate.replace('drawbridge-generate', `'${join(BIN!, 'python')}' -m drawbridge generate`);
    await run('sh', ['-ec', command], { cwd: folder, env });
    const mypy = (): Promise<{ stdout: string }> =>
      run(join(BIN!, 'mypy'), ['--strict', '--cache-dir', '/dev/null', 'program.py'], { cwd: folder, env });
    expect((await mypy()).stdout).toContain('no issues found');
    writeFileSync(join(folder, 'program.py'), program.replace('"sha256"}\nacme', '"rot13"}\nacme'));
    await expect(mypy()).rejects.toMatchObject({ stdout: expect.stringContaining('"Literal[\'rot13\']"') });
  });

  it('finds the problems that the TypeScript SDK finds, in every action', async () => {
    const schemas: Record<string, { actions: Record<string, { schema: Schema }> }> = JSON.parse(
      readFileSync(SCHEMAS, 'utf8'),
    );
    const cases = Object.entries(schemas).flatMap(([integration, { actions }]) =>
      Object.entries(actions).flatMap(([action, { schema }]) =>
        inputsFor(schema).map((input): Case => [integration, action, input]),
      ),
    );
    const found = await validateInPython(cases);
    const differing = cases.flatMap(([integration, action, input], index) => {
      const problems = validateInput({ integration, action }, input);
      const isSame = JSON.stringify(sorted(problems)) === JSON.stringify(sorted(found[index] as object));
      return isSame ? [] : [{ integration, action, input, problems, found: found[index] }];
    });
    expect(differing).toEqual([]);
    expect(found.filter((problems) => Object.keys(problems as object).length === 0).length).toBeGreaterThan(100);
  });

  it('finds the problems that the product finds', async () => {
    const { workspaceId } = await githubWorkspace(product.api);
    const { actions } = JSON.parse(readFileSync(SCHEMAS, 'utf8')).github as {
      actions: Record<string, { schema: Schema }>;
    };
    // The workspace does not allow raw requests, which is checked before the input.
    const checked = Object.entries(actions).filter(([action]) => action !== 'request');
    const cases = checked.flatMap(([action, { schema }]) =>
      inputsFor(schema)
        .filter((input) => Object.keys(validateInput({ integration: 'github', action }, input)).length > 0)
        .filter((input, index) => index % 4 === action.length % 4 && isWellFormed(input))
        .map((input): Case => ['github', action, input]),
    );
    const found = await validateInPython(cases);
    for (const [index, [integrationName, actionName, input]] of cases.entries()) {
      const call = { workspaceId, integrationName, integrationAlias: 'gh', actionName, input };
      const refused = await client.actions.execute(call).catch((thrown) => thrown);
      expect(refused).toBeInstanceOf(ValidationError);
      expect({ actionName, input, fields: plain(refused.details.fields) }).toEqual({
        ...{ actionName, input, fields: found[index] },
      });
    }
  });
});

/** The product refuses half of a surrogate pair before it checks the input. */
const isWellFormed = (input: object): boolean => Object.values(input).every((value) => value !== '\ud83d');

const sorted = (problems: object): [string, unknown][] => Object.entries(problems).sort(([a], [b]) => (a < b ? -1 : 1));

/** Removes the suggestions for unknown keys, because only the product adds them. */
const plain = (fields: Record<string, { message: string }>): Record<string, { message: string }> =>
  Object.fromEntries(
    Object.entries(fields).map(([path, { message }]) => [
      path,
      { message: message.replace(/^unknown key\. Did you mean .*$/, 'unknown key') },
    ]),
  );
