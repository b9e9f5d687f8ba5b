import { type Api } from './api.js';
import { waiting } from './approvals.js';
import { type Web, webOf } from './web.js';

export interface Linked {
  id: string;
  home: string;
  path: string;
  token: string;
}

/** Makes a call that needs approval. Returns its hosted link. */
export async function newLink(api: Api, asked: object): Promise<Linked> {
  const { id, hostedApprovalUrl } = await waiting(api, asked);
  const { pathname, search, searchParams } = new URL(hostedApprovalUrl);
  return { id, home: `/approvals/${id}`, path: pathname + search, token: searchParams.get('token')! };
}

/** Opens the link in a new browser. */
export async function openLink(baseUrl: string, { path, home }: Linked): Promise<Web> {
  const web = webOf(baseUrl);
  const { status, to } = await web.get(path);
  expect({ status, to }).toEqual({ status: 303, to: home });
  return web;
}
