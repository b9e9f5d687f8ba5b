import { newId } from '@drawbridge/contracts';
import { BearerShareServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/bearer_shares';
import { describeError, type Logger, type Network } from '@drawbridge/rpc';

/** Catalog's permission for an anonymous bearer token: while it exists, no integration of the workspace may need a connection for each end user. */
export interface Sharing {
  /** Requests a permission and returns its id. Undefined if an integration needs connections for each end user. */
  ask(workspaceId: string): Promise<string | undefined>;
  /** Returns the permission at once. If that fails, catalog learns of it by the event, or deletes a permission that was never confirmed. */
  withdraw(workspaceId: string, shareId: string | null | undefined): Promise<void>;
}

export function sharing({ network, log }: { network: Network; log: Logger }): Sharing {
  const catalog = network.client('catalog', BearerShareServiceDefinition);
  return {
    async ask(workspaceId) {
      const id = newId();
      const { isAllowed } = await catalog.shareBearer({ workspaceId, id });
      return isAllowed ? id : undefined;
    },

    async withdraw(workspaceId, shareId) {
      if (!shareId) return;
      await catalog.withdrawBearer({ workspaceId, id: shareId }).catch((error: unknown) => {
        log.warn({ workspaceId, error: describeError(error) }, 'the share of a bearer is given back later');
      });
    },
  };
}

/** Runs `work` with a permission if one `isNeeded`, and returns it unless the result uses it. Calls catalog first, outside of any transaction. */
export async function withShare<Row extends { shareId: string | null }>(
  sharing: Sharing,
  { workspaceId, isNeeded }: { workspaceId: string; isNeeded: boolean },
  work: (shareId: string | undefined) => Promise<Row>,
): Promise<Row> {
  const shareId = isNeeded ? await sharing.ask(workspaceId) : undefined;
  let used: string | null = null;
  try {
    const row = await work(shareId);
    used = row.shareId;
    return row;
  } finally {
    if (shareId !== used) await sharing.withdraw(workspaceId, shareId);
  }
}
