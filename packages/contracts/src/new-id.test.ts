import { isId, newId } from './new-id.js';

describe('an id', () => {
  it('is a UUIDv7 of now', () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const msecs = parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(msecs).toBeGreaterThanOrEqual(before);
    expect(msecs).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('is greater than all earlier ids', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id.slice(-10))).size).toBe(ids.length);
  });

  it('is greater also when the clock is set back', () => {
    const before = newId();
    import.meta.jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
    expect(newId() > before).toBe(true);
    import.meta.jest.restoreAllMocks();
  });
});

it('is distinguished from other texts in upper and lower case', () => {
  expect([newId(), newId().toUpperCase()].map(isId)).toEqual([true, true]);
  for (const text of ['', 'none', `${newId()}0`, newId().replaceAll('-', ''), `${newId()}\n`])
    expect(isId(text)).toBe(false);
});
