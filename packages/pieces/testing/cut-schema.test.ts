import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = new URL('../cut-schema.mjs', import.meta.url).pathname;
const SCHEMA = `
"""A room."""
type Room implements Node { id: ID! name: String! secret: String @deprecated }
interface Node { id: ID! }
input RoomFilter { name: String }
input RoomInput { name: String! colour: String size: Int! }
enum Order { up down }
type Query {
  "Which"
  room(id: String!, filter: RoomFilter, order: Order): Room!
  rooms: [Room!]!
}
`;
const FIXTURE = 'type Query { room: X } type Room { id: X } input RoomInput { colour: X } enum Order { x }';

const folder = mkdtempSync(join(tmpdir(), 'cut-schema-'));
const [fixture, schema] = [join(folder, 'fixture.graphql'), join(folder, 'schema.graphql')];

beforeAll(() => writeFileSync(schema, SCHEMA));
afterAll(() => rmSync(folder, { recursive: true }));

function cut(given: string, args = [fixture, schema, 'rooms 1.0']) {
  writeFileSync(fixture, given);
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
  return { status, stderr, text: readFileSync(fixture, 'utf8').replace(/\s+/g, ' ').trim() };
}

it("keeps the fixture's fields as the schema defines them, and required input fields", () => {
  const { status, text } = cut(FIXTURE);
  expect({ status, text }).toEqual({
    status: 0,
    text:
      '# rooms 1.0 type Query { room(id: String!, order: Order): Room! } type Room { id: ID! } ' +
      'input RoomInput { name: String! colour: String size: Int! } enum Order { up down }',
  });
  expect(cut(readFileSync(fixture, 'utf8')).text).toBe(text);
});

it.each([
  ['type Rooom { id: X }', 'The schema has no Rooom'],
  ['type Room { idd: X }', 'Room has no idd'],
])('fails for %s and writes nothing', (given, problem) => {
  expect(cut(given)).toEqual({ status: 1, stderr: `${problem}\n`, text: given });
});

it('prints its usage', () => {
  expect(cut(FIXTURE, [fixture, schema])).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage:') });
});
