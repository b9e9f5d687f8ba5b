import { ApiError } from '@drawbridge/contracts';
import { type PageKit } from '../kit/page-kit.js';

type Integrations = PageKit['clients']['integrations'];
type Piece = Awaited<ReturnType<Integrations['getIntegration']>>;

/** Returns undefined for an integration that no longer exists; pages then show its name. */
export async function findPiece({ clients }: PageKit, name: string): Promise<Piece | undefined> {
  return clients.integrations.getIntegration({ name }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'INTEGRATION_NOT_FOUND') return undefined;
    throw error;
  });
}
