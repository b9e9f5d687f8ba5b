import { type Drawbridge } from '../client.js';
import { UsageError } from './command.js';
import { type FlagSpec } from './flags.js';
import { suggestion } from './suggest.js';

export const WORKSPACE: FlagSpec = {
  name: 'workspace',
  value: 'ID',
  text: 'The id or the slug of the workspace. Defaults to the only one.',
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum number of workspaces that are searched for a slug. A key with access to more workspaces must be used with an id. */
const MAX_LISTED = 1_000;

/** Returns the id of the workspace that the flag names, or of the only one. Throws UsageError if there are several. */
export async function workspaceIdOf(
  client: Drawbridge,
  given: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (given !== undefined && ID.test(given)) return given;
  const limit = given === undefined ? 2 : MAX_LISTED;
  const workspaces = await client.workspaces.list({ limit: Math.min(limit, 100) }, { signal }).toArray(limit);
  if (given !== undefined) return idOfSlug(workspaces, given);
  const [only, other] = workspaces;
  if (only && !other) return only.id;
  throw new UsageError(
    only
      ? '--workspace is missing: the key sees several workspaces. Pass the id or the slug of one.'
      : 'The key sees no workspace. Create one first.',
  );
}

function idOfSlug(workspaces: readonly { id: string; slug: string }[], given: string): string {
  const found = workspaces.find(({ slug }) => slug === given);
  if (found) return found.id;
  const slugs = workspaces.map(({ slug }) => slug);
  throw new UsageError(
    `--workspace must be the id or the slug of a workspace (got ${given}).${suggestion(given, slugs)}`,
  );
}
