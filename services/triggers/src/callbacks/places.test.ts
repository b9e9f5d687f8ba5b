import { mayHave, MOST, Places } from './places.js';

const HALF = MOST.inAll / 2;
const most = 10;

it.each([
  ['nobody has any', { taken: 0, bytes: 0, own: 0 }, 20, 10],
  ['it has some', { taken: 5, bytes: 0, own: 5 }, 15, 10],
  ['two of its triggers have all theirs', { taken: 20, bytes: 0, own: 20 }, 20, 1],
  ['it has all that it may', { taken: 50, bytes: 0, own: 40 }, 0, 1],
  ['few are left before they go round', { taken: HALF - 3, bytes: 0, own: 0 }, 3, 10],
  ['half are taken, and it has none', { taken: HALF, bytes: 0, own: 0 }, 1, 1],
  ['half are taken, and it has one', { taken: HALF, bytes: 0, own: 1 }, 0, 1],
  ['half of the memory is taken', { taken: 2, bytes: MOST.bytes / 2, own: 0 }, 1, 1],
  ['all are taken', { taken: MOST.inAll, bytes: 0, own: 0 }, 0, 0],
  ['all memory is taken', { taken: 1, bytes: MOST.bytes, own: 0 }, 0, 0],
])('may have so many where %s', (_where, state, many, ofSource) => {
  expect(mayHave({ ...state, most })).toMatchObject({ many, ofSource });
});

const placed = (orgId: string, sourceId = 's') => ({ orgId, sourceId, bytes: 1 });

function newPlaces() {
  const told: string[] = [];
  const places = new Places((orgId) => told.push(orgId));
  const fill = (orgId: string, { many } = places.reserve(orgId, most)) => {
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
  const many = (orgId: string) => places.reserve(orgId, most).many;
  expect([many('a'), many('a'), many('a')]).toEqual([20, 20, 0]);
  places.take('a', 40, [placed('a'), placed('a', 't')]);
  expect([...places.busy('a')]).toEqual([
    ['s', 1],
    ['t', 1],
  ]);
  expect(many('a')).toBe(18);
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
    expect(places.reserve(orgId, most).many).toBe(0);
    places.holdBack(orgId);
  }
  places.release(placed('0'));
  expect(told).toEqual(['x']);
  places.release(placed('0'));
  expect(told).toEqual(['x', 'y']);
});
