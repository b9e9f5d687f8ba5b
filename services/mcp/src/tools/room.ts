import { ApiError, requireCount } from '@drawbridge/contracts';
import { type Prisma, type Tool } from '../gen/prisma/client.js';

/** Tools of one server, because they are listed and offered all at once. */
const MAX_TOOLS = 500;
/** Limits their texts and defaults, in bytes of UTF-8, because one message carries all of them. */
const MAX_BYTES = 4 * 1024 * 1024;

interface Used {
  tools: number;
  bytes: number;
}

/** Checks the limits after the write, in its transaction, which has the server locked. Throws ALIAS_CONFLICT and VALIDATION_ERROR. */
export async function requireRoom(tx: Prisma.TransactionClient, tool: Tool): Promise<void> {
  const { orgId, serverId, integrationAlias, integrationName } = tool;
  const where = { orgId, serverId, integrationAlias, integrationName: { not: integrationName } };
  const other = await tx.tool.findFirst({ where, select: { integrationName: true } });
  if (other)
    throw new ApiError('ALIAS_CONFLICT', `${integrationAlias} stands for ${other.integrationName} in this server`);
  const [used] = await tx.$queryRaw<Used[]>`
    SELECT count(*)::int AS tools, coalesce(sum(octet_length(input_defaults::text)), 0)::int
      + coalesce(sum(octet_length(description)), 0)::int + coalesce(sum(octet_length(display_name)), 0)::int AS bytes
    FROM mcp.tools WHERE org_id = ${orgId}::uuid AND server_id = ${serverId}::uuid`;
  const owner = 'an MCP server';
  requireCount(
    { field: 'actionName', owner, what: 'tools', used: used!.tools, most: MAX_TOOLS },
    { field: 'inputDefaults', owner, what: 'bytes in the texts of its tools', used: used!.bytes, most: MAX_BYTES },
  );
}
