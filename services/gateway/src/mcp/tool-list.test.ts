import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { defaultsOf, pageOf, toSurface } from './tool-list.js';

const PAGES = ['[1]', '[2]', '[3]'];
const surface = (tag: string) => ({
  pages: PAGES.map((page) => Buffer.from(page)),
  tag: tag.padEnd(43, 'x'),
});

it('tells a list page by page', () => {
  const list = surface('one');
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(list, cursor);
    seen.push(String(page.toolsJson));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(PAGES);
  expect(String(pageOf({ ...list, pages: [] }, undefined).toolsJson)).toBe('[]');
});

it('goes on in no other list than the one that it began with', () => {
  const { nextCursor } = pageOf(surface('one'), undefined);
  const refused = expect.objectContaining({ code: -32602 });
  expect(() => pageOf(surface('two'), nextCursor)).toThrow(refused);
  for (const cursor of ['', 'x', 1, null, {}]) expect(() => pageOf(surface('one'), cursor)).toThrow(refused);
});

it('goes on wherever the same is listed, whichever process of catalog described it', () => {
  const described: ToolDescription = {
    ...{ isCallable: true, integrationDisplayName: 'Acme', displayName: 'Post', description: 'Posts.' },
    ...{ inputSchemaJson: '{}', effect: 'write', idempotent: false, reachesOutside: true },
    ...{
      optionProperties: [],
      dynamicProperties: [],
      takesFiles: false,
      adds: false,
      category: 'write',
      defaultedKeys: [],
      partialsTag: '',
    },
  };
  const offers = Array.from({ length: 501 }, (_, n) => ({
    ...{ integrationAlias: `acme${n}`, integrationName: 'acme', actionName: 'post' },
  }));
  const listedBy = (tag: string, changes: object = {}) =>
    toSurface(
      { door: { mode: 'TOOLS', toolDiscovery: 'list' }, offers: { list: offers } },
      { tag, isUnchanged: false, tools: offers.map(() => ({ ...described, ...changes })) },
    );
  const [one, other] = [listedBy('one'), listedBy('other')];
  const { nextCursor } = pageOf(one, undefined);
  expect(nextCursor).toBeDefined();
  expect(pageOf(other, nextCursor)).toEqual(pageOf(one, nextCursor));
  expect([one.knownTag, other.knownTag]).toEqual(['one', 'other']);
  expect(() => pageOf(listedBy('one', { description: 'Sends.' }), nextCursor)).toThrow(
    expect.objectContaining({ code: -32602 }),
  );
});

it('has no defaults where a server was given none', () => {
  const offer = { integrationAlias: 'a', integrationName: 'a', actionName: 'b', isCutOff: false };
  expect(defaultsOf(offer)).toEqual({});
  expect(defaultsOf({ ...offer, inputDefaultsJson: '{"a":1}' })).toEqual({ a: 1 });
});

it('lists three tools for a server of mode CODE, whatever it offers', () => {
  const list = [{ integrationAlias: 'a', integrationName: 'a', actionName: 'b' }];
  const described = { isCallable: true, inputSchemaJson: '{}', optionProperties: [], dynamicProperties: [] };
  const surfaceOf = (tools: object[]) =>
    toSurface(
      { door: { mode: 'CODE', toolDiscovery: 'search' }, offers: { list: list.slice(0, tools.length) } },
      { tag: '', isUnchanged: false, tools: tools as ToolDescription[] },
    );
  const [full, empty] = [surfaceOf([described]), surfaceOf([])];
  const names = JSON.parse(String(full.pages[0])).map(({ name }: { name: string }) => name);
  expect(names).toEqual(['svc_search', 'svc_read_api', 'svc_execute']);
  expect([...full.tools.keys()]).toEqual(['a__b']);
  expect(empty.pages).toEqual(full.pages);
});
