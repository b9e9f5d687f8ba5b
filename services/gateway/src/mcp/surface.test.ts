import { defaultsOf, pageOf } from './surface.js';

const PAGES = ['[1]', '[2]', '[3]'];
const surface = (tag: string) => ({
  tools: new Map(),
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

it('has no defaults where a server was given none', () => {
  const offer = { integrationAlias: 'a', integrationName: 'a', actionName: 'b', isCutOff: false };
  expect(defaultsOf(offer)).toEqual({});
  expect(defaultsOf({ ...offer, inputDefaultsJson: '{"a":1}' })).toEqual({ a: 1 });
});
