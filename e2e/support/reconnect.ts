import { type Api } from './api.js';
import { webOf } from './web.js';

/** Replaces the credential of a connection through the connect page. */
export async function reconnect(
  { api, baseUrl }: { api: Api; baseUrl: string },
  { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
  secretText: string,
): Promise<void> {
  const { body } = await api.post(`/api/v1/connections/${connectionId}/reconnect`, { workspaceId });
  const web = webOf(baseUrl);
  const { to } = await web.get(`/connect?token=${body.token}`);
  const shown = await web.post(to!, { type: 'SECRET_TEXT', 'field.secretText': secretText });
  expect({ status: shown.status, to: shown.to }).toEqual({ status: 303, to });
}
