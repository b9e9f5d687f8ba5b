import { adminOf } from '@drawbridge/testkit';

export interface NewOrganization {
  organization: { id: string; name: string; slug: string; plan: string };
  owner: { id: string; email: string };
  /** May do everything. */
  plainKey: string;
}

let made = 0;

/** As an operator makes one: with the admin command. */
export async function newOrganization(databaseUrl: string, plan = 'enterprise', env = {}): Promise<NewOrganization> {
  const name = `Test ${process.pid} ${++made} ${Date.now()}`;
  const ownerEmail = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`;
  const admin = adminOf(databaseUrl, env);
  return (await admin('org', 'create', '--name', name, '--owner-email', ownerEmail, '--plan', plan)) as NewOrganization;
}
