import { newId } from '@drawbridge/contracts';
import { BearerShareServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/bearer_shares';
import { describeError, type Logger, type Network } from '@drawbridge/rpc';

/** Leave of catalog to have a bearer that names nobody: as long as it is held nothing in the workspace needs connections of each person's own. */
export interface Sharing {
  /** undefined: something does. */
  ask(workspaceId: string): Promise<string | undefined>;
  /** Gives it back at once. Where that fails catalog hears of it by the event, or forgets what was never confirmed. */
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

/**
 * Works with a share that was asked for, where one `isNeeded`; gives it back unless it `isUsed` by what came out, or nothing came out. Catalog
 * is asked before, outside of any transaction.
 */
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
