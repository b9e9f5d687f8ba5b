import { invalid } from '@drawbridge/contracts';
import { type Request } from 'express';
import { LARGE_BYTES, readBodyOutside } from '../../http/read-body.js';
import { type Site } from '../../http/site.js';

/**
 * Reads a form of ours; an absent field is an empty string. A certificate chain with its key fits; a larger body would need a slot. Throws FORBIDDEN
 * for a form of another site, and VALIDATION_ERROR.
 */
export async function readForm(request: Request, site: Site): Promise<(name: string) => string> {
  site.requireSameOrigin(request);
  const [type = ''] = (request.get('content-type') ?? '').slice(0, 200).toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') throw invalid({ 'Content-Type': 'must be that of a form' });
  const bytes = await readBodyOutside(request, LARGE_BYTES);
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return (name) => (fields.get(name) ?? '').replaceAll('\0', '');
}
