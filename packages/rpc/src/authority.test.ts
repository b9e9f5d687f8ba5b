import { type Authority, isNoMore } from './authority.js';

const EVERYTHING = { scope: 'org', approvals: { decide: true } };
const SOON = new Date('2030-01-01T00:00:00Z');
const LATER = new Date('2030-01-01T00:00:01Z');
const of = (role?: string, until?: Date | null, permissions: Authority['permissions'] = EVERYTHING): Authority => ({
  permissions,
  role,
  until,
});

it.each<[string, Authority, Authority, boolean]>([
  ['the same', of('admin', null), of('admin', null), true],
  ['a role to a lower one', of('member'), of('admin'), true],
  ['a role to a higher one', of('owner'), of('admin'), false],
  ['an unknown role', of('king'), of('owner'), false],
  ['a role by an unknown one', of('member'), of('king'), false],
  ['what belongs to nobody', of(undefined), of('owner'), false],
  ['anything by nobody', of('member'), of(undefined), false],
  ['a role that is a property of every object', of('member'), of('toString'), false],
  ['more permissions', of('member'), of('owner', null, { scope: 'org' }), false],
  ['fewer permissions', of('member', null, { scope: 'org', grants: [] }), of('member', null, { scope: 'org' }), true],
  ['an earlier end', of('admin', SOON), of('admin', LATER), true],
  ['the same end', of('admin', SOON), of('admin', SOON), true],
  ['a later end', of('admin', LATER), of('admin', SOON), false],
  ['no end by what ends', of('admin', null), of('admin', SOON), false],
  ['no end by what does not', of('admin', null), of('admin', null), true],
  ['no end by a person', of('admin', null), of('admin'), true],
  ['what is a person by what ends', of('admin'), of('admin', SOON), true],
])('hands out, or not: %s', (_, handed, own, isAllowed) => {
  expect(isNoMore(handed, own)).toBe(isAllowed);
});
