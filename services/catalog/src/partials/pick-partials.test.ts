import type { ApiError } from '@drawbridge/contracts';
import { MAX_NAMED, type PartialHead, pickPartials } from './pick-partials.js';

const head = (id: string, more: Partial<PartialHead> = {}): PartialHead => ({
  id,
  name: id,
  actionName: null,
  triggerName: null,
  isDefault: false,
  updatedAt: '',
  ...more,
});

const HEADS = [
  head('all', { isDefault: true }),
  head('mine', { actionName: 'hash', isDefault: true }),
  head('other', { actionName: 'hmac', isDefault: true }),
  head('event', { triggerName: 'hash', isDefault: true }),
  head('named', { actionName: 'hash' }),
];
const hash = { actionName: 'hash' };

const picked = (partialIds?: string[]): string[] => pickPartials(HEADS, hash, partialIds).map(({ id }) => id);

/** Returns the paths of the refused ids. */
function refused(partialIds: string[]): string[] {
  try {
    pickPartials(HEADS, hash, partialIds);
  } catch (error) {
    return Object.keys((error as ApiError).details['fields'] as object);
  }
  return [];
}

describe('the partials of a call', () => {
  it('are, where it names none, the default ones of its action and of all actions, oldest first', () => {
    expect(picked()).toEqual(['all', 'mine']);
    expect(pickPartials(HEADS, { triggerName: 'hash' }).map(({ id }) => id)).toEqual(['all', 'event']);
  });

  it('are none where it names an empty list', () => {
    expect(picked([])).toEqual([]);
  });

  it('are those that it names alone, in its order, in any case', () => {
    expect(picked(['named', 'ALL'])).toEqual(['named', 'all']);
  });

  it('are refused, each by its place, where they are unknown or of another action or a trigger', () => {
    expect(refused(['mine', 'absent', 'other', 'event'])).toEqual(['partialIds[1]', 'partialIds[2]', 'partialIds[3]']);
  });

  it('are no more than may be', () => {
    expect(picked(Array(MAX_NAMED).fill('all'))).toHaveLength(MAX_NAMED);
    expect(refused(Array(MAX_NAMED + 1).fill('all'))).toEqual(['partialIds']);
  });
});
