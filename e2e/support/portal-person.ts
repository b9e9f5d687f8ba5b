import { type Api } from './api.js';
import { fresh } from './owned-resources.js';
import { type Web, webOf } from './web.js';

/** An end user, and a browser that opened their portal link. */
export interface PortalPerson {
  /** The id that Drawbridge assigned to the end user. `endUserId` is the external id. */
  id: string;
  endUserId: string;
  web: Web;
  home: string;
}

interface Where {
  api: Api;
  baseUrl: string;
  workspaceId: string;
  endUserId?: string;
}

/** Creates the end user and opens the portal link. `limits` is the body of the request that creates the link. */
export async function portalPerson(
  { api, baseUrl, workspaceId, endUserId = fresh() }: Where,
  limits: object = {},
): Promise<PortalPerson> {
  const { endUser } = (await api.post('/api/v1/end-users', { workspaceId, externalId: endUserId })).body;
  const { token } = (await api.post(`/api/v1/end-users/${endUser.id}/connect-token`, limits)).body;
  const web = webOf(baseUrl);
  const { to } = await web.get(`/connect/portal?token=${token}`);
  return { id: endUser.id, endUserId, web, home: to! };
}
