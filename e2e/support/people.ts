import { type Api, apiOf } from './api.js';
import { newOrganization } from './organizations.js';

const PATH = '/api/v1/members';

/** A user who owns an organization, and the API with a key of that organization. */
export interface Person {
  api: Api;
  email: string;
  userId: string;
}

export async function newPerson(product: { baseUrl: string; databaseUrl: string }): Promise<Person> {
  const { owner, plainKey } = await newOrganization(product.databaseUrl);
  return { api: apiOf(product.baseUrl, plainKey), email: owner.email, userId: owner.id };
}

/** Returns the id of a pending invitation for this email address. If a member has the address, removes the member first. */
export async function invitationFor(host: Api, email: string): Promise<string> {
  const member = await memberWith(host, email);
  if (member) await host.delete(`${PATH}/${member}`);
  const { invitations } = (await host.get(`${PATH}/invitations?limit=100`)).body;
  const pending = invitations.find((one: { email: string }) => one.email === email);
  return pending?.id ?? (await host.post(`${PATH}/invite`, { email })).body.invitation.id;
}

/** Makes the user a member of the host's organization. Returns the member id. */
export async function join(host: Api, { api, email }: Person): Promise<string> {
  const known = await memberWith(host, email);
  if (known) return known;
  const { body } = await api.post(`${PATH}/invitations/${await invitationFor(host, email)}/accept`);
  return body.member.id;
}

async function memberWith(host: Api, email: string): Promise<string | undefined> {
  const { members } = (await host.get(`${PATH}?limit=100`)).body;
  return members.find((one: { userEmail: string }) => one.userEmail === email)?.id;
}
