import { type Http, ProviderError } from '@drawbridge/piece-kit';

/** Deletes what somebody may have deleted there already: a 404 is as good. */
export async function deleteIfThere(http: Http, path: string): Promise<void> {
  await http.request({ method: 'DELETE', path }).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || error.status !== 404) throw error;
  });
}
