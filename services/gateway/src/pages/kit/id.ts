import { ApiError, isId } from '@drawbridge/contracts';

/** Of a form of ours, which sends what we wrote there. Throws NOT_FOUND for anything else: it names nothing. */
export function requireId(text: string): string {
  if (!isId(text)) throw new ApiError('NOT_FOUND', 'No such id');
  return text;
}
