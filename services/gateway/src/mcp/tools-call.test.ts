import { type Agent } from './agents.js';
import { type Era } from './protocol/revisions.js';
import { PART_CHARACTERS } from './results.js';
import { type OfferedTool } from './tool-list.js';
import { toolsCall } from './tools-call.js';

const OPTIONS = { options: [{ label: '€'.repeat(PART_CHARACTERS), value: 1 }], disabled: false };
const PROPERTIES = { properties: { size: { displayName: 'a'.repeat(PART_CHARACTERS) } } };

/** Calls a tool of a server with the tool `acme__post`. The options of its arguments `team` and `fields` are long. */
function server({ isLarge = false } = {}) {
  const asked: any[] = [];
  const described = { optionProperties: ['team'], dynamicProperties: ['fields'], integrationDisplayName: 'Acme' };
  const post = { name: 'acme__post', offer: {}, described } as unknown as OfferedTool;
  const agent = { door: { mode: 'TOOLS' }, bearer: {} } as unknown as Agent;
  const answering = (answer: object) => async (request: unknown) => (asked.push(request), answer);
  const needs = {
    surfaceOf: async () => ({ tools: new Map([[post.name, post]]), pages: [], tag: '', knownTag: '' }),
    properties: { resolveToolOptions: answering(OPTIONS), resolveToolProperties: answering(PROPERTIES) } as never,
    callTool: () => Promise.reject(new Error('No call of a tool is expected')),
    codeRuns: {} as never,
  };
  const call = { agent, era: {} as Era, address: (path: string) => path, isLarge, again: async () => agent };
  const send = async (name: string, given: object): Promise<any> => {
    const result = await toolsCall(needs, { ...call, params: { name, arguments: given } });
    return JSON.parse(('structuredJson' in result && result.structuredJson) || '{}');
  };
  return { asked, send };
}

it.each([
  [{ argument: 'team', arguments: { text: 'x' }, search: 'red' }, OPTIONS],
  [{ argument: 'fields' }, PROPERTIES],
])('svc_continue returns the next parts of long options: %j', async (its, expected) => {
  const { asked, send } = server();
  const given = { tool: 'acme__post', ...its };
  let result = await send('svc_options', given);
  let text: string = result.part;
  while (result.continuation) {
    const { tool, arguments: next } = result.continuation;
    expect({ tool, next }).toMatchObject({ tool: 'svc_continue', next: { tool: 'svc_options', arguments: given } });
    result = await send(tool, next);
    text += result.part;
  }
  expect(JSON.parse(text)).toEqual(expected);
  expect(asked).toEqual([asked[0], asked[0]]);
});

it.each([
  ['arguments', {}],
  ['offset', { arguments: { tool: 'acme__post', argument: 'team' }, offset: -1 }],
  ['tool', { arguments: { tool: 'svc_options', argument: 'team' } }],
])('svc_continue validates %s for options', async (field, given) => {
  const { asked, send } = server();
  const { code, details } = await send('svc_continue', { tool: 'svc_options', ...given });
  expect({ code, fields: Object.keys(details.fields) }).toEqual({ code: 'VALIDATION_ERROR', fields: [field] });
  expect(asked).toEqual([]);
});

it.each([
  ['svc_options', { tool: 'acme__post', argument: 'team' }],
  ['svc_continue', { tool: 'svc_options', arguments: { tool: 'acme__post', argument: 'team' } }],
])('%s refuses a body above the limit of a call without files', async (name, given) => {
  const { asked, send } = server({ isLarge: true });
  expect(await send(name, given)).toMatchObject({ code: 'VALIDATION_ERROR', error: 'The body is larger than 1 MiB' });
  expect(asked).toEqual([]);
});
