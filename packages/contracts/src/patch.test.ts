import { masked, type Patch, toPatch } from './patch.js';

interface Changes {
  name?: string;
  colour?: string | null;
  open?: boolean;
  total?: number;
}

const columns = (patch: Patch<Changes>): unknown => masked<Changes>(patch, ['colour']);

describe('a change', () => {
  it.each<[string, Patch<Changes>, object]>([
    ['writes what is given', { changes: { name: 'a' }, updateMask: ['name'] }, { name: 'a' }],
    ['resets what is masked and absent', { changes: {}, updateMask: ['colour'] }, { colour: null }],
    ['resets it too where nothing else changes', { updateMask: ['colour'] }, { colour: null }],
    [
      'takes what is falsy for a value',
      { changes: { open: false, total: 0, name: '' }, updateMask: ['open', 'total', 'name'] },
      { open: false, total: 0, name: '' },
    ],
    ['leaves what is not masked', { changes: { name: 'a', total: 1 }, updateMask: ['total'] }, { total: 1 }],
  ])('%s', (_, patch, written) => {
    expect(columns(patch)).toStrictEqual(written);
  });

  it.each([
    ['an empty mask', [], 'NO_UPDATES'],
    ['a null that may not be', ['name'], 'VALIDATION_ERROR'],
    ['a key that the changes do not have', ['orgId'], 'VALIDATION_ERROR'],
  ])('is refused for %s', (_, updateMask, code) => {
    expect(() => columns({ changes: {}, updateMask })).toThrow(expect.objectContaining({ code }));
  });

  it('names the keys of the body, null or not', () => {
    expect(toPatch({ name: 'a', colour: null }).updateMask).toEqual(['name', 'colour']);
  });
});
