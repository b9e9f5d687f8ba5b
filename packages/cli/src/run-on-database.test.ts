import { requireValidOptions } from './run-on-database.js';

describe('an argument of an admin command', () => {
  it.each([
    [{ name: 'Acme' }],
    [{ name: '😀'.repeat(100) }],
    [{ ownerEmail: 'owner@localhost' }],
    [{ userEmail: 'ann+x@acme.example' }],
    [{ org: '0192F3C4-0000-7000-8000-000000000000' }],
    [{ ownerPassword: 'longer than eight' }],
    [{ plan: 'any: members knows them' }],
    [{ service: 'members', from: '2026-11-22T19:00:00Z' }],
    [{ service: 'execution', from: '2026-11-22T19:00+01:00' }],
  ])('may be %j', (options) => {
    requireValidOptions(options as Record<string, string>);
  });

  it.each([
    [{ name: '' }, '--name: must have 1 to 100 characters'],
    [{ name: '   ' }, '--name: must have'],
    [{ name: 'x'.repeat(101) }, '--name: must have'],
    [{ name: 'a\u0000b' }, '--name: must have'],
    [{ ownerEmail: 'ann' }, '--owner-email: must be an email address'],
    [{ ownerEmail: 'a n@n.example' }, '--owner-email: must be'],
    [{ userEmail: '' }, '--user-email: must be'],
    [{ userEmail: 'ann@acme.example\n' }, '--user-email: must be an email address'],
    [{ email: 'änn@acme.example' }, '--email: must be'],
    [{ email: 'ann@\u212Aelvin.example' }, '--email: must be'],
    [{ email: 'Ann <ann@acme.example>' }, '--email: must be'],
    [{ ownerEmail: `${'a'.repeat(65)}@acme.example` }, '--owner-email: must be'],
    [{ userEmail: `${'x'.repeat(250)}@x.example` }, '--user-email: must be'],
    [{ ownerPassword: 'short' }, '--owner-password: must have 8 to 200 characters'],
    [{ service: 'gateway' }, '--service: must be one of members, '],
    [{ from: 'yesterday' }, '--from: must be a time such as 2026-11-22T19:00:00Z'],
    [{ from: '2026-13-22T19:00:00Z' }, '--from: must be a time'],
    [{ org: 'acme' }, '--org: must be the id of an organization'],
    [{ name: '', org: '' }, '--name: must have 1 to 100 characters; --org: must be'],
  ])('is refused by its flag: %j', (options, problem) => {
    expect(() => requireValidOptions(options as Record<string, string>)).toThrow(problem);
  });
});
