import { invalid } from '@drawbridge/contracts';
import { type Request } from 'express';
import { LARGE_BYTES, readBodyOutside } from '../../http/read-body.js';
import { type Site } from '../../http/site.js';

/**
 * What a form of ours sent: each field once, absent ones empty. A chain of certificates with its key fits; a larger body would need a
 * slot. Throws FORBIDDEN when another site sent it.
 */
export async function readForm(request: Request, site: Site): Promise<(name: string) => string> {
  site.requireSameOrigin(request);
  const [type = ''] = (request.get('content-type') ?? '').slice(0, 200).toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') throw invalid({ 'Content-Type': 'must be that of a form' });
  const bytes = await readBodyOutside(request, LARGE_BYTES);
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return (name) => (fields.get(name) ?? '').replaceAll('\0', '');
}
