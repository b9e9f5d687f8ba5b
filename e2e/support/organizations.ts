import { operatorOf } from './operator.js';

export interface NewOrganization {
  organization: { id: string; name: string; slug: string; plan: string };
  owner: { id: string; email: string };
  /** May do everything. */
  plainKey: string;
}

let created = 0;

/** Straight into the members database, as the admin command does. */
export async function newOrganization(
  databaseUrl: string,
  plan = 'enterprise',
  plansFile?: string,
): Promise<NewOrganization> {
  const name = `Test ${process.pid} ${++created} ${Date.now()}`;
  const ownerEmail = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`;
  return operatorOf(databaseUrl, plansFile).createOrganization({ name, ownerEmail, plan });
}
