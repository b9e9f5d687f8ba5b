import { ApiError } from '@drawbridge/contracts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Of a form of ours, which sends what we wrote there. Throws NOT_FOUND for anything else: it names nothing. */
export function requireId(text: string): string {
  if (!isId(text)) throw new ApiError('NOT_FOUND', 'No such id');
  return text;
}
