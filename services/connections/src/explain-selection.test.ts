import { type Selection, whyLost, whyUsed } from './explain-selection.js';
import { type SeenConnection } from './find-candidates.js';

const seen = (id: string, facts: Partial<SeenConnection> = {}): SeenConnection => ({
  id,
  externalId: id,
  scope: 'ORGANIZATION',
  status: 'ACTIVE',
  suspendedAt: null,
  createdAt: new Date('2026-01-01'),
  generation: 1,
  displayName: id,
  ...facts,
});
const shared = seen('shared');
const workspace = seen('workspace', { scope: 'WORKSPACE' });
const own = seen('own', { scope: 'USER' });

const NAMED = { externalId: 'n' };
const FIXED = { strategy: 'fixed', connectionId: 'shared' };
const PER_USER = { strategy: 'per_user' };
const FALLBACK = { strategy: 'per_user_with_fallback', connectionId: 'shared' };

describe('a connection that is not used', () => {
  it.each<[string, string, Selection, [SeenConnection, ...SeenConnection[]]]>([
    ['another was named', 'not_named', { ...NAMED, usedId: 'x' }, [shared]],
    ['nothing names it and nothing is configured', 'not_named', {}, [shared]],
    ['a nearer one has its name', 'farther', { ...NAMED, usedId: 'own' }, [seen('a', NAMED), { ...own, ...NAMED }]],
    ['it is named and was refused', 'error', NAMED, [seen('a', { ...NAMED, status: 'ERROR' })]],
    ['another is configured', 'not_configured', { ...FIXED, usedId: 'shared' }, [workspace, shared]],
    ["a fixed one is not the end user's", 'not_configured', FIXED, [own, shared]],
    ['it is configured and suspended', 'suspended', FIXED, [{ ...shared, suspendedAt: new Date() }]],
    ['each end user has their own', 'not_own', { ...PER_USER, usedId: 'own' }, [shared, own]],
    ['the end user has a newer one', 'older', { ...PER_USER, usedId: 'new' }, [own, { ...own, id: 'new' }]],
    ['the end user has one', 'own_first', { ...FALLBACK, usedId: 'own' }, [shared, own]],
    ['the end user has one that was refused', 'own_first', FALLBACK, [shared, { ...own, status: 'ERROR' }]],
    ['neither own nor configured', 'not_configured', { ...FALLBACK, usedId: 'own' }, [workspace, own, shared]],
  ])('explains the selection: %s', (_what, reason, selection, all) => {
    expect(whyLost(all[0], all, selection)).toBe(reason);
  });
});

describe('the connection that is used', () => {
  it.each<[string, Selection]>([
    ['named', { ...FIXED, externalId: 'x', usedId: 'shared' }],
    ['fixed', { ...FIXED, usedId: 'shared' }],
    ['own', { ...PER_USER, usedId: 'own' }],
    ['own', { ...FALLBACK, usedId: 'own' }],
    ['fallback', { ...FALLBACK, usedId: 'shared' }],
  ])('explains the selection: %s', (reason, selection) => {
    expect(whyUsed(selection)).toBe(reason);
  });
});
