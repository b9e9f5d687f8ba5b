import { processorTime } from '@drawbridge/testkit';
import { agentTools, type ToolOptions } from './agent-tools.js';
import { ValidationError } from './gen/errors.js';
import { Drawbridge } from './client.js';
import { testServer, type TestServer } from './testing/server.js';
import { errorText } from './tool-texts.js';

const integration = (name: string, actions: string[]): object => ({
  ...{ name, displayName: name.toUpperCase() },
  actions: Object.fromEntries(actions.map((action) => [action, { name: action, description: '', props: {} }])),
});
const LONG = 'x'.repeat(70);

let server: TestServer;
let client: Drawbridge<Record<string, Record<string, object>>>;
beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: server.url });
  const integrations = [integration('a-b', ['c', 'd']), integration('a', ['b_c', `${LONG}1`, `${LONG}2`])];
  server.reply({ body: { integrations, total: 2, registered: [] } });
});
afterAll(() => server.stop());

const namesOf = async (actions: ToolOptions<Record<string, Record<string, object>>>['actions']): Promise<string[]> =>
  (await agentTools(client, { actions })).map(({ name }) => name);

describe('agentTools', () => {
  it('gives each action a valid name of its own, in any order of the patterns', async () => {
    const names = ['a_b_c', 'a_b_c_2', 'a_b_d', `a_${LONG}`.slice(0, 64), `${`a_${LONG}`.slice(0, 62)}_2`];
    expect((await namesOf(['a-b.*', 'a.*'])).sort()).toEqual(names.sort());
    expect(await namesOf(['a-b.*', 'a.*'])).toEqual(await namesOf(['a.*', 'a-b.c', 'a-b.d']));
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
  });

  it('describes an action that has no description', async () => {
    expect((await agentTools(client, { actions: ['a.b_c'] }))[0]).toMatchObject({ description: 'A: b_c' });
  });

  it.each(['c.d', 'a.none', 'a', '.*', '__proto__.*'])('refuses %s', async (pattern) => {
    await expect(namesOf([pattern as 'a.b'])).rejects.toThrow(/The instance has no integration|has no action/i);
  });
});

it('makes texts of errors in time linear in their fields', () => {
  const refused = (count: number): ValidationError => {
    const fields = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`input.${at}`, { message: 'is wrong' }]),
    );
    const refusal = { message: 'Wrong', status: 400, details: { fields }, headers: new Headers() };
    return new ValidationError({ code: 'VALIDATION_ERROR', ...refusal });
  };
  const costOf = (error: ValidationError): number => processorTime(() => errorText('tool', error));
  const [small, large] = [refused(10_000), refused(80_000)];
  costOf(small); // Compiles.
  expect(costOf(large) / costOf(small)).toBeLessThan(8 * 4);
});
