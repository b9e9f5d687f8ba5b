import { join } from 'node:path';
import { ValidateError } from '@tsoa/runtime';
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { RegisterRoutes } from '../gen/routes.js';
import { readOpenApi } from '../http/documents.js';
import { ActionsController } from './actions.controller.js';
import { executeDirectly, validBody } from './execute-directly.js';

const PATH = '/api/v1/actions/execute';
const ID = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const document = readOpenApi(join(import.meta.dirname, '../../openapi.json'));
const isValid = validBody(document, 'ExecuteActionRequest');

/** The lengths of test strings: around every limit of a field. The values below have every JSON type, and characters of two UTF-16 units. */
const LENGTHS = [0, 1, 32, 33, 50, 51, 64, 65, 100, 101, 127, 128, 255, 256];
const TEXTS = LENGTHS.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length)]);
const IDS = [ID, ID.toUpperCase(), `${ID}\n`, ` ${ID}`, ID.slice(1), `${ID}0`, 'g'.repeat(36)];
const OTHERS = [
  null,
  true,
  0,
  -1.5,
  [],
  {},
  ['a'],
  ['a', 'b'],
  ['a', 1],
  [null],
  [['a']],
  { a: 1 },
  { a: null, b: { c: null } },
];
const VALUES = [...TEXTS, ...IDS, ...OTHERS].map((value) => JSON.stringify(value));
const HOSTILE = ['{"__proto__":{"a":1}}', '{"constructor":1}', '{"toString":null}', '{"":0}', '{"hasOwnProperty":[]}'];
const KEYS = Object.keys((document.components.schemas['ExecuteActionRequest'] as { properties: object }).properties);
const FOREIGN = ['extra', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'Input', 'body'];
const REQUIRED = { integrationName: '"github"', actionName: '"create_issue"', workspaceId: JSON.stringify(ID) };

const toJson = (members: Record<string, string>): string =>
  `{${Object.entries(members)
    .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
    .join(',')}}`;

/** Returns pseudo-random numbers below `end` in a fixed sequence. */
function randoms(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

function randomBodies(count: number): string[] {
  const below = randoms(7);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  return Array.from({ length: count }, () => {
    const members: Record<string, string> = below(10) ? { ...REQUIRED } : {};
    for (let more = below(4); more > 0; more--) members[one(KEYS)] = one(below(8) ? VALUES : HOSTILE);
    if (below(8) === 0) members[one(FOREIGN)] = one(VALUES);
    const names = Object.keys(members);
    if (below(8) === 0) delete members[one(names)];
    return toJson(members);
  });
}

const EACH = KEYS.flatMap((key) => [...VALUES, ...HOSTILE].map((json) => toJson({ ...REQUIRED, [key]: json })));
const STRANGE = FOREIGN.map((key) => `{${toJson(REQUIRED).slice(1, -1)},${JSON.stringify(key)}:1}`);
const WHOLE = ['null', '[]', '[{}]', '"x"', '1', 'true', '{}', toJson(REQUIRED)];
const BODIES = [...WHOLE, ...STRANGE, ...EACH, ...randomBodies(5_000)];

function generatedRoute(): RequestHandler {
  const router = Router();
  RegisterRoutes(router);
  const { route } = router.stack.find((layer) => layer.route?.path === PATH)!;
  return route!.stack.at(-1)!.handle;
}

/** Returns the request that the fake execution service received, or the validation errors that the caller would receive. */
async function resultOf(handlers: RequestHandler[], json: string): Promise<unknown> {
  let result: unknown;
  const clients = {
    actions: {
      executeAction: async (request: object) => {
        result = { executed: JSON.stringify(request) };
        return { outcome: { $case: 'outputJson', value: '{}' }, duration: 1, replayed: false };
      },
    },
  };
  const response = {
    locals: {},
    headersSent: false,
    setHeader: () => response,
    end: () => (response.headersSent = true),
  };
  const locals = { clients };
  const request = { method: 'POST', body: JSON.parse(json), query: {}, headers: {}, res: response, app: { locals } };
  made.push(clients);
  for (const handler of handlers) {
    let isPassedOn = false;
    await handler(
      request as unknown as Request,
      response as unknown as Response,
      ((error?: unknown) => {
        isPassedOn = error === undefined;
        if (error) result = error instanceof ValidateError ? { problems: error.fields } : { error: String(error) };
      }) as NextFunction,
    );
    if (!isPassedOn) break;
  }
  return result;
}

/** The clients of the current request: the last element. The controller of the direct route is created once, so it cannot receive them. */
const made: { actions: { executeAction(request: object): Promise<unknown> } }[] = [];

it('executes and refuses the same bodies as the generated route, with the same words', async () => {
  const actions = { executeAction: (request: object) => made.at(-1)!.actions.executeAction(request) };
  const controller = new ActionsController(
    ...([{ actions }] as unknown as ConstructorParameters<typeof ActionsController>),
  );
  const [direct, generated] = [executeDirectly(document, controller), generatedRoute()];
  for (const json of BODIES) {
    const today = await resultOf([generated], json);
    expect({ json, result: await resultOf([direct, generated], json) }).toEqual({ json, result: today });
  }
});

it('leaves only the bodies to the generated route that it may refuse or change', () => {
  const [taken, left] = [true, false].map((is) => BODIES.filter((json) => isValid(JSON.parse(json)) === is));
  expect(taken!.length).toBeGreaterThan(500);
  expect(left!.length).toBeGreaterThan(500);
  const all = { ...REQUIRED, input: '{"a":null}', integrationAlias: '"gh"', endUserId: '"u"', partialIds: '[]' };
  expect(isValid(JSON.parse(toJson({ ...all, idempotencyKey: '"k"', connectionExternalId: '"c"' })))).toBe(true);
});

it('compiles no schema with a keyword that it does not know', () => {
  const schemas = { A: { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false } };
  expect(() => validBody({ ...document, components: { schemas } }, 'A')).toThrow('type integer');
  const open = { ...schemas.A, anyOf: [] };
  expect(() => validBody({ ...document, components: { schemas: { A: open } } }, 'A')).toThrow('anyOf');
});
