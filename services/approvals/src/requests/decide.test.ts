import { isNamed } from './decide.js';

const ANN = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37';
const BOB = '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c38';

it.each([
  ['who is not named', [], 'member', false],
  ['by the role', [{ roles: ['owner', 'member'] }], 'member', true],
  ['of another role', [{ roles: ['owner', 'admin'] }], 'member', false],
  ['of no role', [{ roles: ['member'] }], undefined, false],
  ['by the id', [{ roles: ['owner'] }, { userIds: [BOB, ANN.toUpperCase()] }], 'member', true],
  ['with an id that is not among them', [{ userIds: [BOB] }], 'owner', false],
  ['beside what names no user', [{}, { userIds: [ANN] }], undefined, true],
])('knows a user %s', (_who, approvers, role, named) => {
  expect(isNamed(approvers, { id: ANN, role })).toBe(named);
});
