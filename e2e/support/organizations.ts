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
  const body = JSON.stringify({ databaseUrl, plansFile, organization: { name, ownerEmail, plan } });
  const response = await fetch(shared().adminUrl, { method: 'POST', body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as NewOrganization;
}
