import { whyNotApplied, whyNotPicked, whyPicked } from './explain-invocation.js';
import { type PartialHead } from './partials/apply-partials.js';

const unnamed = { integrationName: 'github' };
const byId = { ...unnamed, workspaceIntegrationId: 'i' };
const byAlias = { ...unnamed, integrationAlias: 'a' };

it.each([
  [byId, 1, 'named'],
  [byAlias, 2, 'named'],
  [unnamed, 1, 'only'],
  [unnamed, 2, 'default'],
])('explains why an instance is selected: %j of %d', (selector, candidates, reason) => {
  expect(whyPicked(selector, candidates)).toBe(reason);
});

it.each([
  [byId, true, 'not_named'],
  [byAlias, true, 'not_named'],
  [unnamed, true, 'not_default'],
  [unnamed, false, 'ambiguous'],
])('explains why an instance is not selected: %j', (selector, isPicked, reason) => {
  expect(whyNotPicked(selector, isPicked)).toBe(reason);
});

it.each([
  ['hash', undefined, 'not_default'],
  ['hash', [], 'not_named'],
  ['hmac', undefined, 'other_operation'],
  ['hmac', [], 'other_operation'],
])('explains why a partial of %s does not apply to hash with the partials %j', (actionName, partialIds, reason) => {
  const head: PartialHead = { id: 'p', name: 'P', actionName, triggerName: null, isDefault: false, updatedAt: '' };
  expect(whyNotApplied(head, { actionName: 'hash' }, partialIds)).toBe(reason);
});
