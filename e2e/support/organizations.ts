import { shared } from './shared.js';

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
  plansFile = '',
): Promise<NewOrganization> {
  const name = `Test ${process.pid} ${++created} ${Date.now()}`;
  const ownerEmail = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`;
  const organization = { name, ownerEmail, plan };
  return (await askAdmin({ databaseUrl, plansFile, organization })) as NewOrganization;
}

/** One who can sign in, and belongs nowhere yet. */
export async function newUser(databaseUrl: string, user: { email: string; password: string }): Promise<{ id: string }> {
  return ((await askAdmin({ databaseUrl, user })) as { user: { id: string } }).user;
}

async function askAdmin(wanted: object): Promise<unknown> {
  const response = await fetch(shared().adminUrl, { method: 'POST', body: JSON.stringify(wanted) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
