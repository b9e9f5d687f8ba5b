import { operatorOf } from './operator.js';

export interface NewOrganization {
  organization: { id: string; name: string; slug: string; plan: string };
  owner: { id: string; email: string };
  /** A key with all permissions. */
  plainKey: string;
}

let created = 0;

/** Creates an organization directly in the members database, like the admin command. */
export async function newOrganization(
  databaseUrl: string,
  plan = 'enterprise',
  plansFile?: string,
): Promise<NewOrganization> {
  const name = `Test ${process.pid} ${++created} ${Date.now()}`;
  const ownerEmail = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`;
  return operatorOf(databaseUrl, plansFile).createOrganization({ name, ownerEmail, plan });
}
