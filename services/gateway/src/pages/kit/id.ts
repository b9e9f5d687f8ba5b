import { ApiError, isId } from '@drawbridge/contracts';

/** Returns an id that one of our forms sent. Throws NOT_FOUND for any other text. */
export function requireId(text: string): string {
  if (!isId(text)) throw new ApiError('NOT_FOUND', 'No such id');
  return text;
}
