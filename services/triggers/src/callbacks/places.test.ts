import { mayHave, MOST, Places } from './places.js';

const HALF = MOST.inAll / 2;

it.each([
  ['nobody has any', { taken: 0, bytes: 0, own: 0 }, MOST.ofOrganization],
  ['it has some', { taken: 5, bytes: 0, own: 5 }, MOST.ofOrganization - 5],
  ['it has all that it may', { taken: 50, bytes: 0, own: MOST.ofOrganization }, 0],
  ['few are left before they go round', { taken: HALF - 3, bytes: 0, own: 0 }, 3],
  ['half are taken, and it has none', { taken: HALF, bytes: 0, own: 0 }, 1],
  ['half are taken, and it has one', { taken: HALF, bytes: 0, own: 1 }, 0],
  ['half of the memory is taken', { taken: 2, bytes: MOST.bytes / 2, own: 0 }, 1],
  ['all are taken', { taken: MOST.inAll, bytes: 0, own: 0 }, 0],
  ['all memory is taken', { taken: 1, bytes: MOST.bytes, own: 0 }, 0],
])('may have so many where %s', (_where, state, many) => {
  expect(mayHave(state)).toBe(many);
});

const placed = (orgId: string, sourceId = 's') => ({ orgId, sourceId, bytes: 1 });

function newPlaces() {
  const told: string[] = [];
  const places = new Places((orgId) => told.push(orgId));
  const fill = (orgId: string, many = places.reserve(orgId)) => {
    places.take(
      orgId,
      many,
      Array.from({ length: many }, () => placed(orgId)),
    );
    return many;
  };
  return { told, places, fill };
}

it('sets aside what is looked for, and takes what was found', () => {
  const { places } = newPlaces();
  expect(places.reserve('a')).toBe(MOST.ofOrganization);
  expect(places.reserve('a')).toBe(0);
  places.take('a', MOST.ofOrganization, [placed('a'), placed('a', 't')]);
  expect([...places.busy('a')]).toEqual([
    ['s', 1],
    ['t', 1],
  ]);
  expect(places.reserve('a')).toBe(MOST.ofOrganization - 2);
});

it('tells whoever was held back when one of theirs ends, and nobody else', () => {
  const { told, places, fill } = newPlaces();
  for (const orgId of ['a', 'b']) fill(orgId);
  places.holdBack('a');
  places.release(placed('b'));
  expect(told).toEqual([]);
  places.release(placed('a'));
  places.release(placed('a'));
  expect(told).toEqual(['a']);
});

it('tells those who have none in turn, whoever ends', () => {
  const { told, places, fill } = newPlaces();
  for (let n = 0; n < MOST.inAll; n++) fill(`${n}`);
  for (const orgId of ['x', 'y']) {
    expect(places.reserve(orgId)).toBe(0);
    places.holdBack(orgId);
  }
  places.release(placed('0'));
  expect(told).toEqual(['x']);
  places.release(placed('0'));
  expect(told).toEqual(['x', 'y']);
});
