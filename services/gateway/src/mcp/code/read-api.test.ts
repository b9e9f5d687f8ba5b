import { type ApiTool } from '@drawbridge/code-mode';
import { refused } from '@drawbridge/contracts';
import { type CodeApi } from './code-api.js';
import { readApi, searchApi } from './read-api.js';

const action = (alias: string, actionName: string, description = 'Does it.'): ApiTool => ({
  ...{
    alias,
    actionName,
    integrationName: alias,
    integrationDisplayName: alias.toUpperCase(),
    displayName: actionName,
  },
  ...{ description, category: 'write', effect: 'write', inputSchema: { type: 'object' }, defaultedKeys: [] },
});
const TOOLS = [action('gh', 'comment'), action('gh', 'create_issue'), action('my-hash', 'hash')];

const apiOf = (apiTools: readonly ApiTool[] = TOOLS): CodeApi => ({
  ...{ hash: '', apiTools, codeTools: [] },
  search: async (query, limit) =>
    apiTools
      .map(({ alias, actionName, description, effect }) => {
        const path = `${alias}.${actionName}`;
        return { path, call: `svc.${path}()`, description, effect };
      })
      .filter(({ path }) => query.split(' ').some((word) => path.includes(word)))
      .slice(0, limit),
});
const textOf = async (result: ReturnType<typeof readApi>): Promise<string> => (await result).content[0]!.text;
const problemOf = async (attempt: () => unknown): Promise<unknown> => {
  const refusal = await refused(attempt);
  return [refusal?.code, refusal?.error];
};

describe('svc_search', () => {
  it('returns the signature, the description and the effect of each action', async () => {
    const { structuredJson, content } = await searchApi(apiOf(), { query: 'issue' });
    const call = { path: 'gh.create_issue', call: 'svc.gh.create_issue()', description: 'Does it.', effect: 'write' };
    expect(JSON.parse(structuredJson!)).toEqual({ actions: [call], total: 3 });
    expect(content[0]!.text).toBe(structuredJson);
    expect(JSON.parse((await searchApi(apiOf(), { query: 'gh', limit: 1 })).structuredJson!).actions).toHaveLength(1);
  });

  it.each([
    [{}, /query: must be a string/],
    [{ query: '  ' }, /query/],
    [{ query: 'x'.repeat(201) }, /query/],
    [{ query: 'x', limit: 0 }, /limit: must be an integer from 1 to 20/],
    [{ query: 'x', limit: 21 }, /limit/],
    [{ query: 'x', limit: 1.5 }, /limit/],
    [{ query: 'x', words: 1 }, /words: unknown key; the keys are query, limit/],
  ])('refuses %j', async (given, message) => {
    expect(await problemOf(() => searchApi(apiOf(), given))).toEqual([
      'VALIDATION_ERROR',
      expect.stringMatching(message),
    ]);
  });
});

describe('svc_read_api', () => {
  it('lists the aliases without names', async () => {
    expect(JSON.parse(await textOf(readApi(apiOf(), {})))).toEqual({
      aliases: [
        { alias: 'gh', displayName: 'GH', actions: 2 },
        { alias: 'my-hash', displayName: 'MY-HASH', actions: 1 },
      ],
    });
    const many = Array.from({ length: 600 }, (_, n) => action(`a${n}`, 'b'));
    expect(JSON.parse(await textOf(readApi(apiOf(many), {})))).toMatchObject({ more: 100 });
  });

  it.each([['gh'], ['gh.create_issue'], ['svc.gh.create_issue'], ['svc["my-hash"].hash'], ["svc['my-hash']"]])(
    'returns the declarations of %s',
    async (name) => {
      expect(await textOf(readApi(apiOf(), { names: [name] }))).toContain(
        name.includes('hash') ? 'hash' : 'create_issue',
      );
    },
  );

  it('returns each action once', async () => {
    const text = await textOf(readApi(apiOf(), { names: ['gh.create_issue', 'gh', 'svc.gh.create_issue'] }));
    expect(text.match(/create_issue/g)).toHaveLength(1);
  });

  it.each([
    [{ names: [] }, /names: must be a list of 1 to 50/],
    [{ names: 'gh' }, /names/],
    [{ names: Array(51).fill('gh') }, /names/],
    [{ names: ['x'.repeat(201)] }, /names/],
    [{ names: [''] }, /names/],
    [{ name: 'gh' }, /name: unknown key; the keys are names/],
    [{ names: ['gh.create_isue', 'gh'] }, /gh\.create_isue is unknown; the closest are gh\.comment, gh\.create_issue/],
    [{ names: ['zzz'] }, /zzz is unknown$/],
    [{ names: ['zz\u202ez\0'] }, /zz⟨U\+202E⟩z⟨U\+0000⟩ is unknown$/],
    [{ names: ['z1', 'z2', 'z3', 'z4', 'z5', 'z6', 'z7'] }, /; and 2 more$/],
  ])('refuses %j', async (given, message) => {
    expect(await problemOf(() => readApi(apiOf(), given))).toEqual([
      'VALIDATION_ERROR',
      expect.stringMatching(message),
    ]);
  });

  it('cuts long declarations after a line, and says how to get less', async () => {
    const many = Array.from({ length: 400 }, (_, n) => action('gh', `a${n}`, 'd'.repeat(2_000)));
    const text = await textOf(readApi(apiOf(many), { names: ['gh'] }));
    expect(text.length).toBeLessThan(100_300);
    expect(text).toMatch(/\n\/\/ Truncated: .* Name single actions \(alias\.action\) instead of an alias\.$/);
  });
});

it('takes time in proportion to the names', async () => {
  const timeOf = async (size: number): Promise<number> => {
    const names = Array.from({ length: 50 }, (_, n) => `svc["${'["a"]'.repeat(size)}${n}`.slice(0, 200));
    const before = process.cpuUsage();
    for (let round = 0; round < 50; round++) await refused(() => readApi(apiOf(), { names }));
    return process.cpuUsage(before).user;
  };
  await timeOf(40);
  expect(await timeOf(40)).toBeLessThan(40 * ((await timeOf(2)) + 1_000));
});
