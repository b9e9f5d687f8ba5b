import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = new URL('../cut-description.mjs', import.meta.url).pathname;
const YAML = `
openapi: 3.0.3
servers: [{ url: https://api.acme.example/v1/ }]
paths:
  /rooms:
    post:
      parameters:
        - { name: token, in: query, required: true, schema: { type: string } }
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties:
                name: { type: string }
                colour: { type: string }
                place:
                  type: object
                  properties: { city: { type: string }, floor: { type: integer } }
                seats: { type: array, items: { type: object, properties: { row: { type: integer }, side: { type: string } } } }
  /rooms/{room}/notes:
    parameters:
      - $ref: '#/components/parameters/room'
    post:
      summary: Adds a note
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [text], properties: { text: { type: string, maxLength: 10 } } }
          multipart/form-data:
            schema: { type: object, properties: { file: { type: string }, kind: { oneOf: [{ const: 1, title: One }] } } }
    get:
      parameters:
        - { name: keys, in: query, style: form, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        200:
          content:
            application/json:
              schema:
                type: array
                items:
                  oneOf:
                    - { type: object, required: [id], properties: { id: { type: string }, text: { type: string } } }
                    - { type: object, required: [id], properties: { id: { type: string }, by: { type: string } } }
  /halls:
    post:
      requestBody:
        content:
          application/json:
            schema:
              allOf:
                - $ref: '#/components/schemas/thing'
                - type: object
                  required: ['@odata.type', size]
                  properties:
                    '@odata.type': { type: string }
                    size: { type: integer }
                    owner: { anyOf: [{ $ref: '#/components/schemas/thing' }, { type: object, nullable: true }] }
  /lists/{room}:
    parameters:
      - $ref: '#/components/parameters/room'
    get:
      responses:
        404: { description: Not found }
        200: { content: { application/json: { schema: { $ref: '#/components/schemas/notes' } } } }
  /trees:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/tree' } } } }
components:
  schemas:
    tree: { type: object, properties: { name: { type: string }, trees: { type: array, items: { $ref: '#/components/schemas/tree' } } } }
    thing: { type: object, required: ['@odata.type'], properties: { name: { type: string } } }
    notes:
      type: object
      properties:
        notes: { type: array, items: { anyOf: [{ properties: { text: { type: string } } }, { items: { properties: { by: {} } } }] } }
  parameters:
    room: { name: room, in: path, required: true, description: Which, schema: { type: string } }
`;
const CUT = {
  parameters: [{ name: 'room', in: 'path', required: true, schema: { type: 'string' } }],
  body: {
    required: true,
    schema: { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 10 } } },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'cut-description-'));
const fixture = join(folder, 'fixture.json');
const description = join(folder, 'description.yaml');

beforeAll(() => writeFileSync(description, YAML));
afterAll(() => rmSync(folder, { recursive: true }));

function cut(
  operation: string,
  args: string[],
  more: {
    only?: string[];
    type?: string;
    content?: string;
    reads?: string[];
    answer?: string[];
    credential?: string;
  } = {},
) {
  const { only, type, content, reads, answer, ...rest } = more;
  writeFileSync(
    fixture,
    JSON.stringify({ ...rest, operations: { [operation]: { only, type, content, reads, answer } } }),
  );
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
  return { status, stderr, fixture: JSON.parse(readFileSync(fixture, 'utf8')) as unknown };
}

it('reduces a YAML description to the listed operations', () => {
  const operation = 'POST /rooms/{room}/notes';
  const ended = cut(operation, [fixture, description, 'notes 1.0']);
  expect(ended).toEqual({
    status: 0,
    stderr: '',
    fixture: { source: 'notes 1.0', base: '/v1', operations: { [operation]: CUT } },
  });
});

it('keeps only the listed form fields, without the credential parameter', () => {
  const operation = 'POST /rooms';
  const more = { only: ['name', 'place.city', 'seats.row'], credential: 'token' };
  const row = { type: 'object', properties: { row: { type: 'integer' } } };
  const properties = {
    name: { type: 'string' },
    place: { type: 'object', properties: { city: { type: 'string' } } },
    seats: { type: 'array', items: row },
  };
  const body = { required: false, type: 'application/x-www-form-urlencoded', schema: { type: 'object', properties } };
  expect(cut(operation, [fixture, description, 'rooms 1.0'], more).fixture).toEqual({
    ...{ source: 'rooms 1.0', base: '/v1', credential: 'token' },
    operations: { [operation]: { only: more.only, parameters: [], body } },
  });
});

it('keeps the parts of a response that a piece reads', () => {
  const operation = 'GET /rooms/{room}/notes';
  const note = { type: 'object', properties: { id: { type: 'string' } } };
  const response = { type: 'array', items: { anyOf: [note, note] } };
  expect(cut(operation, [fixture, description, 'notes 1.0'], { reads: ['id'] }).fixture).toMatchObject({
    operations: { [operation]: { reads: ['id'], response } },
  });
  expect(cut('POST /rooms', [fixture, description, 'rooms 1.0'], { reads: ['id'] })).toMatchObject({ status: 1 });
});

it('keeps the format of a list in one query parameter', () => {
  const operation = 'GET /rooms/{room}/notes';
  const schema = { type: 'array', items: { type: 'string' } };
  const keys = { name: 'keys', in: 'query', required: false, explode: false, schema };
  expect(cut(operation, [fixture, description, 'notes 1.0']).fixture).toMatchObject({
    operations: { [operation]: { parameters: [...CUT.parameters, keys] } },
  });
});

it('selects a content type', () => {
  const operation = 'POST /rooms/{room}/notes';
  const type = 'multipart/form-data';
  const properties = { file: { type: 'string' }, kind: { oneOf: [{ const: 1 }] } };
  const body = { required: true, type, schema: { type: 'object', properties } };
  expect(cut(operation, [fixture, description, 'notes 1.0'], { type }).fixture).toMatchObject({
    operations: { [operation]: { type, body } },
  });
});

it('takes the schema of JSON from another content type', () => {
  const more = { only: ['name'], content: 'application/x-www-form-urlencoded' };
  const body = { required: false, schema: { type: 'object', properties: { name: { type: 'string' } } } };
  expect(cut('POST /rooms', [fixture, description, 'rooms 1.0'], more).fixture).toMatchObject({
    operations: { 'POST /rooms': { ...more, body } },
  });
});

it('merges the parts of an object, and reads the null and the annotations of Microsoft', () => {
  const operation = 'POST /halls';
  const thing = { type: 'object', properties: { name: { type: 'string' } } };
  const properties = { ...thing.properties, size: { type: 'integer' }, owner: { anyOf: [thing, { type: 'null' }] } };
  const body = { required: false, schema: { type: 'object', properties, required: ['size'] } };
  expect(cut(operation, [fixture, description, 'halls 1.0']).fixture).toMatchObject({
    operations: { [operation]: { parameters: [], body } },
  });
});

it.each(['POST /rooms/{id}/notes', 'DELETE /rooms/{room}/notes', 'GET /rooms/{room}', '/notes'])(
  'suggests paths for %s and writes nothing',
  (operation) => {
    const { status, stderr, fixture: left } = cut(operation, [fixture, description, 'notes 1.0']);
    expect({ status, left }).toEqual({ status: 1, left: { operations: { [operation]: {} } } });
    expect(stderr).toContain(`has no ${operation}`);
    expect(stderr).toContain('POST /rooms/{room}/notes, GET /rooms/{room}/notes');
    expect(stderr).toContain('Usage: node cut-description.mjs');
  },
);

it('keeps the fields of the answer that the description has, and fails for another one', () => {
  const operation = 'GET /lists/{room}';
  const known = { answer: ['notes', 'notes.*.text', 'notes.*.by'] };
  expect(cut(operation, [fixture, description, 'notes 1.0'], known).fixture).toMatchObject({
    operations: { [operation]: { ...known, parameters: CUT.parameters } },
  });
  const { status, stderr } = cut(operation, [fixture, description, 'notes 1.0'], {
    answer: ['notes.*.text', 'notes.text', 'notes.*.at'],
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `The response of ${operation} has no notes.text, notes.*.at.\n`,
  });
});

it('cuts a schema within itself below its second level', () => {
  const tree = (trees: object) => ({ type: 'object', properties: { name: { type: 'string' }, trees } });
  const list = (items: object) => ({ type: 'array', items });
  expect(cut('POST /trees', [fixture, description, 'trees 1.0']).fixture).toMatchObject({
    operations: { 'POST /trees': { body: { schema: tree(list(tree(list({})))) } } },
  });
});

it('prints its usage', () => {
  expect(cut('GET /rooms', [fixture, description])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Usage:'),
  });
});
