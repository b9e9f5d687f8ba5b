import { declarationsOf } from '@drawbridge/code-mode';
import { ApiError } from '@drawbridge/contracts';
import { caller, runAs } from '@drawbridge/rpc';
import { type Clients } from '../../clients.js';
import { offerings } from '../agents.js';
import { type ToolResult } from '../results.js';
import { type SurfaceOf } from '../tool-list.js';
import { codeApiOf } from './code-api.js';
import { toCodeResult } from './code-results.js';
import {
  type CodeRequest,
  type CodeServer,
  executeCode,
  optionsOf,
  requireCodeMode,
  requireCodeRequest,
} from './execute-code.js';

/** The code API of MCP servers for callers with API keys. */
export type ServerCode = ReturnType<typeof serverCode>;

interface Needs {
  clients: Pick<Clients, 'mcpCode' | 'codeRuns'>;
  surfaceOf: SurfaceOf;
}

export function serverCode({ clients, surfaceOf }: Needs) {
  const { mcpCode } = clients;
  const offering = offerings();
  return {
    /**
     * Runs a program at a server, or continues a run. Throws INVALID_CODE_EXECUTE_REQUEST (also for a server of mode TOOLS), NOT_FOUND (server,
     * approval), END_USER_NOT_FOUND, FORBIDDEN (suspended), and the errors of the execution service.
     */
    async execute(id: string, given: CodeRequest, address: (path: string) => string): Promise<ToolResult> {
      const request = requireCodeRequest(given);
      const admit = async (): Promise<CodeServer> => {
        const server = await offering(id.toLowerCase(), (knownTag) => mcpCode.executeMcpCode({ id, knownTag }));
        const { door } = server;
        requireCodeMode(door);
        return { door, endUser: door, api: await codeApiOf(await surfaceOf(server, optionsOf(request))) };
      };
      return runAs({ caller: { ...caller(), source: 'mcp_code' } }, async () =>
        toCodeResult(await executeCode(clients, { admit, request }), address),
      );
    },

    /** Returns the TypeScript declarations of the actions of an alias, or of all aliases of an integration. Throws NOT_FOUND and FORBIDDEN. */
    async declarations(id: string, integrationOrAlias: string): Promise<string> {
      const server = await offering(id.toLowerCase(), (knownTag) => mcpCode.getMcpDeclarations({ id, knownTag }));
      const surface = await asDescribing(() => surfaceOf(server, { isFresh: true }));
      const { apiTools } = await codeApiOf(surface);
      const ofAlias = apiTools.filter(({ alias }) => alias === integrationOrAlias);
      const found =
        ofAlias.length > 0 ? ofAlias : apiTools.filter(({ integrationName }) => integrationName === integrationOrAlias);
      if (found.length > 0) return declarationsOf(found);
      throw new ApiError(
        'NOT_FOUND',
        `MCP server ${id} offers no action of an integration or alias ${integrationOrAlias}`,
      );
    },
  };
}

/** Runs `work` with the permission to describe tools, which the caller may lack. This reveals only schemas of the public catalog. */
function asDescribing<T>(work: () => Promise<T>): Promise<T> {
  const who = caller();
  return runAs({ caller: { ...who, permissions: { ...who.permissions, grants: ['actions.execute'] } } }, work);
}
