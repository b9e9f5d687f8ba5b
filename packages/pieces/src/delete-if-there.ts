import { type Http, ProviderError } from '@drawbridge/piece-kit';

/** Deletes a resource. A 404 counts as success: a user may have deleted it at the provider. */
export async function deleteIfThere(http: Http, path: string): Promise<void> {
  await http.request({ method: 'DELETE', path }).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error;
  });
}
