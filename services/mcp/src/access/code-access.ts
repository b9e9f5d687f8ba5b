import { ApiError } from '@drawbridge/contracts';
import { type McpCodeAccess, type McpCodeServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/code';
import { type Implementation } from '@drawbridge/rpc';
import { type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import { findServer, requireUsable } from '../servers/server-rows.js';
import { doorOf, offersSince } from './access.js';

/** Authorizes callers who use a server's code API with an API key. `access` authorizes agents with tokens of the server. */
export const codeAccess = (parts: Parts): Implementation<McpCodeServiceDefinition> => ({
  async executeMcpCode({ id, knownTag }) {
    const server = await findServer(parts.db, id);
    const [found] = await Promise.all([accessTo(parts, server, knownTag), requireEndUser(parts, server)]);
    return found;
  },

  getMcpDeclarations: async ({ id, knownTag }) => accessTo(parts, await findServer(parts.db, id), knownTag),
});

async function accessTo(parts: Parts, server: Server, knownTag: string | undefined): Promise<McpCodeAccess> {
  await requireUsable(parts, server);
  return { door: doorOf(server), ...(await offersSince(parts, server, knownTag)) };
}

/** Throws END_USER_NOT_FOUND if the end user of the server was deleted, even if another end user has the same externalId. */
async function requireEndUser({ isThere }: Parts, { id, endUserId, endUserRecordId, ...place }: Server): Promise<void> {
  if (endUserId === null) return;
  if (await isThere(place, { endUserId, endUserRecordId: endUserRecordId ?? undefined })) return;
  throw new ApiError(
    'END_USER_NOT_FOUND',
    `The end user ${endUserId} of MCP server ${id} was deleted. Set endUserId of the server`,
  );
}
