import { inputSchema, type JsonObject } from '@drawbridge/piece-kit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkRequest, type Description } from './check-request.js';
import { readMultipart, withField } from './read-multipart.js';
import { runPiece, type Setting } from './run-piece.js';
import type { Recorded } from './third-party.js';

/** Inputs of each action, smallest first, and the requests that each causes, in the format of `toLine`. */
export type Calls = Record<string, readonly (readonly [input: JsonObject, ...asked: string[]])[]>;
export type Check = (request: Recorded) => string[];

/**
 * Checks every action of a piece against the provider's description, from the smallest input to an input with all properties, and checks that the
 * description rejects a misspelt key in each of these requests.
 */
export function itIsAccepted(setting: Setting, check: Check, calls: Calls): void {
  const { actions } = setting.piece;
  itHasCases(setting, calls);

  it.each(runsOf(calls))("matches the provider's description: %s, case %i", async (name, _index, input, expected) => {
    const { asked, received } = await runPiece(setting, name, input);
    expect(asked).toEqual(expected);
    expect(received.flatMap(check)).toEqual([]);
    expect(received.flatMap(misspelt).filter((request) => check(request).length === 0)).toEqual([]);
  });

  const selects = optionsOf(actions, calls);
  if (selects.length === 0) return;
  it.each(selects)("has options of %s that the provider's description has", async (name, inputs) => {
    const action = name.split('.')[0] ?? '';
    for (const input of inputs) expect((await runPiece(setting, action, input)).received.flatMap(check)).toEqual([]);
  });
}

/**
 * Compares the requests of every action with expected requests, for a provider without a published description. The smallest input has only the
 * required properties, and all inputs together have all properties.
 */
export function itSends(setting: Setting, calls: Calls): void {
  itHasCases(setting, calls);

  it.each(runsOf(calls))('sends the requests of %s, case %i', async (name, _index, input, expected) => {
    expect((await runPiece(setting, name, input)).asked).toEqual(expected);
  });
}

function itHasCases({ piece: { actions } }: Setting, calls: Calls): void {
  const ajv = new Ajv2020();

  it('has a case for every action', () => expect(Object.keys(calls).sort()).toEqual(Object.keys(actions).sort()));

  it.each(Object.entries(calls))('has cases for all properties of %s', (name, cases) => {
    const props = actions[name]?.props ?? {};
    const required = Object.keys(props).filter((key) => props[key]?.required);
    const accepts = ajv.compile(inputSchema(props));
    expect(cases.filter(([input]) => !accepts(input))).toEqual([]);
    expect(Object.keys(cases[0]?.[0] ?? {}).sort()).toEqual(required.sort());
    expect([...new Set(cases.flatMap(([input]) => Object.keys(input)))].sort()).toEqual(Object.keys(props).sort());
  });
}

function runsOf(calls: Calls) {
  return Object.entries(calls).flatMap(([name, cases]) =>
    cases.map(([input, ...asked], index) => [name, index + 1, input, asked] as const),
  );
}

/** Returns an input for each option of a static select, based on a case that uses the property. */
function optionsOf(actions: Setting['piece']['actions'], calls: Calls): [name: string, inputs: JsonObject[]][] {
  return Object.entries(actions).flatMap(([action, { props }]) =>
    Object.entries(props).flatMap(([key, { options, type }]): [string, JsonObject[]][] => {
      const [input] = calls[action]?.find(([one]) => key in one) ?? [];
      if (!input || options.length === 0) return [];
      const isList = type === 'STATIC_MULTI_SELECT';
      return [[`${action}.${key}`, options.map(({ value }) => ({ ...input, [key]: isList ? [value] : value }))]];
    }),
  );
}

/** Accepts a request that is valid for one of the descriptions that contain its operation. */
export const by =
  (...descriptions: Description[]): Check =>
  (request) => {
    const found = descriptions.map((description) => checkRequest(description, request));
    const isKnown = (problems: string[]): boolean => !problems[0]?.endsWith(' is no operation');
    return found.find((problems) => problems.length === 0) ?? found.find(isKnown) ?? found.flat();
  };

/** Returns the request with an unknown key: once in its query, and once in a JSON body or a form. */
function misspelt(request: Recorded): Recorded[] {
  const { url, headers, body } = request;
  const inQuery = { ...request, url: `${url}${url.includes('?') ? '&' : '?'}tittle=x` };
  const type = body === '' ? '' : headers['content-type'];
  if (type === 'application/json')
    return [inQuery, { ...request, body: JSON.stringify({ ...JSON.parse(body), tittle: 'x' }) }];
  if (readMultipart(request)) return [inQuery, { ...request, body: withField(request, 'tittle', 'x') }];
  return type?.endsWith('urlencoded') ? [inQuery, { ...request, body: `${body}&tittle=x` }] : [inQuery];
}
