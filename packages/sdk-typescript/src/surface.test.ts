import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '../..');
const DOCUMENT = readFileSync(join(PACKAGES, '../services/gateway/openapi.json'), 'utf8');
const { breakingChanges, requireCompatible, surfaceOf } = await import(
  join(PACKAGES, 'sdk-typescript/generate/surface.mjs')
);

/** Changes the OpenAPI document, and returns the changes that break programs. */
function broken(change: (document: any) => void): string[] {
  const document = JSON.parse(DOCUMENT);
  const before = surfaceOf(document).lines;
  change(document);
  return breakingChanges(before, surfaceOf(document));
}

describe('a change of the OpenAPI document', () => {
  it.each([
    ['nothing', () => undefined],
    [
      'a new operation',
      ({ paths }) => (paths['/api/v1/more'] = { get: { operationId: 'More', responses: { 204: {} } } }),
    ],
    [
      'a new field of a response',
      ({ components }) => (components.schemas.Workspace.properties.more = { type: 'string' }),
    ],
    [
      'a new optional field of a request',
      ({ components }) => (components.schemas.EnableTriggerBody.properties.more = { type: 'string' }),
    ],
    ['a field that a request may now omit', ({ components }) => components.schemas.EnableTriggerBody.required.pop()],
    [
      'a new value of a response',
      ({ components }) => components.schemas.TriggerDelivery.properties.status.enum.push('paused'),
    ],
  ] as [string, (document: any) => void][])('breaks no program: %s', (_, change) => {
    expect(broken(change)).toEqual([]);
  });

  it.each([
    [
      'a removed operation',
      ({ paths }) => delete paths['/api/v1/triggers/test'],
      'removed: operation TestTrigger POST /api/v1/triggers/test',
    ],
    [
      'a moved operation',
      ({ paths }) => ([paths['/api/v2/test'], paths['/api/v1/triggers/test']] = [paths['/api/v1/triggers/test'], {}]),
      'removed: operation TestTrigger POST /api/v1/triggers/test',
    ],
    [
      'a removed field of a response',
      ({ components }) => delete components.schemas.TriggerDelivery.properties.attempt,
      'removed: TriggerDelivery.attempt: integer',
    ],
    [
      'a removed field of a request',
      ({ components }) => delete components.schemas.EnableTriggerBody.properties.input,
      'removed: EnableTriggerBody.input: object',
    ],
    [
      'another type',
      ({ components }) => (components.schemas.TriggerDelivery.properties.attempt.type = 'string'),
      'removed: TriggerDelivery.attempt: integer',
    ],
    [
      'a field of a response that may be null',
      ({ components }) => (components.schemas.TriggerDelivery.properties.attempt.type = ['integer', 'null']),
      'added: TriggerDelivery.attempt: null',
    ],
    [
      'a field of a response that may be absent',
      ({ components }) => components.schemas.TriggerDelivery.required.shift(),
      'removed: TriggerDelivery.id required',
    ],
    [
      'a field that a request must have',
      ({ components }) => components.schemas.EnableTriggerBody.required.push('input'),
      'added: EnableTriggerBody.input required',
    ],
    [
      'a parameter that a request must have',
      ({ paths }) => (paths['/api/v1/triggers'].get.parameters[0].required = true),
      'added: ListTriggers.query.workspaceId required',
    ],
    [
      'a removed value of a request',
      ({ components }) => components.schemas.CreateMcpServerRequest.properties.authMode.enum.shift(),
      'removed: CreateMcpServerRequest.authMode = "oauth"',
    ],
  ] as [string, (document: any) => void, string][])('breaks programs: %s', (_, change, line) => {
    expect(broken(change)).toContain(line);
  });

  it.each(['sdk-typescript', 'sdk-python'])('fails the build of %s if it breaks programs', (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'surface-'));
    try {
      const document = JSON.parse(DOCUMENT);
      delete document.components.schemas.Workspace.properties.slug;
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
      const args = [join(PACKAGES, name, 'generate/generate.mjs'), '--document', join(folder, 'openapi.json')];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect({ status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('removed: Workspace.slug: string'),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the committed surface', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'surface-'));
    file = join(folder, 'surface.txt');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const document = JSON.parse(DOCUMENT);
  const present = `${surfaceOf(document).lines.join('\n')}\n`;

  it('must exist, unless breaking changes are accepted', () => {
    expect(() => requireCompatible(document, { file })).toThrow(`${file} is missing`);
    expect(existsSync(file)).toBe(false);
    requireCompatible(document, { file, flags: ['--accept-breaking-changes'] });
    expect(readFileSync(file, 'utf8')).toBe(present);
  });

  it('is written for additions, but not by a check', () => {
    const before = present.replace('operation TestTrigger POST /api/v1/triggers/test\n', '');
    writeFileSync(file, before);
    requireCompatible(document, { file, flags: ['--check'] });
    expect(readFileSync(file, 'utf8')).toBe(before);
    requireCompatible(document, { file });
    expect(readFileSync(file, 'utf8')).toBe(present);
  });

  it('is compared by a check', () => {
    writeFileSync(file, `${present}Workspace.gone: string\n`);
    expect(() => requireCompatible(document, { file, flags: ['--check'] })).toThrow('removed: Workspace.gone: string');
  });
});
