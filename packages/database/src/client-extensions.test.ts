import { requireOrgId } from './client-extensions.js';

const refusing = (operation: string, args: Record<string, unknown>): (() => void) => {
  return () => requireOrgId('Workspace', operation, args);
};

describe('the tenancy guard', () => {
  it.each([
    ['findMany', {}],
    ['findMany', { where: { name: 'x' } }],
    ['findUnique', { where: { id: '1' } }],
    ['updateMany', { where: { orgId: undefined }, data: { orgId: 'o' } }],
    ['deleteMany', {}],
    ['findMany', { where: { NOT: { orgId: 'o' } } }],
    ['findMany', { where: { orgId: { not: 'o' } } }],
    ['findMany', { where: { OR: [{ orgId: 'o' }, {}] } }],
    ['create', { data: { name: 'x' } }],
    ['createMany', { data: [{ orgId: 'o' }, { name: 'x' }] }],
    ['count', {}],
    ['upsert', { where: { id: '1' }, create: { orgId: 'o' } }],
  ])('refuses %s of %j', (operation, args) => {
    expect(refusing(operation, args)).toThrow(`Workspace.${operation} must filter by orgId`);
  });

  it.each([
    ['findMany', { where: { orgId: 'o' } }],
    ['findUnique', { where: { orgId_slug: { orgId: 'o', slug: 's' } } }],
    ['create', { data: { orgId: 'o' } }],
    ['createMany', { data: [{ orgId: 'o' }, { orgId: 'o' }] }],
  ])('lets %s of %j through', (operation, args) => {
    expect(refusing(operation, args)).not.toThrow();
  });
});
